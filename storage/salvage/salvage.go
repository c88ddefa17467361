// Package salvage takes out of a damaged file what can be read of it.
//
// # Design
//
// The pages of the file are walked as bbolt has written them, but none of them is trusted. Each pair
// whose checksum is right is taken by how it stands in the file:
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
	"maps"
	"os"
	"slices"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// A Report is what has become of a damaged file.
type Report struct {
	Lost    []Span // where pages or pairs are lost
	Older   bool   // what was stored last may be missing: one of the two meta pages is damaged
	Blind   bool   // nothing tells which pages are free
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

// Run takes what can be read out of a file, which is left as it is and which nobody writes meanwhile,
// into a new one,
// where nothing may be yet. It reads the file into memory.
func Run(ctx context.Context, from, to string) (*Report, error) {
	file, err := os.ReadFile(from)
	if err != nil {
		return nil, errors.Unwrap(err) // its path is of no use
	}
	h := &haul{best: map[string]piece{}, last: map[string]uint64{}}
	if err := h.read(file); err != nil {
		return nil, err
	}
	h.choose()
	switch {
	case slices.Contains(h.bad, upgrading):
		return nil, ErrUpgrading
	case len(h.best) == 0:
		return nil, ErrNothing
	}
	return &h.report, h.fill(ctx, to)
}

// fill stores what was found in a new file, and makes a database of it.
func (h *haul) fill(ctx context.Context, to string) (err error) {
	db, err := bolt.Open(to)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, db.Close()); err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	for some := range slices.Chunk(slices.Sorted(maps.Keys(h.best)), kv.MaxUpdateWrites) {
		err := db.Update(ctx, func(w kv.Writer) (err error) {
			for _, key := range some {
				err = errors.Join(err, w.Put([]byte(key), h.best[key].value))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	h.report.Missing, err = storage.Mend(ctx, db)
	return err
}

// upgrading is the key that is there while records get their checksums.
const upgrading = "meta/upgrade"

// A piece is the best that was found of a key.
type piece struct {
	value []byte
	as    standing
}

// A haul is a damaged file that is being looked through, and what was found.
type haul struct {
	file []byte
	met  []bool          // the pages that the tree leads to
	free map[uint64]bool // the free pages; nil if they are not known
	end  uint64          // of the pages that are in use

	best   map[string]piece
	last   map[string]uint64 // the highest numbers that counters have had
	bad    []string          // keys, as far as they can be read, of pairs that are not sound
	report Report
}

// take keeps a pair unless there is a better one.
func (h *haul) take(item kv.Item, as standing) {
	key := string(item.Key)
	if bytes.HasPrefix(item.Key, []byte("seq/")) {
		value, _ := storage.Unseal(item.Key, item.Value)
		h.last[key] = max(h.last[key], storage.End(value))
	}
	before, found := h.best[key]
	if p := (piece{item.Value, as}); !found || better(p, before) {
		h.best[key] = p
	}
}

// better reports whether a piece is to be taken rather than another. What the tree leads to is; else
// of a game what is the latest, for its page may only seem to be free, or not to be.
func better(p, other piece) bool {
	if p.as == held || other.as == held {
		return p.as < other.as
	}
	now, was := p.revision(), other.revision()
	return now > was || now == was && p.as < other.as
}

// revision tells the later of two games.
func (p piece) revision() uint64 {
	var g struct{ Revision uint64 }
	_ = storage.Decode(p.value[:len(p.value)-storage.SealSize], &g) // of what has none, the first that is found is taken
	return g.Revision
}

// choose leaves out what was replaced or deleted, and says what is missing.
func (h *haul) choose() {
	for _, p := range h.best {
		if p.as == astray && len(h.report.Lost) == 0 {
			h.lose(Span{}) // the tree begins at a page below its root
		}
	}
	for key, p := range h.best {
		id, game := gameOf(key)
		inLost := slices.ContainsFunc(h.report.Lost, func(s Span) bool { return s.Holds([]byte(key)) })
		switch {
		case p.as == held, p.as == astray && (game || inLost):
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
		h.best[key] = piece{value: storage.Seal([]byte(key), storage.Number(last))}
	}
	h.report.Records = len(h.best)
	for _, key := range h.bad {
		if _, found := h.best[key]; !found {
			h.report.Damaged = append(h.report.Damaged, key)
		}
	}
}

const gameKind = storage.OfGame + "/"

func gameOf(key string) (storage.GameID, bool) {
	if len(key) != len(gameKind)+storage.NumberSize || key[:len(gameKind)] != gameKind {
		return 0, false
	}
	return storage.GameID(storage.End([]byte(key))), true
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
