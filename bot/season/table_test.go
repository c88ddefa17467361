package season_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/bot/season"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestDivisionsAreAtMostOneApartAndNoneHasFewerThanFour(t *testing.T) {
	for text, want := range map[string][]int{
		"4/8": {4}, "8/8": {8}, "9/8": {5, 4}, "17/8": {6, 6, 5}, "5/4": {5}, "6/5": {6}, "7/4": {7}, "8/4": {4, 4}, "9/4": {5, 4}, "11/4": {6, 5}, "13/4": {5, 4, 4}, "30/10": {10, 10, 10},
	} {
		var entrants, size int
		_, err := fmt.Sscanf(text, "%d/%d", &entrants, &size)
		kvtest.Must(t, err)
		if got := season.Sizes(entrants, size); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for size := 4; size <= 10; size++ {
		for n := 4; n < 200; n++ {
			sizes := season.Sizes(n, size)
			sum := 0
			for _, s := range sizes {
				sum += s
			}
			least, most := slices.Min(sizes), slices.Max(sizes)
			if sum != n || most-least > 1 || sizes[0] != most || least < 4 || len(sizes) != (n+size-1)/size && n/((n+size-1)/size) >= 4 {
				t.Errorf("%d by %d: %v", n, size, sizes)
			}
		}
	}
}

// berger are tables of the FIDE handbook, C.05.
var berger = map[int]string{
	4: "1-4 2-3 4-3 1-2 2-4 3-1",
	6: "1-6 2-5 3-4 6-4 5-3 1-2 2-6 3-1 4-5 6-5 1-4 2-3 3-6 4-2 5-1",
	8: "1-8 2-7 3-6 4-5 8-5 6-4 7-3 1-2 2-8 3-1 4-7 5-6 8-6 7-5 1-4 2-3 3-8 4-2 5-1 6-7 8-7 1-6 2-5 3-4 4-8 5-3 6-2 7-1",
}

func TestEveryonePlaysEveryoneOnceWithTheColoursOfTheBergerTables(t *testing.T) {
	for n := 4; n <= 11; n++ {
		whites, met := make([]int, n), map[[2]int]int{}
		var texts []string
		for _, p := range season.Pairs(n) {
			whites[p[0]]++
			met[[2]int{min(p[0], p[1]), max(p[0], p[1])}]++
			texts = append(texts, fmt.Sprintf("%d-%d", p[0]+1, p[1]+1))
		}
		for one := range n {
			if apart := 2*whites[one] - (n - 1); apart < -1 || apart > 1 {
				t.Errorf("of %d, %d has White %d times", n, one+1, whites[one])
			}
			for other := range one {
				if met[[2]int{other, one}] != 1 {
					t.Errorf("of %d, %d and %d meet %d times", n, one+1, other+1, met[[2]int{other, one}])
				}
			}
		}
		if want, known := berger[n]; known {
			fields := strings.Fields(want)
			slices.Sort(fields)
			slices.Sort(texts)
			if !slices.Equal(texts, fields) {
				t.Errorf("of %d: %v", n, texts)
			}
		}
	}
}

func TestTheFirstGoUpTheLastDownAndNewOnesComeBehind(t *testing.T) {
	division := func(first, n int) (all []season.Standing) {
		for i := range n {
			all = append(all, season.Standing{Place: i + 1, Entrant: season.Entrant{Person: storage.PersonID(first + i)}})
		}
		return all
	}
	for _, c := range []struct {
		divisions [][]season.Standing
		want      []storage.PersonID
	}{
		{[][]season.Standing{division(1, 4), division(5, 4), division(9, 4)}, []storage.PersonID{1, 2, 3, 5, 4, 6, 7, 9, 8, 10, 11, 12}},
		{[][]season.Standing{division(1, 7), division(8, 7)}, []storage.PersonID{1, 2, 3, 4, 5, 8, 9, 6, 7, 10, 11, 12, 13, 14}},
		{[][]season.Standing{division(1, 7), division(8, 6)}, []storage.PersonID{1, 2, 3, 4, 5, 6, 8, 7, 9, 10, 11, 12, 13}},
	} {
		if got := season.Promote(c.divisions); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	shared := division(1, 4)
	shared[0].Place, shared[1].Place, shared[1].Rating = 1, 1, 1600
	if got := season.Promote([][]season.Standing{shared}); got[0] != 2 {
		t.Errorf("a shared place is settled as %v", got)
	}
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	var got []storage.PersonID
	for _, m := range season.Order([]storage.PersonID{3, 9, 1}, []season.Member{{1, 1900, day}, {2, 1500, day.Add(1)}, {3, 1000, day}, {4, 1500, day}, {5, 1600, day}, {3, 1000, day}}) {
		got = append(got, m.Person)
	}
	if !slices.Equal(got, []storage.PersonID{3, 1, 5, 4, 2}) {
		t.Errorf("they begin as %v", got)
	}
}

func TestATableIsAsTheRulesCountIt(t *testing.T) {
	rnd := kvtest.Random(t)
	shared, struck, groups := 0, 0, 0
	for range 800 {
		n := 4 + rnd.IntN(8)
		entrants := make([]season.Entrant, n)
		for i := range entrants {
			entrants[i] = season.Entrant{Person: storage.PersonID(i + 1), Out: rnd.IntN(6) == 0, Before: rnd.IntN(n)}
		}
		var results []season.Result
		var played []fake.Played
		for _, pair := range season.Pairs(n) {
			r := season.Result{Seats: pair, Outcome: season.Outcome(rnd.IntN(5))}
			results = append(results, r)
			if white, counts := map[season.Outcome]float64{season.WhiteWon: 1, season.BlackWon: 0, season.Drawn: 0.5}[r.Outcome]; counts {
				played = append(played, fake.Played{Seats: pair, White: white})
			}
		}
		want := fake.Ranks(entrants, played)
		points := map[int]int{}
		for _, s := range season.Table(entrants, results) {
			if s.Place != want[s.Seat] {
				t.Fatalf("entrant %d of %+v with %+v has place %d, and by the rules %d", s.Seat, entrants, results, s.Place, want[s.Seat])
			}
			if s.Struck {
				struck++
			}
			points[s.Points]++
		}
		slices.Sort(want)
		shared += n - len(slices.Compact(want))
		for _, same := range points {
			if same > 2 {
				groups++
			}
		}
	}
	if shared == 0 || struck == 0 || groups == 0 {
		t.Errorf("%d places were shared, %d struck, in %d groups", shared, struck, groups)
	}
}

// BenchmarkTable makes the tables of leagues, small and large, in divisions of 8.
func BenchmarkTable(b *testing.B) {
	entrants := make([]season.Entrant, 8)
	var results []season.Result
	for i, pair := range season.Pairs(len(entrants)) {
		results = append(results, season.Result{Seats: pair, Outcome: season.Outcome(1 + i%3)})
	}
	for i := range entrants {
		entrants[i].Person = storage.PersonID(i + 1)
	}
	for _, n := range []int{8, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				for range n / len(entrants) {
					season.Table(entrants, results)
				}
			}
		})
	}
}
