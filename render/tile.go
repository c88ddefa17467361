package render

import (
	"math"
	"slices"

	"chimera/render/diagram"
	"chimera/rules"
)

// tile is what is seen in one place of the grid of a board: all that its picture
// depends on but for size and theme. Equal tiles look the same, whatever game they
// come from.
type tile struct {
	ground ground
	near   uint8     // of a hole: the directions in which there are squares
	look   uint64    // of the piece, 0 for none
	ghost  uint64    // of what was killed here, if nothing stands here now
	marks  uint32    // the kinds of the marks about the square, as bits
	part   uint8     // the number of the part of a piece that could go here
	field  bool      // the piece could go to and capture on every square
	file   string    // the letter of the file, if it is written here
	rank   string    // the number of the rank, if it is written here
	beside bool      // the names stand beside the board
	turn   edge      // of the side to move
	lent   uint8     // the sides in whose zones the square is, as bits
	ends   [2]uint8  // by side, the directions, as bits, in which its zone ends here
	badges [2]uint64 // by side, the looks of the figures that lend their powers to the piece
	brief  bool      // as in an animation, where marks are to change few pixels
	over   string    // the looks of the pieces that fly over it, and where
	ways   string    // what goes across on a way between two squares, as way writes it
}

// contents is what is drawn on a tile.
type contents struct {
	here     rules.Piece
	ghost    rules.Piece
	over     []flight
	borrowed [2][]rules.Role // by side: which pieces lend their powers to the one here
}

// ground is what a tile is filled with.
type ground uint8

// The grounds.
const (
	hole ground = iota
	lightSquare
	darkSquare
)

// directions are the neighbours of a tile, columns and rows away, by the number of
// their bit.
//
//nolint:gochecknoglobals // never written
var directions = [8][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}

// edge is the edge of the board on the mover's side: whose it is, and whether it is below a tile or
// above it.
type edge uint8

// The edges, none for 0.
const (
	whiteEdge edge = 1 << iota
	blackEdge
	lowerEdge
)

// grid is the tiles of a diagram, row by row, and the pieces on them.
type grid struct {
	cols, rows int
	tiles      [64]tile
	contents   [64]contents
}

// lay makes g the grid of d.
func (g *grid) lay(d *diagram.Diagram) {
	*g = grid{cols: d.Shape.Files, rows: d.Shape.Ranks}
	for row := range g.rows {
		for col := range g.cols {
			g.set(d, col, row)
		}
	}
	if d.Coords == diagram.Inside {
		g.nameLines(d)
	}
	if d.Bars == nil && d.Live() {
		g.showTurn(d)
	}
	for _, m := range d.Marks {
		g.mark(d, m)
	}
	g.endZones()
	for _, f := range d.Flights {
		g.fly(d, f)
	}
}

// at is the tile in a column and a row.
func (g *grid) at(col, row int) *tile { return &g.tiles[row*g.cols+col] }

// has reports whether there is a square.
func (g *grid) has(col, row int) bool {
	return col >= 0 && col < g.cols && row >= 0 && row < g.rows && g.at(col, row).ground != hole
}

// place is the column and the row in which a square is seen.
func (g *grid) place(d *diagram.Diagram, sq rules.Square) (col, row int) {
	return d.Flip(d.Shape.File(sq), d.Shape.Rank(sq))
}

// set says what a tile is made of, and what stands on it.
func (g *grid) set(d *diagram.Diagram, col, row int) {
	t, sq := g.at(col, row), d.At(col, row)
	if sq == rules.NoSquare {
		t.near = g.near(d, col, row)
		return
	}
	t.ground = lightSquare
	if (d.Shape.File(sq)+d.Shape.Rank(sq))%2 == 0 {
		t.ground = darkSquare
	}
	p := d.Board[sq]
	g.contents[row*g.cols+col].here = p
	t.look = look(d.Table, p)
}

// near are the directions, as bits, in which a place without a square has squares.
func (g *grid) near(d *diagram.Diagram, col, row int) (near uint8) {
	for i, dir := range directions {
		c, r := col+dir[0], row+dir[1]
		if c >= 0 && c < g.cols && r >= 0 && r < g.rows && d.At(c, r) != rules.NoSquare {
			near |= 1 << i
		}
	}
	return near
}

// nameLines names ranks in the first column and files in the last row, also where these have no
// squares: names stand in a line.
func (g *grid) nameLines(d *diagram.Diagram) {
	for row := range g.rows {
		g.at(0, row).rank = d.RankName(row)
	}
	for col := range g.cols {
		g.at(col, g.rows-1).file = d.FileName(col)
	}
}

// showTurn marks the edge on the mover's side: of the outermost squares, which may be those of a
// second row.
func (g *grid) showTurn(d *diagram.Diagram) {
	row, inward, turn := 0, 1, whiteEdge
	if d.Turn == rules.Black {
		turn = blackEdge
	}
	if d.Turn == d.Bottom {
		row, inward = g.rows-1, -1
		turn |= lowerEdge
	}
	for col := range g.cols {
		for _, row := range [...]int{row, row + inward} {
			if g.has(col, row) {
				g.at(col, row).turn = turn
				break
			}
		}
	}
}

// mark shows a mark on the tiles that it concerns.
func (g *grid) mark(d *diagram.Diagram, m diagram.Mark) {
	if !d.Shape.Squares.Has(m.From) || !d.Shape.Squares.Has(m.To) {
		return
	}
	from, row := g.place(d, m.From)
	a := cell{from, row}
	to, row := g.place(d, m.To)
	z := cell{to, row}
	switch m.Kind {
	case diagram.Goes:
		t := g.at(z.col, z.row)
		t.part, t.field = d.PartNumber(m), d.Everywhere()
	case diagram.Fired, diagram.Joined, diagram.Parted, diagram.Checker:
		g.cross(way{m.Kind, a, z, g.ends(z) | lastEnd})
	case diagram.Ran:
		g.run(d, m)
	case diagram.Lent:
		g.lend(d, m)
	default:
		g.at(z.col, z.row).marks |= 1 << m.Kind
	}
	if m.Kind == diagram.Killed || m.Kind == diagram.Fired || m.Kind == diagram.Blasted {
		g.haunt(d, z, m.Piece)
	}
}

