// Package render draws diagrams: as a picture ([Painter.PNG]), as an animation ([Painter.GIF]) and as a
// drawing that can be made larger ([SVG]). Its folder diagram has what is seen, as data, text says the same
// in characters and in words, draw has shapes, pieces, letters and colors, and chart is for what is no board.
//
// Read it in this order:
//
//   - diagram, text, draw: what is seen, and what it is drawn with;
//   - board.go, scene.go: a diagram taken apart into squares, and parts of bars;
//   - pen.go, spot.go, trace.go: how one square is drawn;
//   - bar.go, legend.go: how players, and what there is to learn, are shown;
//   - png.go, gif.go, inset.go, svg.go: the files.
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
// same squares all day. So a picture is painted square by square, and a [Painter] keeps each
// square, known by a sum of all that is painted on it. A picture is then copied together
// and compressed; an animation only where it changes.
//
// In animations the last move is marked without filling squares, since a square
// that changes its color is a square to be sent again, and without the edge of the
// side to move and lines across the board.
package render
