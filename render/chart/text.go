package chart

import (
	"image/color"

	"chimera/render/letter"
)

// text is how something is written on a chart.
type text struct {
	size  float64
	bold  bool
	ink   color.Color
	room  float64 // what is longer is cut; 0 for any length
	right bool    // ends where others begin
	mid   bool    // is written around where others begin
}

// style is all that a face depends on.
type style struct {
	size float64
	bold bool
}

func (e *easel) face(t text) *letter.Face {
	s := style{t.size, t.bold}
	f := e.faces[s]
	if f == nil {
		f = letter.New(t.size*e.unit, t.bold)
		e.faces[s] = f
	}
	return f
}

// write writes words with their baseline at y.
func (e *easel) write(t text, x, y float64, words string) {
	f := e.face(t)
	words = f.Fit(words, t.room*e.unit)
	x, y = x*e.unit, y*e.unit
	switch {
	case t.right:
		x -= f.Width(words)
	case t.mid:
		x -= f.Width(words) / 2
	}
	e.dc.SetColor(t.ink)
	f.Write(e.dc, words, x, y)
}
