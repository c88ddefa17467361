package storage

import (
	"encoding/binary"
	"strings"

	"chimera/storage/kv"
)

// Board names a leaderboard: people in the order of a score. Any text without a zero
// byte will do.
type Board string

// Exact begins the names of boards with few different scores, of which each has a number
// of its own in the histogram, and people with the same score the same rank.
const Exact = "exact/"

// bucketSize is how many scores share a number in the histogram of a Board, from which
// ranks are counted.
const bucketSize = 1000

func (b Board) bucketSize() int64 {
	if strings.HasPrefix(string(b), Exact) {
		return 1
	}
	return bucketSize
}

func boardKey(kind string, b Board) []byte { return text(key(kind), string(b)) }

// ordered turns a score into a number that grows as the score falls.
func ordered(score int64) uint64 { return ^(uint64(score) ^ 1<<63) }

func scoreOf(n uint64) int64 { return int64(^n ^ 1<<63) }

func (b Board) bucketOf(score int64) int64 {
	size := b.bucketSize()
	if score < 0 {
		return (score+1)/size - 1
	}
	return score / size
}

func placeKeyOf(b Board, score int64, p PersonID) []byte {
	return number(number(boardKey("top/", b), ordered(score)), p)
}

func histogramKey(b Board, score int64) []byte {
	return number(boardKey("histogram/", b), ordered(b.bucketOf(score)))
}

// count changes how many people have scores in the bucket of one.
func (w Writer) count(b Board, score, change int64) error {
	bucket := histogramKey(b, score)
	value, err := w.kv.Get(bucket)
	if err != nil {
		return err
	}
	n := change
	if len(value) == 8 {
		n += int64(binary.BigEndian.Uint64(value))
	}
	if n <= 0 {
		return w.out.Delete(bucket)
	}
	return w.out.Put(bucket, number(nil, uint64(n)))
}

// Ranked is a line of a board.
type Ranked struct {
	Rank   int // from 1; people with the same score have different ones, but on an Exact board
	Place  int // the line's number from 1, 0 if that is not known
	Person PersonID
	Score  int64
}

// Top are the lines of a board from a place on, at most so many, and how many there are
// in all. No more than the histogram and those lines are read, and a bucket before
// them.
func (r Reader) Top(b Board, from, limit int) (lines []Ranked, all int, err error) {
	from = max(from, 1)
	skip, begun := from-1, false
	start, end := kv.Prefix(boardKey("top/", b))
	size := len(start) + 2*numberSize
	passed := 0
	err = r.buckets(b, func(bucket int64, n int) bool {
		if all += n; !begun && skip < n {
			begun = true
			start = number(boardKey("top/", b), ordered((bucket+1)*b.bucketSize()-1))
		} else if !begun {
			skip -= n
			passed += n
		}
		return true
	})
	if err != nil || !begun {
		return nil, all, err
	}
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, all, err
		}
		if len(item.Key) != size {
			continue // it is damaged; Check reports it
		}
		if passed++; passed < from {
			continue
		}
		if len(lines) == limit {
			break
		}
		lines = append(lines, ranked(passed, item.Key))
	}
	if b.bucketSize() == 1 {
		err = r.share(b, lines)
	}
	return lines, all, err
}

// share gives people with the same score the same rank.
func (r Reader) share(b Board, lines []Ranked) error {
	for i := range lines {
		switch {
		case i > 0 && lines[i].Score == lines[i-1].Score:
			lines[i].Rank = lines[i-1].Rank
		case i == 0:
			var err error
			if lines[i].Rank, err = r.Rank(b, lines[i].Person); err != nil {
				return err
			}
		}
	}
	return nil
}

func ranked(place int, key []byte) Ranked {
	tail := key[len(key)-16:]
	return Ranked{place, place, PersonID(binary.BigEndian.Uint64(tail[8:])), scoreOf(binary.BigEndian.Uint64(tail))}
}

// buckets calls each for how many people there are in each bucket, the best first,
// until it returns false.
func (r Reader) buckets(b Board, each func(bucket int64, n int) bool) error {
	start, end := kv.Prefix(boardKey("histogram/", b))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		if len(item.Value) != numberSize || len(item.Key) != len(start)+numberSize {
			continue // it is damaged; Check reports it
		}
		bucket := scoreOf(binary.BigEndian.Uint64(item.Key[len(item.Key)-8:]))
		if !each(bucket, int(binary.BigEndian.Uint64(item.Value))) {
			return nil
		}
	}
	return nil
}

// Rank is a person's place on a board, 0 if he is not on it.
func (r Reader) Rank(b Board, p PersonID) (int, error) {
	listing, err := r.Listing(p)
	score, on := listing.Scores[b]
	if err != nil || !on {
		return 0, err
	}
	rank, mine := 1, b.bucketOf(score)
	err = r.buckets(b, func(bucket int64, n int) bool {
		if bucket > mine {
			rank += n
		}
		return bucket > mine
	})
	if err != nil {
		return 0, err
	}
	if b.bucketSize() == 1 {
		return rank, nil
	}
	start := number(boardKey("top/", b), ordered((mine+1)*b.bucketSize()-1))
	for _, err := range r.kv.Scan(start, placeKeyOf(b, score, p)) {
		if err != nil {
			return 0, err
		}
		rank++
	}
	return rank, nil
}

// Near is a person's line of a board with those next to it, so many on either side; none
// if he is not on it. Among a multitude with his score it is his alone, without its place.
func (r Reader) Near(b Board, p PersonID, either int) ([]Ranked, error) {
	rank, err := r.Rank(b, p)
	if err != nil || rank == 0 {
		return nil, err
	}
	place := rank
	if b.bucketSize() == 1 {
		const multitude = 1000
		listing, err := r.Listing(p)
		if err != nil {
			return nil, err
		}
		score := listing.Scores[b]
		for _, err := range r.kv.Scan(placeKeyOf(b, score, 0), placeKeyOf(b, score, p)) {
			if err != nil {
				return nil, err
			}
			if place++; place-rank > multitude {
				return []Ranked{{rank, 0, p, score}}, nil
			}
		}
	}
	first := max(place-either, 1)
	lines, _, err := r.Top(b, first, place-first+1+either)
	return lines, err
}

// First is the first line of an Exact board, and with how many people it shares its
// rank; 0 if there is none.
func (r Reader) First(b Board) (first Ranked, shared int, err error) {
	lines, _, err := r.Top(b, 1, 1)
	if err != nil || len(lines) == 0 {
		return first, 0, err
	}
	err = r.buckets(b, func(_ int64, n int) bool {
		shared = n
		return false
	})
	return lines[0], shared, err
}
