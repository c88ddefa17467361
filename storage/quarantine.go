package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"time"

	"chimera/storage/kv"
)

// Ref names a record that can be quarantined.
type Ref struct {
	Kind string // one of those below
	ID   uint64
}

// The kinds of records that can be quarantined.
const (
	OfGame      = "game"
	OfChallenge = "challenge"
	OfPerson    = "person"
	OfPlace     = "place"
	OfServer    = "server"
	OfEntry     = "entry" // of the outbox
)

// Quarantined is a record that is corrupt or cannot be handled. It stays where it is, but all that
// can be done without it goes on without it.
type Quarantined struct {
	Ref
	At    time.Time
	Fault string
}

func quarantineKey(ref Ref) []byte { return Key("parked/", ref.Kind, ref.ID) }

// Quarantined are the quarantined records, in order of kind and number.
func (r Reader) Quarantined() ([]Quarantined, error) {
	prefix := Key("parked/")
	return collect(r.kv.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) (q Quarantined, ok bool) {
		name := item.Key[len(prefix):]
		if len(name) < NumberSize+1 {
			return q, false
		}
		q.Ref = Ref{string(name[:len(name)-NumberSize-1]), End(name)}
		if err := Decode(item.Value, &q); err != nil {
			q.Fault = err.Error()
		}
		return q, true
	})
}

// IsQuarantined reports whether a record is quarantined.
func (r Reader) IsQuarantined(ref Ref) (bool, error) {
	value, err := r.kv.Get(quarantineKey(ref))
	if Missing(err) { // that much is known
		return true, nil
	}
	return value != nil, err
}

// Quarantine sets a record aside, unless it is.
func (w Writer) Quarantine(q Quarantined) error {
	if already, err := w.IsQuarantined(q.Ref); already || err != nil {
		return err
	}
	return Put(w.out, quarantineKey(q.Ref), q)
}

// Release takes a record out of quarantine.
func (w Writer) Release(ref Ref) error { return w.out.Delete(quarantineKey(ref)) }

// corrupt are the faults of records, by their Ref, until these are quarantined.
type corrupt struct{ sync.Map }

// note notes a record if an error says that it is corrupt.
func (c *corrupt) note(ref Ref, why error) {
	if errors.Is(why, kv.ErrCorrupt) {
		c.Store(ref, why.Error())
	}
}

// quarantineAtOnce is how many records are quarantined together.
const quarantineAtOnce = 500

// QuarantineCorrupt quarantines some of the records that were found corrupt since it was called last.
func (s *Store) QuarantineCorrupt(ctx context.Context, now time.Time) error {
	var all []Quarantined
	s.corrupt.Range(func(ref, why any) bool {
		all = append(all, Quarantined{ref.(Ref), now, why.(string)})
		return len(all) < quarantineAtOnce
	})
	if len(all) == 0 {
		return nil
	}
	err := s.Update(ctx, func(w Writer) (err error) {
		for _, q := range all {
			err = errors.Join(err, w.Quarantine(q))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, q := range all {
		s.corrupt.Delete(q.Ref)
	}
	return nil
}

// Remains is what the indexes tell of a game that cannot be read itself: who plays it, where it goes on,
// and whether it counts for ratings.
func (r Reader) Remains(id GameID) (g Game, err error) {
	leads, err := r.leadsTo(Ref{OfGame, uint64(id)})
	g.ID = id
	var people []PersonID
	for _, lead := range leads {
		prefix, rest, _ := bytes.Cut(lead, []byte("/"))
		n := binary.BigEndian.Uint64(rest)
		switch string(prefix) + "/" {
		case "player/":
			people = append(people, PersonID(n))
		case here:
			g.Also = append(g.Also, PlaceID(n))
		case results:
			g.Counted = true
		}
	}
	slices.Sort(people)
	copy(g.Players[:], slices.Compact(people))
	if len(g.Also) > 0 {
		g.Place, g.Also = g.Also[0], g.Also[1:]
	}
	return g, err
}

// leadsTo are the index keys of a record, found without it.
func (r Reader) leadsTo(ref Ref) (all [][]byte, err error) {
	f, _ := familyOf([]byte(ref.Kind + "/"))
	record := Key(f.prefix, ref.ID)
	for _, prefix := range f.leads {
		for item, err := range r.kv.Scan(kv.Prefix([]byte(prefix))) {
			switch {
			case err != nil:
				return nil, err
			case bytes.Equal(owner(prefix, item), record):
				all = append(all, item.Key)
			}
		}
	}
	return all, nil
}

// RestoreGame writes a game in the place of one that is corrupt: it gets new indexes, and leaves
// quarantine.
func (w Writer) RestoreGame(g Game) error {
	return errors.Join(w.Discard(Ref{OfGame, uint64(g.ID)}), w.Games().Put(g))
}

// Discard removes a game, a challenge or an entry of the outbox that is corrupt.
func (w Writer) Discard(ref Ref) error {
	keys, err := w.leadsTo(ref)
	if ref.Kind == OfEntry {
		found, err2 := w.entryKeys(ref.ID)
		keys, err = append(keys, found...), errors.Join(err, err2)
	} else {
		keys = append(keys, Key(ref.Kind+"/", ref.ID))
	}
	for _, k := range keys {
		err = errors.Join(err, w.out.Delete(k))
	}
	return errors.Join(err, w.Release(ref))
}
