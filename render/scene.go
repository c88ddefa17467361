package render

import (
	"image"
	"slices"

	"chimera/render/diagram"
	"chimera/rules"
)

// scene is a picture before it is painted: tiles, and where they go.
type scene struct {
	theme         diagram.Theme
	width, height int
	table         rules.Table
	slots         []slot
	bare          bool // there is ground around the slots
}

// slot is a place of a scene with what is in it: a tile, or a part of a bar. Of tiles around the
// board only what is within the picture is seen.
type slot struct {
	key
	x, y     int
	contents contents // on the tile
	part     part     // nil for a tile
}

// rare reports whether what is in a slot is seldom seen again.
func (s *slot) rare() bool {
	switch s.part.(type) {
	case caption, *endCard, *lesson:
		return true
	}
	return false
}

func (s *slot) area() image.Rectangle { return image.Rect(s.x, s.y, s.x+s.width, s.y+s.height) }

// key says all that a sprite depends on.
type key struct {
	tile
	said          string // the key of a part, "" of a tile
	width, height int    // in pixels
	theme         diagram.Theme
}

// newScene is d arranged as [scene.arrange] does it.
func newScene(d *diagram.Diagram, size int) *scene {
	s := &scene{}
	s.arrange(d, size, &grid{})
	return s
}

// arrange makes s a scene of d, its board with its border size pixels on its longer side, with bars above
// and below it, a result, and lessons and a caption under all if d has some. What was in s and in the grid is
// forgotten.
func (s *scene) arrange(d *diagram.Diagram, size int, g *grid) {
	l := layoutOf(d, size)
	*s = scene{theme: d.Theme, width: l.width, height: l.height, table: d.Table, bare: l.bare, slots: s.slots[:0]}
	bar := 0
	if d.Bars != nil {
		bar = barHeight(size)
		s.height += 2 * bar
		if d.Bars.Result != "" {
			s.height += bar
		}
	}
	g.lay(d)
	add := func(col, row int, t tile, c contents) {
		s.slots = append(s.slots, slot{key{t, "", l.side, l.side, d.Theme}, l.x + col*l.side, bar + l.y + row*l.side, c, nil})
	}
	s.slots = slices.Grow(s.slots, g.cols*g.rows+8)
	g.eachBeside(d, func(col, row int, t tile) { add(col, row, t, contents{}) })
	for row := range g.rows {
		for col := range g.cols {
			add(col, row, *g.at(col, row), g.contents[row*g.cols+col])
		}
	}
	if bar > 0 {
		s.addBars(d, bar)
	}
	s.addLessons(d, size)
	if d.Caption != "" {
		high := captionHeight(size)
		s.addPart(caption(d.Caption), 0, s.height, s.width, high)
		s.height += high
	}
}

// addPart puts a part of a bar at a place.
func (s *scene) addPart(p part, x, y, width, height int) {
	s.slots = append(s.slots, slot{key{said: p.key(), width: width, height: height, theme: s.theme}, x, y, contents{}, p})
}

// parted are the tiles of a scene, and the parts of its bars.
func (s *scene) parted() (tiles, bars []slot) {
	first := slices.IndexFunc(s.slots, func(s slot) bool { return s.part != nil })
	if first < 0 {
		first = len(s.slots)
	}
	return s.slots[:first], s.slots[first:]
}

// rest takes away the edge of the side to move.
func (s *scene) rest() {
	for i := range s.slots {
		s.slots[i].turn = 0
	}
}

// shorten takes away the edge and the light of the side to move, and makes the marks of the last
// move such as change few pixels.
func (s *scene) shorten() {
	s.rest()
	tiles, bars := s.parted()
	for i := range tiles {
		tiles[i].brief = true
	}
	for i := range bars {
		switch p := bars[i].part.(type) {
		case *medal:
			p.lit = p.won
		case *who:
			p.lit = p.Won
		case *until:
			p.lit = p.won
		}
		bars[i].said = bars[i].part.key()
	}
}
