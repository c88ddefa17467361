// Package bolt keeps a kv database in one file, with bbolt.
//
// # Design
//
// Concurrent updates share commits. One goroutine takes every update that
// waits, lets each in turn run its function on an overlay of the one bbolt
// transaction, and commits once for all. An overlay is merged when its function
// succeeds and forgotten when it fails; if nothing was merged, the transaction
// is rolled back, so that a refusal costs no write to the disk. There is no
// delay: while one commit is on its way to the disk, the next batch gathers. A
// function runs in the goroutine that called Update, so that a panic in it is
// an ordinary panic there.
//
// A function that refuses may have done so because of what a neighbour in the
// same batch wrote. Its answer therefore waits for the batch, and if the commit
// fails, every caller in the batch gets that error instead.
//
// bbolt trusts its file: on damage it panics, reads outside its mapping, or
// follows a cycle until the stack is full, which nothing can recover from. So
// before anything is written, the branches above the leaves and the list of
// free pages are read by ordinary means: none of them may lie outside or be met
// twice. The leaves, which are nearly all of the file, are read too if the file
// is small. What remains is met later: each call into bbolt turns panics and
// memory faults into kv.ErrCorrupt. A function of the caller's is never inside
// such a call. A leaf of a long file that damage has turned into a branch is the
// one thing that could still end the process. Check has bbolt itself look for
// everything else; that is for a file that nobody writes.
//
// Each of the two meta pages is written by every other commit, and bbolt goes by the newer that is
// sound. If one is not, the file may be open as of one commit before; Doubt says so.
//
// After damage met while a transaction of bbolt begins or is stored, what bbolt
// has in memory is not to be trusted and its locks may be held forever. The
// database then answers everything with kv.ErrCorrupt until it is opened again.
//
// The free list is stored in the file: without it, opening would read all of
// it. Files with buckets other than ours are refused.
package bolt
