// Package paint puts shapes on pictures.
//
// A [Brush] is what drawings are made with: it follows outlines, and fills them, strokes
// them and writes beside them. What comes of it is up to the [Surface] below:
// pixels ([Pixels]), or anything else that can be made of outlines.
package paint
