package storage

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// Listing is where a person stands on leaderboards.
type Listing struct {
	Scores map[Board]int64 // on the boards that he is on
	Week   Tally
	Month  Tally
	Fades  int64 // the UnixDay on which he must be listed anew; 0 for none
}

// Tally is what a person has made of a week or a month, be it shown or not.
type Tally struct {
	Since  int64                         // the UnixDay on which it began
	Scores map[ServerID]map[string]int64 // in each server, 0 for the world, and kind of game
}

func listingKey(p PersonID) []byte { return number(key("listed/"), p) }

func fadesKey(day int64, p PersonID) []byte {
	return number(number(key("fades/"), uint64(max(day, 0))), p)
}

// Listing is where a person stands on leaderboards.
func (r Reader) Listing(p PersonID) (Listing, error) {
	value, err := r.kv.Get(listingKey(p))
	if err != nil || value == nil {
		return Listing{}, err
	}
	return decodeListing(value)
}

func encodeListing(l Listing) []byte {
	b := append(make([]byte, 0, 1024), packed)
	b = binary.AppendUvarint(b, uint64(len(l.Scores)))
	for _, board := range slices.Sorted(maps.Keys(l.Scores)) {
		b = binary.AppendVarint(appendText(b, string(board)), l.Scores[board])
	}
	for _, t := range []Tally{l.Week, l.Month} {
		b = binary.AppendVarint(b, t.Since)
		b = binary.AppendUvarint(b, uint64(len(t.Scores)))
		for _, s := range slices.Sorted(maps.Keys(t.Scores)) {
			b = binary.AppendUvarint(b, uint64(s))
			b = binary.AppendUvarint(b, uint64(len(t.Scores[s])))
			for _, kind := range slices.Sorted(maps.Keys(t.Scores[s])) {
				b = binary.AppendVarint(appendText(b, kind), t.Scores[s][kind])
			}
		}
	}
	return binary.AppendVarint(b, l.Fades)
}

func decodeListing(value []byte) (l Listing, err error) {
	u := unpack(value)
	l.Scores = map[Board]int64{}
	for range u.size() {
		board := Board(u.text())
		l.Scores[board] = u.signed()
	}
	for _, t := range []*Tally{&l.Week, &l.Month} {
		t.Since = u.signed()
		for range u.size() {
			if t.Scores == nil {
				t.Scores = map[ServerID]map[string]int64{}
			}
			kinds := map[string]int64{}
			t.Scores[ServerID(u.unsigned())] = kinds
			for range u.size() {
				kind := u.text()
				kinds[kind] = u.signed()
			}
		}
	}
	l.Fades = u.signed()
	return l, u.end()
}

// List puts a person where he belongs on all leaderboards, and takes him off all others.
// was is the listing that it replaces.
func (w Writer) List(p PersonID, was, l Listing) error {
	for b, score := range was.Scores {
		if now, on := l.Scores[b]; on && now == score {
			continue
		}
		if err := errors.Join(w.count(b, score, -1), w.index(placeKeyOf(b, score, p), false)); err != nil {
			return err
		}
	}
	for b, score := range l.Scores {
		if before, on := was.Scores[b]; on && before == score {
			continue
		}
		if err := errors.Join(w.count(b, score, 1), w.index(placeKeyOf(b, score, p), true)); err != nil {
			return err
		}
	}
	if was.Fades != l.Fades {
		if err := errors.Join(w.reindexFades(was.Fades, p, false), w.reindexFades(l.Fades, p, true)); err != nil {
			return err
		}
	}
	if len(l.Scores)+len(l.Week.Scores)+len(l.Month.Scores) == 0 {
		return w.out.Delete(listingKey(p))
	}
	return w.out.Put(listingKey(p), encodeListing(l))
}

func (w Writer) reindexFades(day int64, p PersonID, wanted bool) error {
	if day == 0 {
		return nil
	}
	return w.index(fadesKey(day, p), wanted)
}

// Fading are people who must be listed anew on a UnixDay or were to be before it, at most
// so many.
func (r Reader) Fading(day int64, limit int) ([]PersonID, error) {
	var people []PersonID
	for item, err := range r.kv.Scan(key("fades/"), fadesKey(day+1, 0)) {
		if err != nil {
			return nil, err
		}
		if len(people) == limit {
			break
		}
		if p, ok := lastNumber[PersonID](item.Key); ok {
			people = append(people, p)
		}
	}
	return people, nil
}
