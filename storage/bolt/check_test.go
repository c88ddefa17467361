package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// specimen returns the bytes of a database with branches, overflow pages, free
// pages and empty values, cut after its last page.
func specimen(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	db, err := Open(path)
	kvtest.Must(t, err)
	for round := range 4 {
		kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error {
			for i := range 500 {
				key := fmt.Appendf(nil, "%0*d", 20+i%80, (i*7+round)%1000)
				size := i % 50
				if i%100 == 0 {
					size = 10_000
				}
				if err := w.Put(key, bytes.Repeat([]byte("v"), size)); err != nil {
					return err
				}
				if i%3 == round%3 {
					if err := w.Delete(key); err != nil {
						return err
					}
				}
			}
			return nil
		}))
	}
	var size int64
	err = db.bolt.View(func(tx *bbolt.Tx) error { size = tx.Size(); return nil })
	kvtest.Must(t, errors.Join(err, db.Close()))
	b, err := os.ReadFile(path)
	kvtest.Must(t, err)
	return b[:size]
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	kvtest.Must(t, os.WriteFile(path, b, 0o600))
}

// refused fails the test unless opening the file gives the error and leaves
// the file alone.
func refused(t *testing.T, path string, want error) {
	t.Helper()
	before, _ := os.ReadFile(path)
	db, err := Open(path)
	if err == nil {
		_ = db.Close()
	}
	if !errors.Is(err, want) {
		t.Errorf("error %v; want %v", err, want)
	}
	if err != nil && (strings.Contains(err.Error(), "\n") || strings.Count(err.Error(), path) != 1) {
		t.Errorf("not one clear sentence: %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
}

// Where a meta page has its number of the root's page, of the list's, and of pages; the
// checksum is over what comes before it.
const (
	metaStart = 16
	metaPages = metaStart + 40
	metaRoot  = metaStart + 16
	metaSumAt = metaStart + 56
)

// seal puts a meta page's checksum right.
func seal(page []byte) {
	sum := fnv.New64a()
	_, _ = sum.Write(page[metaStart:metaSumAt])
	binary.NativeEndian.PutUint64(page[metaSumAt:], sum.Sum64())
}

func TestAFileThatIsNotADatabaseIsRefused(t *testing.T) {
	good := specimen(t)
	long := strings.Repeat("This is a text, and a long one. ", 1000)
	edit := func(change func(b []byte)) string {
		b := bytes.Clone(good)
		change(b)
		return string(b)
	}
	bothMetas := func(change func(page []byte)) string {
		return edit(func(b []byte) { change(b); change(b[PageSize:]) })
	}
	for _, test := range []struct {
		name, content string
		want          error
	}{
		{"one byte", "x", kv.ErrNotDatabase},
		{"a text", long, kv.ErrNotDatabase},
		{"zeros", strings.Repeat("\x00", 100_000), kv.ErrNotDatabase},
		{"a page alone", string(good[:PageSize]), kv.ErrCorrupt},
		{"a cut first page", string(good[:60]), kv.ErrNotDatabase},
		{"one byte missing", string(good[:len(good)-1]), kv.ErrCorrupt},
		{"half", string(good[:len(good)/2]), kv.ErrCorrupt},
		{"two bad checksums", bothMetas(func(p []byte) { p[metaStart+50] ^= 1 }), kv.ErrCorrupt},
		{"a newer format", bothMetas(func(p []byte) { p[metaStart+4] = 3; seal(p) }), kv.ErrVersion},
		{"pages of no bytes", bothMetas(func(p []byte) { clear(p[metaStart+8 : metaStart+12]); seal(p) }), kv.ErrCorrupt},
		{"pages without end", bothMetas(func(p []byte) {
			binary.NativeEndian.PutUint64(p[metaPages:], 1<<63)
			seal(p)
		}), kv.ErrCorrupt},
		{"a root that lies outside", bothMetas(func(p []byte) {
			binary.NativeEndian.PutUint64(p[metaRoot:], 1<<60)
			seal(p)
		}), kv.ErrCorrupt},
		{"data of zeros", edit(func(b []byte) { clear(b[2*PageSize:]) }), kv.ErrCorrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "db")
			write(t, path, []byte(test.content))
			refused(t, path, test.want)
		})
	}
}

func TestAFileOfAnotherProgramIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	other, err := bbolt.Open(path, 0o600, nil)
	kvtest.Must(t, err)
	kvtest.Must(t, other.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("theirs"))
		return err
	}))
	kvtest.Must(t, other.Close())
	refused(t, path, kv.ErrNotDatabase)
}

func TestABadPathIsRefused(t *testing.T) {
	folder := t.TempDir()
	refused(t, filepath.Join(folder, "absent", "db"), fs.ErrNotExist)
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: error %v", err)
	}

	if os.Geteuid() == 0 {
		t.Skip("what a file without permissions answers is not tested: root may read and write it all the same")
	}
	path := filepath.Join(folder, "db")
	for _, mode := range []os.FileMode{0, 0o400} {
		write(t, path, specimen(t))
		kvtest.Must(t, os.Chmod(path, mode))
		refused(t, path, fs.ErrPermission)
		kvtest.Must(t, os.Remove(path))
	}
}

func TestADatabaseThatIsOpenIsLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose clock does not keep us waiting
		path := filepath.Join(t.TempDir(), "db")
		db := openAt(t, path, options())
		refused(t, path, kv.ErrLocked)
		kvtest.Must(t, db.Close())
		openAt(t, path, options())
	})
}

func TestANewFileIsItsOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the mode of a new file is not tested: Windows files have none")
	}
	folder := t.TempDir()
	for _, name := range []string{"absent", "empty"} {
		path := filepath.Join(folder, name)
		if name == "empty" {
			write(t, path, nil)
		}
		openAt(t, path, options())
		info, err := os.Stat(path)
		kvtest.Must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %o", name, info.Mode())
		}
	}
}

func TestAFileInterruptedBeforeItsBucketIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	bare, err := bbolt.Open(path, 0o600, options())
	kvtest.Must(t, err)
	kvtest.Must(t, bare.Close())
	db := openAt(t, path, options())
	kvtest.Must(t, db.Update(t.Context(), putter("a", 1)))
}

// TestCheckFindsDamage damages pages of which opening a file reads none.
func TestCheckFindsDamage(t *testing.T) {
	good := specimen(t)
	branch := -1
	for at := 2 * PageSize; at < len(good); at += PageSize {
		if good[at+8] == 0x01 && good[at+10] > 0 {
			branch = at
		}
	}
	if branch < 0 {
		t.Fatal("there is no branch")
	}
	for name, c := range map[string]struct {
		damage func(page []byte)
		sound  bool
	}{
		"none":                      {func([]byte) {}, true},
		"a child outside the file":  {func(page []byte) { page[metaStart+8+3]++ }, false},
		"a child far outside":       {func(page []byte) { page[metaStart+8+6]++ }, false},
		"two children in one place": {func(page []byte) { copy(page[metaStart+8:metaStart+16], page[metaStart+24:]) }, false},
	} {
		b := bytes.Clone(good)
		c.damage(b[branch:])
		path := filepath.Join(t.TempDir(), "db")
		write(t, path, b)
		db, err := OpenReadOnly(path)
		kvtest.Must(t, err)
		if err := db.Check(); (err == nil) != c.sound || err != nil && !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		kvtest.Must(t, db.Close())
	}
}
