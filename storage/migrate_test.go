package storage_test

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// TestADatabaseOfSchema1IsBroughtUpToDate opens a file that the program wrote when
// games had no time limit: game 1 goes on with Black to move, 2 is an open challenge,
// 3 has ended, and 4 has just begun.
func TestADatabaseOfSchema1IsBroughtUpToDate(t *testing.T) {
	bringUpToDate(t, "testdata/v1.db.gz", checkMigrated(t))
}

// TestADatabaseOfSchema2IsBroughtUpToDate opens a file that the program wrote when each
// standing had a key of its own: 1 and 2 have played three rated games, the last two on
// one day, and 2 and 3 two.
func TestADatabaseOfSchema2IsBroughtUpToDate(t *testing.T) {
	bringUpToDate(t, "testdata/v2.db.gz", func(r storage.Reader) error {
		games := map[storage.PersonID]int{1: 3, 2: 5, 3: 2}
		var err error
		for p := storage.PersonID(1); p <= 3; p++ {
			c, err2 := r.Career(p)
			err = errors.Join(err, err2)
			chess, all := c.Standings["chess"], c.Standings[storage.Overall]
			if chess != all || chess.Games() != games[p] || !slices.Equal(c.Servers, []storage.ServerID{1}) {
				t.Errorf("person %d: %+v", p, c)
			}
			delete(games, p)
			if n := c.Meet(2, time.Date(2026, 12, 2, 23, 0, 0, 0, time.UTC)); p == 1 && n != 3 {
				t.Errorf("the next game of 1 and 2 would be number %d of the day", n)
			}
		}
		if len(games) > 0 {
			t.Errorf("not found were %v", games)
		}
		played, err2 := r.Played(2)
		if !slices.Equal(played, []storage.GameID{1, 2, 3, 4, 5}) {
			t.Errorf("2 has played %v", played)
		}
		return errors.Join(err, err2, r.Check(func(fault string) { t.Error(fault) }))
	})
}

// TestADatabaseOfSchema3IsBroughtUpToDate opens a file that the program wrote when there
// were fewer leaderboards, of two people who have played three rated games.
func TestADatabaseOfSchema3IsBroughtUpToDate(t *testing.T) {
	bringUpToDate(t, "testdata/v3.db.gz", func(r storage.Reader) error {
		results, err := r.Results(time.Unix(0, 0), storage.Always(), 10, nil)
		if len(results) != 3 {
			t.Errorf("the log has %v", results)
		}
		return errors.Join(err, r.Check(func(fault string) { t.Error(fault) }))
	})
}

// TestADatabaseOfSchema6IsBroughtUpToDate opens a file that the program wrote when nothing but
// the records said whom people block and servers hide: 1 and 2 block 3, 2 blocks 1, and
// server 2 hides 3.
func TestADatabaseOfSchema6IsBroughtUpToDate(t *testing.T) {
	bringUpToDate(t, "testdata/v6.db.gz", func(r storage.Reader) error {
		for p, want := range map[storage.PersonID][]storage.PersonID{1: {2}, 2: nil, 3: {1, 2}} {
			if by, err := r.BlockedBy(p); !slices.Equal(by, want) || err != nil {
				t.Errorf("%d is blocked by %v: %v", p, by, err)
			}
		}
		for p, want := range map[storage.PersonID][]storage.ServerID{1: nil, 3: {2}} {
			if by, err := r.HiddenBy(p); !slices.Equal(by, want) || err != nil {
				t.Errorf("%d is hidden by %v: %v", p, by, err)
			}
		}
		return r.Check(func(fault string) { t.Error(fault) })
	})
}

