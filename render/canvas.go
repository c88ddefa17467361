package render

import (
	"image"
	"image/color"
)

// canvas is a painted scene. Before each row of pixels there is a byte that is 0,
// which PNG reads as "no filter"; so the rows are ready to be compressed.
type canvas struct {
	image.Paletted
	rows []uint8
}

// reset makes p a canvas of that size without any paint.
func (p *canvas) reset(width, height int, inks *Inks) {
	stride := width + 1
	if cap(p.rows) < stride*height {
		p.rows = make([]uint8, stride*height)
	}
	p.rows = p.rows[:stride*height]
	for y := range height {
		p.rows[y*stride] = 0
	}
	p.Paletted = image.Paletted{Pix: p.rows[1:], Stride: stride, Rect: image.Rect(0, 0, width, height), Palette: inks.palette}
}

// paint paints all of s.
func (p *canvas) paint(s *scene, sprites [][]uint8) {
	inks := s.theme.inks()
	p.reset(s.width, s.height, inks)
	if s.bare {
		p.cover(inks.of(opaque(s.theme.scheme().ground)))
	}
	for i := range s.slots {
		p.put(&s.slots[i], sprites[i])
	}
}

// cover paints everything with one ink.
func (p *canvas) cover(ink uint8) {
	width := p.Rect.Dx()
	for x := range width {
		p.Pix[x] = ink
	}
	for y := 1; y < p.Rect.Dy(); y++ {
		copy(p.Pix[y*p.Stride:y*p.Stride+width], p.Pix)
	}
}

// put lays a sprite into its slot.
func (p *canvas) put(s *slot, pix []uint8) {
	at := s.y*p.Stride + s.x
	for ; len(pix) > 0; pix = pix[s.side:] {
		copy(p.Pix[at:at+s.side], pix[:s.side])
		at += p.Stride
	}
}

// trace makes p a copy of a picture in the inks that are nearest.
func (p *canvas) trace(m *image.RGBA, inks *Inks) {
	size := m.Rect.Size()
	p.reset(size.X, size.Y, inks)
	var last color.RGBA
	ink := inks.of(last)
	for y := range size.Y {
		row := m.Pix[y*m.Stride : y*m.Stride+4*size.X]
		for x := range size.X {
			if c := (color.RGBA{row[4*x], row[4*x+1], row[4*x+2], row[4*x+3]}); c != last {
				last, ink = c, inks.of(c)
			}
			p.Pix[y*p.Stride+x] = ink
		}
	}
}
