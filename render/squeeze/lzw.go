package squeeze

// LZW compresses the pixels of GIF's frames: as codes of strings of inks, each of them
// one longer than a string that came before. The standard library's compress/lzw writes
// about the same, and takes a third longer for a whole animation. Its zero value is ready; it is
// for one goroutine at a time.
type LZW struct {
	out   []byte
	bits  uint64 // that are not yet in out
	count uint   // how many
	width uint   // of a code
	inks  uint   // the size of an ink
	next  uint32 // the code of the string that is learnt next
	known [lzwSlots]uint32
}

// lzwSlots is how many there are: so many that most strings are found in the first.
const lzwSlots = 1 << 14

// Append appends the code for some pixels, at least one, whose inks have so many bits, to out. Where
// a pixel is none it may be written as the ink that is seen there anyway, if a known string goes on
// with that.
func (z *LZW) Append(out, pixels, seen []byte, none byte, inkBits int) []byte {
	z.out, z.bits, z.count = out, 0, 0
	z.inks, z.width = uint(inkBits), uint(inkBits)+1
	z.forget()
	code := uint32(pixels[0])
	for i, ink := range pixels[1:] {
		at, known := z.find(code, ink)
		if known == 0 && ink == none {
			_, known = z.find(code, seen[i+1])
		}
		if known != 0 {
			code = known
			continue
		}
		z.write(code)
		z.learn(at, code, ink)
		code = uint32(ink)
	}
	z.write(code)
	z.write(1<<z.inks + 1)
	return append(z.out, byte(z.bits))
}

// A slot holds a string and its code: the string is the code of another and an ink.
const codeBits = 12

// find is the slot of a string and an ink that follows it, and its code, 0 if it is not known.
func (z *LZW) find(code uint32, ink uint8) (at, known uint32) {
	whole := code<<8 | uint32(ink)
	at = (whole * 0x9e3779b1) >> (32 - 14)
	for z.known[at] != 0 && z.known[at]>>codeBits != whole {
		at = (at + 1) % lzwSlots
	}
	return at, z.known[at] % (1 << codeBits)
}

// learn gives the next code to a string and an ink that follows it.
func (z *LZW) learn(at, code uint32, ink uint8) {
	if z.next == 1<<codeBits-1 {
		z.forget()
		return
	}
	z.known[at] = (code<<8|uint32(ink))<<codeBits | z.next
	if z.next == 1<<z.width {
		z.width++
	}
	z.next++
}

// forget writes that all strings are forgotten.
func (z *LZW) forget() {
	z.write(1 << z.inks)
	z.width, z.next = z.inks+1, 1<<z.inks+2
	clear(z.known[:])
}

// write appends a code.
func (z *LZW) write(code uint32) {
	z.bits |= uint64(code) << z.count
	z.count += z.width
	for ; z.count >= 8; z.count -= 8 {
		z.out = append(z.out, byte(z.bits))
		z.bits >>= 8
	}
}
