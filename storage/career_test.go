package storage_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"chimera/storage"
)

func TestACareerIsReadAsItWasWritten(t *testing.T) {
	s := open(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		var c storage.Career
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
		update(t, s, func(w storage.Writer) error { return w.PutCareer(1, c) })
		view(t, s, func(r storage.Reader) error {
			got, err := r.Career(1)
			if !reflect.DeepEqual(got, c) {
				t.Errorf("%+v was read as %+v", c, got)
			}
			return err
		})
	}
}

func TestGamesBetweenTwoPeopleAreCountedByTheDay(t *testing.T) {
	var c storage.Career
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
