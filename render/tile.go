package render

import (
	"math"

	"chimera/rules"
)

// tile is what is seen in one place of the grid of a board: all that its picture
// depends on but for size and theme. Equal tiles look the same, whatever game they
// come from.
type tile struct {
	ground ground
	near   uint8     // of a hole: the directions in which there are squares
	look   uint64    // of the piece, 0 for none
	marks  uint32    // the kinds of the marks about the square, as bits
	file   string    // the letter of the file, if it is written here
	rank   string    // the number of the rank, if it is written here
	turn   turnDisc  // of the side to move, as much as is seen here
	lent   [2]uint16 // by the side that lends: the directions from where, those from further away in the upper byte
	brief  bool      // as in an animation, where marks are to change few pixels
	ways   string    // what goes across on a way between two squares, as way writes it
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

// turnDisc is where the disc of the side to move is, seen from a tile.
type turnDisc uint8

// Such a disc is at the tile's right edge, or to the right of its own middle, on its
// upper or lower border.
const (
	whiteDisc turnDisc = 1 << iota
	blackDisc
	lowerDisc
	rightDisc
)

// grid is the tiles of a diagram, row by row, and the pieces on them.
type grid struct {
	cols, rows int
	tiles      [64]tile
	pieces     [64]rules.Piece
}

func newGrid(d *Diagram) *grid {
	g := &grid{cols: d.Shape.Files, rows: d.Shape.Ranks}
	for row := range g.rows {
		for col := range g.cols {
			g.set(d, col, row)
		}
	}
	g.nameLines(d)
	g.showTurn(d)
	for _, m := range d.Marks {
		g.mark(d, m)
	}
	return g
}

// at is the tile in a column and a row.
func (g *grid) at(col, row int) *tile { return &g.tiles[row*g.cols+col] }

// has reports whether there is a square.
func (g *grid) has(col, row int) bool {
	return col >= 0 && col < g.cols && row >= 0 && row < g.rows && g.at(col, row).ground != hole
}

// place is the column and the row in which a square is seen.
func (g *grid) place(d *Diagram, sq rules.Square) (col, row int) {
	return d.flip(d.Shape.File(sq), d.Shape.Rank(sq))
}

// set says what a tile is made of, and what stands on it.
func (g *grid) set(d *Diagram, col, row int) {
	t, sq := g.at(col, row), d.at(col, row)
	if sq == rules.NoSquare {
		for i, dir := range directions {
			c, r := col+dir[0], row+dir[1]
			if c >= 0 && c < g.cols && r >= 0 && r < g.rows && d.at(c, r) != rules.NoSquare {
				t.near |= 1 << i
			}
		}
		return
	}
	t.ground = lightSquare
	if (d.Shape.File(sq)+d.Shape.Rank(sq))%2 == 0 {
		t.ground = darkSquare
	}
	p := d.Board[sq]
	g.pieces[row*g.cols+col] = p
	t.look = look(d.Table, p)
}

// nameLines names each rank on its leftmost square and each file on its lowest.
func (g *grid) nameLines(d *Diagram) {
	for row := range g.rows {
		for col := range g.cols {
			if g.has(col, row) {
				g.at(col, row).rank = d.Shape.RankName(d.at(col, row))
				break
			}
		}
	}
	for col := range g.cols {
		for row := g.rows - 1; row >= 0; row-- {
			if g.has(col, row) {
				g.at(col, row).file = d.Shape.FileName(d.at(col, row))
				break
			}
		}
	}
}

// showTurn puts a disc of the mover's color at the right edge, between the mover's
// first and second rank, where no piece is in its way.
func (g *grid) showTurn(d *Diagram) {
	if g.rows < 2 {
		return
	}
	row, turn := 1, whiteDisc
	if d.Turn == d.Bottom {
		row = g.rows - 1
	}
	if d.Turn == rules.Black {
		turn = blackDisc
	}
	col := g.cols - 1
	if g.has(col, row-1) || g.has(col, row) {
		turn |= rightDisc
	} else {
		for col > 0 && !g.has(col-1, row-1) && !g.has(col-1, row) {
			col--
		}
	}
	g.at(col, row-1).turn = turn | lowerDisc
	g.at(col, row).turn = turn
}

// mark shows a mark on the tiles that it concerns.
func (g *grid) mark(d *Diagram, m Mark) {
	if !d.Shape.Squares.Has(m.From) || !d.Shape.Squares.Has(m.To) {
		return
	}
	from, row := g.place(d, m.From)
	a := cell{from, row}
	to, row := g.place(d, m.To)
	z := cell{to, row}
	switch m.Kind {
	case Fired, Joined, Parted:
		g.cross(way{m.Kind, a, z})
	case Lent:
		if a != z {
			g.at(z.col, z.row).lent[d.lender(m)] |= whence(a, z)
		}
	default:
		g.at(z.col, z.row).marks |= 1 << m.Kind
	}
}

// cell is a place in a grid.
type cell struct{ col, row int }

// whence is the direction, as a bit, in which a is seen from z.
func whence(a, z cell) uint16 {
	dc, dr := a.col-z.col, a.row-z.row
	for i, dir := range directions {
		if dir[0] != unit(dc) || dir[1] != unit(dr) {
			continue
		}
		if max(dc, -dc, dr, -dr) > 1 {
			return 1 << (8 + i)
		}
		return 1 << i
	}
	return 0
}

// unit is -1, 0 or 1, as n is below 0, 0 or above.
func unit(n int) int { return max(-1, min(1, n)) }

// way is something that goes from one place to another.
type way struct {
	kind MarkKind
	a, z cell
}

// cross adds a way to all tiles that it may be seen on.
func (g *grid) cross(w way) {
	const wide = .36 // as far from the line as anything is painted
	reach := wide + math.Sqrt2/2
	for row := range g.rows {
		for col := range g.cols {
			if w.distance(cell{col, row}) <= reach {
				t := g.at(col, row)
				t.ways += string([]byte{byte(w.kind), byte(w.a.col - col), byte(w.a.row - row), byte(w.z.col - col), byte(w.z.row - row)})
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
	const size = 5
	for s := t.ways; s != ""; s = s[size:] {
		at := func(i int) int { return int(int8(s[i])) }
		if !yield(way{MarkKind(s[0]), cell{at(1), at(2)}, cell{at(3), at(4)}}) {
			return
		}
	}
}

// has reports whether t has a mark of that kind.
func (t *tile) has(kind MarkKind) bool { return t.marks>>kind&1 != 0 }

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
