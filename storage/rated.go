package storage

import (
	"encoding/binary"
	"fmt"

	"chimera/storage/kv"
)

// The games that count for ratings stand in a log, in the order in which they do. The
// newest of them wait beside their count, on a page that is written with everything that
// is said, and go into the log together: a page of its own for each would cost a result
// about as much as all that it changes of a player.

// mostWaiting is how many wait.
const mostWaiting = 64

func ratedKey(n uint64) []byte { return number(key("rated/"), n) }

// ratedTail is how many games count for ratings, and the last of them, which are not in
// the log.
func (r Reader) ratedTail() (n uint64, waiting []GameID, err error) {
	value, err := r.kv.Get(key("seq/rated"))
	if err != nil || len(value) == 0 {
		return 0, nil, err
	}
	if len(value)%8 != 0 {
		return 0, nil, fmt.Errorf("storage: the count of rated games: %w", kv.ErrCorrupt)
	}
	n = binary.BigEndian.Uint64(value)
	for rest := value[8:]; len(rest) > 0; rest = rest[8:] {
		waiting = append(waiting, GameID(binary.BigEndian.Uint64(rest)))
	}
	return n, waiting, nil
}

// AddRated writes that a game is the next that counts for ratings.
func (w Writer) AddRated(id GameID) error {
	n, waiting, err := w.ratedTail()
	if err != nil {
		return err
	}
	n++
	waiting = append(waiting, id)
	if len(waiting) > mostWaiting {
		for i, id := range waiting {
			if err := w.out.Put(ratedKey(n-uint64(len(waiting)-1-i)), number(nil, id)); err != nil {
				return err
			}
		}
		waiting = nil
	}
	value := number(nil, n)
	for _, id := range waiting {
		value = number(value, id)
	}
	return w.out.Put(key("seq/rated"), value)
}

// Rated are the games that count for ratings after the first so many, in the order in
// which they do, at most so many; all for a limit of 0.
func (r Reader) Rated(after uint64, limit int) ([]GameID, error) {
	n, waiting, err := r.ratedTail()
	if err != nil {
		return nil, err
	}
	var ids []GameID
	_, end := kv.Prefix(key("rated/"))
	for item, err := range r.kv.Scan(ratedKey(after+1), end) {
		if err != nil {
			return nil, err
		}
		if len(item.Value) != 8 {
			return nil, fmt.Errorf("storage: %q: %w", item.Key, kv.ErrCorrupt)
		}
		if ids = append(ids, GameID(binary.BigEndian.Uint64(item.Value))); len(ids) == limit {
			return ids, nil
		}
	}
	logged := n - uint64(len(waiting))
	ids = append(ids, waiting[min(max(after, logged)-logged, uint64(len(waiting))):]...)
	if limit > 0 && len(ids) > limit {
		ids = ids[:limit]
	}
	return ids, nil
}

// LastRated is how many games count for ratings.
func (r Reader) LastRated() (uint64, error) {
	n, _, err := r.ratedTail()
	return n, err
}
