package storage

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"chimera/storage/kv"
	"chimera/storage/memories"
	"chimera/storage/passes"
	"chimera/storage/puzzles"
	"chimera/storage/record"
)

// Check compares all indexes with what the records say, and reports each key that is
// missing or that no record accounts for, and each record that cannot be read. What the
// indexes have of such a record may be right, and is not reported.
func (r Reader) Check(report func(fault string)) error {
	want := map[string][]byte{}
	bad := map[uint64]bool{} // the numbers of records that cannot be read, or that were set aside
	parked, err := r.Parked()
	if err != nil {
		return err
	}
	for _, p := range parked {
		bad[p.ID] = true
	}
	err = r.indexed(func(what string, id uint64, err error) {
		bad[id] = true
		if what != "game" { // whoever verifies games reports these
			report(fmt.Sprintf("%s %d cannot be read: %v", what, id, err))
		}
	}, func(x record.Index) {
		for _, item := range x {
			want[string(item.Key)] = item.Value
		}
	})
	if err != nil {
		return err
	}
	if err := r.checkCareers(want, report); err != nil {
		return err
	}
	if err := r.checkMemories(want); err != nil {
		return err
	}
	kinds := []string{memories.ByAccount, puzzles.ByServer, puzzles.ByDay, passes.ByPerson, passes.ByEnd}
	for _, kind := range []string{OfGame, OfChallenge, OfPerson, OfPlace, OfServer} {
		kinds = append(kinds, indexes(kind)...)
	}
	slices.Sort(kinds)
	for _, prefix := range slices.Compact(kinds) {
		for item, err := range r.kv.Scan(kv.Prefix(record.Key(prefix))) {
			if err != nil {
				return err
			}
			switch value, wanted := want[string(item.Key)]; {
			case bad[record.End(item.Key)] || bad[record.End(item.Value)]:
			case !wanted:
				report(fmt.Sprintf("the key %q stands for no record", item.Key))
			case prefix == results && !bytes.Equal(item.Value, value):
				report(fmt.Sprintf("the key %q has %q, but its record says %q", item.Key, item.Value, value))
			}
			delete(want, string(item.Key))
		}
	}
	for missing := range want {
		if !bad[record.End([]byte(missing))] {
			report(fmt.Sprintf("the key %q is missing", missing))
		}
	}
	return nil
}

// checkMemories adds the keys that lead to memories to want.
func (r Reader) checkMemories(want map[string][]byte) error {
	all, _, err := r.AllMemories("", math.MaxInt)
	for _, m := range all {
		for _, item := range m.Index() {
			want[string(item.Key)] = item.Value
		}
	}
	return err
}

// checkCareers adds the keys of careers to want, which are accounted for by people.
func (r *tx) checkCareers(want map[string][]byte, report func(fault string)) error {
	holds, drafts, err := r.holds()
	if err != nil {
		return err
	}
	people, err := r.all().People()
	for _, p := range people {
		for _, which := range []byte{holds, drafts} {
			value, err := r.kv.Get(careerKey(p, which))
			if err != nil {
				return err
			}
			if value == nil {
				continue
			}
			want[string(careerKey(p, which))] = value
			if _, err := decodeCareer(value); err != nil && which == holds {
				report(fmt.Sprintf("the career of person %d cannot be read: %v", p, err))
			}
		}
	}
	return err
}
