package glyph

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"chimera/render/paint"
	"chimera/rules"
)

// Livery is the colors of one side's pieces.
type Livery struct {
	Fill   color.NRGBA
	Edge   color.NRGBA // the outline
	Detail color.NRGBA // lines and spots on the fill
	Halo   color.NRGBA // around the outline, so that dark pieces stand off dark squares and each other
}

// Draw draws p in a square of so many pixels with its upper left corner at x and y,
// each side's part of it in that side's colors.
func Draw(dc *paint.Brush, t rules.Table, p rules.Piece, x, y, size float64, colors *[2]Livery) {
	if p == (rules.Piece{}) {
		return
	}
	dc.Stamp(name(t, p), paint.Square{X: x, Y: y, Side: size}, func(dc *paint.Brush, at paint.Square) {
		for _, b := range drawPiece(t, p) {
			b.paint(dc, &colors[b.side], frame{at.X, at.Y, at.Side / box, at.Side / box})
		}
	})
}

// name is what is seen of a piece: sides and figures, such as "White rook knight".
func name(t rules.Table, p rules.Piece) string {
	var words []string
	for _, side := range []rules.Color{rules.White, rules.Black} {
		r := p.Half(side)
		if r == rules.NoRole {
			continue
		}
		words = append(words, side.String())
		parts := t.Simple(r)
		if parts == nil {
			parts = []rules.Role{r}
		}
		for _, part := range parts {
			words = append(words, cmp.Or(t[part].Glyph, t[part].Code))
		}
	}
	return strings.Join(words, " ")
}

// brush is a shape, or a text, in its place in a piece's box, and the side whose
// colors it has.
type brush struct {
	shape
	text  string // of the ink word
	frame frame
	side  rules.Color
}

// drawPiece is how p looks: brushes in the order in which they paint, none for an
// empty square.
func drawPiece(t rules.Table, p rules.Piece) []brush {
	switch {
	case p.Shared():
		return drawHalves(
			drawRole(t, p.White, rules.White, frame{0, 0, 1, 1}),
			drawRole(t, p.Black, rules.Black, frame{box, 0, -1, 1}),
		)
	case p.White != rules.NoRole:
		return drawRole(t, p.White, rules.White, frame{0, 0, 1, 1})
	case p.Black != rules.NoRole:
		return drawRole(t, p.Black, rules.Black, frame{0, 0, 1, 1})
	}
	return nil
}

// drawRole draws one side's piece as the figures of its parts, or
// by its letters where there is no figure.
func drawRole(t rules.Table, r rules.Role, side rules.Color, f frame) []brush {
	parts := partsOf(t, r)
	left, right := levelMarks(parts)
	const most = 2 // on either side
	switch {
	case parts == nil, len(left) > most, len(right) > most:
		return drawLetters(t[r].Code, side, f)
	case len(left)+len(right) == 0:
		return drawParts(parts, side, f)
	}
	const smaller, ground, aside = .9, 92, 13.2
	brushes := drawParts(parts, side, f.within(scaled(smaller, ground, ground)))
	brushes = append(brushes, stack(left, side, f, aside)...)
	return append(brushes, stack(right, side, f, box-aside)...)
}

// drawParts draws the figures of the parts in one: a tower or the foot, a head,
// and what it wears.
func drawParts(parts []part, side rules.Color, f frame) []brush {
	if len(parts) == 1 {
		return append(lay(foot, f, side), lay(parts[0].head, f, side)...)
	}
	if i := slices.IndexFunc(parts, func(p part) bool { return p.tower != nil }); i >= 0 {
		const size = .86
		rest := slices.Delete(slices.Clone(parts), i, i+1)
		low := rest[0].collar
		head := f.within(scaled(size, low, parapet))
		return append(drawBust(rest, side, head, low), lay(parts[i].tower, f, side)...)
	}
	return append(lay(foot, f, side), drawBust(parts, side, f, neck)...)
}

// part is one of the figures that a piece is drawn from.
type part struct {
	figure
	level int // from 1
}

