// Package etcd keeps a kv database in a cluster of etcd, where several processes can use it at
// once.
//
// # Design
//
// A transaction reads at one revision of the cluster and writes nothing until it commits. A commit
// is one transaction of etcd: it compares every key that was read, every range that was scanned
// (nothing in it is newer than the revision, and what was seen there is still there, so that what
// came and what went are both noticed), and writes. If a compare fails, the function runs again
// at a newer revision. Updates that wait at the same time share a commit, each on top of those
// before it, as in package bolt.
//
// Every commit also writes the key "commit". Its last change is the newest revision that a View
// must see. It is read by each trip that reads single keys, which all share who wait at the time.
// So a View learns it at its first read, on the trip that fetches what is read if that is not known,
// and makes no trip where one has told it that began after the moment of its context (kv.AsOfNow).
//
// Where there is more to compare than a server allows, "commit" stands for the database: nobody has
// committed since. While nobody else commits, large batches are compared so too. A function that
// loses again and again takes the key "lock": as long as that is there, nobody else commits.
//
// A watch follows the database and keeps what was read up to date, as far as it has room, so
// that most transactions read nothing from the cluster. A function that needs more in its turn in
// a batch lets the others pass: it runs to its end to fetch all that it reads, and comes again.
//
// Each handle has a lease, and a key that hangs on it and gets a value of its own from each
// commit, which compares it with the one before. So a commit that was not answered can be found
// out: either the key has its value, or another value is put there, and it can never succeed. When
// the lease is over, so is the key, and no commit of the handle succeeds any more (kv.ErrLost).
// Roles hang on the same lease: who has lost one cannot commit.
//
// # Keys
//
//	<prefix>/d/<key>           the pairs of the database
//	<prefix>/m/format          the version of all this, a number
//	<prefix>/m/commit          the handle that has committed last
//	<prefix>/m/lock            the handle that alone may commit
//	<prefix>/m/handle/<id>     the number of the handle's last commit
//	<prefix>/m/role/<name>     the handle that holds the role
//
// etcd keeps what was replaced until it is compacted, which is its operator's to set up
// (--auto-compaction-retention). A server takes at least what one does without flags: 128
// operations in a transaction, nested ones for more, and 1.5 MiB.
package etcd
