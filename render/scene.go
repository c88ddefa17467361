package render

import (
	"image"
	"slices"

	"chimera/rules"
)

// scene is a picture before it is painted: tiles, and where they go.
type scene struct {
	theme         Theme
	width, height int
	table         rules.Table
	slots         []slot
	bare          bool // there is ground around the slots
}

// slot is a place of a scene with the tile in it.
type slot struct {
	key
	x, y     int
	contents contents // on the tile
}

func (s *slot) area() image.Rectangle { return image.Rect(s.x, s.y, s.x+s.side, s.y+s.side) }

// key says all that a sprite depends on.
type key struct {
	tile
	side  int // in pixels
	theme Theme
}

// newScene arranges d, its board size pixels on its longer side. What was captured
// is in strips above and below.
func newScene(d *Diagram, size int) *scene {
	longer := max(d.Shape.Files, d.Shape.Ranks)
	side := size / longer
	pixels := func(squares int) int {
		if squares == longer {
			return size
		}
		return squares * side
	}
	s := &scene{theme: d.Theme, width: pixels(d.Shape.Files), height: pixels(d.Shape.Ranks), table: d.Table}
	x, y := (s.width-d.Shape.Files*side)/2, (s.height-d.Shape.Ranks*side)/2
	s.bare = s.width != d.Shape.Files*side || s.height != d.Shape.Ranks*side
	strip, piece := 0, 0
	if d.Taken != nil {
		const height, part = .5, .44 // of a square
		strip, piece = int(height*float64(side)), int(part*float64(side))
		s.height += 2 * strip
		s.bare = true
	}
	g := newGrid(d)
	s.slots = make([]slot, 0, 2*len(g.tiles))
	for row := range g.rows {
		for col := range g.cols {
			i := row*g.cols + col
			s.slots = append(s.slots, slot{key{g.tiles[i], side, d.Theme}, x + col*side, strip + y + row*side, g.contents[i]})
		}
	}
	if strip > 0 {
		s.strip(d, d.Bottom, 0, piece)
		s.strip(d, d.Bottom.Other(), s.height-piece, piece)
	}
	return s
}

// strip lines up what was captured of one side, as many as there is room for.
func (s *scene) strip(d *Diagram, side rules.Color, y, size int) {
	var all []rules.Piece
	for _, p := range d.Taken {
		if r := p.Half(side); r != rules.NoRole {
			all = append(all, rules.PieceOf(side, r))
		}
	}
	slices.SortStableFunc(all, func(a, b rules.Piece) int { return int(b.Half(side)) - int(a.Half(side)) })
	places := s.width / size
	left := (s.width - places*size) / 2
	for i := range places {
		var p rules.Piece
		if i < len(all) {
			p = all[i]
		}
		t := tile{ground: lightSquare, look: look(d.Table, p)}
		s.slots = append(s.slots, slot{key{t, size, d.Theme}, left + i*size, y, contents{here: p}})
	}
}

// shorten takes away the disc of the side to move, and makes the marks of the last
// move such as change few pixels.
func (s *scene) shorten() {
	for i := range s.slots {
		s.slots[i].turn, s.slots[i].brief = 0, true
	}
}
