package squeeze

import (
	"cmp"
	"math/bits"
	"slices"
)

// code is a Huffman code: a word of bits for each symbol that is used, short for frequent ones.
type code struct {
	size    int
	used    [286]uint32 // how often
	lengths [286]uint8  // of the words, 0 for symbols that are not used
	words   [286]uint16 // the first bit lowest
}

// reset makes c a code for so many symbols, none of them used.
func (c *code) reset(size int) {
	*c = code{size: size}
}

// last is the last symbol that is used, -1 if none is.
func (c *code) last() int {
	for i := c.size - 1; i >= 0; i-- {
		if c.lengths[i] > 0 {
			return i
		}
	}
	return -1
}

// make finds words of at most so many bits.
func (c *code) make(longest int) {
	var symbols []int
	for i := range c.size {
		if c.used[i] > 0 {
			symbols = append(symbols, i)
		}
	}
	slices.SortStableFunc(symbols, func(a, b int) int { return cmp.Compare(c.used[a], c.used[b]) })
	var counts [16]int // of words, by their length
	for i, n := range c.depths(symbols, longest) {
		c.lengths[symbols[i]] = uint8(n)
		counts[n]++
	}
	var next [16]uint16
	for n := 1; n < longest; n++ {
		next[n+1] = (next[n] + uint16(counts[n])) << 1
	}
	for i := range c.size {
		if n := c.lengths[i]; n > 0 {
			c.words[i] = bits.Reverse16(next[n]) >> (16 - n)
			next[n]++
		}
	}
}

// depths are the lengths of the words of symbols, which are in the order of how often they are used,
// rarest first: those in Huffman's tree, or where that is too deep the best that are not.
func (c *code) depths(symbols []int, longest int) []int {
	depths := make([]int, len(symbols))
	if len(symbols) < 2 {
		for i := range depths {
			depths[i] = 1
		}
		return depths
	}
	weights := make([]uint32, 0, 2*len(symbols)) // of leaves, then of inner nodes as they arise
	for _, s := range symbols {
		weights = append(weights, c.used[s])
	}
	parents := make([]int, 2*len(symbols))
	leaf, inner := 0, len(symbols)
	pick := func() int {
		if inner >= len(weights) || leaf < len(symbols) && weights[leaf] <= weights[inner] {
			leaf++
			return leaf - 1
		}
		inner++
		return inner - 1
	}
	for len(weights) < 2*len(symbols)-1 {
		a, b := pick(), pick()
		parents[a], parents[b] = len(weights), len(weights)
		weights = append(weights, weights[a]+weights[b])
	}
	deep := make([]int, len(weights))
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
