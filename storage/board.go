package storage

import (
	"encoding/binary"

	"chimera/storage/kv"
)

// Board names a leaderboard: people in the order of a score. Any text without a zero
// byte will do.
type Board string

// bucketSize is how many scores share a number in the histogram of a Board, from which
// ranks are counted.
const bucketSize = 1000

func boardKey(kind string, b Board) []byte { return text(key(kind), string(b)) }

// ordered turns a score into a number that grows as the score falls.
func ordered(score int64) uint64 { return ^(uint64(score) ^ 1<<63) }

func scoreOf(n uint64) int64 { return int64(^n ^ 1<<63) }

func bucketOf(score int64) int64 {
	if score < 0 {
		return (score+1)/bucketSize - 1
	}
	return score / bucketSize
}

func placeKeyOf(b Board, score int64, p PersonID) []byte {
	return number(number(boardKey("top/", b), ordered(score)), p)
}

// Score is a person's score on a board; false if he is not on it.
func (r Reader) Score(b Board, p PersonID) (int64, bool, error) {
	value, err := r.kv.Get(number(boardKey("score/", b), p))
	if err != nil || len(value) != 8 {
		return 0, false, err
	}
	return int64(binary.BigEndian.Uint64(value)), true, nil
}

// SetScore puts a person on a board, or in another place on it.
func (w Writer) SetScore(b Board, p PersonID, score int64) error {
	was, on, err := w.Score(b, p)
	switch {
	case err != nil:
		return err
	case on && was == score:
		return nil
	case on:
		if err := w.unrank(b, p, was); err != nil {
			return err
		}
	}
	if err := w.count(b, score, 1); err != nil {
		return err
	}
	if err := w.out.Put(placeKeyOf(b, score, p), []byte{}); err != nil {
		return err
	}
	return w.out.Put(number(boardKey("score/", b), p), number(nil, uint64(score)))
}

// DropScore takes a person off a board.
func (w Writer) DropScore(b Board, p PersonID) error {
	was, on, err := w.Score(b, p)
	if err != nil || !on {
		return err
	}
	if err := w.unrank(b, p, was); err != nil {
		return err
	}
	return w.out.Delete(number(boardKey("score/", b), p))
}

func (w Writer) unrank(b Board, p PersonID, score int64) error {
	if err := w.count(b, score, -1); err != nil {
		return err
	}
	return w.out.Delete(placeKeyOf(b, score, p))
}

// count changes how many people have scores in the bucket of one.
func (w Writer) count(b Board, score, change int64) error {
	bucket := number(boardKey("histogram/", b), ordered(bucketOf(score)))
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
	Rank   int // from 1; people with the same score have different ones
	Person PersonID
	Score  int64
}

// Top are the lines of a board from a rank on, at most so many, and how many there are
// in all. No more than the histogram and those lines are read, and a bucket before
// them.
func (r Reader) Top(b Board, from, limit int) (lines []Ranked, all int, err error) {
	from = max(from, 1)
	skip, begun := from-1, false
	start, end := kv.Prefix(boardKey("top/", b))
	passed := 0
	err = r.buckets(b, func(bucket int64, n int) bool {
		if all += n; !begun && skip < n {
			begun = true
			start = number(boardKey("top/", b), ordered((bucket+1)*bucketSize-1))
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
		if passed++; passed < from {
			continue
		}
		if len(lines) == limit {
			break
		}
		lines = append(lines, ranked(passed, item.Key))
	}
	return lines, all, nil
}

func ranked(rank int, key []byte) Ranked {
	tail := key[len(key)-16:]
	return Ranked{rank, PersonID(binary.BigEndian.Uint64(tail[8:])), scoreOf(binary.BigEndian.Uint64(tail))}
}

// buckets calls each for how many people there are in each bucket, the best first,
// until it returns false.
func (r Reader) buckets(b Board, each func(bucket int64, n int) bool) error {
	start, end := kv.Prefix(boardKey("histogram/", b))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		if len(item.Value) != 8 {
			continue
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
	score, on, err := r.Score(b, p)
	if err != nil || !on {
		return 0, err
	}
	rank, mine := 1, bucketOf(score)
	err = r.buckets(b, func(bucket int64, n int) bool {
		if bucket > mine {
			rank += n
		}
		return bucket > mine
	})
	if err != nil {
		return 0, err
	}
	start := number(boardKey("top/", b), ordered((mine+1)*bucketSize-1))
	for _, err := range r.kv.Scan(start, placeKeyOf(b, score, p)) {
		if err != nil {
			return 0, err
		}
		rank++
	}
	return rank, nil
}
