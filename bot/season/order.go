package season

import (
	"cmp"
	"slices"
	"time"

	"chimera/storage"
)

// Fewest is how many entrants a season needs, and a division has.
const Fewest = 4

// Sizes is how entrants are cut into divisions of about a size: the larger ones first, at most one
// apart, and one division fewer where one would have fewer than Fewest.
func Sizes(entrants, size int) []int {
	n := (entrants + size - 1) / size
	if n > 1 && entrants/n < Fewest {
		n--
	}
	sizes := make([]int, n)
	for i := range sizes {
		if sizes[i] = entrants / n; i < entrants%n {
			sizes[i]++
		}
	}
	return sizes
}

// many is from how many players on two go up and down.
const many = 7

// Exchanged is how many go down from a division, and as many up from the one below it.
func Exchanged(upper, lower int) int {
	if min(upper, lower) >= many {
		return 2
	}
	return 1
}

// Promote are the places of a season's divisions, with those exchanged who go up and down. A shared
// place is settled by rating at the start.
func Promote(divisions [][]Standing) (order []storage.PersonID) {
	var all []Standing
	ends := make([]int, 0, len(divisions))
	for _, table := range divisions {
		all = append(all, settled(table)...)
		ends = append(ends, len(all))
	}
	for i, end := range ends[:max(len(ends)-1, 0)] {
		n := Exchanged(len(divisions[i]), len(divisions[i+1]))
		both := all[end-n : end+n]
		slices.Reverse(both[:n])
		slices.Reverse(both[n:])
		slices.Reverse(both)
	}
	for _, s := range all {
		order = append(order, s.Person)
	}
	return order
}

// settled is a table in which shared places are settled by rating at the start.
func settled(table []Standing) []Standing {
	table = slices.Clone(table)
	slices.SortStableFunc(table, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(b.Rating, a.Rating))
	})
	return table
}

// Order are those of the division in the order in which some go up and down.
func (d *Division) Order() []Standing { return settled(d.Standings) }

// Member is who is in a league.
type Member struct {
	Person storage.PersonID
	Rating float64
	Joined time.Time
}

// Order is in which order members begin a season: those of the last one as that has left them, then new
// ones by rating, then by who joined first. Nobody is in it twice.
func Order(last []storage.PersonID, members []Member) []Member {
	rank := map[storage.PersonID]int{}
	for i, p := range last {
		if _, twice := rank[p]; !twice {
			rank[p] = i
		}
	}
	place := func(m Member) int {
		if i, known := rank[m.Person]; known {
			return i
		}
		return len(last)
	}
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b Member) int {
		if c := cmp.Compare(place(a), place(b)); c != 0 || place(a) < len(last) {
			return c
		}
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), a.Joined.Compare(b.Joined), cmp.Compare(a.Person, b.Person))
	})
	seen := map[storage.PersonID]bool{}
	return slices.DeleteFunc(sorted, func(m Member) bool {
		twice := seen[m.Person]
		seen[m.Person] = true
		return twice
	})
}

// Pairs are the games of a division of so many, White's seat and then Black's, with the colours of the
// Berger tables: everyone plays everyone, and nobody has one colour more than once more often.
func Pairs(players int) (all [][2]int) {
	last := players + players%2 // of the table, in which nobody may sit
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
