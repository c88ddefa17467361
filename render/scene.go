// Package render draws diagrams: as a picture ([Painter.PNG]), an animation ([Painter.GIF]) and a scalable drawing
// ([SVG]). Its folder diagram has what is shown, as data; text has the same in characters and words; draw has shapes,
// pieces, letters and colors; and chart is for pictures other than boards.
//
// Read it in this order:
//
//   - diagram, text, draw: what is seen, and what it is drawn with;
//   - scene.go: a diagram taken apart into squares, and parts of bars;
//   - pen.go: how one square is drawn;
//   - bar.go: how players, and what there is to learn, are shown;
//   - png.go, gif.go, svg.go: the files.
//
// # Design
//
// Describe, then paint. A diagram is data, and all painting depends on nothing else. It knows roles by their glyphs and
// parts, never by the game they belong to, so that a new game has pictures at once: a compound of known figures is
// composed, and a piece without a figure is its letters on a disc.
//
// Each mark has a shape as well as a color: rings, crosses, sights, crystals, bursts, lines and dashes around zones.
// What happened lies above the pieces, in a casing that separates it from them. In each theme pieces and marks have a
// contrast ratio of 3 to the squares, also for people who cannot tell red from green.
//
// # Speed
//
// Drawing outlines takes a hundred times as long as copying them, and a bot draws the same squares all day. So a
// picture is painted square by square, and a [Painter] caches each square by its fingerprint. A picture is then
// assembled and compressed; an animation only where it changes.
//
// In animations the last move is marked without filling squares, since a square that changes its color has to be sent
// again, and without the edge for the side to move and lines across the board.
package render

import (
	"hash/maphash"
	"image"
	"math"
	"slices"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
	"chimera/rules/phrase"
)

// scene is a picture before painting: its areas, and what to paint in each.
type scene struct {
	theme         diagram.Theme
	width, height int
	of, table     rules.Table // of the diagram, and by which pieces are drawn
	letters       bool
	brief         bool // marks of the last move must change few pixels, as in an animation
	areas         []area
}

// area is a part of a scene: a tile, or what part paints. Tiles around the board may extend beyond the picture.
type area struct {
	image.Rectangle
	tile *tile
	part func(*panel)
	look lookKey // set at first use
}

// newScene is a picture of d, its board with border size pixels on its longer side, with bars above and below it, a
// result, and lessons and a caption below, if d has them. A brief one shows neither the edge nor the light for the side
// to move.
func newScene(d *diagram.Diagram, size int, brief bool) *scene {
	l := layoutOf(d, size)
	s := &scene{theme: d.Theme, width: l.width, height: l.height, of: d.Table, table: d.Table, brief: brief}
	if s.letters = d.Letters; s.letters {
		s.table = slices.Clone(d.Table)
		for i := range s.table {
			s.table[i].Glyph = "" // otherwise the glyph would be drawn
		}
	}
	g := newGrid(d, brief)
	for row := -1; row <= g.rows; row++ {
		for col := -1; col <= g.cols; col++ {
			if t := g.seen(col, row); t != nil {
				corner := image.Pt(l.x+col*l.side, l.y+row*l.side)
				s.areas = append(s.areas, area{Rectangle: image.Rectangle{corner, corner.Add(image.Pt(l.side, l.side))}, tile: t})
			}
		}
	}
	if d.Bars != nil {
		s.addBars(d, barHeight(size))
	}
	for i := range d.Legend {
		unit := float64(size) / legendUnits
		lesson := newLesson(d, &d.Legend[i], float64(s.width)/unit, unit)
		s.extend(int(lesson.high*unit+.5), lesson.paint)
	}
	if d.Caption != "" {
		s.extend(size*6/100, func(p *panel) {
			p.middle(draw.Style{Size: 19, Bold: true, Ink: p.cover(false).Text}, baseline, d.Caption)
		})
	}
	return s
}

// all is all of s, in pixels.
func (s *scene) all() image.Rectangle { return image.Rect(0, 0, s.width, s.height) }

// rows are the heights at which areas begin, from the top.
func (s *scene) rows() []int {
	all := phrase.Each(s.areas, func(a area) int { return a.Min.Y })
	slices.Sort(all)
	return slices.Compact(all)
}

