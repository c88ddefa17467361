// Package draw has what pictures are drawn with: shapes and text on pixels or in an SVG
// drawing, the pieces of all games, and the colors of each theme.
//
// Read it in this order:
//
//   - brush.go: how shapes are drawn, on any surface;
//   - pixels.go, vector.go, fingerprint.go: an image, an SVG file, and a sum that tells drawings apart;
//   - piece.go, half.go, figures.go, figures.txt, path.go: pieces, and the figures they are composed of;
//   - face.go: names in any script, cut to the room there is;
//   - scheme.go, edges.go, palette.go: the colors of themes, and how a picture is reduced to a palette.
//
// # Design
//
// A compound is one piece, not two small ones on a square. Every figure has a head;
// some lend a tower to stand in; all can be worn as a crest. Whatever the parts
// are, they become a tower or a foot, a head, and what the head wears: a rook and
// a knight are a horse in a tower, a queen and a knight a crowned horse. What was
// rejected: drawing each compound by hand, since power sets make them by the
// dozen.
//
// A piece of both sides is the left half of White's piece and, to the right, that of
// Black's mirrored, on one foot and at full size: two small pieces side by side are
// read as two.
//
// Two parts are drawn, and no more: a third is a badge in the upper right corner. A piece with further levels stands on
// a plinth, which has a bar for each: upright on the left for lines along ranks and files, slanting on the right for
// diagonals, both for a queen. At the highest level a fuse burns on that side. The piece itself stays the same, but for
// its size, since that is what players look for first.
//
// The figures are our own, drawn in units of a hundredth of a square. Lines keep
// their width when a figure is drawn smaller as a part, so that all pieces are of
// one hand. Black's pieces have a pale rim: it sets them apart from dark squares, and
// the parts of a compound from each other.
package draw
