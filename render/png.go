package render

import (
	"fmt"
	"image/png"
	"io"
)

// The size of a picture is the length of its longer side in pixels.
const (
	DefaultSize = 480
	MinSize     = 120
	MaxSize     = 2400
)

// PNG paints d as a picture whose longer side is size pixels long, and writes it
// to w. It refuses sizes below [MinSize] and above [MaxSize].
func PNG(w io.Writer, d Diagram, size int) error {
	if size < MinSize || size > MaxSize {
		return fmt.Errorf("render: a picture is %d to %d pixels long, not %d", MinSize, MaxSize, size)
	}
	b, err := newBoard(d, size)
	if err != nil {
		return fmt.Errorf("render: %w", err)
	}
	b.paint()
	if err := png.Encode(w, b.dc.Image()); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}
