package bolt

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

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