// written opens a database of some records, as an earlier version may have written them.
func written(t *testing.T, records map[string]string) *storage.Store {
	t.Helper()
	db := new(kvtest.Disk).Open("db")
	err := db.Update(t.Context(), func(w kv.Writer) error {
		for k, value := range records {
			if err := w.Put([]byte(k), []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := storage.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestADatabaseOfSchema8IsBroughtUpToDate is of one in which what an adapter remembered was
// packed: when, whom it is about, and what.
func TestADatabaseOfSchema8IsBroughtUpToDate(t *testing.T) {
	const hour = "\x00\x00\x00\x00\x00\x00\x0e\x10"
	s := written(t, map[string]string{
		"meta/schema":                             "\x00\x00\x00\x00\x00\x00\x00\x08",
		"memory/discord\x00a":                     "\x01" + hour + "one",
		"memory/discord\x00b":                     "\x02" + hour + "77\x00two",
		"memory/discord\x00c":                     "three",
		"memory/discord\x00d":                     "",
		"about/discord\x0077\x00b":                "",
		"identity/discord\x0077\x00":              "\x00\x00\x00\x00\x00\x00\x00\x01",
		"person/\x00\x00\x00\x00\x00\x00\x00\x01": "\x01" + `{"ID":1,"Name":"Zoe","Identities":[{"Platform":"discord","ID":"77"}]}`,
	})
	view(t, s, func(r storage.Reader) error {
		at := time.Unix(3600, 0).UTC()
		want := []storage.Memory{
			{Platform: "discord", Name: "a", Value: []byte("one"), At: at},
			{Platform: "discord", Name: "b", Value: []byte("two"), At: at, About: "77"},
			{Platform: "discord", Name: "c", Value: []byte("three")},
			{Platform: "discord", Name: "d", Value: []byte{}},
		}
		found, _, err := r.AllMemories("", 10)
		if !reflect.DeepEqual(found, want) {
			t.Errorf("%+v; want %+v", found, want)
		}
		return errors.Join(err, r.Check(func(fault string) { t.Error(fault) }))
	})
}

// TestADatabaseOfSchema11IsBroughtUpToDate is of one in which nothing listed the open challenges of
// a server: #1 is open in a room of server 1, #2 is to somebody there, #3 is open in a private chat.
func TestADatabaseOfSchema11IsBroughtUpToDate(t *testing.T) {
	number := func(n byte) string { return "\x00\x00\x00\x00\x00\x00\x00" + string(rune(n)) }
	s := written(t, map[string]string{
		"meta/schema":                         number(11),
		"place/" + number(1):                  "\x01" + `{"ID":1,"Address":{"Platform":"discord","ID":"r"},"Server":1}`,
		"address/discord\x00r\x00":            number(1),
		"in/" + number(1) + number(1):         "",
		"place/" + number(2):                  "\x01" + `{"ID":2,"Address":{"Platform":"discord","ID":"p"}}`,
		"address/discord\x00p\x00":            number(2),
		"server/" + number(1):                 "\x01" + `{"ID":1,"Address":{"Platform":"discord","ID":"s"}}`,
		"serverat/discord\x00s\x00":           number(1),
		"challenge/" + number(1):              "\x01" + `{"ID":1,"From":1,"Place":1}`,
		"challenger/" + number(1) + number(1): "",
		"open/" + number(1) + number(1):       "",
		"toldat/" + number(1) + number(1):     "",
		"challenge/" + number(2):              "\x01" + `{"ID":2,"From":1,"To":2,"Place":1}`,
		"challenger/" + number(1) + number(2): "",
		"challenged/" + number(2) + number(2): "",
		"toldat/" + number(1) + number(2):     "",
		"challenge/" + number(3):              "\x01" + `{"ID":3,"From":1,"Place":2}`,
		"challenger/" + number(1) + number(3): "",
		"open/" + number(2) + number(3):       "",
		"toldat/" + number(2) + number(3):     "",
	})
	view(t, s, func(r storage.Reader) error {
		open, err := r.ChallengesIn(1)
		if !slices.Equal(open, []storage.GameID{1}) {
			t.Errorf("open in the server are %v", open)
		}
		return errors.Join(err, r.Check(func(fault string) { t.Error(fault) }))
	})
}

// TestTheLeaderboardsOfSchema7BecomeALogOfResults opens a file that the program wrote when leaderboards
// were stored: games 1 and 2 have ended in one moment, 2 first, and 3 is to count no more.
func TestTheLeaderboardsOfSchema7BecomeALogOfResults(t *testing.T) {
	bringUpToDate(t, "testdata/v7.db.gz", func(r storage.Reader) error {
		results, err := r.Results(time.Unix(0, 0), storage.Always(), 10, nil)
		var games []storage.GameID
		last := map[storage.PersonID]time.Time{}
		for _, result := range results {
			games = append(games, result.Game)
			for side, p := range result.Players {
				if !result.At.After(last[p]) || result.Servers[side] != 1 {
					t.Errorf("the log has %+v, after %v", result, last[p])
				}
				last[p] = result.At
			}
		}
		if !slices.Equal(games, []storage.GameID{2, 1, 3, 4, 5}) {
			t.Errorf("the log has %v", games)
		}
		job, err2 := r.Recount()
		if !job.Again || !slices.Equal(job.Games, []storage.GameID{3}) {
			t.Errorf("to be computed is %+v", job)
		}
		career, err3 := r.Career(1)
		if now := career.Standings["chess"]; now.Games() != 4 {
			t.Errorf("person 1 has %+v", career)
		}
		return errors.Join(err, err2, err3, r.Check(func(fault string) { t.Error(fault) }))
	})
}

func bringUpToDate(t *testing.T, file string, check func(storage.Reader) error) {
	t.Helper()
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	old, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.db")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, there is nothing to bring up to date
		db, err := bolt.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		store, err := storage.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		view(t, store, check)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func checkMigrated(t *testing.T) func(r storage.Reader) error {
	return func(r storage.Reader) error {
		here, err := r.Here(1)
		if err != nil {
			return err
		}
		if !slices.Equal(here, []storage.GameID{1, 4}) {
			t.Errorf("in progress at the place are %v", here)
		}
		for id, turn := range map[storage.GameID]storage.Side{1: storage.White, 3: storage.Black, 4: storage.White} {
			g, err := r.Game(id)
			if err != nil {
				return err
			}
			if g.Turn != turn || g.Pace != (storage.Pace{}) || !g.Clock.Wake.IsZero() {
				t.Errorf("game %d: turn %d, pace %v, clock %v", id, g.Turn, g.Pace, g.Clock)
			}
		}
		c, err := r.Challenge(2)
		if c.Variant != "stealth" || !c.Expires.IsZero() {
			t.Errorf("challenge 2: %v", c)
		}
		return err
	}
}
