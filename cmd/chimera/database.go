package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"chimera/bot/match"
	"chimera/bot/metrics"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd"
	"chimera/storage/kv"
	"chimera/storage/migrate"
)

// clustered reports whether a database is in a cluster, and not in a file.
func clustered(address string) bool { return strings.HasPrefix(address, etcd.Scheme) }

// openEngine opens the engine of a database, which its address names: the path of a file, or etcd://… for
// a cluster. If there is none, it makes a new one.
func openEngine(ctx context.Context, address string) (kv.DB, error) {
	switch {
	case clustered(address):
		return opened(etcd.Open(ctx, address))
	case strings.Contains(address, "://"):
		return nil, errNoAddress
	}
	return opened(bolt.Open(address))
}

// openToRead opens a database to be read, and makes no file.
func openToRead(ctx context.Context, address string) (kv.DB, error) {
	if strings.Contains(address, "://") {
		return openEngine(ctx, address)
	}
	return opened(bolt.OpenReadOnly(address))
}

// errNoAddress does not name the address, which may have a password.
var errNoAddress = errors.New("the database is at no address that is known: name a file, or etcd://HOST:PORT,…/NAME")

// opened makes an interface of an engine: nil, and not one that holds nil, if there is an error.
func opened[T kv.DB](db T, err error) (kv.DB, error) {
	if err != nil {
		return nil, err
	}
	return db, nil
}

// copyDatabase fills an empty database with all that another holds, and returns its size; see [kv.Fill].
// It fails with storage.ErrOlder for records of an earlier version.
func copyDatabase(ctx context.Context, from, to kv.DB) (int64, error) {
	version, err := storage.Schema(ctx, from)
	if err != nil {
		return 0, err
	}
	if version < storage.Current {
		return 0, fmt.Errorf("%w: start this version on it once, and copy it then", storage.ErrOlder)
	}
	return kv.Fill(ctx, from, to)
}

// inFile copies a database as it is into a file that is there for as long as run lasts.
func inFile(ctx context.Context, db kv.DB, run func(file kv.DB) error) (err error) {
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
	if _, err := kv.Fill(ctx, db, file); err != nil {
		return err
	}
	return run(file)
}

// untilLost is a context that also ends when this process's lease on the database is lost, or when a
// newer program has upgraded it.
func untilLost(ctx context.Context, store *storage.Store) context.Context {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-store.Outdated():
			end(storage.ErrNewer)
		case <-store.Roles().Lost():
			end(fmt.Errorf("%w: the process ends, so that another takes over; start it again", kv.ErrLost))
		case <-ctx.Done():
			end(nil)
		}
	}()
	return ctx
}

// take opens the database for a program that runs on, and logs what its operator should know. The
// context that it returns also ends when the database is lost.
func take(ctx context.Context, path string, log *slog.Logger, m *metrics.Metrics) (context.Context, *storage.Store, error) {
	absent := missing(path)
	store, err := open(ctx, path, m)
	if err != nil {
		return nil, nil, err
	}
	if absent == "" {
		log.InfoContext(ctx, "database is open", "data", path, "version", about())
	} else {
		log.InfoContext(ctx, "database is new: if you expected your games, check its name", "data", path, "because", absent, "version", about())
	}
	if file, err := os.Stat(path); err == nil && file.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		log.WarnContext(ctx, "other accounts on this machine can open the database: chmod 600 keeps them out",
			"data", path, "mode", fmt.Sprintf("%#o", file.Mode().Perm()))
	}
	return untilLost(ctx, store), store, nil
}

// missing says why a database would be new; "" if there is one already.
func missing(path string) string {
	if clustered(path) {
		return ""
	}
	switch file, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "there was no such file"
	case err == nil && file.Size() == 0 && file.Mode().IsRegular():
		return "the file was empty"
	}
	return ""
}

// open opens the database, and brings it up to date. Metrics are kept unless m is nil.
func open(ctx context.Context, path string, m *metrics.Metrics) (*storage.Store, error) {
	db, err := openEngine(ctx, path)
	if err != nil {
		return nil, err
	}
	store, err := upToDate(ctx, db, m)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return store, nil
}

// upToDate brings a database up to date, and makes a store over it.
func upToDate(ctx context.Context, db kv.DB, m *metrics.Metrics) (*storage.Store, error) {
	all := variants.All()
	past := func(g *storage.Game) ([]uint64, error) { return match.Keys(all, g) }
	if err := migrate.Run(ctx, db, past); err != nil {
		return nil, err
	}
	store, err := storage.Open(ctx, db)
	if err != nil || m == nil {
		return store, err
	}
	store.Observe(m)
	if cluster, ok := db.(*etcd.DB); ok {
		m.Members(cluster.Handles)
		m.Fullness(func() float64 { return cluster.Fullness(context.Background()) })
	} else {
		m.Members(func() int { return 1 }) // one process holds the file
	}
	return store, nil
}
