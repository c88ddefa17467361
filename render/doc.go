// Package render draws diagrams: as a picture ([PNG]), as an animation ([GIF]) and as a drawing that
// can be made larger ([SVG]). Its folder diagram has what is seen, as data, and tell says the same in
// characters and in words; palette has the colors, glyph draws the pieces, letter writes names, paint
// has the brush that boards are drawn with, on pixels and in drawings, squeeze makes files small, and
// chart is what is no board.
//
// Read it in this order:
//
//   - diagram, tell, palette: what is seen, and in which colors;
//   - tile.go, flight.go, border.go, scene.go: a diagram taken apart into squares, and parts of bars;
//   - pen.go, spot.go, power.go, danger.go, trace.go, zone.go: how one square is drawn;
//   - bar.go, legend.go, caption.go: how what is said of players, and what there is to learn, are;
//   - sprites.go, canvas.go, strip.go, atelier.go, inset.go: how it is drawn only once, and into other pictures;
//   - png.go, gif.go: the files;
//   - svg.go: a file without pixels.
//
// # Design
//
// Describe, then paint. A diagram is data; all that paints it reads it and nothing else. It knows
// roles by their glyphs and parts, never by the game they belong to, so that a new game has pictures
// at once: a compound of known figures is composed, and a piece without a figure is its letters on a
// disc.
//
// Each mark has a shape as well as a color: rings, crosses, sights, crystals, bursts,
// lines and dashes around zones. What happened lies above the pieces, in a casing that keeps
// it apart from them. In each theme pieces and marks have a contrast of 3 to the
// squares, also for those who do not tell red from green.
//
// # Speed
//
// Drawing outlines takes a hundred times as long as copying them, and a bot draws the
// same squares all day. So a diagram is taken apart into tiles, which say all that is
// seen on one square and nothing of the rest; each is drawn once for a size and a
// theme, in a few inks, and kept. A picture is then copied together and
// compressed, but for rows of tiles that were so before; an animation only where it changes. What is kept is bounded, and shared
// by all goroutines; everything else is made anew or belongs to one of them at a time.
//
// In animations the last move is marked without filling squares, since a square
// that changes its color is a square to be sent again, and without the edge of the
// side to move and lines across the board.
package render
