// Package salvage recovers the readable records of a damaged file.
//
// # Design
//
// The pages of the file are read in bbolt's format, but none of them is trusted. Each pair whose checksum is right is
// judged by how its page stands in the file:
//
//   - The newest tree leads to it: the pair is current.
//   - Nothing leads to it, but it is not free: a branch above it is lost, and the pair is current.
//   - It is free: the pair was replaced or deleted. Games never are deleted, so where anything is lost, a
//     game of which nothing else is left is taken from there; the report says which. Other pairs are
//     taken only if pages are lost and the list of free pages is too: something deleted may come back.
//
// In pages that contradict themselves, records are found by their keys alone, and end where their checksum is right.
// Then storage.Mend rebuilds the index keys, and quarantines records that are lost but still referred to.
package salvage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// A Report says what was recovered from a damaged file.
type Report struct {
	Lost    int  // how many pages are damaged
	Older   bool // the last changes may be missing: one of the two meta pages is damaged
	Blind   bool // it is not certain which pages are free
	Records int
	Games   int
	Stale   []storage.GameID // games of which only an earlier state was found
	Damaged []string         // keys of records that were found damaged
	Missing []storage.Ref    // records that were not found, though something leads to them
}

// Whole reports whether nothing is known to be missing.
func (r *Report) Whole() bool { return len(r.Lines()) == 0 }

// Lines say what is missing or uncertain, for people.
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
	// ErrUpgrading is returned for a file that was being brought up to date: some records may have no checksum yet.
	ErrUpgrading = errors.New("it was being brought up to date, and what is sound can't be told: restore a backup")

	// ErrNothing is returned for a file in which no record is sound.
	ErrNothing = errors.New("no record in it has the right checksum, or an earlier version of this program has written it: restore a backup")
)

// upgrading is the key present while records get their checksums.
const upgrading = "meta/upgrade"

// Run recovers what can be read of a file into a new one, where there must be none yet. The old file is left as it is,
// and nobody may write to it meanwhile. Run reads it into memory.
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

// fill stores the records found in a new file, and makes a database of it.
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

// A haul is a damaged file being read, with what was found so far.
type haul struct {
	file []byte
	met  []bool          // the pages that the tree leads to
	free map[uint64]bool // the free pages; nil if they are not known
	end  uint64          // number of pages in use

	best   map[string]piece
	bad    []string // keys, as far as they can be read, of damaged pairs
	report Report
}

// A piece is the best value found for a key.
type piece struct {
	value []byte
	as    standing
}

// A standing is how a pair stands in a damaged file, the best first.
type standing int

const (
	held   standing = iota // the newest tree leads to its page
	astray                 // nothing leads to its page, which is not free either
	freed                  // its page is free, may be free, or was taken by another
)

