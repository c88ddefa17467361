package render

// lzw compresses pixels as GIF wants them: as codes of strings of inks, each of them
// one longer than a string that came before. The standard library's compress/lzw writes
// the same, and takes a third longer for a whole animation.
type lzw struct {
	out   []byte
	bits  uint64 // that are not yet in out
	count uint   // how many
	width uint   // of a code
	next  uint32 // the code of the string that is learnt next
	known [lzwSlots]uint32
}

const (
	lzwCodes = 1 << 12
	lzwClear = 1 << inkBits
	lzwEnd   = lzwClear + 1
	lzwSlots = 1 << 14 // so that most strings are found in the first slot
)

// compress is the code for some pixels, at least one; it is valid until the next
// call.
func (z *lzw) compress(pixels []uint8) []byte {
	z.out, z.bits, z.count, z.width = z.out[:0], 0, 0, inkBits+1
	z.forget()
	code := uint32(pixels[0])
	for _, ink := range pixels[1:] {
		// A slot holds a string and its code: the string is the code of another and
		// an ink.
		const codeBits = 12
		whole := code<<inkBits | uint32(ink)
		at := (whole * 0x9e3779b1) >> (32 - 14)
		for z.known[at] != 0 && z.known[at]>>codeBits != whole {
			at = (at + 1) % lzwSlots
		}
		if known := z.known[at]; known != 0 {
			code = known & (lzwCodes - 1)
			continue
		}
		z.write(code)
		code = uint32(ink)
		if z.next == lzwCodes-1 {
			z.forget()
			continue
		}
		z.known[at] = whole<<codeBits | z.next
		if z.next == 1<<z.width {
			z.width++
		}
		z.next++
	}
	z.write(code)
	z.write(lzwEnd)
	return append(z.out, byte(z.bits))
}

// forget writes that all strings are forgotten.
func (z *lzw) forget() {
	z.write(lzwClear)
	z.width, z.next = inkBits+1, lzwEnd+1
	clear(z.known[:])
}

// write appends a code.
func (z *lzw) write(code uint32) {
	z.bits |= uint64(code) << z.count
	z.count += z.width
	for ; z.count >= 8; z.count -= 8 {
		z.out = append(z.out, byte(z.bits))
		z.bits >>= 8
	}
}
