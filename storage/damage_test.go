package storage_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestACorruptUndeliverableEntryIsNotQuarantined(t *testing.T) {
	db, s := raw(t)
	putRaw(t, db, "dead/\x00\x00\x00\x00\x00\x00\x00\x05", "x")
	read(t, s, storage.Reader.Undelivered)
	kvtest.Must(t, s.QuarantineCorrupt(t.Context(), noon))
	if found := read(t, s, storage.Reader.Quarantined); len(found) > 0 {
		t.Errorf("quarantined are %v", found)
	}
}

// TestKeysThatDamageCutShortStopNothing reads lists with keys in them that are too short
// to have a number.
func TestKeysThatDamageCutShortStopNothing(t *testing.T) {
	db, s := raw(t)
	deadline := storage.Deadline{At: noon, Kind: storage.DueVacation, ID: 7}
	update(t, s, func(w storage.Writer) error {
		p, err := w.Meet(storage.Address{Platform: "console", ID: "alice"}, "alice")
		if err != nil {
			return err
		}
		p.Vacation.Until = noon
		deadline.ID = uint64(p.ID)
		return errors.Join(w.People().Put(p), w.Games().Put(storage.Game{ID: 9, Changed: noon, Ending: "draw", Counted: true}))
	})
	kinds := []string{
		"result/", "due/", "due/\x00\x00\x00\x00\x00\x00\x00\x01", "here/", "closing/", "player/",
		"blocked/", "blocked/\x00\x00\x00\x00\x00\x00\x00\x01", "hidden/",
	}
	for _, kind := range kinds {
		putRaw(t, db, kind+"\x00", "12345678")
	}
	view(t, s, func(r storage.Reader) error {
		results, err := r.Results(time.Unix(0, 0), storage.Always(), 10, nil)
		if len(results) != 1 || results[0].Game != 9 || err != nil {
			t.Errorf("the results are %v, %v", results, err)
		}
		due, err := r.Due(noon.Add(time.Hour), 10)
		if len(due) != 1 || due[0] != deadline || err != nil {
			t.Errorf("due are %v, %v; want %v", due, err, deadline)
		}
		if places, err := r.LivelyPlaces(); len(places) > 0 || err != nil {
			t.Errorf("lively places are %v, %v", places, err)
		}
		if _, err := r.Closing(storage.MonthOf(noon) + 1); err != nil {
			t.Error(err)
		}
		return nil
	})
	var faults []string
	kvtest.Must(t, s.Check(t.Context(), func(fault string) { faults = append(faults, fault) }))
	all := strings.Join(faults, "\n")
	for _, kind := range kinds {
		if !strings.Contains(all, fmt.Sprintf("the key %q stands for no record", kind+"\x00")) {
			t.Errorf("of what was cut short after %q nothing is said", kind)
		}
	}
}

// TestNoFlippedBitPassesVerify flips one bit of one stored pair at a time, of the key or of the value,
// and lets all be checked and every game be read.
func TestNoFlippedBitPassesVerify(t *testing.T) {
	db, s := raw(t)
	stored(t, s, 20)
	update(t, s, func(w storage.Writer) error {
		p, err := w.Meet(storage.Address{Platform: "test", ID: "alice"}, "alice")
		place, err2 := w.Visit(storage.Address{Platform: "test", ID: "room"}, storage.Address{Platform: "test", ID: "server"})
		return errors.Join(err, err2,
			w.Challenges().Put(storage.Challenge{ID: 100, From: p.ID, Place: place.ID, Server: place.Server}),
			w.Post(storage.Entry{Place: place.ID, At: noon, Kind: "new"}),
			w.PutState(storage.State{Platform: "test", Name: "name", Value: []byte("value")}),
			w.PutStandings(p.ID, storage.Standings{Servers: []storage.ServerID{place.Server}}),
		)
	})
	faults := func() (n int) {
		err := s.Check(t.Context(), func(string) { n++ })
		ids, err2 := s.Games(t.Context())
		for _, id := range ids {
			if _, err := storage.Read(t.Context(), s, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) }); err != nil {
				n++
			}
		}
		if err := errors.Join(err, err2); err != nil { // such as of what tells which standings hold
			n++
		}
		return n
	}
	const seed = 3
	random := rand.New(rand.NewPCG(seed, 0))
	sound, before := kvtest.Contents(t, db), faults()
	keys := slices.Sorted(maps.Keys(sound))
	flips := 400
	if testing.Short() {
		flips = 60
	}
	for range flips {
		key := keys[random.IntN(len(keys))]
		pair := []byte(key + sound[key])
		bit := random.IntN(8 * len(pair))
		pair[bit/8] ^= 1 << (bit % 8)
		put := func(remove, key, value string) {
			kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error {
				return errors.Join(w.Delete([]byte(remove)), w.Put([]byte(key), []byte(value)))
			}))
		}
		flipped := string(pair[:len(key)])
		if _, there := sound[flipped]; there && flipped != key {
			continue
		}
		put(key, flipped, string(pair[len(key):]))
		if faults() <= before {
			t.Errorf("seed %d: bit %d of %q is flipped, and nothing is said", seed, bit, key)
		}
		put(flipped, key, sound[key])
	}
}
