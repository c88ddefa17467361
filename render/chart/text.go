package chart

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"slices"
	"sync"

	"chimera/render/draw"
	"chimera/rules"
)

// style is how something is written on a chart.
type style struct {
	size  float64
	bold  bool
	ink   color.Color
	room  float64 // what is longer is cut; 0 for any length
	right bool    // ends where others begin
	mid   bool    // is written around where others begin
}

// cast is what takes longer to draw than to copy, for charts of one width: faces with the letters that were
// written in them, and pieces. It is for one goroutine at a time.
type cast struct {
	width  int
	pieces map[stamp]*image.RGBA // maxStamps at most
	sheet  []uint8               // pixels that were painted on
}

// stamp is all that the look of a piece depends on.
type stamp struct {
	table  *rules.RoleInfo // its first row
	piece  rules.Piece
	side   int // in pixels
	livery [2]draw.Livery
}

const maxStamps = 64

// casts are those that nobody writes with.
//
//nolint:gochecknoglobals // a pool: what nobody has asked for in a while is dropped
var casts sync.Pool

func castFor(width int) *cast {
	if c, ok := casts.Get().(*cast); ok && c.width == width {
		return c
	}
	return &cast{width: width, pieces: map[stamp]*image.RGBA{}}
}

// sheetOf is a sheet that is so many pixels high, with whatever was painted on it.
func (c *cast) sheetOf(height int) *image.RGBA {
	const depth = 4
	stride := depth * c.width
	c.sheet = slices.Grow(c.sheet[:0], stride*height)[:stride*height]
	return &image.RGBA{Pix: c.sheet, Stride: stride, Rect: image.Rect(0, 0, c.width, height)}
}

func (e *easel) face(t style) *draw.Face { return draw.FaceOf(t.size*e.unit, t.bold) }

// write writes words with their baseline at y.
func (e *easel) write(t style, x, y float64, words string) {
	f := e.face(t)
	words = f.Fit(words, t.room*e.unit)
	x, y = x*e.unit, y*e.unit
	switch {
	case t.right:
		x -= f.Width(words)
	case t.mid:
		x -= f.Width(words) / 2
	}
	f.Write(e.m, t.ink, words, x, y)
}

// piece paints a piece with the upper left corner of its box there.
func (e *easel) piece(t rules.Table, p rules.Piece, x, y, size float64) {
	s := stamp{&t[0], p, int(math.Round(size * e.unit)), e.pieces}
	m := e.cast.pieces[s]
	if m == nil {
		m = image.NewRGBA(image.Rect(0, 0, s.side, s.side))
		(&draw.Canvas{Brush: draw.NewBrush(draw.OnPixels(m)), Unit: 1}).Piece(t, p, false, 0, 0, float64(s.side), &e.pieces)
		if len(e.cast.pieces) == maxStamps {
			clear(e.cast.pieces)
		}
		e.cast.pieces[s] = m
	}
	imagedraw.Draw(e.m, m.Rect.Add(image.Pt(int(x*e.unit), int(y*e.unit))), m, image.Point{}, imagedraw.Over)
}
