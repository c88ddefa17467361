package storage

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"chimera/storage/kv"
)

// Check compares all indexes with what the records say, and reports each key that is
// missing or that no record accounts for, and each record that cannot be read. What the
// indexes have of such a record may be right, and is not reported.
func (r Reader) Check(report func(fault string)) error {
	want := index{}
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
	}, func(x index) { maps.Copy(want, x) })
	if err != nil {
		return err
	}
	if err := r.checkCareers(want, report); err != nil {
		return err
	}
	if err := r.checkBoards(want, report); err != nil {
		return err
	}
	memories, _, err := r.AllMemories("", math.MaxInt)
	if err != nil {
		return err
	}
	for _, m := range memories {
		if m.About != "" {
			want.add(aboutKey(m.Platform, m.About, m.Name))
		}
	}
	kinds := []string{"top/", "fades/", "about/"}
	for _, kind := range []string{OfGame, OfChallenge, OfPerson, OfPlace, OfServer, OfEntry} {
		kinds = append(kinds, indexes(kind)...)
	}
	slices.Sort(kinds)
	for _, prefix := range slices.Compact(kinds) {
		start, end := kv.Prefix(key(prefix))
		for item, err := range r.kv.Scan(start, end) {
			if err != nil {
				return err
			}
			if _, wanted := want[string(item.Key)]; !wanted && !bad[endOf(item.Key)] && !bad[endOf(item.Value)] {
				report(fmt.Sprintf("the key %q stands for no record", item.Key))
			}
			delete(want, string(item.Key))
		}
	}
	for missing := range want {
		if !bad[endOf([]byte(missing))] {
			report(fmt.Sprintf("the key %q is missing", missing))
		}
	}
	return nil
}

func (r Reader) checkCareers(want index, report func(fault string)) error {
	people, err := r.People()
	for _, p := range people {
		if _, err := r.Career(p); errors.Is(err, kv.ErrCorrupt) {
			report(fmt.Sprintf("the career of person %d cannot be read: %v", p, err))
		} else if err != nil {
			return err
		}
		if value, err := r.kv.Get(careerKey(p)); err != nil {
			return err
		} else if value != nil {
			want.add(careerKey(p))
		}
	}
	return err
}

// checkBoards adds the keys that the listings account for to want, and compares the
// histograms with them, and the log of rated games with the games.
func (r Reader) checkBoards(want index, report func(fault string)) error {
	people, err := numbers[PersonID](r, key("listed/"))
	if err != nil {
		return err
	}
	counts := map[string]uint64{}
	for _, p := range people {
		l, err := r.Listing(p)
		if errors.Is(err, kv.ErrCorrupt) {
			report(fmt.Sprintf("the places of person %d on leaderboards cannot be read: %v", p, err))
			continue
		}
		if err != nil {
			return err
		}
		for b, score := range l.Scores {
			want.add(placeKeyOf(b, score, p))
			counts[string(histogramKey(b, score))]++
		}
		if l.Fades != 0 {
			want.add(fadesKey(l.Fades, p))
		}
	}
	start, end := kv.Prefix(key("histogram/"))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		if n := counts[string(item.Key)]; !bytes.Equal(item.Value, number(nil, n)) {
			report(fmt.Sprintf("the key %q counts %x, but there are %d", item.Key, item.Value, n))
		}
		delete(counts, string(item.Key))
	}
	for missing := range counts {
		report(fmt.Sprintf("the key %q is missing", missing))
	}
	rated, err := r.Rated(0, 0)
	if err != nil {
		return err
	}
	for _, id := range rated {
		if g, err := r.Game(id); err != nil || !g.Over() {
			report(fmt.Sprintf("game %d counts for ratings, and is not over: %v", id, err))
		}
	}
	if _, err := r.Recount(); errors.Is(err, ErrNotFound) {
		drafts, err := numbers[PersonID](r, key("draft/"))
		figures, err2 := numbers[GameID](r, key("figures/"))
		if err = errors.Join(err, err2); err != nil || len(drafts)+len(figures) > 0 {
			report(fmt.Sprintf("there are %d drafts of ratings that nobody is about to use: %v", len(drafts)+len(figures), err))
		}
	}
	listed, err := r.ListedUpTo()
	if err == nil && listed > uint64(len(rated)) {
		report(fmt.Sprintf("the leaderboards know %d rated games of %d", listed, len(rated)))
	}
	return err
}

// each calls do with each record of a kind that can be read, and unreadable with the
// number of each other.
func each[T any](r Reader, prefix string, unreadable func(id uint64, err error), do func(T)) error {
	start, end := kv.Prefix(key(prefix))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		var record T
		if err := decode(item.Value, &record); err != nil {
			unreadable(endOf(item.Key), err)
			continue
		}
		do(record)
	}
	return nil
}
