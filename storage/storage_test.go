package storage_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// engine is an empty one, which is closed when the test ends.
func engine(t testing.TB) kv.DB {
	t.Helper()
	db, err := bolt.Open(filepath.Join(t.TempDir(), "test.db"))
	kvtest.Must(t, err)
	t.Cleanup(func() { kvtest.Must(t, db.Close()) })
	return db
}

// raw is an engine and a store over it.
func raw(t testing.TB) (kv.DB, *storage.Store) {
	t.Helper()
	db := engine(t)
	store, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	return db, store
}

func open(t testing.TB) *storage.Store {
	t.Helper()
	_, store := raw(t)
	return store
}

// putRaw writes a value as it is to be stored, checksum and all.
func putRaw(t testing.TB, db kv.DB, key, value string) {
	t.Helper()
	kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error { return w.Put([]byte(key), []byte(value)) }))
}

func update(t testing.TB, s *storage.Store, fn func(storage.Writer) error) {
	t.Helper()
	kvtest.Must(t, s.Update(context.Background(), fn))
}

func view(t testing.TB, s *storage.Store, fn func(storage.Reader) error) {
	t.Helper()
	kvtest.Must(t, s.View(context.Background(), fn))
}

// read is what a View finds.
func read[T any](t testing.TB, s *storage.Store, find func(storage.Reader) (T, error)) T {
	t.Helper()
	found, err := storage.Read(context.Background(), s, find)
	kvtest.Must(t, err)
	return found
}

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func TestAPersonKeepsTheNumberAndGetsTheNewName(t *testing.T) {
	s := open(t)
	alice := storage.Address{Platform: "console", ID: "alice"}
	var first, again, other storage.Person
	update(t, s, func(w storage.Writer) (err error) {
		var err2, err3 error
		first, err = w.Meet(alice, "alice")
		other, err2 = w.Meet(storage.Address{Platform: "discord", ID: "alice"}, "alice")
		again, err3 = w.Meet(alice, "Alice A.")
		return errors.Join(err, err2, err3)
	})
	if first.ID != again.ID || other.ID == first.ID {
		t.Errorf("numbers %d, %d and, elsewhere, %d", first.ID, again.ID, other.ID)
	}
	p := read(t, s, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(alice) })
	if p.Name != "Alice A." {
		t.Errorf("the name is %q", p.Name)
	}
}

func TestWhoBlocksOrHidesAPersonIsFound(t *testing.T) {
	s := open(t)
	const ann, ben, cora = 1, 2, 3
	update(t, s, func(w storage.Writer) error {
		for _, name := range []string{"ann", "ben", "cora"} {
			if _, err := w.Meet(storage.Address{Platform: "console", ID: name}, name); err != nil {
				return err
			}
		}
		club := storage.Address{Platform: "console", ID: "club"}
		_, err := w.Visit(club, club)
		return err
	})
	want := func(blocked []storage.PersonID, hidden []storage.ServerID) {
		t.Helper()
		view(t, s, func(r storage.Reader) error {
			people, err := r.BlockedBy(cora)
			servers, err2 := r.HiddenBy(cora)
			if !slices.Equal(people, blocked) || !slices.Equal(servers, hidden) {
				t.Errorf("cora is blocked by %v and hidden by %v; want %v and %v", people, servers, blocked, hidden)
			}
			return errors.Join(err, err2)
		})
		soundly(t, s)
	}
	block := func(by storage.PersonID, whom ...storage.PersonID) {
		update(t, s, func(w storage.Writer) error {
			return w.People().Change(by, func(p *storage.Person) { p.Blocked = whom })
		})
	}
	server := func(do func(storage.Writer, storage.Server) error) {
		update(t, s, func(w storage.Writer) error {
			club, err := w.Servers().Get(1)
			return errors.Join(err, do(w, club))
		})
	}
	want(nil, nil)
	block(ann, cora)
	block(ben, ann, cora)
	server(func(w storage.Writer, club storage.Server) error {
		club.Settings.Hidden = []storage.PersonID{cora}
		return w.Servers().Put(club)
	})
	want([]storage.PersonID{ann, ben}, []storage.ServerID{1})
	block(ben, ann)
	want([]storage.PersonID{ann}, []storage.ServerID{1})
	block(ann)
	server(func(w storage.Writer, club storage.Server) error { return w.TakeIn(club, 2) })
	want(nil, nil)
}

