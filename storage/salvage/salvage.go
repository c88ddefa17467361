// Package salvage takes out of a damaged file what can be read of it.
//
// # Design
//
// Package bolt walks the pages, of which it trusts none, and says of each pair whose checksum is right
// how it stands in the file:
//
//   - What the newest tree leads to is as it was, and is taken.
//   - What nothing leads to, though its page is not free, has lost a branch above it. It is taken if
//     it is a game, or if its key lies where pages are lost.
//   - What is on a free page was replaced or deleted. Games never are deleted: one is taken from there if
//     nothing else is left of it, and pages are lost, wherever (the keys of a branch may be damaged too),
//     or the tree may be too old to know it; whoever looks after the database is told which. Nothing
//     else is, unless the list of free pages is lost too: then all is taken whose key lies where pages
//     are lost, and something deleted may come back.
//
// Of pages that contradict themselves, records are found by their keys alone, and end where their
// checksum is right.
//
// Then storage.Mend makes the keys that lead to records anew, and lets be quarantined what they
// lead to and is lost.
package salvage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/migrate"
	"chimera/storage/record"
)

// A Report is what has become of a damaged file.
type Report struct {
	bolt.Wreck
	Records int
	Games   int
	Stale   []storage.GameID // games that are as of an earlier moment
	Damaged []string         // keys of records that were found, and are damaged
	Missing []storage.Ref    // records that were not found, and to which something leads
}

// Whole reports whether nothing is known to be missing.
func (r *Report) Whole() bool {
	return !r.Older && len(r.Lost)+len(r.Stale)+len(r.Damaged)+len(r.Missing) == 0
}

var (
	// ErrUpgrading is returned for a file that was being brought up to date, so that not all of its
	// records may have a checksum.
	ErrUpgrading = errors.New("it was being brought up to date, and what is sound can't be told: restore a backup")

	// ErrNothing is returned for a file in which no record is sound.
	ErrNothing = errors.New("no record in it has the right checksum, or an earlier version of this program has written it: restore a backup")
)

// Run takes what can be read out of a file, which is left as it is, into a new one.
func Run(ctx context.Context, from, to string) (*Report, error) {
	found := &haul{best: map[string]piece{}, last: map[string]uint64{}}
	wreck, err := bolt.Salvage{Sound: sound, Carve: carve, Take: found.take}.Run(from)
	if err != nil {
		return nil, err
	}
	found.report.Wreck = wreck
	found.choose()
	switch {
	case slices.ContainsFunc(wreck.Bad, func(key []byte) bool { return string(key) == upgrading }):
		return nil, ErrUpgrading
	case len(found.best) == 0:
		return nil, ErrNothing
	}
	if err := bolt.Fill(to, found.items()); err != nil {
		return nil, err
	}
	if err := mend(ctx, to, &found.report); err != nil {
		return nil, errors.Join(err, os.Remove(to))
	}
	return &found.report, nil
}

