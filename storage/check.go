package storage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chimera/storage/kv"
)

// Check compares all indexes with the records, and reports each key that is missing or belongs to no record, each
// corrupt record, and each other value whose checksum is wrong. The index keys of a corrupt or quarantined record may
// be right, and are not reported.
//
// It reads in pages, while others write: a key and its record are compared in one transaction.
func (s *Store) Check(ctx context.Context, report func(fault string)) (failed error) {
	check := func(view view, prefix string, find func(Reader, []kv.Item) ([]string, error)) {
		for fault, err := range inPages(ctx, view, Key(prefix), find) {
			if failed = cmp.Or(failed, err); failed != nil {
				return
			}
			report(fault)
		}
	}
	for _, f := range families() {
		check(s.View, f.prefix, f.check)
	}
	check(s.viewSealed, "", checkSeals)
	for _, prefix := range leads() {
		check(s.View, prefix, func(r Reader, some []kv.Item) ([]string, error) { return r.checkLeads(prefix, some) })
	}
	return failed
}

// check finds what is wrong with the index keys of some records.
func (f family) check(r Reader, some []kv.Item) (faults []string, err error) {
	var keys [][]byte
	var want Index
	var of []Ref // by key
	for _, item := range some {
		ref := Ref{f.name, End(item.Key)}
		x, err := f.index(item)
		if err != nil && f.name != OfGame { // the check of games reports their corruption
			faults = append(faults, fmt.Sprintf("%s %d cannot be read: %v", f.name, ref.ID, err))
		}
		for _, lead := range x {
			keys, want, of = append(keys, lead.Key), append(want, lead), append(of, ref)
		}
	}
	values, err := r.kv.GetAll(keys...)
	for i, value := range values {
		fault := ""
		switch {
		case value == nil:
			fault = fmt.Sprintf("the key %q is missing", keys[i])
		case bytes.HasPrefix(keys[i], []byte(results)) && !bytes.Equal(value, want[i].Value): // others may lead to the record that stands for this one
			fault = fmt.Sprintf("the key %q has %q, but its record says %q", keys[i], value, want[i].Value)
		default:
			continue
		}
		if faults, err = r.unlessQuarantined(of[i], faults, fault); err != nil {
			return nil, err
		}
	}
	return faults, err
}

// unlessQuarantined adds a fault of a record to others.
func (r Reader) unlessQuarantined(ref Ref, faults []string, fault string) ([]string, error) {
	if quarantined, err := r.IsQuarantined(ref); quarantined || err != nil {
		return faults, err
	}
	return append(faults, fault), nil
}

// checkSeals finds values with wrong checksums, other than records, which are reported as corrupt, and standings.
func checkSeals(_ Reader, some []kv.Item) (faults []string, _ error) {
	for _, item := range some {
		_, sound := Unseal(item.Key, item.Value)
		_, standings := standingsAt(item.Key)
		f, _ := familyOf(item.Key)
		if !sound && !standings && (f.name == "" || len(item.Key) < len(f.prefix)+NumberSize) {
			faults = append(faults, fmt.Sprintf("the checksum of %q is wrong", item.Key))
		}
	}
	return faults, nil
}

// checkLeads finds index keys that belong to no record.
func (r Reader) checkLeads(prefix string, some []kv.Item) (faults []string, err error) {
	owners := make([][]byte, len(some))
	for i, item := range some {
		if owners[i] = owner(prefix, item); owners[i] == nil {
			owners[i] = item.Key // no record has this key
		}
	}
	values, err := r.kv.GetAll(owners...)
	for i, value := range values {
		key := some[i].Key
		if p, ok := standingsAt(key); ok && value != nil {
			if _, err := decodeStandings(some[i].Value); err != nil {
				faults = append(faults, fmt.Sprintf("the career of person %d cannot be read: %v", p, err))
			}
			continue
		}
		ref, accounts := accountsFor(kv.Item{Key: owners[i], Value: value}, key)
		if accounts {
			continue
		}
		if faults, err = r.unlessQuarantined(ref, faults, fmt.Sprintf("the key %q stands for no record", key)); err != nil {
			return nil, err
		}
	}
	return faults, err
}

