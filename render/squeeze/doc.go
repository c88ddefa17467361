// Package squeeze compresses drawings: rows of pixels in few inks, most of which repeat what
// is beside or above them. It writes what PNG and GIF want, smaller or faster than compressors that
// know nothing of rows.
//
// Read it in this order:
//
//   - zlib.go, token.go: pixels as literals and matches;
//   - memory.go: those of pictures before;
//   - block.go, code.go: these as bits, in codes made for them;
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
// the height of a tile or two. So rows are taken apart in bands, each on its own, which costs hardly any bits;
// what a band was taken apart to is remembered, and is only to be written again. That is four times as fast.
package squeeze
