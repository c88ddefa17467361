package draw

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/fogleman/gg"
)

// Pixels is a Surface of pixels. It is for one goroutine.
type Pixels struct {
	m  *image.RGBA
	dc *gg.Context // for it
}

// OnPixels is a surface that paints on an image, a unit being a pixel.
func OnPixels(m *image.RGBA) *Pixels {
	dc := gg.NewContextForRGBA(m)
	dc.SetLineJoinRound()
	return &Pixels{m: m, dc: dc}
}

// Fill implements [Surface].
func (p *Pixels) Fill(path Path, c color.NRGBA) {
	if r, ok := path.pixels(); ok && c.A == 0xff { // the rasterizer takes ten times as long
		draw.Draw(p.m, r, image.NewUniform(c), image.Point{}, draw.Src)
		return
	}
	p.follow(path)
	p.dc.SetColor(c)
	p.dc.FillPreserve()
}

// Stroke implements [Surface]. To the rasterizer an outline that comes back to its start
// has two ends there. Round ones would be seen, since they overlap; blunt ones meet, if it
// is smooth there.
func (p *Pixels) Stroke(path Path, c color.NRGBA, l Line) {
	p.dc.SetColor(c)
	p.dc.SetLineWidth(l.Width)
	p.dc.SetDash(l.Dashes...)
	open, closed := path, Path(nil)
	if l.Dashes == nil && !l.Blunt {
		open, closed = path.byEnds()
	}
	if len(open) > 0 {
		p.dc.SetLineCapRound()
		if l.Blunt {
			p.dc.SetLineCapButt()
		}
		p.follow(open)
		p.dc.StrokePreserve()
	}
	if len(closed) > 0 {
		p.dc.SetLineCapButt()
		p.follow(closed)
		p.dc.StrokePreserve()
	}
}

// follow lays a path.
func (p *Pixels) follow(path Path) {
	p.dc.ClearPath()
	for i := range path {
		switch s := &path[i]; s.Op {
		case Move:
			p.dc.MoveTo(s.To.X, s.To.Y)
		case Go:
			p.dc.LineTo(s.To.X, s.To.Y)
		case Curve:
			p.dc.CubicTo(s.C1.X, s.C1.Y, s.C2.X, s.C2.Y, s.To.X, s.To.Y)
		case Close:
			p.dc.ClosePath()
		}
	}
}

// Write implements [Surface].
func (p *Pixels) Write(t Text, c color.NRGBA) {
	face := FaceOf(t.Size, t.Bold)
	x := t.At.X
	if t.Middle {
		x -= face.Width(t.Words) / 2
	}
	face.Write(p.m, c, t.Words, x, t.At.Y)
}

// Stamp implements [Surface].
func (p *Pixels) Stamp(_ Stamp, at Square, draw func(Surface, Square)) { draw(p, at) }
