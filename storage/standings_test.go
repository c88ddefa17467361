package storage_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// put writes the standings of person 1, and readStandings reads them.
func put(t *testing.T, db kv.DB, c storage.Standings) {
	t.Helper()
	kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error { return storage.Over(w).PutStandings(1, c) }))
}

func readStandings(t *testing.T, db kv.DB) (c storage.Standings, err error) {
	err = db.Update(t.Context(), func(w kv.Writer) (err error) {
		c, err = storage.Over(w).Standings(1)
		return err
	})
	return c, err
}

func TestStandingsAreReadAsTheyWereWritten(t *testing.T) {
	var disk kvtest.Disk
	db := disk.Open("standings")
	rnd := kvtest.Random(t)
	for range 200 {
		var c storage.Standings
		for _, kind := range []string{"chess", "stealth", storage.Overall}[:rnd.IntN(4)] {
			c.Put(kind, storage.Standing{
				Value: rnd.NormFloat64() * 1000, Deviation: rnd.Float64(), Volatility: math.SmallestNonzeroFloat64,
				At: time.Unix(rnd.Int64N(1<<40)-1<<39, rnd.Int64N(1e9)).UTC(), Wins: rnd.IntN(1000), Losses: rnd.IntN(1000), Streak: rnd.IntN(3), Best: 7, Merges: 1 << 30,
			})
		}
		for range rnd.IntN(4) {
			c.Join(storage.ServerID(rnd.Uint64()))
			c.Meet(storage.PersonID(rnd.IntN(9)), time.Unix(1e9, 0))
		}
		put(t, db, c)
		if got, err := readStandings(t, db); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%+v was read as %+v, %v", c, got, err)
		}
	}
}

func TestGamesBetweenTwoPeopleAreCountedByTheDay(t *testing.T) {
	var c storage.Standings
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for i, want := range []struct {
		opponent storage.PersonID
		at       time.Time
		n        int
	}{
		{2, day, 1},
		{2, day.Add(24*time.Hour - 1), 2},
		{3, day, 1},
		{2, day.Add(24 * time.Hour), 1},
		{3, day.Add(24 * time.Hour), 1},
	} {
		if n := c.Meet(want.opponent, want.at); n != want.n {
			t.Errorf("game %d is number %d of the day, want %d", i, n, want.n)
		}
	}
	if got := storage.UnixDay(time.Unix(-1, 0)); got != -1 {
		t.Errorf("the day before the first is %d", got)
	}
}

func TestDamagedStandingsAreRefused(t *testing.T) {
	var disk kvtest.Disk
	db := disk.Open("damaged")
	var c storage.Standings
	c.Put("chess", storage.Standing{Value: 1500, Wins: 300, At: time.Unix(1e9, 5)})
	c.Join(7)
	c.Meet(2, time.Unix(1e9, 0))
	put(t, db, c)
	key := []byte("player/\x00\x00\x00\x00\x00\x00\x00\x01rated")
	var whole []byte
	if err := db.View(t.Context(), func(r kv.Reader) (err error) {
		whole, err = r.Get(key)
		return err
	}); err != nil || len(whole) == 0 {
		t.Fatalf("%q: %v, %v", key, whole, err)
	}
	for n := range len(whole) + 1 {
		damaged := append(slices.Clone(whole[:n]), "\xff\xff\xff\xff\x07"...)
		for _, value := range [][]byte{whole[:n], damaged} {
			if n == len(whole) && len(value) == n {
				continue // that is not damaged
			}
			kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error { return w.Put(key, value) }))
			// Another number in place of what is cut off may be a sound record.
			if _, err := readStandings(t, db); !errors.Is(err, kv.ErrCorrupt) && (err != nil || len(value) == n || n == len(whole)) {
				t.Errorf("%q with the value %x: %v", key, value, err)
			}
		}
	}
}
