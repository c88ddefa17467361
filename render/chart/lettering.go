package chart

import (
	"image/color"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/golang/freetype/truetype"
	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"chimera/render/glyph"
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

// face is a font of a size.
type face struct {
	size float64 // in pixels
	bold bool
}

// lettering is a face of a font with Latin, Greek and Cyrillic letters, and how large dots are in what other scripts are written with.
type lettering struct {
	font  *truetype.Font
	face  font.Face
	grain int
	thick float64 // how wide a dot is
}

func (e *easel) lettering(t text) lettering {
	f := face{t.size * e.unit, t.bold}
	l, ok := e.faces[f]
	if !ok {
		l.font = glyph.Fonts().Regular
		if f.bold {
			l.font = glyph.Fonts().Bold
		}
		l.face = truetype.NewFace(l.font, &truetype.Options{Size: f.size, GlyphCacheEntries: 128})
		const high = 13 // dots
		l.grain = max(1, int(f.size/high+.5))
		l.thick = float64(l.grain)
		if f.bold {
			l.thick *= 1.5
		}
		e.faces[f] = l
	}
	return l
}

// write writes words with their baseline at y.
func (e *easel) write(t text, x, y float64, words string) {
	l := e.lettering(t)
	words = l.fit(words, t.room*e.unit)
	x, y = x*e.unit, y*e.unit
	switch {
	case t.right:
		x -= l.width(words)
	case t.mid:
		x -= l.width(words) / 2
	}
	e.dc.SetFontFace(l.face)
	e.dc.SetColor(t.ink)
	for run, known := range l.runs(words) {
		if known {
			e.dc.DrawString(run, x, y)
		} else {
			e.dots(l, int(x), int(y), run)
		}
		x += l.widthOf(run, known)
	}
}

// dots writes a run of letters that are made of dots.
func (e *easel) dots(l lettering, x, y int, run string) {
	for _, r := range run {
		cell, mask, from, advance, _ := bitmapfont.Face.Glyph(fixed.Point26_6{}, r)
		for row := range cell.Dy() {
			for col := range cell.Dx() {
				if mask.At(from.X+col, from.Y+row) != (color.Alpha{}) {
					e.dc.DrawRectangle(float64(x+(cell.Min.X+col)*l.grain), float64(y+(cell.Min.Y+row)*l.grain), l.thick, float64(l.grain))
				}
			}
		}
		x += advance.Round() * l.grain
	}
	e.dc.Fill()
}

// fit is what can be written of a text in so many pixels, 0 for any number, in the order
// in which it is written.
func (l lettering) fit(s string, room float64) string {
	const unknown = '?' // stands for words that there are no letters for
	var letters []rune
	s = plain(s)
	for _, r := range s {
		if !l.has(r) && !dotted(r) {
			n := len(letters)
			if unicode.Is(unicode.S, r) || n > 0 && letters[n-1] == unknown {
				continue // a little picture can be spared
			}
			r = unknown
		}
		letters = append(letters, r)
	}
	if len(letters) == 0 && s != "" {
		letters = []rune{unknown}
	}
	letters = []rune(strings.Join(strings.Fields(string(letters)), " "))
	written := ordered(string(letters))
	for room > 0 && len(letters) > 0 && l.width(written) > room {
		letters = letters[:len(letters)-1]
		written = ordered(strings.TrimRight(string(letters), " ") + "…")
	}
	return written
}

// has reports whether the font has a letter.
func (l lettering) has(r rune) bool { return l.font.Index(r) != 0 }

// dotted reports whether there is a letter made of dots.
func dotted(r rune) bool {
	cell, mask, from, _, ok := bitmapfont.Face.Glyph(fixed.Point26_6{}, r)
	for i := range cell.Dx() * cell.Dy() {
		if ok && mask.At(from.X+i%cell.Dx(), from.Y+i/cell.Dx()) != (color.Alpha{}) {
			return true
		}
	}
	return false
}

// runs are the parts of a text that the font has letters for, and those between.
func (l lettering) runs(s string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for s != "" {
			first, _ := utf8.DecodeRuneInString(s)
			known := l.has(first)
			end := strings.IndexFunc(s, func(r rune) bool { return l.has(r) != known })
			if end < 0 {
				end = len(s)
			}
			if !yield(s[:end], known) {
				return
			}
			s = s[end:]
		}
	}
}

// width is how many pixels a text takes.
func (l lettering) width(s string) float64 {
	wide := 0.
	for run, known := range l.runs(s) {
		wide += l.widthOf(run, known)
	}
	return wide
}

func (l lettering) widthOf(run string, known bool) float64 {
	if known {
		return float64(font.MeasureString(l.face, run)) / 64
	}
	dots := 0
	for _, r := range run {
		advance, _ := bitmapfont.Face.GlyphAdvance(r)
		dots += advance.Round()
	}
	return float64(dots * l.grain)
}

// ordered is a text in the order in which it is written from left to right, with letters
// joined where a script does that.
func ordered(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) }) {
		return s
	}
	return bitmapfont.PresentationForms(s, bitmapfont.DirectionLeftToRight, language.Und)
}

// plain is a stranger's text without what cannot be seen by itself or turns others
// around, in ordinary letters, and no longer than anybody reads.
func plain(s string) string {
	const most = 60
	var seen []rune
	for _, r := range s {
		if len(seen) == most {
			break
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		if unicode.IsGraphic(r) {
			seen = append(seen, r)
		}
	}
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(string(seen)))
	return strings.Join(strings.Fields(bare), " ")
}
