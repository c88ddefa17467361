package storage

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"chimera/storage/kv"
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
		for fault, err := range inPages(ctx, s, Key(f.prefix), f.checkKeys) {
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
		for fault, err := range inPages(ctx, s, Key(prefix), func(r Reader, some []kv.Item) ([]string, error) {
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
			if _, sound := Unseal(item.Key, item.Value); !sound && !speaks(item.Key) {
				report(fmt.Sprintf("the checksum of %q is wrong", item.Key))
			}
		}
	}
	return nil
}

// speaks reports whether a key is that of a record that is reported if it is corrupt, or of draft
// standings, which nobody reads.
func speaks(key []byte) bool {
	_, _, standings := standingsAt(key)
	f, ok := familyOf(key)
	return standings || ok && f.name != "" && len(key) >= len(f.prefix)+NumberSize
}

// checkKeys finds what is wrong with what leads to some records.
func (f family) checkKeys(r Reader, some []kv.Item) (faults []string, err error) {
	var keys [][]byte
	var want Index
	var of []Ref // by key
	for _, item := range some {
		ref := Ref{f.name, End(item.Key)}
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
		if quarantined, err := r.IsQuarantined(of[i]); err != nil {
			return nil, err
		} else if !quarantined {
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
			if quarantined, err := r.IsQuarantined(found.ref); quarantined || err != nil {
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
	if f, ok := familyOf(item.Key); ok && o.there {
		x, err := f.index(item)
		o.ref, o.unreadable = Ref{f.name, End(item.Key)}, err != nil
		for _, lead := range x {
			o.leads[string(lead.Key)] = true
		}
	}
	return o
}
