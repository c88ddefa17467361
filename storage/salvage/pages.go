package salvage

import (
	"bytes"
	"encoding/binary"
	"iter"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
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
	bucketSize   = 16     // of a bucket in its parent, which begins with its root, or which its one page follows
)

// read takes what is sound on any page of the file.
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
			h.stray(uint64(id)) // one that stands in the place of a meta page too
		}
	}
	return nil
}

// page is a page and all that follows, and its flags; no flags if it does not say that it is that page.
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

// freeList are the free pages as of a meta page; nil if they are not known.
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

// walk takes what is on a page to which the tree leads, and on those to which it leads itself. Keys of
// branches do not matter.
func (h *haul) walk(id uint64) {
	page, flags := h.page(id)
	if flags != branchFlag && flags != leafFlag || h.met[id] {
		h.report.Lost++
		return
	}
	h.met[id] = true
	as := held
	if h.free[id] { // the tree is wrong, or the list of free pages
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

// counted is how many elements a page says it has, as far as they fit on it.
func counted(page []byte) int {
	return min(int(binary.NativeEndian.Uint16(page[10:])), mostElements)
}

// leaf takes the pairs of a leaf to which the tree leads, and follows the bucket on the first one. Pairs
// follow the elements without a gap.
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

const (
	farthest  = 1 << 18 // from where it begins does a record end that is looked for by its key
	beginning = "\x01{" // of a value
)

// debris takes what is sound on a page of which nothing is certain: the pairs that its elements lead to,
// and the records whose keys can be told.
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
