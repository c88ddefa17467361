package migrate_test

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
	"chimera/storage/migrate"
	"chimera/storage/record"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// past gives each move of a game a key, in place of the rules; "none" is no move.
func past(g *storage.Game) (keys []uint64, err error) {
	for i, m := range g.Moves {
		if m == "none" {
			return nil, errors.New("no such move")
		}
		keys = append(keys, uint64(i+1))
	}
	return keys, nil
}

// opened brings a database up to date and opens it.
func opened(t *testing.T, db kv.DB) *storage.Store {
	t.Helper()
	if err := migrate.Run(t.Context(), db, past); err != nil {
		t.Fatal(err)
	}
	s, err := storage.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func update(t *testing.T, s *storage.Store, fn func(storage.Writer) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, s *storage.Store, fn func(storage.Reader) error) {
	t.Helper()
	if err := s.View(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

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
			c, err2 := r.Standings(p)
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
		return errors.Join(err, err2)
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
		return err
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
		return nil
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
	return opened(t, db)
}

// TestADatabaseOfSchema7IsBroughtUpToDate makes one by writing the index of the outbox, and
// its numbers, as they were then.
func TestADatabaseOfSchema7IsBroughtUpToDate(t *testing.T) {
	const one, two, three = "\x00\x00\x00\x00\x00\x00\x00\x01", "\x00\x00\x00\x00\x00\x00\x00\x02", "\x00\x00\x00\x00\x00\x00\x00\x03"
	s := written(t, map[string]string{
		"outbox/" + one: "\x01" + `{"ID":1,"Place":1,"Game":1,"Kind":"moved"}`, "entryat/" + one + one: "",
		"dead/" + two: "\x01" + `{"ID":2,"Place":1,"Game":1,"Kind":"moved"}`, "entryat/" + one + two: "",
		"outbox/" + three: "\x01" + `{"ID":3,"Place":1,"Game":1,"Kind":"ended"}`, "entryat/" + one + three: "",
		"seq/entry": three, "meta/schema": "\x00\x00\x00\x00\x00\x00\x00\x07",
	})
	update(t, s, func(w storage.Writer) error { return w.Post(storage.Entry{Place: 1, Game: 1, Kind: "new"}) })
	view(t, s, func(r storage.Reader) error {
		var kinds []string
		for e, err := range r.Waiting(storage.Queue{Place: 1, Game: 1}) {
			if err != nil {
				return err
			}
			kinds = append(kinds, e.Kind)
		}
		if want := []string{"moved", "ended", "new"}; !slices.Equal(kinds, want) {
			t.Errorf("there wait %v, want %v", kinds, want)
		}
		_, dead, err := r.EntriesAt(1)
		if err != nil || len(dead) != 1 || dead[0].ID != 2 {
			t.Errorf("kept aside are %v: %v", dead, err)
		}
		return nil
	})
	if err := s.Check(t.Context(), func(fault string) {
		if !strings.Contains(fault, "address") {
			t.Error(fault)
		}
	}); err != nil {
		t.Error(err)
	}
}

// unseal takes the checksums away.
func unseal(t *testing.T, db kv.DB) {
	t.Helper()
	for key, sealed := range kvtest.Contents(t, db) {
		err := db.Update(t.Context(), func(w kv.Writer) error {
			return w.Put([]byte(key), []byte(sealed[:len(sealed)-record.SealSize]))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestADatabaseOfSchema13GetsItsChecksums makes a large one by taking them away, kills the program
// after every part of what brings that up to date, and compares all that is there.
func TestADatabaseOfSchema13GetsItsChecksums(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	s := opened(t, db)
	const many = 3000 // more than one transaction writes
	for part := range many / 500 {
		update(t, s, func(w storage.Writer) error {
			for i := range 500 {
				if err := w.PutMemory("test", fmt.Sprint("name/", part*500+i), []byte("value")); err != nil {
					return err
				}
			}
			return nil
		})
	}
	want := kvtest.Contents(t, db)
	unseal(t, db)
	if err := db.Update(t.Context(), func(w kv.Writer) error { return storage.PutSchema(w, 13) }); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for {
		err := migrate.Run(t.Context(), &dying{db, 2}, past) // that it begins, and one part
		if err == nil {
			break
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		killed++
	}
	if killed < 3 {
		t.Errorf("it was killed %d times", killed)
	}
	if !maps.Equal(kvtest.Contents(t, db), want) {
		t.Error("it has led to something else")
	}
	soundly(t, s)
	err := db.Update(t.Context(), func(w kv.Writer) error {
		return w.Put([]byte("memory/test\x00plain"), []byte("\x01{}"))
	})
	if err != nil {
		t.Fatal(err)
	}
	var faults []string
	if err := s.Check(t.Context(), func(fault string) { faults = append(faults, fault) }); err != nil || len(faults) != 1 {
		t.Errorf("of a value without one is said %q: %v", faults, err)
	}
}

// TestADatabaseOfSchema5IsBroughtUpToDate makes one by taking away what was not there then.
func TestADatabaseOfSchema5IsBroughtUpToDate(t *testing.T) {
	var disk kvtest.Disk
	db := disk.Open("town")
	s, err := storage.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	at := func(id string) storage.Address { return storage.Address{Platform: "test", ID: id} }
	update(t, s, func(w storage.Writer) error {
		for i := range 9 { // three places in each server, and a challenge at each place
			p, err := w.Visit(at(fmt.Sprint("place ", i)), at(fmt.Sprint("server ", i/3)))
			if err := errors.Join(err, w.PutChallenge(storage.Challenge{ID: storage.GameID(i + 1), From: 1, To: 2, Place: p.ID})); err != nil {
				return err
			}
		}
		return nil
	})
	names := map[string]string{"user/@zoe": "77 Zoe", "user/@zo": "77 Zo", "user/@gone": "78 Gone", "message/77/1": "5"}
	update(t, s, func(w storage.Writer) error {
		for name, value := range names {
			if err := w.PutMemory("telegram", name, []byte(value)); err != nil {
				return err
			}
		}
		_, err := w.Meet(storage.Address{Platform: "telegram", ID: "77"}, "Zoe")
		return err
	})
	unseal(t, db)
	err = db.Update(t.Context(), func(w kv.Writer) error {
		for _, index := range []string{"in/", "toldat/", "about/"} {
			for item, err := range w.Scan(kv.Prefix([]byte(index))) {
				if err != nil {
					return err
				}
				if err := w.Delete(item.Key); err != nil {
					return err
				}
			}
		}
		for name, value := range names {
			if err := w.Put([]byte("memory/telegram\x00"+name), append([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, value...)); err != nil {
				return err
			}
		}
		return w.Put([]byte("meta/schema"), []byte{0, 0, 0, 0, 0, 0, 0, 5})
	})
	if err != nil {
		t.Fatal(err)
	}
	s = opened(t, db)
	view(t, s, func(r storage.Reader) error {
		for name, want := range names {
			if name == "user/@gone" {
				want = ""
			}
			if value, err := r.State("telegram", name); err != nil || string(value) != want {
				t.Errorf("%s is %q: %v", name, value, err)
			}
		}
		places, err := r.PlacesIn(2)
		if len(places) != 3 || places[0].ID != 4 {
			t.Errorf("in the server are %v", places)
		}
		told, err2 := r.ToldAt(4)
		if !slices.Equal(told, []storage.GameID{4}) {
			t.Errorf("told of there are the challenges %v", told)
		}
		return errors.Join(err, err2)
	})
	update(t, s, func(w storage.Writer) error {
		_, err := w.ForgetAbout("telegram", "77", []string{"message/"}, 100)
		return err
	})
	view(t, s, func(r storage.Reader) error {
		if left, err := r.Memories("telegram", ""); err != nil || len(left) > 0 {
			t.Errorf("left are %q: %v", left, err)
		}
		return nil
	})
	soundly(t, s)
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
		want := []storage.State{
			{Platform: "discord", Name: "a", Value: []byte("one"), At: at},
			{Platform: "discord", Name: "b", Value: []byte("two"), At: at, About: "77"},
			{Platform: "discord", Name: "c", Value: []byte("three")},
			{Platform: "discord", Name: "d", Value: []byte{}},
		}
		found, _, err := r.AllMemories("", 10)
		if !reflect.DeepEqual(found, want) {
			t.Errorf("%+v; want %+v", found, want)
		}
		return err
	})
	soundly(t, s)
}

// TestADatabaseOfSchema10IsBroughtUpToDate makes one by writing the outbox, with an entry that
// cannot be read, and a list of when answers may go, as they were then.
func TestADatabaseOfSchema10IsBroughtUpToDate(t *testing.T) {
	n := func(numbers ...uint64) string {
		var key []byte
		for _, n := range numbers {
			key = binary.BigEndian.AppendUint64(key, n)
		}
		return string(key)
	}
	s := written(t, map[string]string{
		"outbox/" + n(1): "\x01" + `{"ID":1,"Place":5,"Game":6,"Kind":"moved"}`, "entryat/" + n(5, 6, 1): "",
		"outbox/" + n(2): "?", "entryat/" + n(5, 6, 2): "",
		"outbox/" + n(3): "\x01" + `{"ID":3,"Place":5,"Game":6,"Kind":"ended"}`, "entryat/" + n(5, 6, 3): "",
		"dead/" + n(4): "\x01" + `{"ID":4,"Place":5,"Kind":"challenged"}`, "deadat/" + n(5, 0, 4): "",
		"seen/discord\x001\x00": "\x01" + `{"At":"2026-05-01T00:00:00Z","Answer":1}`, "forget/" + n(7) + "seen/discord\x001\x00": "",
		"meta/schema": n(10),
	})
	view(t, s, func(r storage.Reader) error {
		ids := func(entries []storage.Entry, err error) (all []uint64) {
			for _, e := range entries {
				all = append(all, e.ID)
			}
			if err != nil {
				t.Error(err)
			}
			return all
		}
		if waiting, dead := ids(r.Outbox()), ids(r.Undelivered()); !slices.Equal(waiting, []uint64{1, 3}) || !slices.Equal(dead, []uint64{4}) {
			t.Errorf("%v wait, and %v can never be said", waiting, dead)
		}
		return nil
	})
	if err := s.SetAside(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(r storage.Reader) error {
		for ref, want := range map[storage.Ref]bool{{Kind: storage.OfEntry, ID: 2}: true, {Kind: storage.OfEntry, ID: 1}: false} {
			if parked, err := r.IsParked(ref); err != nil || parked != want {
				t.Errorf("%v is set aside: %t, %v", ref, parked, err)
			}
		}
		queues, err := r.Queues()
		if want := []storage.Queue{{Place: 5, Game: 6}}; !slices.Equal(queues, want) {
			t.Errorf("something waits in %v, want %v", queues, want)
		}
		old, _, err2 := r.Old(storage.SweptSeen, "", noon, 100)
		if !slices.Equal(old, []string{"discord\x001\x00"}) {
			t.Errorf("the old answers are %q", old)
		}
		return errors.Join(err, err2)
	})
	update(t, s, func(w storage.Writer) error { return w.Discard(storage.Ref{Kind: storage.OfEntry, ID: 2}) })
	soundly(t, s)
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
		return err
	})
	soundly(t, s)
}

// TestADatabaseOfSchema12IsBroughtUpToDate is of one in which games forgot their past at a pawn's move:
// #1 gets it back, and #2 cannot be played.
func TestADatabaseOfSchema12IsBroughtUpToDate(t *testing.T) {
	number := func(n byte) string { return "\x00\x00\x00\x00\x00\x00\x00" + string(rune(n)) }
	game := func(n int, move string) string {
		return "\x01" + fmt.Sprintf(`{"ID":%d,"Variant":"brigade","Moves":["e2e3","h7h6",%q],"Past":[9],"Result":"1-0","Revision":7}`, n, move)
	}
	records := map[string]string{
		"meta/schema":       number(12),
		"game/" + number(1): game(1, "e3d3"),
		"game/" + number(2): game(2, "none"),
	}
	view(t, written(t, records), func(r storage.Reader) error {
		for id, want := range map[storage.GameID][]uint64{1: {1, 2, 3}, 2: {9}} {
			if g, err := r.Game(id); err != nil || !slices.Equal(g.Past, want) || g.Revision != 7 || len(g.Moves) != 3 {
				t.Errorf("game %d: %+v (%v), want the past %v", id, g, err, want)
			}
		}
		return nil
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
		career, err3 := r.Standings(1)
		if now := career.Standings["chess"]; now.Games() != 4 {
			t.Errorf("person 1 has %+v", career)
		}
		return errors.Join(err, err2, err3)
	})
}

// unpacked is a copy of a file that the program wrote once.
func unpacked(t *testing.T, file string) string {
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
	path := filepath.Join(t.TempDir(), "old.db")
	if err := errors.Join(err, os.WriteFile(path, old, 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

func bringUpToDate(t *testing.T, file string, check func(storage.Reader) error) {
	t.Helper()
	path := unpacked(t, file)
	for range 2 { // the second time, there is nothing to bring up to date
		db, err := bolt.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		store := opened(t, db)
		view(t, store, check)
		soundly(t, store)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// soundly compares all indexes with their records.
func soundly(t *testing.T, s *storage.Store) {
	t.Helper()
	if err := s.Check(t.Context(), func(fault string) { t.Error(fault) }); err != nil {
		t.Error(err)
	}
}

// dying is a database whose program ends after so many updates, of which the last is not kept.
type dying struct {
	kv.DB
	updates int
}

var errKilled = errors.New("killed")

func (d *dying) Update(ctx context.Context, fn func(kv.Writer) error) error {
	return d.DB.Update(ctx, func(w kv.Writer) error {
		if err := fn(w); err != nil {
			return err
		}
		if d.updates--; d.updates < 0 {
			return errKilled
		}
		return nil
	})
}

// TestAnUpgradeGoesOnWhereItWasKilled kills it in every transaction of the longest way there is.
func TestAnUpgradeGoesOnWhereItWasKilled(t *testing.T) {
	file, err := bolt.Open(unpacked(t, "testdata/v1.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	old := kvtest.Contents(t, file)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for updates := 0; len(want) == 0; updates++ {
		db := new(kvtest.Disk).Open("db")
		err := db.Update(t.Context(), func(w kv.Writer) error {
			for key, value := range old {
				if err := w.Put([]byte(key), []byte(value)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		switch err := migrate.Run(t.Context(), &dying{db, updates}, past); {
		case err == nil:
			want = kvtest.Contents(t, db)
		case !errors.Is(err, errKilled):
			t.Fatalf("after %d updates: %v", updates, err)
		default:
			if _, err := storage.Open(t.Context(), db); !errors.Is(err, storage.ErrOlder) {
				t.Errorf("after %d updates, opening it gives %v", updates, err)
			}
		}
		view(t, opened(t, db), checkMigrated(t))
		defer func() {
			if found := kvtest.Contents(t, db); !maps.Equal(found, want) {
				t.Errorf("killed after %d updates it has led to something else", updates)
			}
		}()
	}
}

// TestAnUpgradeOfAnySizeIsStoredInParts is of a step that changes far more than can be stored at
// once: it deletes an index of 3,000 keys, moves as many entries, and rewrites values of 2 MiB.
func TestAnUpgradeOfAnySizeIsStoredInParts(t *testing.T) {
	const entries = 3000
	large := strings.Repeat("x", 700)
	db := new(kvtest.Disk).Open("db")
	number := func(n int) string { return string(binary.BigEndian.AppendUint64(nil, uint64(n))) }
	for part := range slices.Chunk(slices.Collect(func(yield func(int) bool) {
		for i := range entries {
			yield(i + 1)
		}
	}), 500) {
		err := db.Update(t.Context(), func(w kv.Writer) error {
			for _, i := range part {
				value := fmt.Sprintf("\x01"+`{"ID":%d,"Place":5,"Game":6,"Kind":"%s"}`, i, large)
				err := errors.Join(w.Put([]byte("outbox/"+number(i)), []byte(value)), w.Put([]byte("entryat/"+number(5)+number(6)+number(i)), nil))
				if err != nil {
					return err
				}
			}
			return w.Put([]byte("meta/schema"), []byte(number(10)))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	view(t, opened(t, db), func(r storage.Reader) error {
		waiting, err := r.Outbox()
		if len(waiting) != entries {
			t.Errorf("%d wait, want %d", len(waiting), entries)
		}
		return err
	})
	for key := range kvtest.Contents(t, db) {
		if strings.HasPrefix(key, "upgrade/") || strings.HasPrefix(key, "entryat/") {
			t.Errorf("left is %q", key)
		}
	}
}

// TestNobodyOfAnEarlierVersionWritesOnceAnUpgradeHasBegun has a store open while a newer program
// begins.
func TestNobodyOfAnEarlierVersionWritesOnceAnUpgradeHasBegun(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	s := opened(t, db)
	visit := func(w storage.Writer) error {
		_, err := w.Visit(storage.Address{Platform: "test", ID: "room"}, storage.Address{})
		return err
	}
	update(t, s, visit)
	select {
	case <-s.Outdated():
		t.Error("it is said to be outdated before it is")
	default:
	}
	err := db.Update(t.Context(), func(w kv.Writer) error {
		_, err := storage.BeginUpgrade(w, storage.Current)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	before := kvtest.Contents(t, db)
	if err := s.Update(t.Context(), visit); !errors.Is(err, storage.ErrNewer) || errors.Is(err, storage.ErrNotSaved) {
		t.Errorf("it wrote: %v", err)
	}
	<-s.Outdated()
	if !maps.Equal(kvtest.Contents(t, db), before) {
		t.Error("something has changed")
	}
}

// TestSeveralProcessesThatBeginAtOnceUpgradeOnce has four of them share a database whose roles one
// holds at a time.
func TestSeveralProcessesThatBeginAtOnceUpgradeOnce(t *testing.T) {
	db, err := bolt.Open(unpacked(t, "testdata/v1.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	shared := &sharing{DB: db, free: make(chan struct{}, 1)}
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			if err := migrate.Run(t.Context(), shared, past); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if shared.outside.Load() > 0 {
		t.Errorf("%d updates were not by whoever held the role", shared.outside.Load())
	}
	s := opened(t, db)
	view(t, s, checkMigrated(t))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// sharing is a database of several processes, of which one holds a role.
type sharing struct {
	kv.DB
	free    chan struct{} // full while the role is held
	outside atomic.Int64  // updates while it was free
}

func (s *sharing) Hold(ctx context.Context, _ string) (func(context.Context) error, error) {
	select {
	case s.free <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func(context.Context) error {
		<-s.free
		return nil
	}, nil
}

func (s *sharing) Held(ctx context.Context) error { return ctx.Err() }

func (s *sharing) Lost() <-chan struct{} { return nil }

func (s *sharing) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if len(s.free) == 0 {
		s.outside.Add(1)
	}
	return s.DB.Update(ctx, fn)
}

func TestADatabaseThatIsNewOrNewerIsLeftAlone(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	if err := migrate.Run(t.Context(), &dying{DB: db}, past); err != nil {
		t.Errorf("an empty one: %v", err)
	}
	opened(t, db)
	if err := migrate.Run(t.Context(), &dying{DB: db}, past); err != nil {
		t.Errorf("one of today: %v", err)
	}
	err := db.Update(t.Context(), func(w kv.Writer) error { return storage.PutSchema(w, storage.Current+1) })
	if err != nil {
		t.Fatal(err)
	}
	if err := migrate.Run(t.Context(), &dying{DB: db}, past); !errors.Is(err, storage.ErrNewer) {
		t.Errorf("one of tomorrow: %v", err)
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
