package season

import (
	"cmp"
	"slices"
	"time"

	"chimera/bot/match"
	"chimera/storage"
)

// Fewest is the smallest number of entrants in a season, and in a division.
const Fewest = 4

// Sizes are the sizes of the divisions that entrants are split into, none above size unless one would
// then have fewer than Fewest. They differ by one at most, the larger first.
func Sizes(entrants, size int) []int {
	n := (entrants + size - 1) / size
	if n > 1 && entrants/n < Fewest {
		n--
	}
	sizes := make([]int, n)
	for i := range entrants {
		sizes[i%n]++
	}
	return sizes
}

// many is the size of divisions from which on two players go up and down.
const many = 7

// Exchanged is how many players go down from a division, and as many up from the one below.
func Exchanged(upper, lower int) int {
	if min(upper, lower) >= many {
		return 2
	}
	return 1
}

// Promote is the order of a season's players for the next one, after the exchange between divisions.
// Shared places are settled by rating at the start.
func Promote(divisions [][]Standing) (order []storage.PersonID) {
	for i, table := range divisions {
		above := len(order)
		for _, s := range settled(table) {
			order = append(order, s.Person)
		}
		if i > 0 {
			n := Exchanged(len(divisions[i-1]), len(table))
			copy(order[above-n:], slices.Concat(order[above:above+n], order[above-n:above]))
		}
	}
	return order
}

// settled is a table with shared places settled by rating at the start.
func settled(table []Standing) []Standing {
	return slices.SortedStableFunc(slices.Values(table), func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(b.Rating, a.Rating))
	})
}

// Order are the standings in the order that decides who goes up and down.
func (d *Division) Order() []Standing { return settled(d.Standings) }

// Member is a person in a league.
type Member struct {
	Person storage.PersonID
	Rating float64
	Joined time.Time
}

// Order is the order in which members begin a season: those of the last season in the order it left,
// then new ones by rating, then by who joined first. Nobody is in it twice.
func Order(last []storage.PersonID, members []Member) []Member {
	// The rank of new ones is 0. If somebody is in the last order twice, the better place counts.
	rank := map[storage.PersonID]int{}
	for i, p := range slices.Backward(last) {
		rank[p] = i - len(last)
	}
	sorted := slices.SortedStableFunc(slices.Values(members), func(a, b Member) int {
		return cmp.Or(
			cmp.Compare(rank[a.Person], rank[b.Person]), cmp.Compare(b.Rating, a.Rating),
			a.Joined.Compare(b.Joined), cmp.Compare(a.Person, b.Person),
		)
	})
	seen := map[storage.PersonID]bool{}
	return slices.DeleteFunc(sorted, func(m Member) bool {
		twice := seen[m.Person]
		seen[m.Person] = true
		return twice
	})
}

// Pairs are the games in a division, as White's and Black's seats, with the colours of the Berger
// tables: everyone plays everyone else, and nobody has one colour more than once more often than the
// other.
func Pairs(players int) (all [][2]int) {
	last := players + players%2 // the number of seats in the table, one of which may be empty
	for one := 1; one <= players; one++ {
		for other := one + 1; other <= players; other++ {
			pair := [2]int{one - 1, other - 1}
			first := (one+other)%2 == 1
			if other == last {
				first = one <= last/2
			}
			if !first {
				pair[0], pair[1] = pair[1], pair[0]
			}
			all = append(all, pair)
		}
	}
	return all
}

// Outcome is what a game of a season counts as in a table.
type Outcome uint8

// The outcomes.
const (
	Pending Outcome = iota // the game goes on
	WhiteWon
	BlackWon
	Drawn
	Void // it counts for nobody: it was annulled, or aborted as damaged
)

// halves are the points of White and Black, in halves; none while undecided.
func (o Outcome) halves() [2]int {
	return [...][2]int{WhiteWon: {2, 0}, BlackWon: {0, 2}, Drawn: {1, 1}, Void: {}}[o]
}

// Entrant is a player in a division.
type Entrant = storage.Entrant

// Result is the state of a game of a division.
type Result struct {
	Game    storage.GameID
	Seats   [2]int // of White and Black among the entrants, from 0
	Outcome Outcome
}

// Standing is somebody's place in a table.
type Standing struct {
	Entrant
	Seat   int // from 0, in the order of the beginning
	Place  int // from 1; shared by people whom nothing tells apart
	Points int // halves: 2 for a win
	Direct int // halves, in games among people with as many points
	Wins   int
	Draws  int
	Losses int
	Berger int  // Sonneborn-Berger score, in quarters
	Left   int  // games in progress
	Struck bool // their results do not count: they withdrew before half of their games had ended
}

// Table is the table of a division, best first: by points, then by points in games among those with as
// many, by wins, and by Sonneborn-Berger. Entrants whose results are struck are last.
func Table(entrants []Entrant, results []Result) []Standing {
	all := make([]Standing, len(entrants))
	for seat, e := range entrants {
		all[seat] = Standing{Entrant: e, Seat: seat, Struck: e.Out && 2*e.Before < len(entrants)-1}
	}
	counts := func(r *Result) bool { return !all[r.Seats[0]].Struck && !all[r.Seats[1]].Struck }
	each(results, counts, func(r *Result, side int, mine int) {
		s := &all[r.Seats[side]]
		s.Points += mine
		switch mine {
		case 2:
			s.Wins++
		case 1:
			s.Draws++
		default:
			s.Losses++
		}
	})
	for i := range results {
		if r := &results[i]; r.Outcome == Pending {
			all[r.Seats[0]].Left++
			all[r.Seats[1]].Left++
		}
	}
	level := func(r *Result) bool { return counts(r) && all[r.Seats[0]].Points == all[r.Seats[1]].Points }
	each(results, level, func(r *Result, side int, mine int) { all[r.Seats[side]].Direct += mine })
	each(results, counts, func(r *Result, side int, mine int) {
		all[r.Seats[side]].Berger += mine * all[r.Seats[1-side]].Points
	})
	better := func(a, b Standing) int {
		return cmp.Or(
			match.First(!a.Struck, !b.Struck), cmp.Compare(b.Points, a.Points), cmp.Compare(b.Direct, a.Direct),
			cmp.Compare(b.Wins, a.Wins), cmp.Compare(b.Berger, a.Berger),
		)
	}
	slices.SortStableFunc(all, better)
	for i := range all {
		if all[i].Place = i + 1; i > 0 && better(all[i-1], all[i]) == 0 {
			all[i].Place = all[i-1].Place
		}
	}
	return all
}

// each calls do for both sides of each decided game that counts.
func each(results []Result, counts func(*Result) bool, do func(r *Result, side, halves int)) {
	for i := range results {
		r := &results[i]
		if r.Outcome == Pending || r.Outcome == Void || !counts(r) {
			continue
		}
		for side, mine := range r.Outcome.halves() {
			do(r, side, mine)
		}
	}
}
