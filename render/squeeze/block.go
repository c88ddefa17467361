package squeeze

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// block is a block of DEFLATE (RFC 1951) that is being written, with codes of its own.
type block struct {
	out    []byte
	bits   uint64 // that are not yet in out
	count  uint   // how many
	tokens []uint32

	literals  code // of pixels, of the end, and of lengths
	distances code
}

// A token is a pixel, or the length and the distance of a match.
const (
	isMatch     = 1 << 31
	lengthShift = 16

	endOfBlock  = 256
	firstLength = 257
	maxTokens   = 1 << 15
)

// begin begins the first block, behind out.
func (b *block) begin(out []byte) {
	b.out, b.bits, b.count = out, 0, 0
	b.clear()
}

func (b *block) clear() {
	b.tokens = b.tokens[:0]
	b.literals.reset(286)
	b.distances.reset(30)
}

// add adds a token, to another block if this one is full.
func (b *block) add(token uint32) {
	if len(b.tokens) == maxTokens {
		b.end(false)
	}
	b.tokens = append(b.tokens, token)
}

func (b *block) literal(pixel byte) {
	b.add(uint32(pixel))
	b.literals.used[pixel]++
}

func (b *block) match(length, distance int) {
	b.add(isMatch | uint32(length)<<lengthShift | uint32(distance-1))
	symbol, _, _ := lengthSymbol(length)
	b.literals.used[symbol]++
	symbol, _, _ = distanceSymbol(distance)
	b.distances.used[symbol]++
}

// lengthSymbol is the symbol for the length of a match, and how many bits follow it, with their
// value.
func lengthSymbol(length int) (symbol int, extra uint, value uint64) {
	const longest, shortest = 285, 3
	n := length - shortest
	switch {
	case length == maxMatch:
		return longest, 0, 0
	case n < 8:
		return firstLength + n, 0, 0
	}
	extra = uint(bits.Len(uint(n))) - 3
	return firstLength + 4*int(extra) + n>>extra, extra, uint64(n) & (1<<extra - 1)
}

// distanceSymbol is the same for a distance.
func distanceSymbol(distance int) (symbol int, extra uint, value uint64) {
	n := distance - 1
	if n < 4 {
		return n, 0, 0
	}
	extra = uint(bits.Len(uint(n))) - 2
	return 2*int(extra) + n>>extra, extra, uint64(n) & (1<<extra - 1)
}

// put appends at most 16 bits, the lowest first.
func (b *block) put(value uint64, count uint) {
	b.bits |= value << b.count
	if b.count += count; b.count >= 32 {
		b.out = binary.LittleEndian.AppendUint32(b.out, uint32(b.bits))
		b.bits >>= 32
		b.count -= 32
	}
}

// symbol appends a symbol of a code.
func (b *block) symbol(c *code, symbol int) {
	b.put(uint64(c.words[symbol]), uint(c.lengths[symbol]))
}

// end writes the block, the last one or not.
func (b *block) end(last bool) {
	const dynamic = 2
	b.literals.used[endOfBlock]++
	const longest = 15
	b.literals.make(longest)
	b.distances.make(longest)
	if last {
		b.put(1, 1)
	} else {
		b.put(0, 1)
	}
	b.put(dynamic, 2)
	b.head()
	for _, t := range b.tokens {
		if t&isMatch == 0 {
			b.symbol(&b.literals, int(t))
			continue
		}
		symbol, extra, value := lengthSymbol(int(t &^ isMatch >> lengthShift))
		b.symbol(&b.literals, symbol)
		b.put(value, extra)
		symbol, extra, value = distanceSymbol(int(t&(1<<lengthShift-1)) + 1)
		b.symbol(&b.distances, symbol)
		b.put(value, extra)
	}
	b.symbol(&b.literals, endOfBlock)
	if last {
		b.out = append(b.out, binary.LittleEndian.AppendUint64(nil, b.bits)[:(b.count+7)/8]...)
	}
	b.clear()
}

// head writes the lengths of both codes, in a code of their own in which runs are short.
func (b *block) head() {
	const least, leastOrder = 257, 4
	literals := max(least, b.literals.last()+1)
	distances := max(1, b.distances.last()+1)
	runs := runsOf(slices.Concat(b.literals.lengths[:literals], b.distances.lengths[:distances]))
	var lengths code
	lengths.reset(len(order))
	for _, r := range runs {
		lengths.used[r.symbol]++
	}
	const longest = 7
	lengths.make(longest)
	n := len(order)
	for n > leastOrder && lengths.lengths[order[n-1]] == 0 {
		n--
	}
	b.put(uint64(literals-least), 5)
	b.put(uint64(distances-1), 5)
	b.put(uint64(n-leastOrder), 4)
	for _, symbol := range order[:n] {
		b.put(uint64(lengths.lengths[symbol]), 3)
	}
	for _, r := range runs {
		b.symbol(&lengths, int(r.symbol))
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

// runsOf writes lengths as runs.
func runsOf(lengths []uint8) (runs []run) {
	const again, zeros, manyZeros = 16, 17, 18
	for i := 0; i < len(lengths); {
		n := 1
		for i+n < len(lengths) && lengths[i+n] == lengths[i] {
			n++
		}
		switch {
		case lengths[i] == 0 && n >= 11:
			n = min(n, 138)
			runs = append(runs, run{manyZeros, uint8(n - 11), 7})
		case lengths[i] == 0 && n >= 3:
			runs = append(runs, run{zeros, uint8(n - 3), 3})
		case n >= 4:
			n = min(n, 7)
			runs = append(runs, run{lengths[i], 0, 0}, run{again, uint8(n - 4), 2})
		default:
			n = 1
			runs = append(runs, run{lengths[i], 0, 0})
		}
		i += n
	}
	return runs
}
