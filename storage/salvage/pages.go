package salvage

import (
	"bytes"
	"encoding/binary"
	"iter"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// A standing is how a pair stands in a damaged file, the best first.
type standing int

const (
	held   standing = iota // the newest tree leads to its page
	astray                 // nothing leads to its page, which is not free either
	freed                  // its page is free, or may be, or another has come in its place
)

// The form of a page: number uint64, flags uint16, count uint16, overflow uint32; then as many elements
// as the count says, which lead to keys behind them and, on a leaf, to the values behind the keys.
const (
	headerSize   = 16
	elementSize  = 16 // of a branch: pos, size of the key uint32, child uint64; of a leaf: flags, pos, sizes of key and value uint32
	mostElements = (bolt.PageSize - headerSize) / elementSize
	branchFlag   = 0x01
	leafFlag     = 0x02
	freeFlag     = 0x10
	manyFree     = 0xffff // this count says that the first number of the list is the count
	bucketSize   = 16     // of a bucket in its parent: its root, or 0 if its one page follows
)

// A Span is the keys from Start up to End, nil for the first and the last.
type Span struct{ Start, End []byte }

// Holds reports whether a key lies in the span.
func (s Span) Holds(key []byte) bool {
	return bytes.Compare(key, s.Start) >= 0 && (s.End == nil || bytes.Compare(key, s.End) < 0)
}

// read takes what is sound on any page of a file.
func (h *haul) read(file []byte) error {
	h.file, h.met = file, make([]bool, len(file)/bolt.PageSize+1)
	metas, err := bolt.Metas(bytes.NewReader(file))
	switch {
	case err != nil:
		return err
	case len(metas) == 0 && !bytes.Contains(file, []byte(bolt.BucketName)):
		return kv.ErrNotDatabase
	case len(metas) == 0:
		h.lose(Span{})
	default:
		h.end = metas[0].End
		h.free = h.listed(metas[0])
		h.root(metas[0].Root)
	}
	h.report.Older = len(metas) < 2
	h.report.Blind = h.free == nil
	for id := range h.met {
		if !h.met[id] {
			h.stray(uint64(id)) // one that stands in the place of a meta page too
		}
	}
	return nil
}

// page is a page and all that follows; nil if it does not say that it is that.
func (h *haul) page(id uint64, flag uint16) []byte {
	if id < 2 || id >= uint64(len(h.file)/bolt.PageSize) {
		return nil
	}
	page := h.file[id*bolt.PageSize:]
	if binary.NativeEndian.Uint64(page) != id || binary.NativeEndian.Uint16(page[8:]) != flag {
		return nil
	}
	return page
}

func (h *haul) lose(s Span) { h.report.Lost = append(h.report.Lost, s) }

// listed are the free pages as of a meta page; nil if they are not known.
func (h *haul) listed(meta bolt.Meta) map[uint64]bool {
	page := h.page(meta.Free, freeFlag)
	if page == nil {
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

// root walks the bucket that a page names.
func (h *haul) root(id uint64) {
	for part := range parts(h.page(id, leafFlag), 1) {
		if !part.bucket || string(part.Key) != bolt.BucketName || len(part.Value) < bucketSize {
			break
		}
		h.met[id] = true
		root, inner := binary.NativeEndian.Uint64(part.Value), part.Value[bucketSize:]
		if root == 0 && len(inner) >= headerSize+elementSize {
			h.leaf(inner, Span{})
		} else {
			h.walk(root, Span{})
		}
		return
	}
	h.lose(Span{})
}

// walk follows the branches from a page to the leaves, which have the keys of a span.
func (h *haul) walk(id uint64, s Span) {
	branch, leaf := h.page(id, branchFlag), h.page(id, leafFlag)
	switch {
	case branch == nil && leaf == nil, h.met[id], h.free[id]:
		h.lose(s)
		return
	case leaf != nil:
		h.met[id] = true
		h.leaf(leaf, s)
		return
	}
	keys, children := branches(branch)
	if len(children) == 0 {
		h.lose(s) // what it leads to is astray
		return
	}
	h.met[id] = true
	for i, child := range children {
		below := s
		if i > 0 {
			below.Start = keys[i]
		}
		if i+1 < len(keys) {
			below.End = keys[i+1]
		}
		h.walk(child, below)
	}
}

// counted is how many elements a page says it has, as far as they fit on it, and where they end: there
// begins the first key, and each of the others where the one before it ends, with its value.
func counted(page []byte) (count, end int) {
	count = min(int(binary.NativeEndian.Uint16(page[10:])), mostElements)
	return count, headerSize + count*elementSize
}

// branches are the pages that a branch leads to, and their first keys; none if it contradicts itself.
func branches(page []byte) (keys [][]byte, children []uint64) {
	order := binary.NativeEndian
	count, next := counted(page)
	for i := range count {
		at := headerSize + i*elementSize
		start, size := at+int(order.Uint32(page[at:])), int(order.Uint32(page[at+4:]))
		if start != next || size == 0 || size > kv.MaxKeySize || start+size > len(page) || i > 0 && bytes.Compare(page[start:start+size], keys[i-1]) <= 0 {
			return nil, nil
		}
		next = start + size
		keys, children = append(keys, page[start:next]), append(children, order.Uint64(page[at+8:]))
	}
	return keys, children
}

// leaf takes the pairs of a leaf to which the tree leads.
func (h *haul) leaf(page []byte, s Span) {
	count, next := counted(page)
	whole := count > 0
	for part := range parts(page, count) {
		whole = whole && part.there && part.start == next
		next = part.start + len(part.Key) + len(part.Value)
		switch {
		case !part.there:
		case part.bucket, !sound(part.Item):
			whole = false
			h.bad = append(h.bad, string(part.Key))
		default:
			h.take(part.Item, held)
		}
	}
	if !whole {
		h.lose(s)
		h.debris(page, held)
	}
}

// stray takes what is on a page that the tree does not lead to.
func (h *haul) stray(id uint64) {
	page := h.file[min(id*bolt.PageSize, uint64(len(h.file))):]
	if len(page) < headerSize {
		return
	}
	was := binary.NativeEndian.Uint64(page) // it may have come in the place of another
	if was < 2 || was >= uint64(len(h.met)) {
		was = id
	}
	if h.free == nil || h.free[was] || h.met[was] || was >= h.end {
		h.debris(page, freed)
	} else {
		h.debris(page, astray)
	}
}

// debris takes what is sound on a page of which nothing is certain: what its elements lead to, and the
// records whose keys can be told.
func (h *haul) debris(page []byte, as standing) {
	for part := range parts(page, mostElements) {
		if part.there && sound(part.Item) {
			h.take(part.Item, as)
		}
	}
	for _, kind := range []string{storage.OfGame, storage.OfPerson, storage.OfPlace, storage.OfServer, storage.OfChallenge} {
		h.carve(page, []byte(kind+"/"), as)
	}
}

const (
	farthest  = 1 << 18 // from where it begins does a record end that is looked for by its key
	beginning = "\x01{" // of a value
)

// carve takes the records of a kind whose keys begin on a page.
func (h *haul) carve(page, prefix []byte, as standing) {
	for at := 0; at < bolt.PageSize; at++ {
		next := bytes.Index(page[at:min(len(page), bolt.PageSize+len(prefix)-1)], prefix)
		if next < 0 {
			return
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

func sound(item kv.Item) bool {
	_, sound := storage.Unseal(item.Key, item.Value)
	return sound
}

// A part is a pair of a leaf, if it lies in the file.
type part struct {
	kv.Item
	start         int // of its key in the page
	there, bucket bool
}

// parts are the pairs to which the first elements of a leaf lead.
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