func TestAGameStandsInTheListThatFitsIt(t *testing.T) {
	s := open(t)
	for id := range storage.GameID(3) {
		update(t, s, func(w storage.Writer) error {
			return w.Games().Put(storage.Game{ID: id + 1, Players: [2]storage.PersonID{1, storage.PersonID(id) + 2}, Result: "*"})
		})
	}
	update(t, s, func(w storage.Writer) error {
		return w.Games().Change(2, func(g *storage.Game) {
			if g.Revision != 1 {
				t.Errorf("revision %d after one change", g.Revision)
			}
			g.Result, g.Ending = "1-0", "checkmate"
		})
	})
	playing := read(t, s, func(r storage.Reader) ([]storage.GameID, error) { return r.Playing(1) })
	played := read(t, s, func(r storage.Reader) ([]storage.GameID, error) { return r.Played(1) })
	if !slices.Equal(playing, []storage.GameID{1, 3}) || !slices.Equal(played, []storage.GameID{2}) {
		t.Errorf("playing %v, played %v", playing, played)
	}
}

// What somebody has made is found with the first game in which they have; games that are not listed, and the computer's
// pieces, are not.
func TestTheFirstGameInWhichAPieceWasMadeIsFound(t *testing.T) {
	s := open(t)
	game := func(id storage.GameID, listed bool, kind string, white, black map[string]int) storage.Game {
		return storage.Game{
			ID: id, Variant: kind, Players: [2]storage.PersonID{1, 2}, Levels: [2]int{0, 3}, Result: "1-0", Ending: "checkmate",
			Listed: listed, Made: [2]map[string]int{white, black},
		}
	}
	for _, g := range []storage.Game{
		game(7, true, "combine", map[string]int{"RN": 2, "QN": 1}, map[string]int{"RN": 1}),
		game(3, false, "combine", map[string]int{"BN": 1}, nil),
		game(4, true, "combine", map[string]int{"RN": 1}, nil),
		game(5, true, "knightmare", map[string]int{"R/N": 1}, nil),
	} {
		update(t, s, func(w storage.Writer) error { return w.Games().Put(g) })
	}
	made := func(p storage.PersonID) []storage.FirstMade {
		return read(t, s, func(r storage.Reader) ([]storage.FirstMade, error) { return r.FirstMade(p) })
	}
	want := []storage.FirstMade{{Kind: "combine", Piece: "QN", Game: 7}, {Kind: "combine", Piece: "RN", Game: 4}, {Kind: "knightmare", Piece: "R/N", Game: 5}}
	if got := made(1); !slices.Equal(got, want) || made(2) != nil {
		t.Errorf("%v, and the computer %v", got, made(2))
	}
	update(t, s, func(w storage.Writer) error {
		return w.Games().Change(4, func(g *storage.Game) { g.Players[storage.White] = 9 })
	})
	want[1].Game = 7
	if got := made(1); !slices.Equal(got, want) || len(made(9)) != 1 {
		t.Errorf("after a game has become another's: %v, and theirs %v", got, made(9))
	}
	soundly(t, s)
}

func TestAChallengeIsListedForThoseItConcerns(t *testing.T) {
	s := open(t)
	lists := func() string {
		return fmt.Sprint(read(t, s, func(r storage.Reader) (all [3][]storage.GameID, err error) {
			var err2, err3 error
			all[0], err = r.ChallengesBy(1)
			all[1], err2 = r.ChallengesTo(2)
			all[2], err3 = r.ChallengesAt(9)
			return all, errors.Join(err, err2, err3)
		}))
	}
	update(t, s, func(w storage.Writer) error {
		named, open := storage.Challenge{ID: 1, From: 1, To: 2, Place: 9}, storage.Challenge{ID: 2, From: 1, Place: 9}
		return errors.Join(w.Challenges().Put(named), w.Challenges().Put(open))
	})
	if got, want := lists(), "[[1 2] [1] [2]]"; got != want {
		t.Errorf("lists %s, want %s", got, want)
	}
	update(t, s, func(w storage.Writer) error { return errors.Join(w.Challenges().Delete(1), w.Challenges().Delete(2)) })
	if got, want := lists(), "[[] [] []]"; got != want {
		t.Errorf("lists %s, want %s", got, want)
	}
}

