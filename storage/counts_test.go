package storage_test

import (
	"errors"
	"testing"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestAGameInProgressIsCountedOnceThoughSeveralPlacesAreToldOfIt(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) (err error) {
		for id := range storage.GameID(3) {
			err = errors.Join(err, w.Games().Put(storage.Game{ID: id + 1, Players: [2]storage.PersonID{1, 2}, Place: 1, Also: []storage.PlaceID{2}}))
		}
		return err
	})
	if got, err := s.Playing(t.Context()); got != 3 || err != nil {
		t.Errorf("counted %d, %v; want 3", got, err)
	}
}

func TestWhatPeopleHaveOfTheTeacherIsCounted(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) (err error) {
		for i, who := range []storage.Address{{Platform: storage.Computer, ID: "1"}, {Platform: "console", ID: "alice"}, {Platform: "console", ID: "bob"}} {
			p, err2 := w.Meet(who, who.ID)
			err = errors.Join(err, err2, w.People().Change(p.ID, func(p *storage.Person) {
				p.Studies = []storage.Studies{{}, {Game: "combine", Done: map[string]int{"combine": 2, "chess": 6}}, {Game: "stealth"}}[i]
				p.Training.Standing = []storage.Standing{{}, {Wins: 3, Losses: 2}, {Losses: 1}}[i]
			}))
		}
		for id := storage.GameID(1); id <= 2; id++ {
			g := storage.Game{ID: id, Variant: "chess", Players: [2]storage.PersonID{1, 2}, Levels: [2]int{1, 0}, Place: 1}
			if id == 1 {
				g.Result, g.Ending = "1-0", "resignation"
			}
			err = errors.Join(err, w.Games().Put(g))
		}
		return err
	})
	got, err := s.Teaching(t.Context(), map[string]int{"combine": 8, "chess": 6, "stealth": 9})
	if want := (storage.Teaching{Begun: 3, Finished: 1, Puzzles: 6, Solved: 3, Practices: 2}); got != want || err != nil {
		t.Errorf("counted %+v, %v; want %+v", got, err, want)
	}
}

func TestADatabaseOfAnUnknownVersionIsRefused(t *testing.T) {
	db := engine(t)
	for range 2 { // it is not written by being read
		if _, err := storage.Schema(t.Context(), db); !errors.Is(err, kv.ErrNotDatabase) {
			t.Errorf("no records: %v", err)
		}
	}
	_, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	if version, err := storage.Schema(t.Context(), db); version == 0 || err != nil {
		t.Errorf("version %d, %v", version, err)
	}
	for value, want := range map[string]error{"\x00\x00\x00\x00\x00\x00\x00\x63": storage.ErrNewer, string(make([]byte, 8)): kv.ErrCorrupt, "?": kv.ErrCorrupt} {
		putRaw(t, db, "meta/schema", value)
		_, err := storage.Schema(t.Context(), db)
		if _, err2 := storage.Open(t.Context(), db); !errors.Is(err, want) || !errors.Is(err2, want) {
			t.Errorf("%q: %v and, opened, %v; want %v", value, err, err2, want)
		}
	}
}

func TestVeryManyAreCountedALittleAtATime(t *testing.T) {
	const briefly = 5000
	const many = 2*briefly + 7
	db := &kvtest.Counted{DB: new(kvtest.Disk).Open("db")}
	s, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	const few = 1000
	for from := 0; from < many; from += few {
		update(t, s, func(w storage.Writer) (err error) {
			for n := from; n < min(from+few, many); n++ {
				err = errors.Join(err, w.People().Put(storage.Person{ID: storage.PersonID(n + 1), Studies: storage.Studies{Game: "combine"}})) //nolint:gosec // it is small
			}
			return err
		})
	}
	db.Reset()
	taught, err := s.Teaching(t.Context(), nil)
	if most := db.MostViewed.Load(); err != nil || taught.Begun != many || most > briefly {
		t.Errorf("counted %+v, of %d at a time: %v", taught, most, err)
	}
}