// add puts a part into a rectangle.
func (s *scene) add(x, y, width, height int, part func(*panel)) {
	s.areas = append(s.areas, area{Rectangle: image.Rect(x, y, x+width, y+height), part: part})
}

// extend adds a part below everything else.
func (s *scene) extend(height int, part func(*panel)) {
	s.add(0, s.height, s.width, height, part)
	s.height += height
}

// pen is a pen for an area whose upper left corner is at the given place on a surface.
func (s *scene) pen(a *area, on draw.Surface, corner image.Point) *pen {
	p := &pen{draw.SchemeOf(s.theme), *draw.NewBrush(on), s.table, s.brief}
	p.Corner, p.Unit = draw.Point{X: float64(corner.X), Y: float64(corner.Y)}, float64(a.Dy())
	return p
}

// paint paints all of an area.
func (s *scene) paint(a *area, on draw.Surface, corner image.Point) {
	p := s.pen(a, on, corner)
	if a.part != nil {
		a.part(p.panel(a.Rectangle, float64(a.Dy())/barUnits))
		return
	}
	p.paint(a.tile)
}

// border is how much of the ring of tiles around a board is visible, on each side in squares: room for the frame of a
// board with holes, and for names beside the squares.
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

// layout is the board's place in a picture, in pixels.
type layout struct {
	side          int // of a square
	x, y          int // of the upper left corner of its first square, below a bar if there is one
	width, height int // of the board with its border
}

// extent is the size of a board with its border, in squares.
func extent(d *diagram.Diagram) (across, down float64) {
	b := borderOf(d)
	return float64(d.Shape.Files) + b.left + b.right, float64(d.Shape.Ranks) + b.top + b.bottom
}

// sizeOf is the size of a picture whose squares have that side in pixels.
func sizeOf(d *diagram.Diagram, side int) int {
	across, down := extent(d)
	return int(math.Ceil(float64(side)*max(across, down) - 1e-9))
}

// layoutOf fits the board with its border into size pixels on its longer side.
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
	if d.Bars != nil {
		l.y += barHeight(size)
	}
	return l
}

// tile is the content of one place in the grid of a board.
type tile struct {
	plain
	over     []flight        // what flies over it
	borrowed [2][]rules.Role // by side: the pieces that lend their powers to the one here
	ways     []way           // lines that cross it, between two squares
}

// plain is the part of a tile that is comparable.
type plain struct {
	ground ground
	near   uint8       // of a hole: the directions in which there are squares, as bits
	here   rules.Piece // what stands here
	ghost  rules.Piece // what was killed here, if the square is empty now
	marks  uint32      // the kinds of the marks about the square, as bits
	part   uint8       // the number of the part of a piece that could go here
	field  bool        // the piece could go to and capture on every square
	file   string      // the letter of the file, if it is written here
	rank   string      // the number of the rank, if it is written here
	beside bool        // names stand beside the board
	turn   edge        // of the side to move
	lent   uint8       // sides in whose zones the square is, as bits
	ends   [2]uint8    // by side, the directions, as bits, in which its zone ends here
}

// sum identifies the look of tiles on boards of one game, all brief or none.
func (t *tile) sum(seed maphash.Seed, s *scene) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, t.plain)
	maphash.WriteComparable(&h, &s.of[0])
	maphash.WriteComparable(&h, s.letters)
	maphash.WriteComparable(&h, s.brief)
	for _, f := range t.over {
		maphash.WriteComparable(&h, f)
	}
	for side, roles := range t.borrowed {
		for _, role := range roles {
			maphash.WriteComparable(&h, [2]int{side, int(role)})
		}
	}
	for _, w := range t.ways {
		maphash.WriteComparable(&h, w)
	}
	return h.Sum64()
}

// has reports whether t has a mark of that kind.
func (t *tile) has(kind diagram.MarkKind) bool { return t.marks>>kind&1 != 0 }

// occupied reports whether something stands on t.
func (t *tile) occupied() bool { return t.here != rules.Piece{} }

// ground is the fill of a tile.
type ground uint8

// The grounds.
const (
	hole ground = iota
	lightSquare
	darkSquare
)

// directions are the offsets of a tile's neighbors, in columns and rows, by their bit.
//
//nolint:gochecknoglobals // never written
var directions = [8][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}

// edge is the edge of the board on the mover's side: which side's, and whether below or above a tile.
type edge uint8

