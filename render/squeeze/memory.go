package squeeze

import "hash/maphash"

// bandRows is how many rows a band has, but for the last: fewer than a tile, so that what changes in
// one row of tiles is in few of them.
const bandRows = 32

// band is rows of pixels that were taken apart.
type band struct {
	tokens []token
	sum    sum
}

// memory is bands by what their pixels are. When the young ones have become many, those that were not
// asked for in the meantime are forgotten.
type memory struct {
	seed       maphash.Seed
	young, old map[bandKey]*band
	size       int // of the young ones, in tokens
}

// bandKey says which band it is. That two have the same is less likely than that the machine fails.
type bandKey struct {
	pixels                 uint64 // a hash
	length, before, stride int
}

func (m *memory) key(pixels []byte, before, stride int) bandKey {
	if m.young == nil {
		m.seed, m.young = maphash.MakeSeed(), map[bandKey]*band{}
	}
	return bandKey{maphash.Bytes(m.seed, pixels), len(pixels), before, stride}
}

// find is a band that is remembered, or nil.
func (m *memory) find(k bandKey) *band {
	b := m.young[k]
	if b == nil {
		if b = m.old[k]; b != nil {
			m.keep(k, b)
		}
	}
	return b
}

// keep remembers a band.
func (m *memory) keep(k bandKey, b *band) {
	const most, overhead = 1 << 17, 20 // a megabyte
	if m.size += len(b.tokens) + overhead; m.size > most {
		m.young, m.old = make(map[bandKey]*band, len(m.young)), m.young
		m.size = len(b.tokens) + overhead
	}
	m.young[k] = b
}
