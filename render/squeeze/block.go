package squeeze

import (
	"encoding/binary"
	"slices"
)

// block is a block of DEFLATE (RFC 1951) that is being written, with codes of its own.
type block struct {
	out   []byte
	bits  uint64 // that are not yet in out
	count uint   // how many, less than 8

	literals  code // of pixels, of the end, and of lengths
	distances code
}

// write is tokens as blocks that end with a whole byte, until it is called again.
func (b *block) write(tokens []token) []byte {
	const most = 1 << 15 // in a block
	b.out, b.bits, b.count = b.out[:0], 0, 0
	for some := range slices.Chunk(tokens, most) {
		b.add(some)
	}
	b.fill()
	return b.out
}

// add writes a block.
func (b *block) add(tokens []token) {
	b.literals.reset(286)
	b.distances.reset(30)
	for _, t := range tokens {
		b.literals.used[t%(1<<symbolBits)]++
		b.distances.used[t>>distanceShift%(1<<symbolBits)]++
	}
	b.literals.used[endOfBlock]++
	b.distances.used[nowhere] = 0
	const longest = 15 // bits of a word
	b.literals.make(longest)
	b.distances.make(longest)
	const another, dynamic = 0, 2
	b.put(another, 1)
	b.put(dynamic, 2)
	b.head()
	b.all(tokens)
	b.word(&b.literals, endOfBlock)
}

// fill fills a byte that has begun with a block in which nothing is, stored as it is.
func (b *block) fill() {
	const another, stored, nothing = 0, 0, 0xffff0000 // a length and what it lacks to all bits
	if b.count == 0 {
		return
	}
	b.put(another, 1)
	b.put(stored, 2)
	b.put(0, -b.count%8)
	b.put(nothing, 32)
}

// put appends at most 56 bits, the lowest first.
func (b *block) put(value uint64, count uint) {
	b.bits |= value << b.count
	b.count += count
	whole := b.count / 8
	b.out = binary.LittleEndian.AppendUint64(b.out, b.bits)[:len(b.out)+int(whole)]
	b.bits >>= 8 * whole
	b.count %= 8
}

// all writes tokens. Nothing in it depends on what a token is: pixels and matches take turns as nobody foresees.
func (b *block) all(tokens []token) {
	const most = 48 // bits of a token
	bits, count, at := b.bits, b.count, len(b.out)
	out := slices.Grow(b.out, len(tokens)*most/8+16)
	out = out[:cap(out)]
	for _, t := range tokens {
		value, more := b.literals.code(t, 0, 0)
		value, more = b.distances.code(t>>distanceShift, value, more)
		bits |= value << (count & 63)
		count += more
		binary.LittleEndian.PutUint64(out[at:], bits)
		at += int(count / 8)
		bits >>= count &^ 7 & 63
		count %= 8
	}
	b.bits, b.count, b.out = bits, count, out[:at]
}

// word appends a word of a code.
func (b *block) word(c *code, number int) {
	w := c.words[number]
	b.put(uint64(w.bits), uint(w.count))
}

// head writes the lengths of both codes, in a code of their own in which runs are short.
func (b *block) head() {
	const least, leastOrder = 257, 4
	literals := max(least, b.literals.last()+1)
	distances := max(1, b.distances.last()+1)
	runs := runsOf(slices.Concat(b.literals.words[:literals], b.distances.words[:distances]))
	var lengths code
	lengths.reset(len(order))
	for _, r := range runs {
		lengths.used[r.symbol]++
	}
	const longest = 7
	lengths.make(longest)
	n := len(order)
	for n > leastOrder && lengths.words[order[n-1]].count == 0 {
		n--
	}
	b.put(uint64(literals-least), 5)
	b.put(uint64(distances-1), 5)
	b.put(uint64(n-leastOrder), 4)
	for _, symbol := range order[:n] {
		b.put(uint64(lengths.words[symbol].count), 3)
	}
	for _, r := range runs {
		b.word(&lengths, int(r.symbol))
		b.put(uint64(r.value), r.extra)
	}
}

// order is the order in which the lengths of the code of lengths are written.
//
//nolint:gochecknoglobals // never written
var order = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// run is a length, or the symbol for that it is repeated and how often.
type run struct {
	symbol, value uint8
	extra         uint
}

// runsOf writes the lengths of words as runs.
func runsOf(words []word) (runs []run) {
	const again, zeros, manyZeros = 16, 17, 18
	for i := 0; i < len(words); {
		length, n := words[i].count, 1
		for i+n < len(words) && words[i+n].count == length {
			n++
		}
		switch {
		case length == 0 && n >= 11:
			n = min(n, 138)
			runs = append(runs, run{manyZeros, uint8(n - 11), 7})
		case length == 0 && n >= 3:
			runs = append(runs, run{zeros, uint8(n - 3), 3})
		case n >= 4:
			n = min(n, 7)
			runs = append(runs, run{length, 0, 0}, run{again, uint8(n - 4), 2})
		default:
			n = 1
			runs = append(runs, run{length, 0, 0})
		}
		i += n
	}
	return runs
}
