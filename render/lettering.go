package render

import (
	"image/color"
	"strings"
	"sync"
	"unicode"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// typefaces are the fonts of this program: Latin, Greek and Cyrillic letters. They are
// read once and never written.
//
//nolint:gochecknoglobals // written once, under its own guard
var typefaces = sync.OnceValue(func() [2]*truetype.Font {
	var all [2]*truetype.Font
	for i, file := range [][]byte{goregular.TTF, gobold.TTF} {
		var err error
		if all[i], err = truetype.Parse(file); err != nil {
			panic("render: a font that is part of this program is broken: " + err.Error())
		}
	}
	return all
})

// text is how something is written on a poster.
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

// lettering is a face and what it can write.
type lettering struct {
	font *truetype.Font
	face font.Face
}

func (e *easel) lettering(t text) lettering {
	f := face{t.size * e.unit, t.bold}
	l, ok := e.faces[f]
	if !ok {
		l.font = typefaces()[0]
		if f.bold {
			l.font = typefaces()[1]
		}
		l.face = truetype.NewFace(l.font, &truetype.Options{Size: f.size, GlyphCacheEntries: 128})
		e.faces[f] = l
	}
	return l
}

// write writes words with their baseline at y.
func (e *easel) write(t text, x, y float64, words string) {
	l := e.lettering(t)
	words = l.fit(words, t.room*e.unit)
	width := l.width(words) / e.unit
	switch {
	case t.right:
		x -= width
	case t.mid:
		x -= width / 2
	}
	e.dc.SetFontFace(l.face)
	e.dc.SetColor(t.ink)
	e.dc.DrawString(words, x*e.unit, y*e.unit)
}

// fit is what can be written of a text in so many pixels, 0 for any number.
func (l lettering) fit(s string, room float64) string {
	const unknown = '?' // stands for all that there is no letter for
	var written []rune
	for _, r := range plain(s) {
		if l.font.Index(r) == 0 {
			r = unknown
			if n := len(written); n > 0 && written[n-1] == unknown {
				continue
			}
		}
		written = append(written, r)
	}
	if room == 0 || l.width(string(written)) <= room {
		return string(written)
	}
	for len(written) > 0 && l.width(string(written)+"…") > room {
		written = written[:len(written)-1]
	}
	return strings.TrimRight(string(written), " ") + "…"
}

func (l lettering) width(s string) float64 {
	return float64(font.MeasureString(l.face, s)) / 64
}

// plain is a stranger's text without what cannot be seen by itself or turns others
// around, and no longer than anybody reads.
func plain(s string) string {
	const most = 60
	var seen []rune
	for _, r := range s {
		if len(seen) == most {
			return string(seen) + "…"
		}
		switch {
		case unicode.IsSpace(r):
			seen = append(seen, ' ')
		case unicode.IsGraphic(r) && !unicode.Is(unicode.M, r):
			seen = append(seen, r)
		}
	}
	return strings.Join(strings.Fields(string(seen)), " ")
}
