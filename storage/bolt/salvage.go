package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"os"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
)

// Standing is how a pair stands in a damaged file.
type Standing int

// The standings, the best first.
const (
	Held   Standing = iota // the newest tree leads to its page
	Astray                 // nothing leads to its page, which is not free either
	Freed                  // its page is free, or may be, or says that it is another that is in its place: something may have come in its place
)

// A Span is the keys from Start up to End, nil for the first and the last.
type Span struct{ Start, End []byte }

// Holds reports whether a key lies in the span.
func (s Span) Holds(key []byte) bool {
	return bytes.Compare(key, s.Start) >= 0 && (s.End == nil || bytes.Compare(key, s.End) < 0)
}

// Salvage is how pairs are told from damage.
type Salvage struct {
	Sound func(key, value []byte) bool
	Carve func(page []byte, size int) []kv.Item // those that begin in so many bytes of a page that cannot be relied on
	Take  func(kv.Item, Standing)               // what was found; a key may be found often
}

// Wreck is what is wrong with a file.
type Wreck struct {
	Lost  []Span   // where pages or pairs are lost
	Bad   [][]byte // keys, as far as they can be read, of pairs there that are not sound
	Older bool     // what was stored last may be missing: one of the two meta pages is damaged
	Blind bool     // nothing tells which pages are free
}

// Run looks for pairs on all pages of a file, which nobody writes meanwhile and which it reads into
// memory.
func (s Salvage) Run(path string) (Wreck, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Wreck{}, pathless(err)
	}
	h := &hulk{Salvage: s, file: b, size: pageSize}
	metas, newest := h.metas()
	if len(metas) == 0 && !bytes.Contains(b, []byte(bucketName)) {
		return Wreck{}, kv.ErrNotDatabase
	}
	h.met = make([]bool, len(b)/h.size+1)
	h.wreck.Older = len(metas) < 2
	if newest == nil {
		h.lose(Span{})
	} else {
		h.end = binary.NativeEndian.Uint64(newest[endOffset:])
		h.free = h.listed(newest)
		h.root(newest)
	}
	h.wreck.Blind = h.free == nil
	for id := range len(h.met) {
		if !h.met[id] {
			h.stray(id) // one that stands in the place of a meta page too
		}
	}
	return h.wreck, nil
}

// Doubt implements [kv.Copier].
func (db *DB) Doubt() error { return db.doubt }

// doubted says what is wrong with the two meta pages of a file. bbolt goes by the one that is sound,
// which may be the older.
func (db *DB) doubted() error {
	b := make([]byte, 2*db.bolt.Info().PageSize)
	if _, err := db.file.ReadAt(b, 0); err != nil {
		return err
	}
	h := &hulk{file: b, size: len(b) / 2}
	if metas, _ := h.metas(); len(metas) < 2 {
		return errDoubt
	}
	return nil
}

var errDoubt = errors.New("a page of the file that says where all begins is damaged, so what was stored last may be missing: compare it with a backup")

// A hulk is a damaged file that is being looked through.
type hulk struct {
	Salvage
	file  []byte
	size  int // of a page
	met   []bool
	free  map[uint64]bool // nil if it is not known
	end   uint64          // of the pages that are in use
	wreck Wreck
}

const (
	magicNumber  = 0xED0CDAED
	sumOffset    = headerSize + 56
	txOffset     = headerSize + 48
	endOffset    = headerSize + 40
	freeFlag     = 0x10
	bucketHeader = 16
)

// metas are the sound meta pages, and the newest of them.
func (h *hulk) metas() (sound [][]byte, newest []byte) {
	order := binary.NativeEndian
	for at := range 2 {
		if len(h.file) < at*h.size+sumOffset+8 {
			continue
		}
		meta := h.file[at*h.size:]
		sum := fnv.New64a()
		_, _ = sum.Write(meta[headerSize:sumOffset])
		if order.Uint32(meta[headerSize:]) != magicNumber || order.Uint64(meta[sumOffset:]) != sum.Sum64() {
			continue
		}
		if size := int(order.Uint32(meta[headerSize+8:])); at == 0 && size >= 1<<10 {
			h.size = size
		}
		sound = append(sound, meta)
		if newest == nil || order.Uint64(meta[txOffset:]) > order.Uint64(newest[txOffset:]) {
			newest = meta
		}
	}
	return sound, newest
}

// page is a page and all that follows; nil if it does not say that it is that.
func (h *hulk) page(id uint64, flag uint16) []byte {
	if id < 2 || id >= uint64(len(h.file)/h.size) {
		return nil
	}
	page := h.file[id*uint64(h.size):]
	if binary.NativeEndian.Uint64(page) != id || flags(page) != flag {
		return nil
	}
	return page
}

func (h *hulk) lose(s Span) { h.wreck.Lost = append(h.wreck.Lost, s) }

// listed are the free pages as of a meta page.
func (h *hulk) listed(meta []byte) map[uint64]bool {
	order := binary.NativeEndian
	id := order.Uint64(meta[listOffset:])
	page := h.page(id, freeFlag)
	if page == nil {
		return nil
	}
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
		if next <= last || next >= order.Uint64(meta[endOffset:]) {
			return nil
		}
		free[next], last = true, next
	}
	h.met[id] = true
	return free
}

