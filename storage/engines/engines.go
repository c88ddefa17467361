// Package engines finds the engine of a database by its address: the path of a file, or
// etcd://… for a cluster. It knows all engines, and copies what is in one of them to another.
package engines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd"
	"chimera/storage/kv"
)

// Clustered reports whether a database is in a cluster, and not in a file.
func Clustered(address string) bool { return strings.HasPrefix(address, etcd.Scheme) }

// Open opens a database, or makes a new one if there is none.
func Open(ctx context.Context, address string) (kv.DB, error) {
	switch {
	case Clustered(address):
		return opened(etcd.Open(ctx, address))
	case strings.Contains(address, "://"):
		return nil, errNoAddress
	}
	return opened(bolt.Open(address))
}

// OpenToRead opens a database to be read, and makes no file.
func OpenToRead(ctx context.Context, address string) (kv.DB, error) {
	if strings.Contains(address, "://") {
		return Open(ctx, address)
	}
	return opened(bolt.OpenReadOnly(address))
}

// errNoAddress does not name the address, which may have a password.
var errNoAddress = errors.New("the database is at no address that is known: name a file, or etcd://HOST:PORT,…/NAME")

// opened is a database, or nil and no empty one if there is an error.
func opened[T kv.DB](db T, err error) (kv.DB, error) {
	if err != nil {
		return nil, err
	}
	return db, nil
}

// Copy fills an empty database with all that another holds, and returns how many bytes that was
// as a dump; see [kv.Dump] and [kv.Restore]. It fails with storage.ErrOlder for records of an
// earlier version, which to bring up to date needs the space of the engine that they are in. It
// begins anew a few times where that keeps what it holds at a moment for too short.
func Copy(ctx context.Context, from, to kv.DB) (int64, error) {
	version, err := storage.Schema(ctx, from)
	if err != nil {
		return 0, err
	}
	if version < storage.Current {
		return 0, fmt.Errorf("%w: start this version on it once, and copy it then", storage.ErrOlder)
	}
	const often = 3
	for try := 1; ; try++ {
		size, err := pipe(ctx, from, to)
		if try == often || !errors.Is(err, kv.ErrPassed) {
			return size, err
		}
	}
}

// pipe fills a database with what another holds, once.
func pipe(ctx context.Context, from, to kv.DB) (int64, error) {
	r, w := io.Pipe()
	dumped := make(chan error, 1)
	go func() {
		err := kv.Dump(ctx, from, w)
		_ = w.CloseWithError(err) // never fails
		dumped <- err
	}()
	size := &counter{}
	err := kv.Restore(ctx, io.TeeReader(r, size), to)
	_ = r.CloseWithError(err)
	if lost := <-dumped; err == nil || errors.Is(err, lost) {
		err = lost
	}
	return size.n, err
}

// InFile copies a database into a file that is there for as long as run lasts.
func InFile(ctx context.Context, db kv.DB, run func(kv.Copier) error) (err error) {
	folder, err := os.MkdirTemp("", "chimera-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file, err := bolt.Open(filepath.Join(folder, "copy.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := Copy(ctx, db, file); err != nil {
		return err
	}
	return run(file)
}

// counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
