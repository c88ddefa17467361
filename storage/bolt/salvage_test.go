package bolt

import (
	"errors"
	"path/filepath"
	"testing"

	"chimera/storage/kv"
)

func TestAFileOfWhichTheNewerBeginningIsDamagedIsOpenedAndNotSound(t *testing.T) {
	for name, damage := range map[string]func(b []byte){
		"the first":              func(b []byte) { b[metaStart+20] ^= 1 },
		"the second":             func(b []byte) { b[PageSize+metaStart+20] ^= 1 },
		"all of the first page":  func(b []byte) { clear(b[:PageSize]) },
		"all of the second page": func(b []byte) { clear(b[PageSize : 2*PageSize]) },
		"neither":                func([]byte) {},
	} {
		b := specimen(t)
		damage(b)
		path := filepath.Join(t.TempDir(), "db")
		write(t, path, b)
		db, err := OpenReadOnly(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if fault := db.Check(); (fault != nil) != (name != "neither") {
			t.Errorf("%s: %v", name, fault)
		}
		err = db.Close()
		if db, err2 := Open(path); err2 == nil {
			err = errors.Join(err, db.Update(t.Context(), func(w kv.Writer) error { return w.Put([]byte("a"), nil) }))
			err = errors.Join(err, db.Update(t.Context(), func(w kv.Writer) error { return w.Put([]byte("b"), nil) }), db.Close())
		} else {
			err = errors.Join(err, err2)
		}
		db, err2 := OpenReadOnly(path)
		if err := errors.Join(err, err2); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := errors.Join(db.Check(), db.Close()); err != nil {
			t.Errorf("%s: when both are written anew: %v", name, err)
		}
	}
}
