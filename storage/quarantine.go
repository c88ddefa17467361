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

// corrupt notes which records are corrupt, until they are quarantined. It is safe for concurrent
// use.
type corrupt struct {
	mu     sync.Mutex
	faults map[Ref]string
}

// note notes a record if an error says that it is corrupt.
func (c *corrupt) note(ref Ref, why error) {
	if !errors.Is(why, kv.ErrCorrupt) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.faults == nil {
		c.faults = map[Ref]string{}
	}
	c.faults[ref] = why.Error()
}

// quarantineAtOnce is how many records are quarantined together.
const quarantineAtOnce = 500

// QuarantineCorrupt quarantines some of the records that were found corrupt since it was called last.
func (s *Store) QuarantineCorrupt(ctx context.Context, now time.Time) error {
	s.corrupt.mu.Lock()
	all := make([]Quarantined, 0, len(s.corrupt.faults))
	for ref, why := range s.corrupt.faults {
		all = append(all, Quarantined{ref, now, why})
	}
	s.corrupt.mu.Unlock()
	if all = all[:min(len(all), quarantineAtOnce)]; len(all) == 0 {
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
	s.corrupt.mu.Lock()
	defer s.corrupt.mu.Unlock()
	for _, q := range all {
		delete(s.corrupt.faults, q.Ref)
	}
	return nil
}

// Traces are what the indexes tell of a record that cannot be read itself.
type Traces struct {
	People  []PersonID // who play in it, in order of number
	Places  []PlaceID  // where it goes on, likewise
	Counted bool       // it counts for ratings
}

// TracesOf are those of a game.
func (r Reader) TracesOf(id GameID) (t Traces, err error) {
	leads, err := r.leadsTo(Ref{OfGame, uint64(id)})
	for _, l := range leads {
		n := binary.BigEndian.Uint64(l.key[len(l.index):])
		switch l.index {
		case "player/":
			t.People = append(t.People, PersonID(n))
		case here:
			t.Places = append(t.Places, PlaceID(n))
		case results:
			t.Counted = true
		}
	}
	slices.Sort(t.People)
	t.People = slices.Compact(t.People)
	return t, err
}

// A lead is an index key, and the prefix of its index.
type lead struct {
	index string
	key   []byte
}

// leadsTo are the index keys of a record, found without it.
func (r Reader) leadsTo(ref Ref) (all []lead, err error) {
	f, _ := familyOf([]byte(ref.Kind + "/"))
	for _, index := range f.leads {
		found, err := collect(r.kv.Scan(kv.Prefix(Key(index))), 0, func(item kv.Item) (lead, bool) {
			return lead{index, item.Key}, bytes.Equal(owner(index, item), Key(f.prefix, ref.ID))
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// RestoreGame writes a game in the place of one that is corrupt: it gets new indexes, and leaves
// quarantine.
func (w Writer) RestoreGame(g Game) error {
	ref := Ref{OfGame, uint64(g.ID)}
	return errors.Join(w.dropLeads(ref), w.out.Delete(gameKey(g.ID)), w.Games().Put(g), w.Release(ref))
}

// Discard removes a challenge or an entry of the outbox that is corrupt.
func (w Writer) Discard(ref Ref) error {
	keys, err := [][]byte{challengeKey(GameID(ref.ID))}, error(nil)
	if ref.Kind == OfEntry {
		keys, err = w.entryKeys(ref.ID)
	}
	for _, k := range keys {
		err = errors.Join(err, w.out.Delete(k))
	}
	return errors.Join(err, w.dropLeads(ref), w.Release(ref))
}

func (w Writer) dropLeads(to Ref) error {
	leads, err := w.leadsTo(to)
	for _, l := range leads {
		err = errors.Join(err, w.out.Delete(l.key))
	}
	return err
}