func mend(ctx context.Context, to string, report *Report) (err error) {
	db, err := bolt.Open(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := migrate.Run(ctx, db, nil); err != nil { // it has checksums, and so no game that forgot its past
		return err
	}
	report.Missing, err = storage.Mend(ctx, db)
	return err
}

// A piece is the best that was found of a key.
type piece struct {
	value    []byte
	standing bolt.Standing
}

// A haul is what was found.
type haul struct {
	best   map[string]piece
	last   map[string]uint64 // the highest numbers that counters have had
	report Report
}

// upgrading is the key that is there while records get their checksums.
const upgrading = "meta/upgrade"

func sound(key, sealed []byte) bool {
	_, sound := record.Unseal(key, sealed)
	return sound
}

// take keeps a pair unless there is a better one.
func (h *haul) take(item kv.Item, standing bolt.Standing) {
	key := string(item.Key)
	if bytes.HasPrefix(item.Key, []byte("seq/")) {
		value, _ := record.Unseal(item.Key, item.Value)
		h.last[key] = max(h.last[key], record.End(value))
	}
	before, found := h.best[key]
	if !found || better(piece{item.Value, standing}, before) {
		h.best[key] = piece{item.Value, standing}
	}
}

// better reports whether a piece is to be taken rather than another. What the tree leads to is; else
// of a game what is the latest, for its page may only seem to be free, or not to be.
func better(p, other piece) bool {
	if p.standing == bolt.Held || other.standing == bolt.Held {
		return p.standing < other.standing
	}
	now, was := p.revision(), other.revision()
	return now > was || now == was && p.standing < other.standing
}

// revision tells the later of two games.
func (p piece) revision() uint64 {
	var g struct{ Revision uint64 }
	_ = record.Decode(p.value[:len(p.value)-record.SealSize], &g) // of what has none, the first that is found is taken
	return g.Revision
}

// choose leaves out what was replaced or deleted, and says what is missing.
func (h *haul) choose() {
	astray := func(p piece) bool { return p.standing == bolt.Astray }
	if len(h.report.Lost) == 0 && slices.ContainsFunc(slices.Collect(maps.Values(h.best)), astray) {
		h.report.Lost = []bolt.Span{{}} // the tree begins at a page below its root
	}
	for key, p := range h.best {
		id, game := gameOf(key)
		inLost := slices.ContainsFunc(h.report.Lost, func(s bolt.Span) bool { return s.Holds([]byte(key)) })
		switch {
		case p.standing == bolt.Held, p.standing == bolt.Astray && (game || inLost):
		case game && (len(h.report.Lost) > 0 || h.report.Older):
			h.report.Stale = append(h.report.Stale, id)
		case !inLost || !h.report.Blind:
			delete(h.best, key)
			continue
		}
		if game {
			h.report.Games++
		}
	}
	slices.Sort(h.report.Stale)
	for key, last := range h.last {
		h.best[key] = piece{value: record.Seal([]byte(key), record.Number(nil, last))}
	}
	h.report.Records = len(h.best)
	for _, key := range h.report.Bad {
		if _, found := h.best[string(key)]; !found {
			h.report.Damaged = append(h.report.Damaged, string(key))
		}
	}
}

func (h *haul) items() iter.Seq[kv.Item] {
	return func(yield func(kv.Item) bool) {
		for _, key := range slices.Sorted(maps.Keys(h.best)) {
			if !yield(kv.Item{Key: []byte(key), Value: h.best[key].value}) {
				return
			}
		}
	}
}

const (
	gameKind  = storage.OfGame + "/"
	farthest  = 1 << 18 // from where it begins does a record end that is looked for by its key
	beginning = "\x01{" // of a value
)

func gameOf(key string) (storage.GameID, bool) {
	if len(key) != len(gameKind)+record.NumberSize || key[:len(gameKind)] != gameKind {
		return 0, false
	}
	return storage.GameID(record.End([]byte(key))), true
}

// carve finds records by what their keys begin with, and their values.
func carve(page []byte, size int) (found []kv.Item) {
	for _, kind := range []string{storage.OfGame, storage.OfPerson, storage.OfPlace, storage.OfServer, storage.OfChallenge} {
		prefix := []byte(kind + "/")
		for at := 0; at < size; at++ {
			next := bytes.Index(page[at:min(len(page), size+len(prefix)-1)], prefix)
			if next < 0 {
				break
			}
			at += next
			end := at + len(prefix) + record.NumberSize
			if end > len(page) || !bytes.HasPrefix(page[end:], []byte(beginning)) {
				continue
			}
			key := page[at:end]
			if sealed := record.Find(key, page[end:min(len(page), end+farthest)]); sealed != nil {
				found = append(found, kv.Item{Key: key, Value: sealed})
			}
		}
	}
	return found
}

// Lines are what is missing or uncertain, as people read it.
func (r *Report) Lines() (lines []string) {
	if r.Older {
		lines = append(lines, "a page that says where all begins is damaged: what was stored last may be missing")
	}
	for _, s := range r.Lost {
		lines = append(lines, fmt.Sprintf("pages are damaged that had keys from %q to %q", s.Start, s.End))
	}
	if r.Blind && len(r.Lost) > 0 {
		lines = append(lines, "nothing tells what was deleted there: some of it may have come back")
	}
	for _, id := range r.Stale {
		lines = append(lines, fmt.Sprintf("game %d: only an earlier version of it, or of that moment, is known to be sound", id))
	}
	for _, key := range r.Damaged {
		lines = append(lines, fmt.Sprintf("%q is damaged", key))
	}
	for _, ref := range r.Missing {
		lines = append(lines, fmt.Sprintf("%s %d is lost", ref.Kind, ref.ID))
	}
	return lines
}
