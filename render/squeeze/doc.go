// Package squeeze compresses drawings: rows of pixels in few inks, most of which repeat what
// is beside or above them. It writes what PNG and GIF want, smaller or faster than compressors that
// know nothing of rows.
//
// Read it in this order:
//
//   - zlib.go, token.go: pixels as literals and matches;
//   - block.go, code.go: these as bits, in codes made for them;
//   - memory.go: those of pictures before;
//   - sum.go: the check sum;
//   - lzw.go: pixels for GIF.
//
// # Design
//
// A general compressor at its highest level finds the same small file, in a hundred times the time:
// it follows long chains of places where the same bytes stood. In a drawing nearly all that
// is worth repeating stands to the left, in the row above, or where the same few pixels were last
// seen; so these are tried, and each is weighed by the bits it saves.
//
// In a picture of the next move most rows are as before, and a match cannot go back further than
// the height of a tile or two. So rows come in strips that whoever knows the picture cuts, each of which is squeezed
// on its own, in codes of its own: that is a little smaller than all in one code, since within a strip much is alike.
// A strip ends with a whole byte, and what it was squeezed to is remembered: in the next picture it is copied, and
// need not even be painted. That is ten times as fast.
package squeeze
