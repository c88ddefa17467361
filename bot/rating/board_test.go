package rating

import (
	"slices"
	"testing"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestEverybodyIsRankedAndFindsThemself(t *testing.T) {
	rnd := kvtest.Random(t)
	for _, shared := range []bool{false, true} {
		b := newBoard(map[storage.PersonID]int64{1: 7, 2: -3}, shared)
		for range 2000 {
			b.set(storage.PersonID(1+rnd.IntN(300)), int64(rnd.IntN(200)-20), rnd.IntN(10) > 0)
		}
		if len(b.order) != len(b.scores) || !slices.IsSortedFunc(b.order, entry.compare) {
			t.Fatalf("%d people, %d scores: %v", len(b.order), len(b.scores), b.order)
		}
		for i, e := range b.order {
			rank := i + 1
			if shared {
				rank = 1 + slices.IndexFunc(b.order, func(other entry) bool { return other.score == e.score })
			}
			want := spot{e, rank, i + 1}
			if got := b.rank(e.person); got != rank || b.scores[e.person] != e.score {
				t.Errorf("person %d has rank %d, want %d", e.person, got, rank)
			}
			if page := b.page(i+1, 3, 0); len(page) != min(3, len(b.order)-i) || page[0] != want {
				t.Errorf("from place %d: %+v, want %+v first", i+1, page, want)
			}
			if near := b.near(e.person); !slices.Contains(near, want) || len(near) != min(i, either)+1+min(len(b.order)-1-i, either) {
				t.Errorf("near %+v: %+v", want, near)
			}
		}
		if b.rank(301) != 0 || len(b.near(301)) > 0 {
			t.Error("who is not there has a rank")
		}
	}
}
