// Package salvage takes out of a damaged file what can be read of it.
//
// # Design
//
// The pages of the file are read as bbolt has written them, but none of them is trusted. Each pair whose
// checksum is right is taken by how its page stands in the file:
//
//   - The newest tree leads to it: the pair is as it was.
//   - Nothing leads to it, but it is not free: a branch above it is lost, and the pair is as it was.
//   - It is free: the pair was replaced or deleted. Games never are deleted, so where anything is lost, a
//     game of which nothing else is left is taken from there; the report says which. Other pairs are
//     taken only if pages are lost and the list of free pages is too: something deleted may come back.
//
// Of pages that contradict themselves, records are found by their keys alone, and end where their
// checksum is right. Then storage.Mend makes the keys that lead to records anew, and quarantines what
// they lead to and is lost.
package salvage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// A Report is what has become of a damaged file.
type Report struct {
	Lost    int  // how many pages are damaged
	Older   bool // what was stored last may be missing: one of the two meta pages is damaged
	Blind   bool // nothing tells for certain which pages are free
	Records int
	Games   int
	Stale   []storage.GameID // games that are as of an earlier moment
	Damaged []string         // keys of records that were found, and are damaged
	Missing []storage.Ref    // records that were not found, and to which something leads
}

// Whole reports whether nothing is known to be missing.
func (r *Report) Whole() bool {
	return !r.Older && r.Lost+len(r.Stale)+len(r.Damaged)+len(r.Missing) == 0
}

// Lines are what is missing or uncertain, as people read it.
func (r *Report) Lines() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if r.Older {
		say("a page that says where all begins is damaged: what was stored last may be missing")
	}
	if r.Lost > 0 {
		say("damaged pages: %d", r.Lost)
	}
	if r.Blind && r.Lost > 0 {
		say("nothing tells for certain what was deleted: some of it may have come back")
	}
	for _, id := range r.Stale {
		say("game %d: only an earlier version of it, or of that moment, is known to be sound", id)
	}
	for _, key := range r.Damaged {
		say("%q is damaged", key)
	}
	for _, ref := range r.Missing {
		say("%s %d is lost", ref.Kind, ref.ID)
	}
	return lines
}

var (
	// ErrUpgrading is returned for a file that was being brought up to date, so that not all of its
	// records may have a checksum.
	ErrUpgrading = errors.New("it was being brought up to date, and what is sound can't be told: restore a backup")

	// ErrNothing is returned for a file in which no record is sound.
	ErrNothing = errors.New("no record in it has the right checksum, or an earlier version of this program has written it: restore a backup")
)

// upgrading is the key that is there while records get their checksums.
const upgrading = "meta/upgrade"

// Run takes what can be read out of a file, which is left as it is and which nobody writes meanwhile,
// into a new one, where nothing may be yet. It reads the file into memory.
func Run(ctx context.Context, from, to string) (*Report, error) {
	file, err := os.ReadFile(from)
	if err != nil {
		return nil, errors.Unwrap(err) // its path is of no use
	}
	h := &haul{file: file, met: make([]bool, len(file)/bolt.PageSize+1), best: map[string]piece{}}
	if err := h.read(); err != nil {
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

// A haul is a damaged file that is being read, and what was found.
type haul struct {
	file []byte
	met  []bool          // the pages that the tree leads to
	free map[uint64]bool // the free pages; nil if they are not known
	end  uint64          // of the pages that are in use

	best   map[string]piece
	bad    []string // keys, as far as they can be read, of pairs that are not sound
	report Report
}

// A piece is the best that was found of a key.
type piece struct {
	value []byte
	as    standing
}

// A standing is how a pair stands in a damaged file, the best first.
type standing int

const (
	held   standing = iota // the newest tree leads to its page
	astray                 // nothing leads to its page, which is not free either
	freed                  // its page is free, or may be, or another has come in its place
)

// take keeps a pair, if it is sound and there is no better one. What the tree leads to is better than
// anything else; else of a game the latest is, for its page may only seem to be free, or not to be.
func (h *haul) take(item kv.Item, as standing) {
	if !sound(item) {
		return
	}
	key, now := string(item.Key), piece{item.Value, as}
	was, found := h.best[key]
	switch {
	case !found, as < was.as && as == held:
	case was.as == held, now.revision() < was.revision(), now.revision() == was.revision() && as >= was.as:
		return
	}
	h.best[key] = now
}

func sound(item kv.Item) bool {
	_, sound := storage.Unseal(item.Key, item.Value)
	return sound
}

// revision tells the later of two games. It is 0 of all else.
func (p piece) revision() uint64 {
	var g struct{ Revision uint64 }
	_ = storage.Decode(p.value[:len(p.value)-storage.SealSize], &g)
	return g.Revision
}

// choose leaves out what was replaced or deleted, and says what is missing.
func (h *haul) choose() {
	r := &h.report
	for _, p := range h.best {
		if p.as == astray && r.Lost == 0 { // the tree begins below its root, or the list of free pages is wrong
			r.Lost, r.Blind = 1, true
		}
	}
	for key, p := range h.best {
		game := strings.HasPrefix(key, storage.OfGame+"/")
		if p.as == freed {
			switch {
			case game && (r.Lost > 0 || r.Older):
				r.Stale = append(r.Stale, storage.GameID(storage.End([]byte(key))))
			case h.free != nil || r.Lost == 0:
				delete(h.best, key)
				continue
			}
		}
		if game {
			r.Games++
		}
	}
	slices.Sort(r.Stale)
	r.Records = len(h.best)
	for _, key := range h.bad {
		if _, found := h.best[key]; !found {
			r.Damaged = append(r.Damaged, key)
		}
	}
}
