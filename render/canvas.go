package render

import (
	"image"
	"image/color"

	"chimera/render/palette"
)

// canvas is a painted scene. Before each row of pixels there is a byte that is 0,
// which PNG reads as "no filter"; so the rows are ready to be compressed.
type canvas struct {
	image.Paletted
	rows []uint8
	last uint8 // the last ink on it
}

// reset makes p a canvas of that size without any paint.
func (p *canvas) reset(width, height int, inks *palette.Inks) {
	stride := width + 1
	if cap(p.rows) < stride*height {
		p.rows = make([]uint8, stride*height)
	}
	p.rows = p.rows[:stride*height]
	for y := range height {
		p.rows[y*stride] = 0
	}
	p.last = palette.None
	p.Paletted = image.Paletted{Pix: p.rows[1:], Stride: stride, Rect: image.Rect(0, 0, width, height), Palette: inks.Colors}
}

// paint paints all of s.
func (p *canvas) paint(s *scene, sprites []sprite) {
	inks := s.theme.Inks()
	p.reset(s.width, s.height, inks)
	if s.bare {
		p.cover(inks.Flat(color.RGBA(s.theme.Scheme().Ground)))
	}
	for i := range s.slots {
		p.put(&s.slots[i], sprites[i])
	}
}

// row is a row of the pixels in a box.
func (p *canvas) row(box image.Rectangle, y int) []uint8 {
	return p.Pix[y*p.Stride+box.Min.X:][:box.Dx()]
}

// cover paints everything with one ink.
func (p *canvas) cover(ink uint8) {
	width := p.Rect.Dx()
	p.last = max(p.last, ink)
	for x := range width {
		p.Pix[x] = ink
	}
	for y := 1; y < p.Rect.Dy(); y++ {
		copy(p.Pix[y*p.Stride:y*p.Stride+width], p.Pix)
	}
}

// put lays a sprite into its slot.
func (p *canvas) put(s *slot, painted sprite) {
	p.last = max(p.last, painted.last)
	area := s.area()
	seen := area.Intersect(p.Rect)
	first := seen.Min.X - area.Min.X
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		copy(p.row(seen, y), painted.pix[(y-area.Min.Y)*s.width+first:])
	}
}

// trace makes p a copy of a picture.
func (p *canvas) trace(m *image.RGBA, inks *palette.Inks) {
	size := m.Rect.Size()
	p.reset(size.X, size.Y, inks)
	p.last = inks.Trace(m, p.Pix, p.Stride)
}