// ends is how ways end on z.
func (g *grid) ends(z cell) wayEnds {
	if g.at(z.col, z.row).look != 0 {
		return busyEnd
	}
	return 0
}

// run adds the legs of a run.
func (g *grid) run(d *diagram.Diagram, m diagram.Mark) {
	from, left := m.From, len(m.Path)
	for to := range m.Path.Squares() {
		if left--; !d.Shape.Squares.Has(to) {
			return
		}
		var leg way
		leg.kind = diagram.Ran
		leg.a.col, leg.a.row = g.place(d, from)
		leg.z.col, leg.z.row = g.place(d, to)
		if left == 0 {
			leg.wayEnds = g.ends(leg.z) | lastEnd
		}
		g.cross(leg)
		from = to
	}
}

// endZones says where zones end.
func (g *grid) endZones() {
	for row := range g.rows {
		for col := range g.cols {
			t := g.at(col, row)
			for side := range t.ends {
				if t.lent>>side&1 == 0 {
					continue
				}
				for i, dir := range directions {
					if c, r := col+dir[0], row+dir[1]; !g.has(c, r) || g.at(c, r).lent>>side&1 == 0 {
						t.ends[side] |= 1 << i
					}
				}
			}
		}
	}
}

// lend puts a piece and a square to which it lends its powers into one zone, and pins it to a friend
// that stands there.
func (g *grid) lend(d *diagram.Diagram, m diagram.Mark) {
	to := g.index(d, m.To)
	side := d.Lender(m)
	lender := d.Board[m.From].Half(side)
	g.tiles[to].lent |= 1 << side
	g.tiles[g.index(d, m.From)].lent |= 1 << side
	known := &g.contents[to].borrowed[side]
	if !d.Lends(m) || slices.Contains(*known, lender) {
		return
	}
	*known = append(*known, lender)
	slices.Sort(*known)
	g.tiles[to].badges[side] = 0
	for _, role := range *known {
		g.tiles[to].badges[side] = g.tiles[to].badges[side]*0x100000001b3 ^ look(d.Table, rules.PieceOf(side, role))
	}
}

// haunt leaves a ghost on an empty square.
func (g *grid) haunt(d *diagram.Diagram, z cell, killed rules.Piece) {
	i := z.row*g.cols + z.col
	if g.tiles[i].look == 0 && killed != (rules.Piece{}) {
		g.tiles[i].ghost, g.contents[i].ghost = look(d.Table, killed), killed
	}
}

// index is where in the grid a square is seen.
func (g *grid) index(d *diagram.Diagram, sq rules.Square) int {
	col, row := g.place(d, sq)
	return row*g.cols + col
}

// cell is a place in a grid.
type cell struct{ col, row int }

// cross adds a way to all tiles that it may be seen on.
func (g *grid) cross(w way) {
	const wide = .36 // as far from the line as anything is painted
	reach := wide + math.Sqrt2/2
	for row := range g.rows {
		for col := range g.cols {
			if w.distance(cell{col, row}) <= reach {
				t := g.at(col, row)
				t.ways += string([]byte{byte(w.kind), byte(w.a.col - col), byte(w.a.row - row), byte(w.z.col - col), byte(w.z.row - row), byte(w.wayEnds)})
			}
		}
	}
}

// distance is how far the middle of c is from w, in squares.
func (w way) distance(c cell) float64 {
	dx, dy := float64(w.z.col-w.a.col), float64(w.z.row-w.a.row)
	x, y := float64(c.col-w.a.col), float64(c.row-w.a.row)
	u := 0.0
	if square := dx*dx + dy*dy; square > 0 {
		u = max(0, min(1, (x*dx+y*dy)/square))
	}
	return math.Hypot(x-u*dx, y-u*dy)
}

// eachWay yields the ways across t, as seen from t at 0, 0.
func (t *tile) eachWay(yield func(way) bool) {
	const size = 6
	for s := t.ways; s != ""; s = s[size:] {
		at := func(i int) int { return int(int8(s[i])) }
		if kind := diagram.MarkKind(s[0]); t.brief && (kind == diagram.Ran || kind == diagram.Checker) {
			continue // it is a line across squares that change else little
		}
		if !yield(way{diagram.MarkKind(s[0]), cell{at(1), at(2)}, cell{at(3), at(4)}, wayEnds(s[5])}) {
			return
		}
	}
}

// has reports whether t has a mark of that kind.
func (t *tile) has(kind diagram.MarkKind) bool { return t.marks>>kind&1 != 0 }

// look is the same for pieces that are drawn in the same way, and differs for others
// but for accidents of one in 2^64: FNV-1a of all that the drawing depends on.
func look(t rules.Table, p rules.Piece) uint64 {
	if p == (rules.Piece{}) {
		return 0
	}
	h := uint64(0xcbf29ce484222325)
	add := func(b byte) { h = (h ^ uint64(b)) * 0x100000001b3 }
	text := func(s string) {
		for i := range len(s) {
			add(s[i])
		}
		add(0)
	}
	for _, r := range [...]rules.Role{p.White, p.Black} {
		add(1)
		if r == rules.NoRole {
			continue
		}
		text(t[r].Code)
		text(t[r].Glyph)
		for _, part := range t[r].Parts {
			text(t[part].Glyph)
		}
	}
	return h
}