// The edges, none for 0.
const (
	whiteEdge edge = 1 << iota
	blackEdge
	lowerEdge
)

// cell is a place in a grid.
type cell struct{ col, row int }

// flight is a piece over a tile, by its offset from there in tiles, to the right and down.
type flight struct {
	piece rules.Piece
	x, y  float64
}

// way is a line from one place to another.
type way struct {
	kind diagram.MarkKind
	a, z cell
	busy bool // something stands where it ends
	last bool // it does not go on from there
}

// grid is the tiles of a diagram.
type grid struct {
	*diagram.Diagram
	cols, rows int
	tiles      []tile // row by row
}

func newGrid(d *diagram.Diagram, brief bool) *grid {
	g := &grid{Diagram: d, cols: d.Shape.Files, rows: d.Shape.Ranks}
	g.tiles = make([]tile, g.cols*g.rows)
	for i := range g.tiles {
		t, col, row := &g.tiles[i], i%g.cols, i/g.cols
		switch sq := d.At(col, row); {
		case sq == rules.NoSquare:
			t.near = g.around(col, row, g.exists)
		case (d.Shape.File(sq)+d.Shape.Rank(sq))%2 == 0:
			t.ground, t.here = darkSquare, d.Board[sq]
		default:
			t.ground, t.here = lightSquare, d.Board[sq]
		}
		// Names stand in a line, even where there are no squares.
		if col == 0 && d.Coords == diagram.Inside {
			t.rank = d.RankName(row)
		}
		if row == g.rows-1 && d.Coords == diagram.Inside {
			t.file = d.FileName(col)
		}
	}
	if d.Bars == nil && d.Live() && !brief {
		g.showTurn()
	}
	for _, m := range d.Marks {
		if d.Shape.Squares.Has(m.From) && d.Shape.Squares.Has(m.To) {
			g.mark(m)
		}
	}
	g.endZones()
	for _, f := range d.Flights {
		g.fly(f)
	}
	return g
}

// exists reports whether there is a square.
func (g *grid) exists(col, row int) bool { return g.At(col, row) != rules.NoSquare }

// at is the tile in a column and a row.
func (g *grid) at(c cell) *tile { return &g.tiles[c.row*g.cols+c.col] }

// place is where a square is seen.
func (g *grid) place(sq rules.Square) (c cell) {
	c.col, c.row = g.Flip(g.Shape.File(sq), g.Shape.Rank(sq))
	return c
}

// around are the directions, as bits, of those places around one that are such.
func (g *grid) around(col, row int, such func(col, row int) bool) (bits uint8) {
	for i, dir := range directions {
		if such(col+dir[0], row+dir[1]) {
			bits |= 1 << i
		}
	}
	return bits
}

// seen is the tile at a place of the grid, or of the ring around it, nil if it is blank.
func (g *grid) seen(col, row int) *tile {
	inCols, inRows := col >= 0 && col < g.cols, row >= 0 && row < g.rows
	if inCols && inRows {
		return g.at(cell{col, row})
	}
	if borderOf(g.Diagram) == (border{}) {
		return nil
	}
	t := &tile{plain: plain{near: g.around(col, row, g.exists)}}
	if g.Coords == diagram.Outside {
		switch {
		case col < 0 && inRows:
			t.rank, t.beside = g.RankName(row), true
		case row == g.rows && inCols:
			t.file, t.beside = g.FileName(col), true
		}
	}
	if !t.beside && t.near == 0 {
		return nil
	}
	return t
}

// showTurn marks the edge on the mover's side, along the outermost squares, some of which may be in a second row.
func (g *grid) showTurn() {
	row, inward, turn := 0, 1, whiteEdge
	if g.Turn == rules.Black {
		turn = blackEdge
	}
	if g.Turn == g.Bottom {
		row, inward = g.rows-1, -1
		turn |= lowerEdge
	}
	for col := range g.cols {
		switch {
		case g.exists(col, row):
			g.at(cell{col, row}).turn = turn
		case g.exists(col, row+inward):
			g.at(cell{col, row + inward}).turn = turn
		}
	}
}

