// Package paint puts shapes on pictures.
//
// A [Brush] is what drawings are made with: it follows outlines, fills and strokes them,
// writes, and stamps what is seen again and again. What comes of it is up to the
// [Surface] below: pixels ([Pixels]) or an SVG drawing ([Vector]).
package paint
