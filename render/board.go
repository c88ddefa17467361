package render

import (
	"image/color"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font/gofont/gobold"

	"chimera/rules"
)

// board is the canvas on which one diagram is being painted.
type board struct {
	Diagram
	dc   *gg.Context
	cell float64 // the side of a square in pixels, a whole number
	x, y float64 // the upper left corner of the board, off 0 where size is no multiple of cell
	font *truetype.Font
}

// newBoard is an empty canvas for d, size pixels on its longer side.
func newBoard(d Diagram, size int) (*board, error) {
	font, err := truetype.Parse(gobold.TTF)
	if err != nil {
		return nil, err
	}
	longer := max(d.Shape.Files, d.Shape.Ranks)
	cell := size / longer
	pixels := func(squares int) int {
		if squares == longer {
			return size
		}
		return squares * cell
	}
	width, height := pixels(d.Shape.Files), pixels(d.Shape.Ranks)
	return &board{
		Diagram: d,
		dc:      gg.NewContext(width, height),
		cell:    float64(cell),
		x:       float64((width - d.Shape.Files*cell) / 2),
		y:       float64((height - d.Shape.Ranks*cell) / 2),
		font:    font,
	}, nil
}

// paint paints everything, from the ground up.
func (b *board) paint() {
	b.dc.SetColor(ground)
	b.dc.Clear()
	b.paintRim()
	b.paintSquares()
	b.paintZones()
	b.paintCoordinates()
	b.paintTurn()
	b.paintTraces()
	for sq := range b.Shape.Squares.Squares() {
		b.paintPiece(sq)
	}
	b.paintLenders()
	for sq := range b.marked(Frozen).Squares() {
		b.paintFlake(sq)
	}
}

// corner is the upper left corner of a square on the canvas.
func (b *board) corner(sq rules.Square) (x, y float64) {
	col, row := b.flip(b.Shape.File(sq), b.Shape.Rank(sq))
	return b.x + float64(col)*b.cell, b.y + float64(row)*b.cell
}

// center is the middle of a square on the canvas.
func (b *board) center(sq rules.Square) point {
	x, y := b.corner(sq)
	return point{x + b.cell/2, y + b.cell/2}
}

// paintRim frames the outline of a board that has holes.
func (b *board) paintRim() {
	const rim, round = .09, .06
	for sq := range b.Shape.Squares.Squares() {
		x, y := b.corner(sq)
		b.dc.DrawRoundedRectangle(x-rim*b.cell, y-rim*b.cell, (1+2*rim)*b.cell, (1+2*rim)*b.cell, round*b.cell)
	}
	b.dc.SetColor(rimColor)
	b.dc.Fill()
}

func (b *board) paintSquares() {
	left, reached, checked, frozen := b.marked(Left), b.marked(Reached), b.marked(Check), b.marked(Frozen)
	for sq := range b.Shape.Squares.Squares() {
		b.fillSquare(sq, b.squareColor(sq))
		switch {
		case reached.Has(sq):
			b.fillSquare(sq, reachedTint)
		case left.Has(sq):
			b.fillSquare(sq, leftTint)
		}
		if frozen.Has(sq) {
			b.paintFrost(sq)
		}
		if checked.Has(sq) {
			b.paintCheck(sq)
		}
	}
}

func (b *board) fillSquare(sq rules.Square, c color.Color) {
	x, y := b.corner(sq)
	b.dc.DrawRectangle(x, y, b.cell, b.cell)
	b.dc.SetColor(c)
	b.dc.Fill()
}

func (b *board) squareColor(sq rules.Square) color.Color {
	if (b.Shape.File(sq)+b.Shape.Rank(sq))%2 == 0 {
		return darkSquare
	}
	return lightSquare
}

// paintCoordinates names each rank on its leftmost square and each file on its
// lowest, in the color of the other squares.
func (b *board) paintCoordinates() {
	size := max(7, b.cell*.175)
	b.setFont(size)
	for row := range b.Shape.Ranks {
		for col := range b.Shape.Files {
			if sq := b.at(col, row); sq != rules.NoSquare {
				b.paintCoordinate(string(b.Shape.RankName(sq)), sq, .035*b.cell, .035*b.cell+.76*size)
				break
			}
		}
	}
	for col := range b.Shape.Files {
		for row := b.Shape.Ranks - 1; row >= 0; row-- {
			if sq := b.at(col, row); sq != rules.NoSquare {
				b.paintCoordinate(string(b.Shape.FileName(sq)), sq, .03*b.cell, .96*b.cell)
				break
			}
		}
	}
}

func (b *board) paintCoordinate(name string, sq rules.Square, dx, dy float64) {
	x, y := b.corner(sq)
	b.dc.SetColor(coordinates)
	b.dc.DrawString(name, x+dx, y+dy)
}

func (b *board) setFont(size float64) {
	b.dc.SetFontFace(truetype.NewFace(b.font, &truetype.Options{Size: size, GlyphCacheEntries: 32}))
}

// paintTurn puts a disc of the mover's color at the right edge, between the
// mover's first and second rank, where no man is in its way: half of it is seen on
// a full board, and all of it where the board has a hole.
func (b *board) paintTurn() {
	row := 1
	if b.Turn == b.Bottom {
		row = b.Shape.Ranks - 1
	}
	col := b.Shape.Files
	for col > 0 && b.at(col-1, row-1) == rules.NoSquare && b.at(col-1, row) == rules.NoSquare {
		col--
	}
	x, y := b.x+float64(col)*b.cell, b.y+float64(row)*b.cell
	if col < b.Shape.Files {
		x += .4 * b.cell
	}
	l := liveries[b.Turn]
	b.dc.DrawCircle(x, y, .15*b.cell)
	b.dc.SetColor(liveries[b.Turn.Other()].fill)
	b.dc.SetLineWidth(.09 * b.cell)
	b.dc.StrokePreserve()
	b.dc.SetColor(l.fill)
	b.dc.FillPreserve()
	b.dc.SetColor(l.edge)
	b.dc.SetLineWidth(.035 * b.cell)
	b.dc.Stroke()
}

func (b *board) paintPiece(sq rules.Square) {
	x, y := b.corner(sq)
	unit := b.cell / box
	for _, s := range drawPiece(b.Table, b.Board[sq]) {
		s.paint(b, frame{x, y, unit, unit})
	}
}
