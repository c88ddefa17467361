// Package render shows positions: as a picture ([PNG]), as an animation ([GIF]), in
// characters ([Text]) and in words ([Words]). A [Poster] shows what is no board: names
// and figures.
//
// Read it in this order:
//
//   - diagram.go, mark.go: what is seen of a position, and which way up;
//   - show.go, card.go: what can be shown besides;
//   - glyph.go: how a man is put together from simple figures;
//   - figures.go, path.go: the figures, and the outlines they are drawn with;
//   - theme.go, palette.go: the colors;
//   - tile.go, scene.go: a diagram taken apart into squares;
//   - pen.go, spot.go, trace.go, zone.go: how one square is drawn;
//   - inks.go, sprites.go, canvas.go, atelier.go: how it is drawn only once;
//   - png.go, gif.go, lzw.go: the files;
//   - text.go, words.go: the same without pictures;
//   - poster.go, lettering.go, scale.go: pictures of names and figures;
//   - ranking.go, plot.go, tally.go: the parts that they are put together from.
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
// hatches of two slants. In each theme men and marks have a contrast of 3 to the
// squares, also for those who do not tell red from green.
//
// The figures are our own, drawn in units of a hundredth of a square. Lines keep
// their width when a figure is drawn smaller as a part, so that all men are of
// one hand. Black's men have a pale rim: it parts them from dark squares, and the
// parts of a compound from each other.
//
// A poster is made for a phone: as wide as one, and as high as it must be. It is painted
// anew each time, in some ten milliseconds. What tells things apart by color does so by
// shape, place or a number besides. Names on it are strangers' texts: they are cut to
// their room. Latin, Greek and Cyrillic letters are outlines; those of China, Japan, Korea,
// Arabia, Israel and others are dots, since outlines of all of them are larger than the
// rest of the program; what is in neither font becomes a question mark, and little
// pictures are left out.
//
// # Speed
//
// Drawing outlines takes a hundred times as long as copying them, and a bot draws the
// same squares all day. So a diagram is taken apart into tiles, which say all that is
// seen on one square and nothing of the rest; each is drawn once for a size and a
// theme, in at most 127 inks, and kept. A picture is then copied together and
// compressed, an animation only where it changes. What is kept is bounded, and shared
// by all goroutines; everything else is made anew or belongs to one of them at a time.
//
// Colors in between, at the edges of shapes, are few: they make files larger than all
// else. In animations the last move is marked without filling squares, since a square
// that changes its color is a square to be sent again, and without the disc of the
// side to move, which would have all frames reach from top to bottom.
package render
