package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"chimera/storage/kv"
)

const (
	bucketName  = "kv"            // the one bucket, which holds everything
	fileMode    = 0o600           // for a new file
	pageSize    = 4096            // for a new file
	growth      = 1 << 20         // by how much a file grows beyond what it needs
	lockTimeout = time.Second     // how long a lock held elsewhere is waited for
	leafBudget  = int64(64 << 20) // the longest file whose leaves are read when it is opened
)

// A DB is a kv.DB in one file.
type DB struct {
	bolt     *bbolt.DB
	file     *os.File // bbolt's handle of the file, which holds its lock
	requests chan *request
	stopped  chan struct{} // closed when no more commits will be made
	close    func() error

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup // every View, Update and Copy; added to under mu while not closed

	readOnly bool
	doubt    error // what Doubt returns

	storing sync.Mutex // held while a commit is on its way to the disk

	broken atomic.Pointer[error] // once set, what begin returns
	stuck  atomic.Bool           // bbolt's locks may be held forever; broken is set
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
	db, err := open(path, options, leafBudget)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, pathless(err))
	}
	return db, nil
}

func options() *bbolt.Options {
	return &bbolt.Options{
		Timeout:         lockTimeout,
		FreelistType:    bbolt.FreelistMapType,
		PageSize:        pageSize,
		InitialMmapSize: mapSize(),
		NoStatistics:    true,
		PreLoadFreelist: true, // or bbolt's own check would meet damage in it where nothing recovers
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

func open(path string, options *bbolt.Options, budget int64) (*DB, error) {
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

	db := &DB{requests: make(chan *request), stopped: make(chan struct{}), readOnly: options.ReadOnly}
	db.close = sync.OnceValue(db.shut)
	options.OpenFile = func(name string, flag int, perm os.FileMode) (*os.File, error) {
		var err error
		db.file, err = os.OpenFile(name, flag, perm)
		return db.file, err
	}
	err = guard(func() (err error) {
		db.bolt, err = bbolt.Open(path, fileMode, options)
		return err
	})
	if err != nil {
		if db.file != nil {
			_ = db.file.Close() // bbolt has done so unless it panicked; then the lock stays until the process ends
		}
		return nil, explain(err)
	}
	db.bolt.AllocSize = growth
	db.doubt = db.doubted()
	if err := db.prepare(fresh, path, budget); err != nil {
		_ = db.release()
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

// prepare checks the file, makes the bucket, if there is none yet, and a new file's name
// durable.
func (db *DB) prepare(fresh bool, path string, budget int64) error {
	missing := false
	err := db.locking(func() error {
		return db.bolt.View(func(tx *bbolt.Tx) error {
			if err := db.inspect(tx, tx.Size() <= budget); err != nil {
				return err
			}
			missing = tx.Bucket([]byte(bucketName)) == nil
			return nil
		})
	})
	if err == nil && missing && db.readOnly {
		return fmt.Errorf("%w: it is empty", kv.ErrNotDatabase)
	}
	if err == nil && missing {
		err = db.locking(func() error {
			return db.bolt.Update(func(tx *bbolt.Tx) error {
				_, err := tx.CreateBucket([]byte(bucketName))
				return err
			})
		})
	}
	if err == nil && fresh {
		err = syncFolder(filepath.Dir(path))
	}
	return err
}

// syncFolder makes the names in a folder durable, which on Windows they are.
func syncFolder(path string) error {
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
	if err := db.enter(ctx); err != nil {
		return err
	}
	defer db.running.Done()

	tx, bucket, err := db.begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = db.rollback(tx) }()
	r := &reader{bucket: bucket}
	defer func() { r.over = true }()
	return fn(r)
}

// Update implements kv.DB. It shares its commit with all updates that wait at
// the same time; if the commit fails, each of them returns the commit's error.
func (db *DB) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if db.readOnly {
		return berrors.ErrDatabaseReadOnly
	}
	if err := db.enter(ctx); err != nil {
		return err
	}
	defer db.running.Done()

	r := newRequest(ctx)
	select {
	case db.requests <- r:
		return r.wait(fn)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close implements kv.DB.
func (db *DB) Close() error {
	return db.close()
}

func (db *DB) shut() error {
	db.mu.Lock()
	db.closed = true
	db.mu.Unlock()

	db.running.Wait()
	close(db.requests)
	<-db.stopped
	return db.release()
}

// release closes the file. Where bbolt is stuck, its memory mapping is left
// behind, and with it the lock on the file, until the process ends.
func (db *DB) release() error {
	if db.stuck.Load() {
		return db.file.Close()
	}
	return guard(db.bolt.Close)
}

// enter begins a call, unless its context is done, or the database is closed.
func (db *DB) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return kv.ErrClosed
	}
	db.running.Add(1)
	return nil
}

// begin begins a transaction of bbolt, which the caller ends.
func (db *DB) begin(writable bool) (*bbolt.Tx, *bbolt.Bucket, error) {
	if broken := db.broken.Load(); broken != nil {
		return nil, nil, *broken
	}
	var tx *bbolt.Tx
	err := db.locking(func() (err error) {
		tx, err = db.bolt.Begin(writable)
		return err
	})
	if err != nil {
		return nil, nil, err
	}

	var bucket *bbolt.Bucket
	err = guard(func() error {
		bucket = tx.Bucket([]byte(bucketName))
		if bucket == nil {
			return corrupt("its bucket is gone")
		}
		return nil
	})
	if err != nil {
		_ = db.rollback(tx)
		return nil, nil, err
	}
	return tx, bucket, nil
}

// rollback ends a transaction and stores nothing.
func (db *DB) rollback(tx *bbolt.Tx) error {
	if db.stuck.Load() {
		return *db.broken.Load()
	}
	return db.locking(tx.Rollback)
}

// store ends a transaction and stores what it wrote. If it meets damage, what
// bbolt has in memory is half done, and no transaction begins any more.
func (db *DB) store(tx *bbolt.Tx) error {
	db.storing.Lock()
	defer db.storing.Unlock()
	err := guard(tx.Commit)
	if errors.Is(err, kv.ErrCorrupt) {
		db.broken.CompareAndSwap(nil, &err)
		_ = db.rollback(tx)
	}
	return err
}

// locking is guard for calls in which bbolt takes or gives back its locks. If
// one meets damage, the locks may be held forever, and bbolt is left alone.
func (db *DB) locking(call func() error) error {
	err := guard(call)
	if errors.Is(err, kv.ErrCorrupt) {
		db.broken.CompareAndSwap(nil, &err)
		db.stuck.Store(true)
	}
	return err
}

// guard calls into bbolt and returns kv.ErrCorrupt where bbolt panics or reads
// memory that the file does not back, which it does when the file is damaged.
// No function of a caller of this package runs inside.
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
