// Package bolt keeps a kv database in one file, with bbolt.
//
// # Design
//
// Concurrent updates share commits. Each in its turn runs its function on an overlay
// of the one bbolt transaction, which is merged when the function succeeds and
// forgotten when it fails. When all that wait have had their turn, one commit stores
// what they wrote; if nothing was merged, the transaction is rolled back, so that a
// refusal costs no write to the disk. There is no delay: while one commit is on its
// way to the disk, the next batch gathers.
//
// A function that refuses may have done so because of what a neighbour in the
// same batch wrote. Its answer therefore waits for the batch, and if the commit
// fails, every caller in the batch gets that error instead.
//
// bbolt trusts its file: on damage it panics, or reads outside its mapping. While the file is opened or checked, that
// becomes kv.ErrCorrupt. Later it ends the process: the checksums of records find all damage but that to the pages
// themselves, and package salvage recovers what is sound in such a file.
//
// Each of the two meta pages is written by every other commit, and bbolt uses the newer sound one. If one is damaged,
// the file may be open as of the commit before the last; Check says so.
//
// The free list is stored in the file: without it, opening would read all of
// it. Files with buckets other than ours are refused.
package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"chimera/storage/kv"
)

// BucketName is the name of the one bucket, which holds everything.
const BucketName = "kv"

const (
	fileMode    = 0o600       // for a new file
	growth      = 1 << 20     // how far a file grows beyond its need
	lockTimeout = time.Second // how long to wait for a lock held elsewhere
)

// A DB is a kv.DB in one file.
type DB struct {
	bolt  *bbolt.DB
	calls kv.Gate // View, Update, Copy and Check

	turn  chan struct{} // full while an update runs its function, or a batch ends; first come, first served
	batch *batch        // that the next update joins, nil if it begins one; owned by whoever has the turn
}

var (
	_ kv.DB     = (*DB)(nil)
	_ kv.Copier = (*DB)(nil)
)

// Open opens the database in the file at path, or makes a new one if the file
// is absent or empty. The folder must exist. A new file is readable and
// writable by its owner alone.
//
// Open fails with kv.ErrLocked if the database is open already, here or in
// another process, with kv.ErrNotDatabase, kv.ErrVersion or kv.ErrCorrupt if
// the file is not one that can be relied on, and otherwise with the operating
// system's error. A file that existed and could not be opened is not changed.
func Open(path string) (*DB, error) { return opened(path, options()) }

// OpenReadOnly opens the database in the file at path, which is not changed and need not
// be writable. Update fails. Others may read the file meanwhile, and nobody may write it;
// otherwise it fails as Open does, and with fs.ErrNotExist or kv.ErrNotDatabase where Open
// makes a new database.
func OpenReadOnly(path string) (*DB, error) {
	options := options()
	options.ReadOnly = true
	return opened(path, options)
}

func opened(path string, options *bbolt.Options) (*DB, error) {
	db, err := open(path, options)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, pathless(err))
	}
	return db, nil
}

func options() *bbolt.Options {
	return &bbolt.Options{
		Timeout:         lockTimeout,
		FreelistType:    bbolt.FreelistMapType,
		PageSize:        PageSize,
		InitialMmapSize: mapSize(),
		NoStatistics:    true,
		PreLoadFreelist: true, // so that damage in it is found when the file is opened
	}
}

// mapSize is how much of a file bbolt maps in advance, in bytes. To map more, a commit has to wait until nobody reads,
// and new readers wait for it.
func mapSize() int {
	switch {
	case runtime.GOOS == "windows":
		return 1 << 20 // the file grows to this size
	case bits.UintSize == 32:
		return 1 << 28
	}
	return 1 << 30 // takes addresses, not memory
}

func open(path string, options *bbolt.Options) (*DB, error) {
	fresh, err := isFresh(path)
	if err != nil {
		return nil, err
	}
	if fresh && options.ReadOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: there are no records", kv.ErrNotDatabase)
	}
	db := &DB{turn: make(chan struct{}, 1)}
	err = guard(func() (err error) {
		db.bolt, err = bbolt.Open(path, fileMode, options)
		return err
	})
	if err != nil {
		return nil, explain(err)
	}
	db.bolt.AllocSize = growth
	if err := db.prepare(fresh, path); err != nil {
		_ = db.bolt.Close()
		return nil, err
	}
	return db, nil
}

// isFresh reports whether there is no database at path yet, but may be one. It refuses anything but a file: opening a
// pipe could wait forever.
func isFresh(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return false, fmt.Errorf("its folder: %w", pathless(err))
		}
		return true, nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, errors.New("it is a folder, not a file")
	case !info.Mode().IsRegular():
		return false, errors.New("it is not a regular file")
	}
	return info.Size() == 0, nil
}

// prepare checks whether the file is one of ours, makes the bucket, if there is none yet, and makes a new file's name
// durable.
func (db *DB) prepare(fresh bool, path string) error {
	missing := false
	err := guard(func() error {
		return db.bolt.View(func(tx *bbolt.Tx) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if size := tx.Size(); size <= 0 || info.Size() < size {
				return corrupt("the file is cut short: %d bytes of %d", info.Size(), size)
			}
			buckets := tx.Cursor()
			name, _ := buckets.First()
			if other, _ := buckets.Next(); other != nil || name != nil && string(name) != BucketName {
				return fmt.Errorf("%w: it has other buckets", kv.ErrNotDatabase)
			}
			missing = name == nil // creating the file was interrupted
			return nil
		})
	})
	switch {
	case err != nil:
		return err
	case missing && db.bolt.IsReadOnly():
		return fmt.Errorf("%w: it is empty", kv.ErrNotDatabase)
	case missing:
		err = db.bolt.Update(func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte(BucketName))
			return err
		})
	}
	if err == nil && fresh {
		err = SyncFolder(filepath.Dir(path))
	}
	return err
}

