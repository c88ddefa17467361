package render

import (
	"image"

	"chimera/render/draw"
)

// canvas is a painted scene. Before each row of pixels there is a byte that is 0,
// which PNG reads as "no filter"; so the rows are ready to be compressed.
type canvas struct {
	image.Paletted
	rows []uint8
	last uint8 // the last ink on it
}

// reset makes p a canvas of that size without any paint.
func (p *canvas) reset(width, height int, inks *draw.Palette) {
	stride := width + 1
	if cap(p.rows) < stride*height {
		p.rows = make([]uint8, stride*height)
	}
	p.rows = p.rows[:stride*height]
	for y := range height {
		p.rows[y*stride] = 0
	}
	p.last = draw.Transparent
	p.Paletted = image.Paletted{Pix: p.rows[1:], Stride: stride, Rect: image.Rect(0, 0, width, height), Palette: inks.Colors}
}

// paint paints all of s.
func (p *canvas) paint(s *scene, sprites []sprite) {
	p.prepare(s, sprites)
	p.paintRows(s, sprites, 0, s.height)
}

// prepare makes p a canvas for s, of which nothing is painted yet.
func (p *canvas) prepare(s *scene, sprites []sprite) {
	p.reset(s.width, s.height, draw.PaletteOf(s.theme))
	p.last = max(p.last, s.ground())
	for i := range sprites {
		p.last = max(p.last, sprites[i].last)
	}
}

// paintRows paints the rows of s from top to bottom.
func (p *canvas) paintRows(s *scene, sprites []sprite, top, bottom int) {
	if s.bare {
		p.cover(s.ground(), top, bottom)
	}
	for i := range s.slots {
		p.put(&s.slots[i], sprites[i], top, bottom)
	}
}

// rowsOf are rows of p as they are compressed.
func (p *canvas) rowsOf(top, bottom int) []uint8 { return p.rows[top*p.Stride : bottom*p.Stride] }

// row is a row of the pixels in a box.
func (p *canvas) row(box image.Rectangle, y int) []uint8 {
	return p.Pix[y*p.Stride+box.Min.X:][:box.Dx()]
}

// cover paints rows with one ink.
func (p *canvas) cover(ink uint8, top, bottom int) {
	first := p.Pix[top*p.Stride:][:p.Rect.Dx()]
	for x := range first {
		first[x] = ink
	}
	for y := top + 1; y < bottom; y++ {
		copy(p.Pix[y*p.Stride:][:len(first)], first)
	}
}

// put lays what of a sprite is between two rows into its slot.
func (p *canvas) put(s *slot, painted sprite, top, bottom int) {
	area := s.area()
	seen := area.Intersect(image.Rect(0, top, p.Rect.Max.X, bottom))
	first := seen.Min.X - area.Min.X
	for y := seen.Min.Y; y < seen.Max.Y; y++ {
		copy(p.row(seen, y), painted.pix[(y-area.Min.Y)*s.width+first:])
	}
}

// trace makes p a copy of a picture.
func (p *canvas) trace(m *image.RGBA, inks *draw.Palette) {
	size := m.Rect.Size()
	p.reset(size.X, size.Y, inks)
	p.last = inks.Trace(m, p.Pix, p.Stride)
}
