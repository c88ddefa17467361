package squeeze

import (
	"math/bits"
	"slices"
)

// code is a Huffman code: a word of bits for each symbol that is used, short for frequent ones.
type code struct {
	size  int
	used  [1 << symbolBits]uint32 // how often each symbol is
	words [1 << symbolBits]word
}

// word is the bits for a symbol, the first one lowest; none for a symbol that is not used.
type word struct {
	bits  uint16
	count uint8
}

// reset makes c a code for so many symbols, none of them used.
func (c *code) reset(size int) {
	*c = code{size: size}
}

// code appends the word of a symbol and the bits that follow it to so many bits.
func (c *code) code(t token, to uint64, count uint) (uint64, uint) {
	w := c.words[t%(1<<symbolBits)]
	to |= uint64(w.bits) << (count & 63)
	count += uint(w.count)
	to |= uint64(uint32(t)>>(symbolBits+countBits)) << (count & 63)
	return to, count + uint(t>>symbolBits%(1<<countBits))
}

// last is the last symbol that is used, -1 if none is.
func (c *code) last() int {
	for i := c.size - 1; i >= 0; i-- {
		if c.words[i].count > 0 {
			return i
		}
	}
	return -1
}

// make finds words of at most so many bits.
func (c *code) make(longest int) {
	const all = 1 << symbolBits
	var room [all]uint32
	sorted := room[:0] // symbols, behind how often they are used
	for i, used := range c.used[:c.size] {
		if used > 0 {
			sorted = append(sorted, used*all+uint32(i))
		}
	}
	slices.Sort(sorted)
	var tree [2 * all]uint32
	weights := tree[:0]
	for _, s := range sorted {
		weights = append(weights, s/all)
	}
	var counts [16]uint16 // of words, by their length
	for i, n := range depths(weights, longest) {
		c.words[sorted[i]%all].count = uint8(n)
		counts[n]++
	}
	var next [16]uint16
	for n := 1; n < longest; n++ {
		next[n+1] = (next[n] + counts[n]) << 1
	}
	for i := range c.words[:c.size] {
		if w := &c.words[i]; w.count > 0 {
			w.bits = bits.Reverse16(next[w.count]) >> (16 - w.count)
			next[w.count]++
		}
	}
}

// depths are the lengths of the words of symbols that are used so often, the rarest first: those in
// Huffman's tree, or where that is too deep the best that are not.
func depths(weights []uint32, longest int) []int {
	symbols := len(weights)
	depths := make([]int, symbols)
	if symbols < 2 {
		for i := range depths {
			depths[i] = 1
		}
		return depths
	}
	// Behind the weights of leaves come those of inner nodes, as they arise.
	var room [2 << symbolBits]int
	parents := room[:2*symbols]
	leaf, inner := 0, symbols
	pick := func() int {
		if inner >= len(weights) || leaf < symbols && weights[leaf] <= weights[inner] {
			leaf++
			return leaf - 1
		}
		inner++
		return inner - 1
	}
	for len(weights) < 2*symbols-1 {
		a, b := pick(), pick()
		parents[a], parents[b] = len(weights), len(weights)
		weights = append(weights, weights[a]+weights[b])
	}
	var below [2 << symbolBits]int
	deep := below[:len(weights)]
	for i := len(weights) - 2; i >= 0; i-- {
		deep[i] = deep[parents[i]] + 1
	}
	copy(depths, deep)
	shorten(depths, longest)
	return depths
}

// shorten makes depths, the deepest first, no deeper than longest, so that they are those of a tree
// in which no leaf is missing.
func shorten(depths []int, longest int) {
	room := 1 << longest
	for i := range depths {
		depths[i] = min(depths[i], longest)
		room -= 1 << (longest - depths[i])
	}
	for i := 0; room < 0; i++ { // too many leaves: rare ones go deeper
		for depths[i] < longest && room < 0 {
			depths[i]++
			room += 1 << (longest - depths[i])
		}
	}
	for i := len(depths) - 1; room > 0; i-- { // too few: frequent ones come up
		for room >= 1<<(longest-depths[i]) {
			room -= 1 << (longest - depths[i])
			depths[i]--
		}
	}
}
