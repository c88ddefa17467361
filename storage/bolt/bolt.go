package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"sync"
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
	growth      = 1 << 20     // by how much a file grows beyond what it needs
	lockTimeout = time.Second // how long a lock held elsewhere is waited for
)

// A DB is a kv.DB in one file.
type DB struct {
	bolt     *bbolt.DB
	requests chan *request
	stopped  chan struct{} // closed when no more commits will be made
	close    func() error
	calls    kv.Gate // View, Update, Copy and Check

	storing sync.Mutex // held while a commit is on its way to the disk
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
		PreLoadFreelist: true, // so that damage in it is met while the file is opened
	}
}

// mapSize is how much of a file bbolt maps in advance. To map more, a commit
// has to wait until no one reads, and those who come to read wait for it.
func mapSize() int {
	switch {
	case runtime.GOOS == "windows":
		return 1 << 20 // the file becomes as long as that
	case bits.UintSize == 32:
		return 1 << 28
	}
	return 1 << 30 // addresses, not memory
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
	db := &DB{requests: make(chan *request), stopped: make(chan struct{})}
	db.close = sync.OnceValue(db.shut)
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
	go db.serve()
	return db, nil
}

// isFresh reports whether there is no database at path yet, but may be one.
// It keeps away from what is not a file: to open a pipe could wait forever.
func isFresh(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		folder := filepath.Dir(path)
		if _, err := os.Stat(folder); err != nil {
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

// prepare looks whether the file is one of ours, makes the bucket, if there is none yet, and a new
// file's name durable.
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
			missing = name == nil // the making of the file was interrupted
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

// explain is why bbolt does not open a file, in the words of the contract.
func explain(err error) error {
	_, system := errors.AsType[syscall.Errno](err)
	switch {
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

// pathless is an error without the path that is named before it.
func pathless(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}

// View implements kv.DB. A View that lasts long keeps the space of what is
// deleted meanwhile from being used again, and when the file outgrows a
// gibibyte, and each one after that, everyone waits for it.
func (db *DB) View(ctx context.Context, fn func(kv.Reader) error) error {
	if err := db.calls.Enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	return db.bolt.View(func(tx *bbolt.Tx) error {
		r := &reader{bucket: tx.Bucket([]byte(BucketName))}
		defer func() { r.over = true }()
		return fn(r)
	})
}

// Update implements kv.DB. It shares its commit with all updates that wait at
// the same time; if the commit fails, each of them returns the commit's error.
func (db *DB) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if err := db.calls.Enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	r := newRequest(ctx)
	select {
	case db.requests <- r:
		return r.wait(fn)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close implements kv.DB.
func (db *DB) Close() error { return db.close() }

func (db *DB) shut() error {
	db.calls.Shut()
	close(db.requests)
	<-db.stopped
	return db.bolt.Close()
}

// Copy implements kv.Copier. While it lasts, it holds up what a View that lasts long
// holds up, and nothing else. It reads the file and not memory, so a file that was
// moved away is copied all the same.
func (db *DB) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if err := db.calls.Enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()

	tx, err := db.snapshot()
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
	if out.err != nil {
		return out.err
	}
	return err
}

// snapshot begins a transaction that reads and sees nothing that the disk does not
// have. bbolt shows a commit to readers just before its last fsync.
func (db *DB) snapshot() (*bbolt.Tx, error) {
	db.storing.Lock()
	defer db.storing.Unlock()
	return db.bolt.Begin(false)
}

// A copyWriter is a caller's writer until the caller's context is done. It keeps
// the error, of which bbolt returns the words alone.
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
	if c.err == nil && n < len(b) {
		c.err = io.ErrShortWrite
	}
	return n, c.err
}
