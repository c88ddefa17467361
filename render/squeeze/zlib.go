package squeeze

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Zlib compresses rows of pixels as a zlib stream. It remembers strips of rows, since much of a picture is
// often as in one before. It is for one goroutine at a time.
type Zlib struct {
	Memory *Memory // where it remembers them, perhaps with others; must be set

	block  block
	pixels []byte // of the strip that is taken apart
	stride int
	seen   [1 << hashBits]int32 // where pixels of that hash were last seen, at the start or where they were not
	tokens []token
}

const (
	hashBits = 12
	hashed   = 4 // how many pixels are hashed together, and the fewest that are a match
	atOnce   = 8 // how many are compared

	shortest    = 3
	maxMatch    = 258
	maxDistance = 1 << 15
)

// Append appends the stream for rows of pixels, so many bytes long, to out. They come in strips, each of
// which has a name, which only the same rows have. Paint gives the rows of a strip, until it is called again;
// it is not asked for those that are remembered.
func (z *Zlib) Append(out []byte, stride int, names []uint64, paint func(strip int) []byte) []byte {
	const deflate, noDictionary = 0x78, 0x01
	out = append(out, deflate, noDictionary)
	var all sum
	for i, name := range names {
		s := z.Memory.find(name)
		if s == nil {
			pixels := paint(i)
			z.split(pixels, stride)
			s = &strip{slices.Clone(z.block.write(z.tokens)), sumOf(pixels)}
			z.Memory.keep(name, s)
		}
		all = all.then(s.sum)
		out = append(out, s.written...)
	}
	const last, nothing = 3, 0 // a block without anything in it, in the code that everybody knows
	return binary.BigEndian.AppendUint32(append(out, last, nothing), all.adler32())
}

// split takes pixels apart into tokens.
func (z *Zlib) split(pixels []byte, stride int) {
	z.pixels, z.stride, z.tokens = pixels, stride, z.tokens[:0]
	clear(z.seen[:])
	for i := 0; i < len(pixels); {
		m := z.find(i)
		if m.length == 0 {
			z.tokens = append(z.tokens, literal(pixels[i]))
			i++
			continue
		}
		if m.length < lazy {
			if next := z.find(i + 1); next.gain > m.gain {
				z.tokens = append(z.tokens, literal(pixels[i]))
				i++
				m = next
			}
		}
		length := 0
		z.tokens, length = appendMatch(z.tokens, m.length, m.distance)
		z.note(i, i+min(few, length))
		i += length
		z.note(i-few, i)
	}
	z.pixels = nil
}

const (
	near = 12 // from what length on a match beside or above is taken without a look further back
	lazy = 32 // from what length on a match is taken without a look at others
	few  = 4  // how much at the ends of a match may begin another
)

// match is pixels that stood so far back already.
type match struct {
	length, distance int
	gain             int // about how many bits it saves
}

// find is the best match for what begins at i, of no length if there is none, and remembers the place.
func (z *Zlib) find(i int) match {
	if i == 0 || i+atOnce > len(z.pixels) {
		return match{}
	}
	first := binary.LittleEndian.Uint64(z.pixels[i:])
	last := &z.seen[hash(uint32(first))]
	before := int(*last)
	*last = int32(i)
	beside, above := i-1, i-z.stride
	if above < 0 || z.stride > maxDistance {
		above = beside
	}
	best := z.match(first, i, above)
	if best.length >= lazy {
		return best
	}
	if run := z.match(first, i, beside); run.gain > best.gain {
		best = run
	}
	if best.length < near && i-before <= maxDistance {
		if far := z.match(first, i, before); far.gain > best.gain {
			best = far
		}
	}
	return best
}

// match is that of what begins at i, with first, with what begins at another place; of no length if it saves nothing.
func (z *Zlib) match(first uint64, i, from int) match {
	length, distance := atOnce, i-from
	if differ := first ^ binary.LittleEndian.Uint64(z.pixels[from:]); differ != 0 {
		length = bits.TrailingZeros64(differ) / 8
	} else {
		length += same(z.pixels[from+atOnce:], z.pixels[i+atOnce:])
	}
	const pixel, fixed = 5, 10 // about how many bits
	if gain := pixel*length - fixed - bits.Len(uint(distance-1)); gain > 0 {
		return match{length, distance, gain}
	}
	return match{}
}

// same is how many of the pixels of b begin a, which is no shorter.
func same(a, b []byte) (n int) {
	const many = 64 // are compared faster, if they are equal
	for n+atOnce <= len(b) {
		if differ := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); differ != 0 {
			return n + bits.TrailingZeros64(differ)/8
		}
		n += atOnce
		for n%many == 0 && n+many <= len(b) && bytes.Equal(a[n:n+many], b[n:n+many]) {
			n += many
		}
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// hash is a number for four pixels.
func hash(pixels uint32) uint32 { return pixels * 0x9e3779b1 >> (32 - hashBits) }

// note remembers what begins from i up to end.
func (z *Zlib) note(i, end int) {
	for end = min(end, len(z.pixels)-hashed+1); i < end; i++ {
		z.seen[hash(binary.LittleEndian.Uint32(z.pixels[i:]))] = int32(i)
	}
}
