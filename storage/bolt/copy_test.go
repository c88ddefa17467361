package bolt

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"chimera/storage/kv"
)

func TestACopyOfAFileCutShortIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	write(t, path, specimen(t))
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	err = db.Copy(t.Context(), func(int64) (io.Writer, error) {
		if err := os.Truncate(path, 2*pageSize); err != nil {
			t.Skipf("a file in use cannot be cut here: %v", err)
		}
		return io.Discard, nil
	})
	if !errors.Is(err, kv.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
}

func TestAFileThatWasMovedAwayIsCopied(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, filepath.Join(dir, "db"), options())
	if err := db.Update(t.Context(), putter("a", 1)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "db"), filepath.Join(dir, "moved")); err != nil {
		t.Skipf("a file in use cannot be moved here: %v", err)
	}
	write(t, filepath.Join(dir, "db"), []byte("something else"))
	to, err := os.Create(filepath.Join(dir, "copy"))
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if err := db.Copy(t.Context(), func(int64) (io.Writer, error) { return to, nil }); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, openAt(t, to.Name(), options())); got != "a" {
		t.Errorf("the copy holds %q", got)
	}
}
