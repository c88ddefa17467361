package storage_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// town has three places in each of some servers, with challenges and entries at each place.
func town(t *testing.T, s *storage.Store, servers int) {
	t.Helper()
	for i := range 3 * servers {
		update(t, s, func(w storage.Writer) error {
			p, err := w.Visit(at(fmt.Sprint("place ", i)), at(fmt.Sprint("server ", i/3)))
			id, err2 := w.NewGameID()
			entry := storage.Entry{Place: p.ID, Kind: "moved", At: time.Unix(int64(i), 0)}
			if err := errors.Join(err, err2,
				w.Challenges().Put(storage.Challenge{ID: id, From: 1, To: 2, Place: p.ID, Seat: p.ID%3 + 1}), w.Post(entry), w.Post(entry),
			); err != nil {
				return err
			}
			waiting, _, err := w.EntriesAt(p.ID)
			return errors.Join(err, w.Undeliverable(waiting[0]))
		})
	}
	update(t, s, func(w storage.Writer) error {
		_, err := w.Visit(at("alone"), storage.Address{})
		return err
	})
}

func at(id string) storage.Address { return storage.Address{Platform: "test", ID: id} }

// TestWhatBelongsToAPlaceIsFoundWithoutAnyOther reads no more in a large town than in a
// small one.
func TestWhatBelongsToAPlaceIsFoundWithoutAnyOther(t *testing.T) {
	read := map[int]int64{}
	for _, servers := range []int{4, 400} {
		db := &kvtest.Counted{DB: new(kvtest.Disk).Open("town")}
		s, err := storage.Open(t.Context(), db)
		kvtest.Must(t, err)
		town(t, s, servers)
		db.Reset()
		update(t, s, func(w storage.Writer) error { return checkTown(t, w.Reader) })
		read[servers] = db.Gets.Load() + db.Scanned.Load()
		soundly(t, s)
	}
	if read[4] != read[400] {
		t.Errorf("%d things are read with 4 servers, and %d with 400", read[4], read[400])
	}
}

// checkTown looks at the second server and its first place, the fourth.
func checkTown(t *testing.T, r storage.Reader) error {
	t.Helper()
	places, err := r.PlacesIn(2)
	if err != nil {
		return err
	}
	var ids []storage.PlaceID
	for _, p := range places {
		ids = append(ids, p.ID)
	}
	if !slices.Equal(ids, []storage.PlaceID{4, 5, 6}) {
		t.Errorf("in the server are %v", ids)
	}
	if told, err := r.ToldAt(4); err != nil || !slices.Equal(told, []storage.GameID{4}) {
		t.Errorf("told of there are the challenges %v: %v", told, err)
	}
	waiting, dead, err := r.EntriesAt(4)
	if len(waiting) != 1 || len(dead) != 1 || waiting[0].ID <= dead[0].ID {
		t.Errorf("to be said there are %v, and were %v", waiting, dead)
	}
	return err
}

// TestWhatIsIndexedByPlaceFollowsItsRecords moves and removes what is listed by place.
func TestWhatIsIndexedByPlaceFollowsItsRecords(t *testing.T) {
	s := open(t)
	town(t, s, 3)
	update(t, s, func(w storage.Writer) error {
		now, err := w.Places().Get(4)
		now.Server = 1
		waiting, dead, err2 := w.EntriesAt(4)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		return errors.Join(
			w.Places().Put(now), w.ForgetPlace(now, time.Unix(1, 0)), w.Challenges().Delete(4),
			w.Delivered(waiting[0].Queue(), waiting[0].ID), w.Revive(dead[0]),
		)
	})
	forgotten(t, s, storage.SweptDead, time.Unix(1<<40, 0))
	view(t, s, func(r storage.Reader) error {
		for server, want := range map[storage.ServerID]int{1: 4, 2: 2, 3: 3} {
			if places, err := r.PlacesIn(server); err != nil || len(places) != want {
				t.Errorf("in the server %d are %v: %v", server, places, err)
			}
		}
		if told, err := r.ToldAt(4); err != nil || len(told) > 0 {
			t.Errorf("told of there are the challenges %v: %v", told, err)
		}
		waiting, dead, err := r.EntriesAt(4)
		if err != nil || len(waiting) != 1 || len(dead) > 0 {
			t.Errorf("to be said there are %v, and were %v: %v", waiting, dead, err)
		}
		return nil
	})
	soundly(t, s)
}

func TestOpenChallengesBelongToTheServerOfTheirPlace(t *testing.T) {
	s := open(t)
	room, club := storage.Address{Platform: "discord", ID: "room"}, storage.Address{Platform: "discord", ID: "club"}
	want := func(server storage.ServerID, all ...storage.GameID) {
		t.Helper()
		found := read(t, s, func(r storage.Reader) ([]storage.GameID, error) { return r.ChallengesIn(server) })
		if !slices.Equal(found, all) {
			t.Errorf("in server %d are %v, want %v", server, found, all)
		}
		soundly(t, s)
	}
	view(t, s, func(r storage.Reader) error {
		if _, err := r.PlaceAt(room); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("before anybody came: %v", err)
		}
		return nil
	})
	update(t, s, func(w storage.Writer) error {
		place, err := w.Visit(room, storage.Address{})
		return errors.Join(err, w.Challenges().Put(storage.Challenge{ID: 1, From: 1, Place: place.ID}), w.Challenges().Put(storage.Challenge{ID: 2, From: 1, To: 2, Place: place.ID}))
	})
	want(1)
	update(t, s, func(w storage.Writer) error { _, err := w.Visit(room, club); return err })
	want(1, 1)
	update(t, s, func(w storage.Writer) error { return w.Challenges().Delete(1) })
	want(1)
}

// TestSettingsOfEarlierVersionsKeepTheirMeaning reads some as they were written when there was no Look.
func TestSettingsOfEarlierVersionsKeepTheirMeaning(t *testing.T) {
	look := storage.Look{Theme: "night", Size: "large", Words: true}
	var person storage.Settings
	kvtest.Must(t, json.Unmarshal([]byte(`{"Zone":"Asia/Tokyo","Theme":"night","Size":"large","Words":true,"Language":"ru"}`), &person))
	if want := (storage.Settings{Zone: "Asia/Tokyo", Look: look, Language: "ru"}); person != want {
		t.Errorf("a person's are %+v, want %+v", person, want)
	}
	var server storage.ServerSettings
	kvtest.Must(t, json.Unmarshal([]byte(`{"Theme":"night","Size":"large","Words":true,"Days":5}`), &server))
	if want := (storage.ServerSettings{Look: look, Days: 5}); !reflect.DeepEqual(server, want) {
		t.Errorf("a server's are %+v, want %+v", server, want)
	}
}
