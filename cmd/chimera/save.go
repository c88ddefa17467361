package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"chimera/storage/bolt"
)

// save makes a new file of what fill writes and check approves. It is there whole
// and durable, or not at all, and never replaces another.
func save(path string, fill func(io.Writer) error, check func(path string) error) (err error) {
	if err := vacant(path); err != nil {
		return err
	}
	defer func() {
		if inner, ok := errors.AsType[*fs.PathError](err); ok {
			err = inner.Err // its path is of no use
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

// unfinished is the name of a file that save has begun to make.
var unfinished = regexp.MustCompile(`^\.chimera-[0-9]+$`)

// forgotten is how long nothing is written to a file that nobody is making any more.
const forgotten = 24 * time.Hour

// clearAway removes the unfinished files of processes that were killed. That it may fail does no harm.
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

// name gives a file its final name. A link, unlike renaming, replaces nothing that has come there
// meanwhile; but not every file system has links.
func name(temp, path string) error {
	err := os.Link(temp, path)
	switch {
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