// take keeps a pair if it is sound and better than the one found before. A pair in the tree beats any other; otherwise
// the latest state of a game wins, for a page may only seem to be free or in use.
func (h *haul) take(item kv.Item, as standing) {
	if !sound(item) {
		return
	}
	key, now := string(item.Key), piece{item.Value, as}
	switch was, found := h.best[key]; {
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

// revision orders the states of a game. It is 0 for other records.
func (p piece) revision() uint64 {
	var g struct{ Revision uint64 }
	_ = storage.Decode(p.value[:len(p.value)-storage.SealSize], &g)
	return g.Revision
}

// choose drops pairs that were replaced or deleted, and says what is missing.
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
			if game && (r.Lost > 0 || r.Older) {
				r.Stale = append(r.Stale, storage.GameID(storage.End([]byte(key))))
			} else if h.free != nil || r.Lost == 0 {
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

// The form of a page: number uint64, flags uint16, count uint16, overflow uint32; then count elements, which lead to
// keys behind them and, on a leaf, to the values behind the keys.
const (
	headerSize   = 16
	elementSize  = 16 // of a branch: pos, size of the key uint32, child uint64; of a leaf: flags, pos, sizes of key and value uint32
	mostElements = (bolt.PageSize - headerSize) / elementSize
	branchFlag   = 0x01
	leafFlag     = 0x02
	freeFlag     = 0x10
	manyFree     = 0xffff // this count says that the first number of the list is the count
	bucketSize   = 16     // of a bucket in its parent, which begins with its root, or which its one page follows
)

// read takes the sound pairs of all pages.
func (h *haul) read() error {
	metas, err := bolt.Metas(bytes.NewReader(h.file))
	switch {
	case err != nil:
		return err
	case len(metas) == 0 && !bytes.Contains(h.file, []byte(bolt.BucketName)):
		return kv.ErrNotDatabase
	case len(metas) == 0:
		h.report.Lost++
	default:
		h.end = metas[0].End
		h.free = h.freeList(metas[0])
		h.walk(metas[0].Root)
	}
	h.report.Older = len(metas) < 2
	h.report.Blind = h.report.Blind || h.free == nil
	for id := range h.met {
		if !h.met[id] {
			h.stray(uint64(id)) // a page in the place of a meta page too
		}
	}
	return nil
}

// page is a page with all bytes after it, and its flags; no flags if its number is not its own.
func (h *haul) page(id uint64) (page []byte, flags uint16) {
	if id < 2 || id >= uint64(len(h.file)/bolt.PageSize) {
		return nil, 0
	}
	page = h.file[id*bolt.PageSize:]
	if binary.NativeEndian.Uint64(page) != id {
		return nil, 0
	}
	return page, binary.NativeEndian.Uint16(page[8:])
}

// freeList are the free pages according to a meta page; nil if they are not known.
func (h *haul) freeList(meta bolt.Meta) map[uint64]bool {
	page, flags := h.page(meta.Free)
	if flags != freeFlag {
		return nil
	}
	order := binary.NativeEndian
	count, list := uint64(order.Uint16(page[10:])), page[headerSize:]
	if count == manyFree {
		count, list = order.Uint64(list), list[8:]
	}
	if count > uint64(len(list)/8) {
		return nil
	}
	free, last := map[uint64]bool{}, uint64(1)
	for i := range count {
		next := order.Uint64(list[8*i:])
		if next <= last || next >= meta.End {
			return nil
		}
		free[next], last = true, next
	}
	h.met[meta.Free] = true
	return free
}

// walk takes the pairs of a page in the tree, and of the pages below it. The keys of branches do not matter.
func (h *haul) walk(id uint64) {
	page, flags := h.page(id)
	if flags != branchFlag && flags != leafFlag || h.met[id] {
		h.report.Lost++
		return
	}
	h.met[id] = true
	as := held
	if h.free[id] { // the tree or the list of free pages is wrong
		h.report.Lost++
		h.report.Blind, as = true, astray
	}
	if flags == leafFlag {
		h.leaf(page, as)
		return
	}
	for i := range counted(page) {
		h.walk(binary.NativeEndian.Uint64(page[headerSize+i*elementSize+8:]))
	}
}

// counted is how many elements a page claims to have, as far as they fit.
func counted(page []byte) int { return min(int(binary.NativeEndian.Uint16(page[10:])), mostElements) }

// leaf takes the pairs of a leaf in the tree, and follows the bucket on the first one. Pairs follow the elements
// without a gap.
func (h *haul) leaf(page []byte, as standing) {
	count := counted(page)
	next, whole := headerSize+count*elementSize, count > 0
	for part := range parts(page, count) {
		whole = whole && part.there && part.start == next
		next = part.start + len(part.Key) + len(part.Value)
		switch {
		case !part.there:
		case part.bucket && string(part.Key) == bolt.BucketName && len(part.Value) >= bucketSize:
			if inside := part.Value[bucketSize:]; len(inside) > headerSize {
				h.leaf(inside, as)
			} else {
				h.walk(binary.NativeEndian.Uint64(part.Value))
			}
		case part.bucket, !sound(part.Item):
			whole = false
			h.bad = append(h.bad, string(part.Key))
		default:
			h.take(part.Item, as)
		}
	}
	if !whole {
		h.report.Lost++
		h.debris(page, as)
	}
}

// stray takes the pairs of a page outside the tree.
func (h *haul) stray(id uint64) {
	page := h.file[min(id*bolt.PageSize, uint64(len(h.file))):]
	if len(page) < headerSize {
		return
	}
	was := binary.NativeEndian.Uint64(page) // the page may have been written in another's place
	if was < 2 || was >= uint64(len(h.met)) {
		was = id
	}
	if h.free == nil || h.free[was] || h.met[was] || was >= h.end {
		h.debris(page, freed)
	} else {
		h.debris(page, astray)
	}
}

const (
	farthest  = 1 << 18 // where the end of a record found by its key is searched, at most
	beginning = "\x01{" // of a value
)

// debris takes the sound pairs of a page that may be garbage: those that its elements lead to, and the records
// recognized by their keys.
func (h *haul) debris(page []byte, as standing) {
	for part := range parts(page, mostElements) {
		if part.there {
			h.take(part.Item, as)
		}
	}
	for _, kind := range []string{storage.OfGame, storage.OfPerson, storage.OfPlace, storage.OfServer, storage.OfChallenge} {
		prefix := []byte(kind + "/")
		for at := 0; at < bolt.PageSize; at++ {
			next := bytes.Index(page[at:min(len(page), bolt.PageSize+len(prefix)-1)], prefix)
			if next < 0 {
				break
			}
			at += next
			end := at + len(prefix) + storage.NumberSize
			if end > len(page) || !bytes.HasPrefix(page[end:], []byte(beginning)) {
				continue
			}
			key := page[at:end]
			if sealed := storage.FindSealed(key, page[end:min(len(page), end+farthest)]); sealed != nil {
				h.take(kv.Item{Key: key, Value: sealed}, as)
			}
		}
	}
}

// A part is a pair of a leaf, if it lies within the file.
type part struct {
	kv.Item
	start         int // of its key in the page
	there, bucket bool
}

// parts are the pairs of a leaf's first elements.
func parts(page []byte, count int) iter.Seq[part] {
	order := binary.NativeEndian
	return func(yield func(part) bool) {
		for at := headerSize; at < headerSize+count*elementSize && at+elementSize <= len(page); at += elementSize {
			start := at + int(order.Uint32(page[at+4:]))
			key, value := int(order.Uint32(page[at+8:])), int(order.Uint32(page[at+12:]))
			p := part{start: start, bucket: order.Uint32(page[at:]) != 0}
			if p.there = key > 0 && key <= kv.MaxKeySize && value <= kv.MaxValueSize && start+key+value <= len(page); p.there {
				p.Key, p.Value = page[start:start+key], page[start+key:start+key+value]
			}
			if !yield(p) {
				return
			}
		}
	}
}
