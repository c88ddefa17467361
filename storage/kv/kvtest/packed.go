package kvtest

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Unpacked is a new copy of a file that is stored packed, such as one that an earlier version wrote.
func Unpacked(t testing.TB, file string) (path string) {
	t.Helper()
	packed, err := os.Open(file)
	Must(t, err)
	defer func() { _ = packed.Close() }()
	unpacked, err := gzip.NewReader(packed)
	Must(t, err)
	content, err := io.ReadAll(unpacked)
	path = filepath.Join(t.TempDir(), "old.db")
	Must(t, errors.Join(err, os.WriteFile(path, content, 0o600)))
	return path
}
