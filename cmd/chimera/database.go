package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"chimera/bot/match"
	"chimera/bot/metrics"
	botwords "chimera/bot/words"
	"chimera/cmd/internal/progress"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd"
	"chimera/storage/kv"
	"chimera/storage/migrate"
	"chimera/storage/salvage"
)

// clustered reports whether a database is in a cluster, not a file.
func clustered(address string) bool { return strings.HasPrefix(address, etcd.Scheme) }

// openEngine opens the engine of a database at an address: the path of a file, which file opens, or etcd://… for a
// cluster.
func openEngine(ctx context.Context, address string, file func(path string) (*bolt.DB, error)) (kv.DB, error) {
	switch {
	case clustered(address):
		return etcd.Open(ctx, address)
	case strings.Contains(address, "://"):
		return nil, errors.New("the database is at no address that is known: name a file, or etcd://HOST:PORT,…/NAME") // not quoted: it may have a password
	}
	return file(address)
}

// inFile copies a database unchanged into a file that exists while run runs.
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

// untilLost is a context that also ends when this process's lease on the database is lost, or a newer program has
// upgraded it.
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

// take opens the database for a long-running program, and logs what its operator should know. The context that it
// returns also ends when the database is lost.
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

// missing says why a database would be new; "" if it exists.
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
	db, err := openEngine(ctx, path, bolt.Open)
	if err != nil {
		return nil, err
	}
	store, err := upToDate(ctx, db, m)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return store, nil
}

// upToDate brings a database up to date, and opens a store over it.
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

type copies struct {
	From string `arg:"" placeholder:"FROM" help:"The database to copy: a file, or etcd://…"`
	To   string `arg:"" placeholder:"TO" help:"Where to; it must hold nothing yet."`
}

// Run copies a database that nobody changes into another; each may be a file or in a cluster.
func (c *copies) Run(ctx context.Context, std streams) error { return fill(ctx, std, c.From, c.To) }

type restore struct {
	config.Config `embed:""`
	File          string `arg:"" help:"A backup."`
}

// Run fills an empty database from a backup.
func (r *restore) Run(ctx context.Context, std streams) error { return fill(ctx, std, r.File, r.Data) }

// fill copies everything from one database into another, which must be empty, or left over from an earlier attempt. It
// fails with storage.ErrOlder for records of an earlier version.
func fill(ctx context.Context, std streams, source, target string) error {
	return openedAsIs(ctx, source, func(from kv.DB, schema uint64) (err error) {
		if schema < storage.Current {
			return fmt.Errorf("%s: %w: start this version on it once, and copy it then", source, storage.ErrOlder)
		}
		to, err := openEngine(ctx, target, bolt.Open)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, to.Close()) }()
		if _, err := kv.RolesOf(to).Hold(ctx, "fill"); err != nil {
			return err
		}
		size, err := kv.Fill(ctx, from, to)
		switch {
		case errors.Is(err, kv.ErrNotEmpty):
			return fmt.Errorf("%s is left as it is: %w", target, err)
		case err != nil:
			return fmt.Errorf("%s was not filled: %w", target, cause(ctx, err))
		}
		fmt.Fprintf(std.out, "%s: %d bytes\n", target, size)
		return nil
	})
}

type backup struct {
	config.Config `embed:""`
	File          string `arg:"" help:"New file for the copy; an existing one is never overwritten."`
}