// accountsFor reports whether an index key belongs to a record, if it is one. For a corrupt record, it may.
func accountsFor(item kv.Item, key []byte) (Ref, bool) {
	f, ok := familyOf(item.Key)
	if !ok || item.Value == nil {
		return Ref{}, false
	}
	x, err := f.index(item)
	_, has := x.find(key)
	return Ref{f.name, End(item.Key)}, has || err != nil
}

// Mend repairs a database of the current version of which parts are lost: index keys lead to existing records only, and
// no number is given twice. A lost record to which a key leads is replaced by a corrupt one, so that it is quarantined.
// Mend returns these.
func Mend(ctx context.Context, db kv.DB) (lost []Ref, err error) {
	err = db.Update(ctx, func(out kv.Writer) error {
		lost = nil
		err := PutSchema(out, Current)
		w := Over(SealTo(out))
		for _, prefix := range leads() {
			for item, err2 := range w.kv.Scan(kv.Prefix(Key(prefix))) {
				if err2 != nil {
					return err2
				}
				record := owner(prefix, item)
				var value []byte
				if record != nil {
					value, err2 = w.kv.Get(record)
				}
				f, _ := familyOf(record)
				switch _, standings := standingsAt(item.Key); {
				case errors.Is(err2, kv.ErrCorrupt), standings && value != nil: // the key may be right
				case value == nil && f.numbered: // the record is lost
					lost = append(lost, Ref{f.name, End(record)})
					err = errors.Join(err, err2, out.Put(record, nil))
				default: // if it is right, it is written again below
					err = errors.Join(err, err2, out.Delete(item.Key))
				}
			}
		}
		for _, f := range families() {
			err = errors.Join(err, w.mend(f))
		}
		return err
	})
	return lost, err
}

// mend writes the index keys of a family's records, and makes sure that no number in use is given again.
func (w Writer) mend(f family) error {
	var highest uint64
	for item, err := range w.kv.Scan(kv.Prefix(Key(f.prefix))) {
		if err != nil {
			return err
		}
		x, _ := f.index(item) // a corrupt record is quarantined where it is read
		if err := reindex(w.out, nil, x); err != nil {
			return err
		}
		highest = max(highest, End(item.Key))
	}
	counter := f.name
	if f.name == OfChallenge {
		counter = OfGame
	}
	switch last, err := w.kv.Get(Key("seq/" + counter)); {
	case !f.numbered, highest == 0:
		return nil
	case err != nil && !Missing(err), End(last) >= highest:
		return err
	}
	return w.out.Put(Key("seq/"+counter), Number(highest))
}

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

// Quarantined is a record that is corrupt or cannot be handled. It stays in place, and everything that can goes on
// without it.
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
	if Missing(err) { // a corrupt entry still means quarantined
		return true, nil
	}
	return value != nil, err
}

// Quarantine puts a record into quarantine, unless it is there.
func (w Writer) Quarantine(q Quarantined) error {
	if already, err := w.IsQuarantined(q.Ref); already || err != nil {
		return err
	}
	return Put(w.out, quarantineKey(q.Ref), q)
}

// Release takes a record out of quarantine.
func (w Writer) Release(ref Ref) error { return w.out.Delete(quarantineKey(ref)) }

// corrupt are records found corrupt, with their faults, until they are quarantined.
type corrupt struct{ sync.Map }

// note notes a record if an error says that it is corrupt.
func (c *corrupt) note(ref Ref, why error) {
	if errors.Is(why, kv.ErrCorrupt) {
		c.Store(ref, why.Error())
	}
}

// quarantineAtOnce is how many records are quarantined together.
const quarantineAtOnce = 500

// QuarantineCorrupt quarantines up to quarantineAtOnce of the records found corrupt since the last call.
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

// Remains is what the indexes tell about a game that cannot be read: its players, its places if it is in progress, and
// whether it counts for ratings.
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

// leadsTo are the index keys of a record, found without reading it.
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

// Discard removes a corrupt game, challenge or entry of the outbox, and its quarantine.
func (w Writer) Discard(ref Ref) error {
	keys, err := w.leadsTo(ref)
	if ref.Kind == OfEntry {
		found, err2 := w.entriesWith(ref.ID)
		for _, item := range found {
			keys = append(keys, item.Key)
		}
		err = errors.Join(err, err2)
	} else {
		keys = append(keys, Key(ref.Kind+"/", ref.ID))
	}
	for _, k := range keys {
		err = errors.Join(err, w.out.Delete(k))
	}
	return errors.Join(err, w.Release(ref))
}
