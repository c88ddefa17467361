package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
)

// specimen returns the bytes of a database with branches, overflow pages, free
// pages and empty values, cut after its last page.
func specimen(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		err := db.Update(t.Context(), func(w kv.Writer) error {
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
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var size int64
	err = db.bolt.View(func(tx *bbolt.Tx) error { size = tx.Size(); return nil })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b[:size]
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
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
		return edit(func(b []byte) { change(b); change(b[pageSize:]) })
	}
	for _, test := range []struct {
		name, content string
		want          error
	}{
		{"one byte", "x", kv.ErrNotDatabase},
		{"a text", long, kv.ErrNotDatabase},
		{"zeros", strings.Repeat("\x00", 100_000), kv.ErrNotDatabase},
		{"a page alone", string(good[:pageSize]), kv.ErrCorrupt},
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
		{"data of zeros", edit(func(b []byte) { clear(b[2*pageSize:]) }), kv.ErrCorrupt},
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
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("theirs"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
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
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		refused(t, path, fs.ErrPermission)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestADatabaseThatIsOpenIsLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose clock does not keep us waiting
		path := filepath.Join(t.TempDir(), "db")
		db := openAt(t, path, options())
		refused(t, path, kv.ErrLocked)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %o", name, info.Mode())
		}
	}
}

func TestAFileInterruptedBeforeItsBucketIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	bare, err := bbolt.Open(path, 0o600, options())
	if err != nil {
		t.Fatal(err)
	}
	if err := bare.Close(); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, path, options())
	if err := db.Update(t.Context(), putter("a", 1)); err != nil {
		t.Error(err)
	}
}

func TestOneBadMetaPageIsMadeUpForByTheOther(t *testing.T) {
	good := specimen(t)
	for page := range 2 {
		b := bytes.Clone(good)
		clear(b[page*pageSize : (page+1)*pageSize])
		path := filepath.Join(t.TempDir(), "db")
		write(t, path, b)
		db := openAt(t, path, options())
		if err := db.Update(t.Context(), putter("a", 1)); err != nil {
			t.Errorf("without page %d: %v", page, err)
		}
	}
}

