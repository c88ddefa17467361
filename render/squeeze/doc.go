// Package squeeze compresses drawings: rows of pixels in few inks, most of which repeat what
// is beside or above them. It writes what PNG and GIF want, smaller or faster than compressors that
// know nothing of rows.
//
// Read it in this order:
//
//   - zlib.go: pixels as literals and matches;
//   - block.go, code.go: these as bits, in codes made for them;
//   - lzw.go: pixels for GIF.
//
// # Design
//
// A general compressor at its highest level finds the same small file, in a hundred times the time:
// it follows long chains of places where the same bytes stood. In a drawing nearly all that
// is worth repeating stands to the left, in the row above, or where the same few pixels were last
// seen; so these are tried, and each is weighed by the bits it saves.
package squeeze
