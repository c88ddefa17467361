package draw

import "image/color"

// turned is a surface on which all is turned a quarter clockwise about the middle of a square; of texts, where
// they stand.
type turned struct {
	Surface
	about Square
}

func (t turned) Fill(p Path, c color.NRGBA) { t.Surface.Fill(t.path(p), c) }

func (t turned) Stroke(p Path, c color.NRGBA, l Line) { t.Surface.Stroke(t.path(p), c, l) }

func (t turned) Write(text Text, c color.NRGBA) {
	text.At = t.point(text.At)
	t.Surface.Write(text, c)
}

func (t turned) Stamp(_ Stamp, at Square, draw func(Surface, Square)) { draw(t, at) }

func (t turned) path(p Path) Path {
	q := make(Path, len(p))
	for i, s := range p {
		q[i] = Segment{s.Op, t.point(s.C1), t.point(s.C2), t.point(s.To)}
	}
	return q
}

func (t turned) point(p Point) Point {
	x, y := t.about.X+t.about.Side/2, t.about.Y+t.about.Side/2
	return Point{x - (p.Y - y), y + (p.X - x)}
}
