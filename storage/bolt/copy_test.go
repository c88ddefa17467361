package bolt

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"chimera/storage/kv/kvtest"
)

func TestAFileThatWasMovedAwayIsCopied(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, filepath.Join(dir, "db"), options())
	kvtest.Must(t, db.Update(t.Context(), putter("a", 1)))
	if err := os.Rename(filepath.Join(dir, "db"), filepath.Join(dir, "moved")); err != nil {
		t.Skipf("a file in use cannot be moved here: %v", err)
	}
	write(t, filepath.Join(dir, "db"), []byte("something else"))
	to, err := os.Create(filepath.Join(dir, "copy"))
	kvtest.Must(t, err)
	defer to.Close()
	kvtest.Must(t, db.Copy(t.Context(), func(int64) (io.Writer, error) { return to, nil }))
	stored(t, openAt(t, to.Name(), options()), "a")
}
