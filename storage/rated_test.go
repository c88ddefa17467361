package storage_test

import (
	"slices"
	"testing"

	"chimera/storage"
)

// TestRatedGamesStandInOrder reads them from each place on, in pages of each size, however
// many there are.
func TestRatedGamesStandInOrder(t *testing.T) {
	store := open(t)
	var all []storage.GameID
	for n := range 200 {
		id := storage.GameID(1000 + n*7%200)
		all = append(all, id)
		if err := store.Update(t.Context(), func(w storage.Writer) error { return w.AddRated(id) }); err != nil {
			t.Fatal(err)
		}
		err := store.View(t.Context(), func(r storage.Reader) error {
			if last, err := r.LastRated(); err != nil || last != uint64(len(all)) {
				t.Errorf("%d of %d: %v", last, len(all), err)
			}
			for _, after := range []int{0, 1, n / 2, n, n + 1, n + 5} {
				for _, limit := range []int{0, 1, 10, 100} {
					want := all[min(after, len(all)):]
					if limit > 0 {
						want = want[:min(limit, len(want))]
					}
					if got, err := r.Rated(uint64(after), limit); err != nil || !slices.Equal(got, want) {
						t.Fatalf("after %d of %d, at most %d: %v, want %v: %v", after, len(all), limit, got, want, err)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
