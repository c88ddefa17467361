package letter

import (
	"image/color"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Face is a font of a size, in which any name can be written. It is for one goroutine.
type Face struct {
	font  *truetype.Font // with Latin, Greek and Cyrillic letters
	face  font.Face
	grain int     // how high a dot is, of what other scripts are written with
	thick float64 // how wide a dot is
}

// New makes a Face whose letters are so many pixels high, from the foot of a g to the top
// of a d.
func New(size float64, bold bool) *Face {
	f := &Face{font: fonts().regular}
	if bold {
		f.font = fonts().bold
	}
	f.face = truetype.NewFace(f.font, &truetype.Options{Size: size, GlyphCacheEntries: 128})
	const high = 13 // dots
	f.grain = max(1, int(size/high+.5))
	f.thick = float64(f.grain)
	if bold {
		f.thick *= 1.5
	}
	return f
}

// Write writes a text that [Face.Fit] has made, in the color of dc, from x on with its
// baseline at y.
func (f *Face) Write(dc *gg.Context, written string, x, y float64) {
	dc.SetFontFace(f.face)
	for run, known := range f.runs(written) {
		if known {
			dc.DrawString(run, x, y)
		} else {
			f.dots(dc, int(x), int(y), run)
		}
		x += f.widthOf(run, known)
	}
}

// dots writes a run of letters that are made of dots.
func (f *Face) dots(dc *gg.Context, x, y int, run string) {
	for _, r := range run {
		cell, mask, from, advance, _ := bitmapfont.Face.Glyph(fixed.Point26_6{}, r)
		for row := range cell.Dy() {
			for col := range cell.Dx() {
				if mask.At(from.X+col, from.Y+row) != (color.Alpha{}) {
					dc.DrawRectangle(float64(x+(cell.Min.X+col)*f.grain), float64(y+(cell.Min.Y+row)*f.grain), f.thick, float64(f.grain))
				}
			}
		}
		x += advance.Round() * f.grain
	}
	dc.Fill()
}

// Fit is what can be written of a text in so many pixels, 0 for any number, in the order
// in which it is written.
func (f *Face) Fit(s string, room float64) string {
	const unknown = '?' // stands for words that there are no letters for
	var letters []rune
	s = Plain(s)
	for _, r := range s {
		if !f.has(r) && !dotted(r) {
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
	for room > 0 && len(letters) > 0 && f.Width(written) > room {
		letters = letters[:len(letters)-1]
		written = ordered(strings.TrimRight(string(letters), " ") + "…")
	}
	return written
}

// has reports whether the font has a letter.
func (f *Face) has(r rune) bool { return f.font.Index(r) != 0 }

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
func (f *Face) runs(s string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for s != "" {
			first, _ := utf8.DecodeRuneInString(s)
			known := f.has(first)
			end := strings.IndexFunc(s, func(r rune) bool { return f.has(r) != known })
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

// Width is how many pixels a text takes.
func (f *Face) Width(s string) float64 {
	wide := 0.
	for run, known := range f.runs(s) {
		wide += f.widthOf(run, known)
	}
	return wide
}

func (f *Face) widthOf(run string, known bool) float64 {
	if known {
		return float64(font.MeasureString(f.face, run)) / 64
	}
	dots := 0
	for _, r := range run {
		advance, _ := bitmapfont.Face.GlyphAdvance(r)
		dots += advance.Round()
	}
	return float64(dots * f.grain)
}

// ordered is a text in the order in which it is written from left to right, with letters
// joined where a script does that.
func ordered(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) }) {
		return s
	}
	return bitmapfont.PresentationForms(s, bitmapfont.DirectionLeftToRight, language.Und)
}

// Plain is a stranger's text without what cannot be seen by itself or turns others
// around, in ordinary letters, and no longer than anybody reads.
func Plain(s string) string {
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