// SyncFolder makes the names in a folder durable; on Windows they are already.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// explain says why bbolt does not open a file, with the contract's errors.
func explain(err error) error {
	switch _, system := errors.AsType[syscall.Errno](err); {
	case errors.Is(err, berrors.ErrTimeout):
		return kv.ErrLocked
	case errors.Is(err, berrors.ErrInvalid):
		return kv.ErrNotDatabase
	case errors.Is(err, berrors.ErrVersionMismatch):
		return kv.ErrVersion
	case system, errors.Is(err, kv.ErrCorrupt):
		return err
	}
	return corrupt("%v", err)
}

// pathless is an error without its path.
func pathless(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}

// View implements kv.DB. A long View keeps the space of deleted pairs from being reused, and each time that the file
// outgrows another gibibyte, everyone waits for it.
func (db *DB) View(ctx context.Context, fn func(kv.Reader) error) error {
	if err := db.calls.Enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	return db.bolt.View(func(tx *bbolt.Tx) error {
		o := &overlay{bucket: tx.Bucket([]byte(BucketName))}
		defer func() { o.over = true }()
		return fn(o)
	})
}

// Close implements kv.DB.
func (db *DB) Close() error { return db.calls.Shut(db.bolt.Close) }

// Copy implements kv.Copier. It holds up the same things as a long View, and nothing else. It reads the open file and
// not memory, so a file that was moved away is copied too.
func (db *DB) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if err := db.calls.Enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()

	db.turn <- struct{}{} // until no batch ends: bbolt shows a commit to readers just before its last fsync
	tx, err := db.bolt.Begin(false)
	<-db.turn
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	w, err := begin(tx.Size())
	if err != nil {
		return err
	}
	out := &copyWriter{ctx: ctx, w: w}
	_, err = tx.WriteTo(out)
	return cmp.Or(out.err, err)
}

// A copyWriter is a caller's writer until the caller's context is done. It keeps the error, since bbolt returns only
// its text.
type copyWriter struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (c *copyWriter) Write(b []byte) (n int, err error) {
	if c.err = c.ctx.Err(); c.err != nil {
		return 0, c.err
	}
	n, c.err = c.w.Write(b)
	return n, c.err
}

// Check reads the whole file and says what is damaged in it. The database must have been opened to be read only:
// nothing may be written meanwhile.
func (db *DB) Check() error {
	if err := db.calls.Enter(context.Background()); err != nil {
		return err
	}
	defer db.calls.Leave()
	file, err := os.Open(db.bolt.Path())
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if metas, err := Metas(file); err != nil || len(metas) < 2 {
		return cmp.Or(err, corrupt("a page that says where all begins is, so what was stored last may be missing"))
	}
	return guard(func() error {
		return db.bolt.View(func(tx *bbolt.Tx) error {
			// bbolt's own check reads in another goroutine, where a memory fault ends the process. Reading everything here first
			// finds nearly all of these.
			var last []byte
			cursor := tx.Bucket([]byte(BucketName)).Cursor()
			for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
				if bytes.Compare(key, last) <= 0 {
					return corrupt("keys are out of order")
				}
				last = key
			}
			var first error
			for err := range tx.Check() { // read to the end, or it goes on after the file is closed
				first = cmp.Or(first, corrupt("%v", err))
			}
			return first
		})
	})
}

// guard calls into bbolt and returns kv.ErrCorrupt where bbolt panics or reads
// memory that the file does not back, which it does when the file is damaged.
func guard(call func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = corrupt("it is cut short, or contradicts itself")
		default:
			err = corrupt("%v", p)
		}
	}()
	return call()
}

// corrupt is kv.ErrCorrupt with what is damaged and what to do.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s; restore a backup, or let salvage take out what is sound", kv.ErrCorrupt, fmt.Sprintf(format, args...))
}

// PageSize is the length in bytes of each page of a file.
const PageSize = 4096

// A Meta is one of the two pages at the beginning of a file that say where everything else is. Each is written by every
// other commit, and bbolt uses the newer sound one.
type Meta struct {
	Root    uint64 // the page that lists the buckets
	Free    uint64 // the page that lists the free pages
	End     uint64 // the number of pages in use
	Version uint64 // rises with each commit
}

// Metas are the sound meta pages, newer first.
func Metas(file io.ReaderAt) (sound []Meta, err error) {
	const header, magic, sized = 16, 0xED0CDAED, 64 // of a page; of all files of bbolt; with its checksum
	order := binary.NativeEndian
	for page := range int64(2) {
		b := make([]byte, sized)
		if _, err := file.ReadAt(b, page*PageSize+header); errors.Is(err, io.EOF) {
			continue
		} else if err != nil {
			return nil, err
		}
		sum := fnv.New64a()
		_, _ = sum.Write(b[:sized-8])
		if order.Uint32(b) == magic && order.Uint64(b[sized-8:]) == sum.Sum64() {
			sound = append(sound, Meta{Root: order.Uint64(b[16:]), Free: order.Uint64(b[32:]), End: order.Uint64(b[40:]), Version: order.Uint64(b[48:])})
		}
	}
	if len(sound) == 2 && sound[1].Version > sound[0].Version {
		sound[0], sound[1] = sound[1], sound[0]
	}
	return sound, nil
}