func TestAnswersAreRememberedAndOldOnesForgotten(t *testing.T) {
	s := open(t)
	ids := []string{"", "a", "b", "c", "d", "e", "f", "later", "last"}
	message := func(id string) storage.MessageID { return storage.MessageID{Platform: "console", ID: id} }
	remembered := func(want ...string) {
		t.Helper()
		var found []string
		for _, id := range ids {
			seen, err := storage.Read(t.Context(), s, func(r storage.Reader) (storage.Seen, error) { return r.Seen(message(id)) })
			if errors.Is(err, storage.ErrNotFound) {
				continue
			}
			if found = append(found, id); err != nil || seen.Answer.What != "to "+id {
				t.Errorf("the answer to %q is %+v: %v", id, seen, err)
			}
		}
		if !slices.Equal(found, want) {
			t.Errorf("remembered are %q, want %q", found, want)
		}
	}
	for _, id := range ids {
		after := map[string]time.Duration{"later": time.Second, "last": time.Hour}[id]
		update(t, s, func(w storage.Writer) error {
			return w.PutSeen(message(id), storage.Seen{At: noon.Add(after), Answer: storage.Answer{What: "to " + id}})
		})
	}
	remembered(ids[1:]...) // for one has no id
	for from, rounds := "", 0; from != "" || rounds == 0; rounds++ {
		if rounds > 3 {
			t.Fatal("there is no end of answers")
		}
		update(t, s, func(w storage.Writer) error {
			old, next, err := w.Old(storage.SweptSeen, from, noon.Add(time.Second), 3)
			from = next
			return errors.Join(err, w.Forget(storage.SweptSeen, old))
		})
	}
	remembered("later", "last")
}

func TestNumbersRiseThoughTheLastOnesAreForgotten(t *testing.T) {
	s := open(t)
	post := func(at time.Time) uint64 {
		update(t, s, func(w storage.Writer) error { return w.Post(storage.Entry{Place: 1, Game: 2, At: at, Kind: "k"}) })
		all, _ := listed(t, s)
		return all[len(all)-1]
	}
	first, later := post(noon), noon.Add(time.Hour)
	for i, before := range []time.Time{noon, later, later} {
		if old := forgotten(t, s, storage.SweptPosted, before); len(old) != i%2 {
			t.Errorf("%q are forgotten by %v", old, before)
		}
	}
	if next := post(later); next <= first {
		t.Errorf("%d after %d", next, first)
	}
}

func TestDeadlinesComeInOrder(t *testing.T) {
	s := open(t)
	game := func(id storage.GameID, wake time.Time) storage.Game {
		return storage.Game{ID: id, Clock: storage.Clock{Wake: wake}, Players: [2]storage.PersonID{1, 2}}
	}
	update(t, s, func(w storage.Writer) (err error) {
		for _, g := range []storage.Game{
			game(1, noon.Add(time.Hour)), game(2, noon), game(3, noon), game(4, noon), game(3, noon.Add(time.Minute)), game(4, time.Time{}),
		} {
			err = errors.Join(err, w.Games().Put(g))
		}
		return err
	})
	for now, want := range map[time.Time][]uint64{
		noon.Add(-time.Second): nil,
		noon:                   {2},
		noon.Add(time.Hour):    {2, 3, 1},
	} {
		var ids []uint64
		for _, d := range read(t, s, func(r storage.Reader) ([]storage.Deadline, error) { return r.Due(now, 10) }) {
			ids = append(ids, d.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("at %v due are %v, want %v", now, ids, want)
		}
	}
	if next, want := read(t, s, storage.Reader.NextDue), (storage.Deadline{At: noon, Kind: storage.DueGame, ID: 2}); next != want {
		t.Errorf("next is %v, want %v", next, want)
	}
}

func TestLivelyPlacesAreThoseWithGamesInProgress(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) (err error) {
		for i, place := range []storage.PlaceID{7, 7, 9, 8} {
			g := storage.Game{ID: storage.GameID(i + 1), Place: place, Players: [2]storage.PersonID{1, 2}}
			err = errors.Join(err, w.Games().Put(g))
		}
		return errors.Join(err, w.Games().Change(4, func(g *storage.Game) { g.Ending = "checkmate" }))
	})
	if places := read(t, s, storage.Reader.LivelyPlaces); !slices.Equal(places, []storage.PlaceID{7, 9}) {
		t.Errorf("lively are %v", places)
	}
}