// Run copies the database as it is at one moment, while a bot may go on using it.
func (b *backup) Run(ctx context.Context, std streams) error {
	var size int64
	copied := func(file func(ctx context.Context, begin func(int64) (io.Writer, error)) error) error {
		return save(b.File, func(to io.Writer) error {
			var shown *progress.Bar
			defer func() { shown.End() }()
			return cause(ctx, file(ctx, func(length int64) (io.Writer, error) {
				size, shown = length, progress.Bytes(std.err, "copying", length)
				return io.MultiWriter(to, shown), nil
			}))
		}, func(path string) error {
			err := openedAsIs(ctx, path, func(db kv.DB, _ uint64) error { return db.(*bolt.DB).Check() })
			if err != nil {
				return fmt.Errorf("the copy is damaged: %w", err)
			}
			return nil
		})
	}
	err := reach(ctx, b.Data, func(s socket) error { return copied(s.copy) }, func() error {
		return openedAsIs(ctx, b.Data, func(db kv.DB, _ uint64) error {
			if file, ok := db.(kv.Copier); ok {
				return copied(file.Copy)
			}
			return inFile(ctx, db, func(file kv.DB) error { return copied(file.(kv.Copier).Copy) })
		})
	})
	if err == nil {
		fmt.Fprintf(std.out, "%s: %d bytes\n", b.File, size)
	}
	return err
}

// save makes a new file with what fill writes, if check approves. The file appears whole and durable or not at all, and
// never replaces another.
func save(path string, fill func(io.Writer) error, check func(path string) error) (err error) {
	if err := vacant(path); err != nil {
		return err
	}
	defer func() {
		if inner, ok := errors.AsType[*fs.PathError](err); ok {
			err = inner.Err // without its path, which is of no use
		}
		if err != nil {
			err = fmt.Errorf("%s was not written: %w", path, err)
		}
	}()
	clearAway(filepath.Dir(path))
	temp, err := os.CreateTemp(filepath.Dir(path), ".chimera-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	err = fill(temp)
	if err == nil {
		err = temp.Sync()
	}
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	if err := check(temp.Name()); err != nil {
		return err
	}
	if err := name(temp.Name(), path); err != nil {
		return err
	}
	return bolt.SyncFolder(filepath.Dir(path))
}

// unfinished matches the names of files that save is still writing.
var unfinished = regexp.MustCompile(`^\.chimera-[0-9]+$`)

// forgotten is how long an unfinished file must be unchanged to be left over.
const forgotten = 24 * time.Hour

// clearAway removes the unfinished files of killed processes. It may fail without harm.
func clearAway(folder string) {
	files, _ := os.ReadDir(folder)
	for _, f := range files {
		info, err := f.Info()
		if err == nil && unfinished.MatchString(f.Name()) && info.Mode().IsRegular() && time.Since(info.ModTime()) > forgotten {
			_ = os.Remove(filepath.Join(folder, f.Name()))
		}
	}
}

// vacant returns an error if there is anything at a path.
func vacant(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return fmt.Errorf("%s exists already, and is left as it is", path)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// name gives a file its final name. A link, unlike renaming, never replaces a file that has appeared meanwhile; but not
// every file system has links.
func name(temp, path string) error {
	switch err := os.Link(temp, path); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return errors.New("another file has come there meanwhile")
	}
	if err := vacant(path); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

type rescue struct {
	From string `arg:"" placeholder:"FROM" help:"The damaged file; it is left as it is."`
	To   string `arg:"" placeholder:"TO" help:"A new file for what can be read."`
}

// Run recovers what can be read of a damaged file into a new one, and says what is missing.
func (r *rescue) Run(ctx context.Context, std streams) error {
	if clustered(r.From) || clustered(r.To) {
		return errors.New("salvage is for files: a cluster keeps several copies of what it holds")
	}
	if socketOf(r.From).answers(ctx) == nil {
		return fmt.Errorf("%s: %w: stop that first", r.From, kv.ErrLocked)
	}
	if err := vacant(r.To); err != nil {
		return err
	}
	report, err := salvage.Run(ctx, r.From, r.To)
	if err != nil {
		return fmt.Errorf("%s: %w", r.From, err)
	}
	for _, line := range report.Lines() {
		fmt.Fprintln(std.out, line)
	}
	fmt.Fprintf(std.out, "%s: %s, %s\n", r.To, howMany(report.Records, "record"), howMany(report.Games, "game"))
	return botwords.Either(report.Whole(), nil, errFound)
}
