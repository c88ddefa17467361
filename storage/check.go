package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"chimera/storage/kv"
)

// Check compares all indexes with what the records say, and reports each key that is
// missing or that no record accounts for, each record that is corrupt, and each other value
// whose checksum is wrong. The index keys of a record that is corrupt or quarantined may be right,
// and are not reported.
//
// It reads in pages, while others write: a key and its record are compared in one transaction.
func (s *Store) Check(ctx context.Context, report func(fault string)) error {
	check := func(view view, prefix string, find func(Reader, []kv.Item) ([]string, error)) error {
		for fault, err := range inPages(ctx, view, Key(prefix), find) {
			if err != nil {
				return err
			}
			report(fault)
		}
		return nil
	}
	for _, f := range families() {
		if err := check(s.View, f.prefix, f.check); err != nil {
			return err
		}
	}
	if err := check(s.viewSealed, "", checkSeals); err != nil {
		return err
	}
	for _, prefix := range leads() {
		err := check(s.View, prefix, func(r Reader, some []kv.Item) ([]string, error) { return r.checkLeads(prefix, some) })
		if err != nil {
			return err
		}
	}
	return nil
}

// check finds what is wrong with the index keys of some records.
func (f family) check(r Reader, some []kv.Item) (faults []string, err error) {
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

// checkSeals finds the values whose checksum is wrong, without records that are reported if they are
// corrupt, and standings that nobody reads.
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

// checkLeads finds which of some index keys no record accounts for.
func (r Reader) checkLeads(prefix string, some []kv.Item) (faults []string, err error) {
	owners := make([][]byte, len(some))
	for i, item := range some {
		if owners[i] = owner(prefix, item); owners[i] == nil {
			owners[i] = item.Key // which is the key of no record
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

// accountsFor reports whether a record, if it is one, accounts for an index key. One that is corrupt
// may.
func accountsFor(item kv.Item, key []byte) (Ref, bool) {
	f, ok := familyOf(item.Key)
	if !ok || item.Value == nil {
		return Ref{}, false
	}
	x, err := f.index(item)
	_, has := x.find(key)
	return Ref{f.name, End(item.Key)}, has || err != nil
}

// Mend makes a database of the current version whole of which parts are lost: index keys
// lead to the records that are there, and to no others, and numbers are given but once. In the
// place of a record that is lost, and to which a key leads, comes one that is corrupt, so that
// it is quarantined. It returns which those are.
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
				_, standings := standingsAt(item.Key)
				switch {
				case errors.Is(err2, kv.ErrCorrupt), standings && value != nil: // the key may be right
				case value == nil && f.numbered: // the record is lost
					lost = append(lost, Ref{f.name, End(record)})
					err = errors.Join(err, err2, out.Put(record, nil))
				default: // if it is right, it is written again
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

// mend writes the index keys of the records of a family, and lets no number be given again that one
// of them has.
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
	last, err := w.kv.Get(Key("seq/" + counter))
	switch {
	case !f.numbered, highest == 0:
		return nil
	case err != nil && !Missing(err), End(last) >= highest:
		return err
	}
	return w.out.Put(Key("seq/"+counter), Number(highest))
}