// partsOf are the figures that a role is drawn from, each once, by rising bearing.
// They are nil if one is unknown, or has levels and no marks for them, or if they
// are too many to be told apart.
func partsOf(t rules.Table, r rules.Role) []part {
	var parts []part
	roles := t.Simple(r)
	for i, role := range roles {
		if slices.Contains(roles[:i], role) {
			continue
		}
		p := part{level: count(roles, role)}
		var known bool
		if p.figure, known = figures[t[role].Glyph]; !known || p.level > 1 && p.left == nil && p.right == nil {
			return nil
		}
		parts = append(parts, p)
	}
	const most = 4
	if len(parts) > most {
		return nil
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.bearing, b.bearing) })
	return parts
}

func count(roles []rules.Role, role rules.Role) int {
	n := 0
	for _, r := range roles {
		if r == role {
			n++
		}
	}
	return n
}

// levelMarks are the marks to the left and to the right of a piece: one for each
// level of a part beyond its first.
func levelMarks(parts []part) (left, right [][]shape) {
	for _, p := range parts {
		for range p.level - 1 {
			if p.left != nil {
				left = append(left, p.left)
			}
			if p.right != nil {
				right = append(right, p.right)
			}
		}
	}
	return left, right
}

// stack draws marks one upon the other, around the line of that x.
func stack(marks [][]shape, side rules.Color, f frame, x float64) []brush {
	var brushes []brush
	const lowest, step = 80, 21
	for i, m := range marks {
		y := lowest - step*float64(i)
		brushes = append(brushes, lay(m, f.within(frame{x - box/2, y - box/2, 1, 1}), side)...)
	}
	return brushes
}

// drawBust draws the first part as a head that wears the others, on the line
// y = base.
func drawBust(parts []part, side rules.Color, f frame, base float64) []brush {
	head, crests := parts[0], parts[1:]
	if len(crests) == 0 {
		return lay(head.head, f, side)
	}
	const lower, crest, sunk = .76, .54, 4
	f = f.within(scaled(lower, base, base))
	brushes := lay(head.head, f, side)
	size := crest / math.Cbrt(float64(len(crests)))
	for i, c := range crests {
		aside := .9 * box * size * (float64(i) - float64(len(crests)-1)/2)
		at := frame{head.perch.X + aside - 50*size, head.perch.Y + sunk - box*size, size, size}
		brushes = append(brushes, lay(c.crest, f.within(at), side)...)
	}
	return brushes
}

// drawLetters draws a piece without a figure: its code on a disc.
func drawLetters(code string, side rules.Color, f frame) []brush {
	return append(lay(disc, f, side), brush{shape: shape{ink: word}, text: code, frame: f, side: side})
}

// lay puts shapes into a frame.
func lay(shapes []shape, f frame, side rules.Color) []brush {
	brushes := make([]brush, len(shapes))
	for i, s := range shapes {
		brushes[i] = brush{shape: s, frame: f, side: side}
	}
	return brushes
}

// The widths of lines, in units. They do not scale with the parts of a compound.
const (
	edgeWidth   = 3.8
	haloWidth   = 6.4
	detailWidth = 3.6
)

// paint paints the shape of a piece whose box is piece.
func (s brush) paint(dc *paint.Brush, l *Livery, piece frame) {
	f := piece.within(s.frame)
	s.path.trace(dc, f)
	switch s.ink {
	case body:
		if l.Halo.A != 0 {
			dc.SetColor(l.Halo)
			dc.SetLineWidth(haloWidth * piece.sy)
			dc.StrokePreserve()
		}
		dc.SetColor(l.Fill)
		dc.FillPreserve()
		dc.SetColor(l.Edge)
		dc.SetLineWidth(edgeWidth * piece.sy)
		dc.Stroke()
	case crease:
		dc.SetColor(l.Detail)
		dc.SetLineWidth(detailWidth * piece.sy)
		dc.Stroke()
	case spot:
		dc.SetColor(l.Detail)
		dc.Fill()
	case word:
		x, y := f.at(point{X: 50, Y: 50})
		size := 60 * min(f.sy, math.Abs(f.sx)) / max(1.4, .8*float64(len(s.text)))
		dc.SetColor(l.Detail)
		dc.Write(paint.Text{Words: s.text, At: paint.Point{X: x, Y: y + .35*size}, Size: size, Bold: true, Align: paint.Middle})
	}
}
