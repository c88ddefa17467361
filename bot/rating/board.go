package rating

import (
	"cmp"
	"slices"

	"chimera/storage"
)

// board is people in the order of a score, the best first.
type board struct {
	order  []entry
	scores map[storage.PersonID]int64
	shared bool // who has the same score has the same rank
}

type entry struct {
	score  int64
	person storage.PersonID
}

// spot is a line of a board.
type spot struct {
	entry
	rank  int // from 1
	place int // the line's number from 1, 0 if that is not told
}

func (e entry) compare(other entry) int {
	return cmp.Or(cmp.Compare(other.score, e.score), cmp.Compare(e.person, other.person))
}

func newBoard(scores map[storage.PersonID]int64, shared bool) *board {
	b := &board{order: make([]entry, 0, len(scores)), scores: scores, shared: shared}
	for p, score := range scores {
		b.order = append(b.order, entry{score, p})
	}
	slices.SortFunc(b.order, entry.compare)
	return b
}

// set gives a person a score, or takes them off.
func (b *board) set(p storage.PersonID, score int64, on bool) {
	was, stood := b.scores[p]
	if stood == on && (!on || was == score) {
		return
	}
	if stood {
		i := b.find(entry{was, p})
		b.order = slices.Delete(b.order, i, i+1)
		delete(b.scores, p)
	}
	if on {
		b.order = slices.Insert(b.order, b.find(entry{score, p}), entry{score, p})
		b.scores[p] = score
	}
}

// find is where a line stands, or would.
func (b *board) find(e entry) int {
	i, _ := slices.BinarySearchFunc(b.order, e, entry.compare)
	return i
}

// first is the first line with the score of another.
func (b *board) first(i int) int { return b.find(entry{b.order[i].score, 0}) }

func (b *board) spot(i int) spot {
	s := spot{b.order[i], i + 1, i + 1}
	if b.shared {
		s.rank = b.first(i) + 1
	}
	return s
}

// rank is a person's, 0 for who is not on the board.
func (b *board) rank(p storage.PersonID) int {
	score, on := b.scores[p]
	if !on {
		return 0
	}
	return b.spot(b.find(entry{score, p})).rank
}

// between are the lines from a place on and before another.
func (b *board) between(from, to int) (spots []spot) {
	for i := max(from, 1) - 1; i < min(to-1, len(b.order)); i++ {
		spots = append(spots, b.spot(i))
	}
	return spots
}

// near is a person's line with those next to it. Among a multitude with their score it is theirs
// alone, without its place.
func (b *board) near(p storage.PersonID) []spot {
	const multitude = 1000
	score, on := b.scores[p]
	if !on {
		return nil
	}
	place := b.find(entry{score, p}) + 1
	if rank := b.first(place-1) + 1; b.shared && place-rank > multitude {
		return []spot{{entry{score, p}, rank, 0}}
	}
	return b.between(place-either, place+either+1)
}

// page is a number of lines from a place on, and a person's with those next to it.
func (b *board) page(from, limit int, p storage.PersonID) []spot {
	from = max(from, 1)
	page := b.between(from, from+limit)
	for _, s := range b.near(p) {
		if !slices.ContainsFunc(page, func(other spot) bool { return other.person == s.person }) {
			page = append(page, s)
		}
	}
	slices.SortFunc(page, func(a, b spot) int { return a.compare(b.entry) })
	return page
}
