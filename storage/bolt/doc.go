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
// bbolt trusts its file: on damage it panics, or reads outside its mapping. What that does while the
// file is opened or checked is kv.ErrCorrupt. Later it ends the process: records have checksums of
// their own, by which all but damage to the pages themselves is found, and package salvage takes out
// of such a file what is sound.
//
// Each of the two meta pages is written by every other commit, and bbolt goes by the newer that is
// sound. If one is not, the file may be open as of one commit before; Check says so.
//
// The free list is stored in the file: without it, opening would read all of
// it. Files with buckets other than ours are refused.
package bolt