// TestHardUseIsNotTakenForDamage grows and shrinks a tree whose long keys make
// it many pages high.
func TestHardUseIsNotTakenForDamage(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "db")
	for _, deletes := range []int{0, 3, 7, 9, 5} { // of ten changes
		db, err := open(path, options(), leafBudget)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			err := db.Update(t.Context(), func(w kv.Writer) error {
				for range 60 {
					key := bytes.Repeat([]byte{'k'}, 4+rng.IntN(2)*1500)
					binary.BigEndian.PutUint32(key, uint32(rng.IntN(1000)))
					var err error
					if rng.IntN(10) < deletes {
						err = w.Delete(key)
					} else {
						err = w.Put(key, make([]byte, rng.IntN(100)*rng.IntN(100)))
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Check(); err != nil {
				t.Error(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDamageIsAnErrorOrNothing damages files in many ways. Open refuses the
// file and leaves it alone, or whatever is done with the database ends with an
// error or without.
func TestDamageIsAnErrorOrNothing(t *testing.T) {
	good := specimen(t)
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	for _, test := range []struct {
		name   string
		budget int64
	}{
		{"leaves read when opened", leafBudget},
		{"leaves not read when opened", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			opened := 0
			for seed := range uint64(rounds) {
				path := filepath.Join(t.TempDir(), "db")
				b := damage(bytes.Clone(good), rand.New(rand.NewPCG(seed, 0)))
				write(t, path, b)
				ok, err := survive(t, path, test.budget)
				if err != nil { // keep the file: bbolt lays out no two specimens alike
					kept := filepath.Join(t.ArtifactDir(), fmt.Sprintf("seed%d", seed))
					write(t, kept, b)
					t.Errorf("%s: %v", kept, err)
				}
				if ok {
					opened++
				}
			}
			t.Logf("%d of %d were opened", opened, rounds)
		})
	}
}

// survive opens and uses a damaged database. It reports whether it was opened,
// and what went otherwise than by a refusal or kv.ErrCorrupt.
func survive(t *testing.T, path string, budget int64) (opened bool, err error) {
	before, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	db, err := open(path, options(), budget)
	if err != nil {
		after, err := os.ReadFile(path)
		if !bytes.Equal(before, after) {
			err = errors.Join(err, errors.New("open failed and changed the file"))
		}
		return false, err
	}
	if err := db.Check(); err != nil && !errors.Is(err, kv.ErrCorrupt) {
		return true, errors.Join(err, db.Close())
	}
	if err = use(t, db); errors.Is(err, kv.ErrCorrupt) {
		err = nil
	}
	if db.stuck.Load() && budget > 0 { // leaves that were not read can bring that about
		err = errors.Join(err, fmt.Errorf("bbolt is stuck: %w", *db.broken.Load()))
	}
	return true, errors.Join(err, db.Close())
}

// damage changes bytes, mostly in the places that bbolt steers by.
func damage(b []byte, rng *rand.Rand) []byte {
	for range 1 + rng.IntN(2) {
		start := pageSize * rng.IntN(len(b)/pageSize)
		if rng.IntN(4) == 0 {
			start = pageSize * rng.IntN(4)
		}
		at := start + rng.IntN(pageSize)
		if rng.IntN(2) == 0 {
			at = start + rng.IntN(96)
		}
		switch rng.IntN(6) {
		case 0, 1:
			b[at] ^= 1 << rng.IntN(8)
		case 2:
			b[at] = byte(rng.Uint32())
		case 3:
			n := min(len(b)-at, 1+rng.IntN(512))
			for i := range n {
				b[at+i] = byte(rng.Uint32())
			}
		case 4:
			from := pageSize * rng.IntN(len(b)/pageSize)
			copy(b[start:start+pageSize], b[from:])
		case 5:
			if rng.IntN(4) == 0 {
				return b[:at]
			}
			clear(b[at : start+pageSize])
		}
	}
	return b
}

// use reads and changes everything, and returns the first error.
func use(t *testing.T, db *DB) error {
	var all []kv.Item
	err := db.View(t.Context(), func(r kv.Reader) error {
		for item, err := range r.Scan(nil, nil) {
			if err != nil || len(all) > 10_000 { // damage can lead in circles
				return err
			}
			all = append(all, item)
		}
		return nil
	})
	for i := 0; i < len(all); i += 100 {
		err = errors.Join(err, db.Update(t.Context(), func(w kv.Writer) error {
			for _, item := range all[i:min(i+30, len(all))] {
				if len(item.Key) == 0 {
					return kv.ErrCorrupt
				}
				if _, err := w.Get(item.Key); err != nil {
					return err
				}
				if err := w.Delete(item.Key); err != nil {
					return err
				}
				if err := w.Put(append(item.Key[:len(item.Key):len(item.Key)], 'x'), make([]byte, 300)); err != nil && !errors.Is(err, kv.ErrKeySize) {
					return err
				}
			}
			return nil
		}))
	}
	return err
}

func TestAFileCutShortWhileOpenIsAnError(t *testing.T) {
	good := specimen(t)
	for _, size := range []int64{0, 2 * pageSize, 5 * pageSize} {
		path := filepath.Join(t.TempDir(), "db")
		write(t, path, good)
		db, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			_ = db.Close()
			t.Skipf("a file in use cannot be cut here: %v", err)
		}
		for range 2 {
			if err := use(t, db); !errors.Is(err, kv.ErrCorrupt) {
				t.Errorf("cut to %d: error %v", size, err)
			}
		}
		_ = db.Close()
	}
}

// TestAPanicOfTheCallersIsNotTakenForDamage is about a fault that looks just
// like those that damage causes.
func TestAPanicOfTheCallersIsNotTakenForDamage(t *testing.T) {
	db := openAt(t, filepath.Join(t.TempDir(), "db"), options())
	if err := db.Update(t.Context(), putter("a", 1)); err != nil {
		t.Fatal(err)
	}
	var absent *kv.Item
	for name, run := range map[string]func() error{
		"View": func() error {
			return db.View(t.Context(), func(r kv.Reader) error {
				for _, err := range r.Scan(nil, nil) {
					absent.Key = nil
					return err
				}
				return nil
			})
		},
		"Update": func() error {
			return db.Update(t.Context(), func(w kv.Writer) error {
				for _, err := range w.Scan(nil, nil) {
					absent.Key = nil
					return err
				}
				return nil
			})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			t.Errorf("%s returned %v", name, run())
		}()
	}
	if err := db.Update(t.Context(), putter("b", 1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
