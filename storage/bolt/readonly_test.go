package bolt

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestAFileThatIsOnlyReadIsLeftAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := Open(path)
	kvtest.Must(t, err)
	put := func(w kv.Writer) error { return w.Put([]byte("k"), []byte("v")) }
	kvtest.Must(t, errors.Join(db.Update(t.Context(), put), db.Close(), os.Chmod(path, 0o400)))
	before, err := os.ReadFile(path)
	kvtest.Must(t, err)
	for range 2 { // two may read it at once
		db, err := OpenReadOnly(path)
		kvtest.Must(t, err)
		defer func() { kvtest.Must(t, db.Close()) }()
		kvtest.Must(t, db.View(t.Context(), func(r kv.Reader) error {
			v, err := r.Get([]byte("k"))
			if string(v) != "v" {
				t.Errorf("it holds %q", v)
			}
			return err
		}))
		if err := db.Update(t.Context(), put); err == nil {
			t.Error("it was changed")
		}
	}
	if _, err := Open(path); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("to open it while others read it: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
		t.Errorf("the file has changed (%v)", err)
	}
}

func TestNothingIsMadeWhereThereIsNothingToRead(t *testing.T) {
	folder := t.TempDir()
	absent, empty := filepath.Join(folder, "absent"), filepath.Join(folder, "empty")
	kvtest.Must(t, os.WriteFile(empty, nil, 0o600))
	for path, want := range map[string]error{absent: fs.ErrNotExist, empty: kv.ErrNotDatabase} {
		if db, err := OpenReadOnly(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v", path, db, err)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("there are %v (%v)", files, err)
	}
}
