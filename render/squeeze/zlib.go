package squeeze

import (
	"encoding/binary"
	"math/bits"
)

// Zlib compresses rows of pixels as a zlib stream. Its zero value is ready; it is for one
// goroutine at a time.
type Zlib struct {
	block  block
	pixels []byte
	stride int
	seen   [1 << hashBits]int32 // where pixels of that hash were last seen, counted from 1
}

const (
	hashBits = 12
	hashed   = 4 // how many pixels are hashed together, and the fewest that are a match

	maxMatch    = 258
	maxDistance = 1 << 15
)

// Append appends the stream for some rows of pixels, so many bytes long, to out.
func (z *Zlib) Append(out, pixels []byte, stride int) []byte {
	const deflate, noDictionary = 0x78, 0x01
	z.block.begin(append(out, deflate, noDictionary))
	z.pixels, z.stride = pixels, stride
	clear(z.seen[:])
	for i := 0; i < len(pixels); {
		m := z.find(i)
		if m.length == 0 {
			z.block.literal(pixels[i])
			i++
			continue
		}
		if m.length < lazy {
			if next := z.find(i + 1); next.gain > m.gain {
				z.block.literal(pixels[i])
				i++
				m = next
			}
		}
		z.block.match(m.length, m.distance)
		z.note(i+1, i+few)
		i += m.length
		z.note(i-few, i)
	}
	z.block.end(true)
	z.pixels = nil
	return binary.BigEndian.AppendUint32(z.block.out, adler32(pixels))
}

const (
	lazy = 32 // from what length on a match is taken without a look at the next pixel
	few  = 4  // how much at the ends of a match may begin another
)

// match is pixels that stood so far back already.
type match struct {
	length, distance int
	gain             int // about how many bits it saves
}

// find is the best match for what begins at i, of no length if there is none, and remembers the place.
func (z *Zlib) find(i int) (best match) {
	if i+hashed > len(z.pixels) {
		return best
	}
	first := binary.LittleEndian.Uint32(z.pixels[i:])
	last := &z.seen[hash(first)]
	beside, above, before := i-1, i-z.stride, int(*last)-1
	*last = int32(i + 1)
	if beside >= 0 && binary.LittleEndian.Uint32(z.pixels[beside:]) == first {
		best = z.weigh(best, i, beside)
	}
	if above >= 0 && binary.LittleEndian.Uint32(z.pixels[above:]) == first {
		best = z.weigh(best, i, above)
	}
	if best.length < lazy && before >= 0 && before < beside && before != above && binary.LittleEndian.Uint32(z.pixels[before:]) == first {
		best = z.weigh(best, i, before)
	}
	return best
}

// weigh is the match of what begins at i with what begins at from, as its first pixels do, or best, if that saves more.
func (z *Zlib) weigh(best match, i, from int) match {
	distance := i - from
	if distance > maxDistance {
		return best
	}
	length := hashed + same(z.pixels[from+hashed:], z.pixels[i+hashed:min(len(z.pixels), i+maxMatch)])
	const pixel, fixed = 5, 9 // about how many bits
	if gain := pixel*length - fixed - bits.Len(uint(distance-1)); gain > best.gain {
		return match{length, distance, gain}
	}
	return best
}

// same is how many of the pixels of b begin a, which is no shorter.
func same(a, b []byte) (n int) {
	for ; len(b) >= 8; a, b = a[8:], b[8:] {
		if differ := binary.LittleEndian.Uint64(a) ^ binary.LittleEndian.Uint64(b); differ != 0 {
			return n + bits.TrailingZeros64(differ)/8
		}
		n += 8
	}
	for i := range b {
		if a[i] != b[i] {
			break
		}
		n++
	}
	return n
}

// hash is a number for four pixels.
func hash(pixels uint32) uint32 { return pixels * 0x9e3779b1 >> (32 - hashBits) }

// note remembers what begins from i up to end.
func (z *Zlib) note(i, end int) {
	for end = min(end, len(z.pixels)-hashed+1); i < end; i++ {
		z.seen[hash(binary.LittleEndian.Uint32(z.pixels[i:]))] = int32(i + 1)
	}
}

// adler32 is the check sum of RFC 1950, eight pixels at a time, half of them in every other byte
// of a word: three times as fast as that of the standard library.
func adler32(pixels []byte) uint32 {
	const prime, most = 65521, 5552 // pixels before the sums have to be cut down
	a, b := uint32(1), uint32(0)
	for len(pixels) > 0 {
		part := pixels[:min(most, len(pixels))]
		pixels = pixels[len(part):]
		for ; len(part) >= 8; part = part[8:] {
			const half = 0x00ff00ff00ff00ff
			word := binary.LittleEndian.Uint64(part)
			even, odd := word&half, word>>8&half
			b += 8*a + uint32(even*0x0008000600040002>>48) + uint32(odd*0x0007000500030001>>48)
			a += uint32((even + odd) * 0x0001000100010001 >> 48)
		}
		for _, p := range part {
			a += uint32(p)
			b += a
		}
		a %= prime
		b %= prime
	}
	return b<<16 | a
}
