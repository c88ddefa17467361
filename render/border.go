package render

import (
	"math"

	"chimera/render/diagram"
	"chimera/rules"
)

// border is how much of the ring of tiles around a board is seen, on each side in squares: room
// for the frame of a board with holes, and for names that stand beside the squares.
type border struct{ left, top, right, bottom float64 }

func borderOf(d *diagram.Diagram) (b border) {
	const frame, names = rim + .02, .36
	if d.Coords == diagram.Outside || d.Shape.Squares != rules.NewShape(d.Shape.Files, d.Shape.Ranks).Squares {
		b = border{frame, frame, frame, frame}
	}
	if d.Coords == diagram.Outside {
		b.left, b.bottom = names, names
	}
	return b
}

// layout is where the board is in a picture, in pixels.
type layout struct {
	side          int // of a square
	x, y          int // of the upper left corner of its first square
	width, height int // of the board with its border
}

// extent is how large a board with its border is, in squares.
func extent(d *diagram.Diagram) (across, down float64) {
	b := borderOf(d)
	return float64(d.Shape.Files) + b.left + b.right, float64(d.Shape.Ranks) + b.top + b.bottom
}

// sizeOf is the size of a picture with squares of a side in pixels.
func sizeOf(d *diagram.Diagram, side int) int {
	across, down := extent(d)
	return int(math.Ceil(float64(side)*max(across, down) - 1e-9))
}

// layout fits the board with its border into size pixels on its longer side.
func layoutOf(d *diagram.Diagram, size int) layout {
	const rounding = 1e-9
	b := borderOf(d)
	across, down := extent(d)
	longer := max(across, down)
	l := layout{side: int(float64(size)/longer + rounding)}
	fit := func(squares int, before, all float64) (length, first int) {
		pixels := func(share float64) int { return int(share*float64(l.side) + rounding) }
		length = squares*l.side + pixels(before) + pixels(all-float64(squares)-before)
		spare := 0
		if all == longer {
			spare = size - length
		}
		return length + spare, pixels(before) + spare/2
	}
	l.width, l.x = fit(d.Shape.Files, b.left, across)
	l.height, l.y = fit(d.Shape.Ranks, b.top, down)
	return l
}
