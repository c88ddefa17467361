// Package render shows positions: as a picture ([PNG]), in characters ([Text])
// and in words ([Words]).
//
// Read it in this order:
//
//   - diagram.go: what is seen of a position, and which way up;
//   - png.go, board.go, palette.go: the picture, from the ground up;
//   - spot.go, trace.go, zone.go: what is marked on it;
//   - glyph.go: how a man is put together from simple figures;
//   - figures.go, path.go: the figures, and the outlines they are drawn with;
//   - text.go, words.go: the same without pictures.
//
// # Design
//
// Describe, then paint. A [Diagram] is data; all that paints it reads it and
// nothing else. It knows roles by their glyphs and parts, never by the game they
// belong to, so that a new game has pictures at once: a compound of known figures
// is composed, and a man without a figure is its letters on a disc.
//
// A compound is one man, not two small ones on a square. Every figure has a head;
// some lend a tower to stand in; all can be worn as a crest. Whatever the parts
// are, they become a tower or a foot, a head, and what the head wears: a rook and
// a knight are a horse in a tower, a queen and a knight a crowned horse. What was
// rejected: drawing each compound by hand, since power sets make them by the
// dozen; and halves side by side, which are left to pieces that two sides share.
//
// The further levels of a part, such as a line that leaps, are marks beside the man:
// squares to the left for lines along ranks and files, diamonds to the right for
// slanting ones, on both sides for a queen. The man itself stays the same, since that
// is what players look for first.
//
// Each mark has a shape as well as a color: rings, crosses, sights, crystals, bursts,
// hatches of two slants.
//
// The figures are our own, drawn in units of a hundredth of a square. Lines keep
// their width when a figure is drawn smaller as a part, so that all men are of
// one hand. Black's men have a pale rim: it parts them from dark squares, and the
// parts of a compound from each other.
//
// Nothing is kept between calls and fonts are made for each picture, so that all
// functions may be called by many goroutines at once.
package render