// mark shows a mark on the tiles that it concerns.
func (g *grid) mark(m diagram.Mark) {
	to := g.place(m.To)
	t := g.at(to)
	switch m.Kind {
	case diagram.Goes:
		t.part, t.field = g.PartNumber(m), g.Everywhere()
	case diagram.Fired, diagram.Joined, diagram.Parted, diagram.Checker:
		g.cross(way{m.Kind, g.place(m.From), to, t.occupied(), true})
	case diagram.Ran:
		if all := slices.Sorted(m.Path.Squares()); len(slices.Compact(all)) < len(m.Path) {
			return // it goes back over itself, which cannot be read: its ends are seen
		}
		from, left := g.place(m.From), len(m.Path)
		for sq := range m.Path.Squares() {
			if left--; !g.Shape.Squares.Has(sq) {
				break
			}
			leg := way{kind: m.Kind, a: from, z: g.place(sq), last: left == 0}
			leg.busy = leg.last && g.at(leg.z).occupied()
			g.cross(leg)
			from = leg.z
		}
	case diagram.Lent:
		side := g.Lender(m)
		lender := g.LentBy(m).Half(side)
		t.lent |= 1 << side
		if g.Lends(m) && !slices.Contains(t.borrowed[side], lender) {
			t.borrowed[side] = append(t.borrowed[side], lender)
			slices.Sort(t.borrowed[side])
		}
	default:
		t.marks |= 1 << m.Kind
	}
	dies := m.Kind == diagram.Killed || m.Kind == diagram.Fired || m.Kind == diagram.Blasted
	if dies && !t.occupied() && m.Piece != (rules.Piece{}) {
		t.ghost = m.Piece
	}
}

// cross adds a way to all tiles on which it may be visible.
func (g *grid) cross(w way) {
	const wide = .36 // the farthest that anything is painted from the line
	for row := range g.rows {
		for col := range g.cols {
			if w.distance(cell{col, row}) <= wide+math.Sqrt2/2 {
				here := w
				here.a = cell{w.a.col - col, w.a.row - row}
				here.z = cell{w.z.col - col, w.z.row - row}
				t := g.at(cell{col, row})
				t.ways = append(t.ways, here)
			}
		}
	}
}

// distance is the distance of the middle of c from w, in squares.
func (w way) distance(c cell) float64 {
	dx, dy := float64(w.z.col-w.a.col), float64(w.z.row-w.a.row)
	x, y := float64(c.col-w.a.col), float64(c.row-w.a.row)
	u := 0.0
	if square := dx*dx + dy*dy; square > 0 {
		u = max(0, min(1, (x*dx+y*dy)/square))
	}
	return math.Hypot(x-u*dx, y-u*dy)
}

// endZones marks where zones end.
func (g *grid) endZones() {
	for i := range g.tiles {
		t := &g.tiles[i]
		for side := range t.ends {
			if t.lent>>side&1 != 0 {
				t.ends[side] = g.around(i%g.cols, i/g.cols, func(col, row int) bool {
					return !g.exists(col, row) || g.at(cell{col, row}).lent>>side&1 == 0
				})
			}
		}
	}
}

// fly adds a piece between squares to the tiles under it.
func (g *grid) fly(f diagram.Flight) {
	x, y := g.over(f)
	for i := range g.tiles {
		dx, dy := x-float64(i%g.cols), y-float64(i/g.cols)
		if math.Abs(dx) < 1 && math.Abs(dy) < 1 {
			g.tiles[i].over = append(g.tiles[i].over, flight{f.Piece, dx, dy})
		}
	}
}

// over is the column and the row of a flight.
func (g *grid) over(f diagram.Flight) (x, y float64) {
	stops := []cell{g.place(f.From)}
	for sq := range f.Path.Squares() {
		stops = append(stops, g.place(sq))
	}
	if f.Path == "" {
		stops = append(stops, g.place(f.To))
	}
	var lengths []float64
	whole := 0.
	for i, z := range stops[1:] {
		lengths = append(lengths, math.Hypot(float64(z.col-stops[i].col), float64(z.row-stops[i].row)))
		whole += lengths[i]
	}
	left := f.Way * whole
	for i, long := range lengths {
		if a, z := stops[i], stops[i+1]; left <= long && long > 0 {
			return float64(a.col) + float64(z.col-a.col)*left/long, float64(a.row) + float64(z.row-a.row)*left/long
		}
		left -= long
	}
	end := stops[len(stops)-1]
	return float64(end.col), float64(end.row)
}
