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

// slot is a place of a scene with what is in it: a tile, or a part of a bar.
type slot struct {
	key
	x, y     int
	contents contents // on the tile
	part     part     // nil for a tile
}

func (s *slot) area() image.Rectangle { return image.Rect(s.x, s.y, s.x+s.width, s.y+s.height) }

// key says all that a sprite depends on.
type key struct {
	tile
	said          string // the key of a part, "" of a tile
	width, height int    // in pixels
	theme         Theme
}

// newScene arranges d, its board size pixels on its longer side, with bars above and below it and
// lessons and a caption under all if d has some.
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
	bar := 0
	if d.Bars != nil {
		bar = barHeight(size)
		s.height += 2 * bar
	}
	g := newGrid(d)
	s.slots = make([]slot, 0, g.cols*g.rows+4)
	for row := range g.rows {
		for col := range g.cols {
			i := row*g.cols + col
			s.slots = append(s.slots, slot{key{g.tiles[i], "", side, side, d.Theme}, x + col*side, bar + y + row*side, g.contents[i], nil})
		}
	}
	if bar > 0 {
		s.addBars(d, size, bar)
	}
	s.addLessons(d, size)
	if d.Caption != "" {
		high := captionHeight(size)
		s.addPart(caption(d.Caption), 0, s.height, s.width, high)
		s.height += high
	}
	return s
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

// shorten takes away the disc and the light of the side to move, and makes the marks of the last
// move such as change few pixels.
func (s *scene) shorten() {
	tiles, bars := s.parted()
	for i := range tiles {
		tiles[i].turn, tiles[i].brief = 0, true
	}
	for i := range bars {
		switch p := bars[i].part.(type) {
		case *who:
			p.lit = p.Won
		case *until:
			p.lit = p.lit && p.result != ""
		}
		bars[i].said = bars[i].part.key()
	}
}
