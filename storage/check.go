package storage

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// Check compares all indexes with what the records say, and reports each key that is
// missing or that no record accounts for, each record that cannot be read, and each other value
// whose checksum is wrong; and that the last of it may be missing. What the indexes have of such a record may be right, and is not reported, nor of one that was set aside.
//
// It reads in pages, while others write: a key and its record are compared in one transaction.
func (s *Store) Check(ctx context.Context, report func(fault string)) error {
	if doubt := s.Doubt(); doubt != nil {
		report(doubt.Error())
	}
	for _, f := range families() {
		for fault, err := range inPages(ctx, s, record.Key(f.prefix), f.checkKeys) {
			if err != nil {
				return err
			}
			report(fault)
		}
	}
	if err := s.checkSeals(ctx, report); err != nil {
		return err
	}
	for _, prefix := range leads() {
		for fault, err := range inPages(ctx, s, record.Key(prefix), func(r Reader, some []kv.Item) ([]string, error) {
			return r.checkLeads(prefix, some)
		}) {
			if err != nil {
				return err
			}
			report(fault)
		}
	}
	return nil
}

// checkSeals reports the values whose checksum is wrong, but of records that report it themselves.
func (s *Store) checkSeals(ctx context.Context, report func(fault string)) error {
	var some []kv.Item
	for next := []byte{0}; next != nil; {
		err := s.db.View(ctx, func(r kv.Reader) (err error) {
			some, next, err = (Reader{kv: r}).page(next, nil)
			return err
		})
		if err != nil {
			return err
		}
		for _, item := range some {
			if _, sound := record.Unseal(item.Key, item.Value); !sound && !speaks(item.Key) {
				report(fmt.Sprintf("the checksum of %q is wrong", item.Key))
			}
		}
	}
	return nil
}

// speaks reports whether a record with a key is one of which it is said if it cannot be read, or
// a draft of a career, to which nobody looks.
func speaks(key []byte) bool {
	_, _, career := standingsAt(key)
	return career || slices.ContainsFunc(families(), func(f family) bool {
		return f.prefix != states && len(key) >= len(f.prefix)+record.NumberSize && bytes.HasPrefix(key, []byte(f.prefix))
	})
}

// leads are the kinds of keys that lead to records.
func leads() []string {
	all := []string{statesAbout, solversIn, solversEnd, sessionsOf, sessionsEnd}
	for _, kind := range []string{OfGame, OfChallenge, OfPerson, OfPlace, OfServer} {
		all = append(all, indexes(kind)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// checkKeys finds what is wrong with what leads to some records.
func (f family) checkKeys(r Reader, some []kv.Item) (faults []string, err error) {
	var keys [][]byte
	var want record.Index
	var of []Ref // by key
	for _, item := range some {
		ref := Ref{f.name, record.End(item.Key)}
		x, err := f.index(item)
		if err != nil && f.name != OfGame { // whoever verifies games reports these
			faults = append(faults, fmt.Sprintf("%s %d cannot be read: %v", f.name, ref.ID, err))
		}
		for _, lead := range x {
			keys, want, of = append(keys, lead.Key), append(want, lead), append(of, ref)
		}
	}
	values, err := r.kv.GetAll(keys...)
	if err != nil {
		return nil, err
	}
	for i, value := range values {
		fault := ""
		switch {
		case value == nil:
			fault = fmt.Sprintf("the key %q is missing", keys[i])
		case bytes.HasPrefix(keys[i], []byte(results)) && !bytes.Equal(value, want[i].Value): // others may lead to what a record has become
			fault = fmt.Sprintf("the key %q has %q, but its record says %q", keys[i], value, want[i].Value)
		default:
			continue
		}
		if aside, err := r.IsParked(of[i]); err != nil {
			return nil, err
		} else if !aside {
			faults = append(faults, fault)
		}
	}
	return faults, nil
}

// checkLeads finds which of some keys of a kind lead to no record that accounts for them.
func (r Reader) checkLeads(prefix string, some []kv.Item) (faults []string, err error) {
	holds, _, err := r.HoldingStandings()
	if err != nil {
		return nil, err
	}
	owners := make([][]byte, len(some))
	var keys [][]byte
	for i, item := range some {
		if owners[i] = owner(prefix, item); owners[i] != nil {
			keys = append(keys, owners[i])
		}
	}
	slices.SortFunc(keys, bytes.Compare)
	keys = slices.CompactFunc(keys, bytes.Equal)
	values, err := r.kv.GetAll(keys...)
	if err != nil {
		return nil, err
	}
	records := make(map[string]*owned, len(keys))
	for i, key := range keys {
		records[string(key)] = own(kv.Item{Key: key, Value: values[i]})
	}
	for i, item := range some {
		found := records[string(owners[i])]
		if p, which, ok := standingsAt(item.Key); ok && found != nil && found.there {
			if _, err := decodeStandings(item.Value); err != nil && which == holds {
				faults = append(faults, fmt.Sprintf("the career of person %d cannot be read: %v", p, err))
			}
			continue
		}
		if found != nil && (found.unreadable || found.leads[string(item.Key)]) {
			continue
		}
		if found != nil {
			if aside, err := r.IsParked(found.ref); aside || err != nil {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		faults = append(faults, fmt.Sprintf("the key %q stands for no record", item.Key))
	}
	return faults, nil
}

// owned is what a record accounts for.
type owned struct {
	ref               Ref
	there, unreadable bool
	leads             map[string]bool
}

func own(item kv.Item) *owned {
	o := &owned{there: item.Value != nil, leads: map[string]bool{}}
	for _, f := range families() {
		if !o.there || !bytes.HasPrefix(item.Key, []byte(f.prefix)) {
			continue
		}
		x, err := f.index(item)
		o.ref, o.unreadable = Ref{f.name, record.End(item.Key)}, err != nil
		for _, lead := range x {
			o.leads[string(lead.Key)] = true
		}
	}
	return o
}

// owner is the key of the only record that can account for a key that leads to one, nil if that is
// damaged.
func owner(prefix string, item kv.Item) []byte {
	rest := item.Key[len(prefix):]
	switch prefix {
	case "due/":
		d, ok := readDue(rest)
		kind, known := map[string]string{DueGame: OfGame, DueChallenge: OfChallenge, DueVacation: OfPerson}[d.Kind]
		if !ok || !known {
			return nil
		}
		return record.Number(record.Key(kind+"/"), d.ID)
	case "identity/", "address/", "serverat/":
		rest = item.Value
	case solversIn, solversEnd:
		return solverLedTo(prefix, rest)
	case sessionsOf, sessionsEnd:
		return sessionLedTo(rest)
	case statesAbout:
		return stateLedTo(item.Key)
	}
	if p, _, ok := standingsAt(item.Key); ok {
		return personKey(p)
	}
	for _, kind := range []string{OfGame, OfChallenge, OfPerson, OfPlace, OfServer} {
		if len(rest) >= record.NumberSize && slices.Contains(indexes(kind), prefix) {
			return record.Number(record.Key(kind+"/"), record.End(rest))
		}
	}
	return nil
}