// root walks the bucket as of a meta page.
func (h *hulk) root(meta []byte) {
	id := binary.NativeEndian.Uint64(meta[rootOffset:])
	page := h.page(id, leafFlag)
	if page == nil {
		h.lose(Span{})
		return
	}
	for _, part := range parts(page, 1) {
		if part.bucket && string(part.Key) == bucketName && len(part.Value) >= bucketHeader {
			h.met[id] = true
			root := binary.NativeEndian.Uint64(part.Value)
			if root != 0 || len(part.Value) < bucketHeader+headerSize+elementSize {
				h.walk(root, Span{})
			} else {
				h.leaf(part.Value[bucketHeader:], Span{})
			}
			return
		}
	}
	h.lose(Span{})
}

// walk follows the branches from a page to the leaves, which have the keys of a span.
func (h *hulk) walk(id uint64, s Span) {
	page := h.page(id, branchFlag)
	leaf := h.page(id, leafFlag)
	switch {
	case page == nil && leaf == nil, h.met[id], h.free[id]:
		h.lose(s)
		return
	case leaf != nil:
		h.met[id] = true
		h.leaf(leaf, s)
		return
	}
	order := binary.NativeEndian
	count, next := h.counted(page)
	var keys [][]byte
	var children []uint64
	for i := range count {
		at := headerSize + i*elementSize
		start, size := at+int(order.Uint32(page[at:])), int(order.Uint32(page[at+4:]))
		if start != next || size == 0 || size > kv.MaxKeySize || start+size > len(page) || i > 0 && bytes.Compare(page[start:start+size], keys[i-1]) <= 0 {
			break
		}
		next = start + size
		keys, children = append(keys, page[start:next]), append(children, order.Uint64(page[at+8:]))
	}
	if count == 0 || len(keys) < count {
		h.lose(s) // what it leads to is astray
		return
	}
	h.met[id] = true
	for i, child := range children {
		below := Span{keys[i], s.End}
		if i == 0 {
			below.Start = s.Start
		}
		if i+1 < count {
			below.End = keys[i+1]
		}
		h.walk(child, below)
	}
}

// most is how many elements fit on a page.
func (h *hulk) most() int { return (h.size - headerSize) / elementSize }

// counted is how many elements a page says it has, as far as they fit on it, and where they end: there
// begins the first key, and each of the others where the one before it ends, with its value.
func (h *hulk) counted(page []byte) (count, end int) {
	count = min(int(binary.NativeEndian.Uint16(page[10:])), h.most())
	return count, headerSize + count*elementSize
}

// leaf takes the pairs of a leaf to which the tree leads.
func (h *hulk) leaf(page []byte, s Span) {
	count, next := h.counted(page)
	whole := count > 0
	for _, part := range parts(page, count) {
		whole = whole && part.start == next
		next = part.start + len(part.Key) + len(part.Value)
		switch {
		case !part.there:
			whole = false
		case part.bucket, !h.Sound(part.Key, part.Value):
			whole = false
			h.wreck.Bad = append(h.wreck.Bad, part.Key)
		default:
			h.Take(part.Item, Held)
		}
	}
	if !whole {
		h.lose(s)
		h.debris(page, Held)
	}
}

// stray takes what is on a page that the tree does not lead to.
func (h *hulk) stray(id int) {
	page := h.file[min(id*h.size, len(h.file)):]
	if len(page) < headerSize {
		return
	}
	was := binary.NativeEndian.Uint64(page)
	if was < 2 || was >= uint64(len(h.met)) {
		was = uint64(id)
	}
	standing := Astray
	if h.free == nil || h.free[was] || h.met[was] || was >= h.end {
		standing = Freed
	}
	h.debris(page, standing)
}

// debris takes what is sound on a page of which nothing is certain.
func (h *hulk) debris(page []byte, standing Standing) {
	for _, part := range parts(page, h.most()) {
		switch {
		case part.there && part.bucket && string(part.Key) == bucketName && len(part.Value) > bucketHeader+headerSize:
			for _, inner := range parts(part.Value[bucketHeader:], len(part.Value)/elementSize) {
				if inner.there && h.Sound(inner.Key, inner.Value) {
					h.Take(inner.Item, standing)
				}
			}
		case part.there && h.Sound(part.Key, part.Value):
			h.Take(part.Item, standing)
		}
	}
	for _, item := range h.Carve(page, min(h.size, len(page))) {
		h.Take(item, standing)
	}
}

// A part is a pair of a leaf, if it lies in the file.
type part struct {
	kv.Item
	start         int // of its key in the page
	there, bucket bool
}

// parts are the first so many of a leaf.
func parts(page []byte, count int) iter.Seq2[int, part] {
	order := binary.NativeEndian
	return func(yield func(int, part) bool) {
		for i := range count {
			at := headerSize + i*elementSize
			if at+elementSize > len(page) {
				return
			}
			start := at + int(order.Uint32(page[at+4:]))
			key, value := int(order.Uint32(page[at+8:])), int(order.Uint32(page[at+12:]))
			p := part{start: start, bucket: order.Uint32(page[at:]) != 0}
			if p.there = key > 0 && key <= kv.MaxKeySize && value <= maxStored && start+key+value <= len(page); p.there {
				p.Key, p.Value = page[start:start+key], page[start+key:start+key+value]
			}
			if !yield(i, p) {
				return
			}
		}
	}
}

// Fill makes a new file of pairs, which come in the order of their keys, as they stand in another.
func Fill(path string, items iter.Seq[kv.Item]) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists already, and is left as it is", path)
	}
	db, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.bolt.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte(bucketName))
		for item := range items {
			if err := bucket.Put(item.Key, item.Value); err != nil {
				return err
			}
		}
		return nil
	})
}
