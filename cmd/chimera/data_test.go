package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestADatabaseThatOthersCanReachIsSpokenOf(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows files have no modes that say who may reach them")
	}
	t.Chdir(t.TempDir())
	call(t, "", "play", "--data", "a.db")
	for mode, want := range map[os.FileMode]bool{0o600: false, 0o700: false, 0o660: true, 0o604: true, 0o666: true} {
		must(t, os.Chmod("a.db", mode))
		_, _, errs := call(t, "", "play", "--data", "a.db")
		if strings.Contains(errs, "other accounts") != want {
			t.Errorf("mode %#o: %q", mode, errs)
		}
	}
}

func TestADatabaseOfAnOlderVersionIsReadAndLeftAsItIs(t *testing.T) {
	path := kvtest.Unpacked(t, "../../storage/migrate/testdata/v12.db.gz")
	old := contents(t, path)
	t.Chdir(filepath.Dir(path))
	must(t, os.Chmod("old.db", 0o400))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"status"}, "schema:                12\n"},
		{[]string{"status"}, "games in progress:     2\n"},
		{[]string{"verify"}, "3 games, 0 faults\n"},
		{[]string{"verify", "--ratings"}, "0 faults\n"},
		{[]string{"outbox"}, ""},
		{[]string{"backup", "copy.db"}, "copy.db: "},
	} {
		prints(t, 0, `(?s).*`+c.want+`.*`, "", append(c.args, "--data", "old.db")...)
	}
	if !bytes.Equal(contents(t, "old.db"), old) {
		t.Error("the database has changed")
	}
	onlyThere(t, "copy.db", "old.db")
	db, err := bolt.Open("copy.db") // to which the operator could go back
	must(t, err)
	defer db.Close()
	if schema, err := storage.Schema(t.Context(), db); schema != 12 || err != nil {
		t.Errorf("the copy has schema %d (%v)", schema, err)
	}
}

func TestADatabaseThatIsTooOldIsToldInOneSentence(t *testing.T) {
	t.Chdir(t.TempDir())
	rewrites(t, "old.db", func(w kv.Writer) error { return w.Put([]byte("meta/schema"), storage.Number(uint64(11))) })
	for _, command := range []string{"play", "status", "verify", "repair"} {
		prints(t, 2, "", `chimera: old\.db: the database is too old.*start the version of.*\n`, command, "--data", "old.db")
	}
}
