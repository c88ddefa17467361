package render

import (
	"image"
	"math"
	"slices"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// scene is a picture before it is painted: areas, and what is painted in each.
type scene struct {
	theme         diagram.Theme
	width, height int
	table         rules.Table
	brief         bool // marks of the last move are to change few pixels, as in an animation
	areas         []area
}

// area is a part of a scene: a tile, or what part paints. Of tiles around the board only what is within
// the picture is seen.
type area struct {
	image.Rectangle
	tile *tile
	part func(*panel)
	look lookKey // once somebody asks
}

// newScene is a picture of d, its board with its border size pixels on its longer side, with bars above
// and below it, a result, and lessons and a caption under all if d has some. A brief one shows neither
// the edge nor the light of the side to move.
func newScene(d *diagram.Diagram, size int, brief bool) *scene {
	l := layoutOf(d, size)
	s := &scene{theme: d.Theme, width: l.width, height: l.height, table: d.Table, brief: brief}
	bar := 0
	if d.Bars != nil {
		bar = barHeight(size)
		s.height += 2 * bar
		if d.Bars.Result != "" {
			s.height += bar
		}
	}
	g := newGrid(d, brief)
	for row := -1; row <= g.rows; row++ {
		for col := -1; col <= g.cols; col++ {
			if t := g.seen(col, row); t != nil {
				corner := image.Pt(l.x+col*l.side, bar+l.y+row*l.side)
				s.areas = append(s.areas, area{Rectangle: image.Rectangle{corner, corner.Add(image.Pt(l.side, l.side))}, tile: t})
			}
		}
	}
	if bar > 0 {
		s.addBars(d, bar)
	}
	for i := range d.Legend {
		unit := float64(size) / legendUnits
		lesson := newLesson(d, &d.Legend[i], float64(s.width)/unit, unit)
		s.extend(int(lesson.high*unit+.5), lesson.paint)
	}
	if d.Caption != "" {
		s.extend(captionHeight(size), func(p *panel) {
			p.middle(draw.Style{Size: 19, Bold: true, Ink: p.cover(false).Text}, baseline, d.Caption)
		})
	}
	return s
}

// rows are those at which areas begin, from above.
func (s *scene) rows() (all []int) {
	for _, a := range s.areas {
		all = append(all, a.Min.Y)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// add puts a part into a rectangle.
func (s *scene) add(x, y, width, height int, part func(*panel)) {
	s.areas = append(s.areas, area{Rectangle: image.Rect(x, y, x+width, y+height), part: part})
}

// extend puts a part below all else.
func (s *scene) extend(height int, part func(*panel)) {
	s.add(0, s.height, s.width, height, part)
	s.height += height
}

// pen is a pen for an area whose upper left corner is somewhere on a surface.
func (s *scene) pen(a *area, on draw.Surface, corner image.Point) *pen {
	p := &pen{draw.SchemeOf(s.theme), *draw.NewBrush(on), s.table, s.brief}
	p.Corner, p.Unit = draw.Point{X: float64(corner.X), Y: float64(corner.Y)}, float64(a.Dy())
	return p
}

// paint paints all of an area.
func (s *scene) paint(a *area, on draw.Surface, corner image.Point) {
	p := s.pen(a, on, corner)
	if a.part != nil {
		a.part(newPanel(p, a))
		return
	}
	p.paint(a.tile)
}

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
