package draw

import (
	"image"
	"image/color"
	"image/draw"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/golang/freetype/truetype"
	"github.com/hajimehoshi/bitmapfont/v3"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Face is a font of a size, in which any name can be written. It is safe for concurrent use.
type Face struct {
	font  *truetype.Font // with Latin, Greek and Cyrillic letters
	grain int            // how large a dot is of what other scripts are written with
	bold  bool

	mu   sync.Mutex
	face font.Face
	wide map[rune]fixed.Int26_6 // of letters that were measured: to measure takes as long as to draw
}

type faceKey struct {
	size float64
	bold bool
}

// faces are those that were asked for last, and fonts what they are made from.
//
//nolint:gochecknoglobals // guarded: to make a face takes longer than to write a word with it
var (
	faces, _ = lru.New[faceKey, *Face](64)
	fonts    = sync.OnceValue(func() (all [2]*truetype.Font) {
		for i, file := range [][]byte{goregular.TTF, gobold.TTF} {
			var err error
			if all[i], err = truetype.Parse(file); err != nil {
				panic("draw: a font that is part of this program is broken: " + err.Error())
			}
		}
		return all
	})
)

// FaceOf is the face whose letters have that height in pixels, from the foot of a g to the top
// of a d. Unless they are small they begin at whole pixels, so that each is drawn once.
func FaceOf(size float64, bold bool) *Face {
	const high = 13 // dots
	if f, ok := faces.Get(faceKey{size, bold}); ok {
		return f
	}
	f := &Face{font: fonts()[0], bold: bold, grain: max(1, int(size/high+.5)), wide: map[rune]fixed.Int26_6{}}
	if bold {
		f.font = fonts()[1]
	}
	o := &truetype.Options{Size: size, GlyphCacheEntries: 128}
	const huge = 48 // pixels: so large are a few words at most
	if size >= huge {
		o.GlyphCacheEntries = 16
	}
	const least = 12 // pixels: smaller letters would lose parts
	if size >= least {
		o.Hinting, o.SubPixelsX = font.HintingFull, 1
	}
	f.face = truetype.NewFace(f.font, o)
	faces.Add(faceKey{size, bold}, f)
	return f
}

// Write writes a text that [Face.Fit] has made on a picture, from x on with its baseline at y.
func (f *Face) Write(m *image.RGBA, ink color.Color, written string, x, y float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := font.Drawer{Dst: m, Src: image.NewUniform(ink), Face: f.face}
	for run, known := range f.runs(written) {
		if known {
			const one = 64
			d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * one), Y: fixed.Int26_6(y * one)}
			d.DrawString(run)
		} else {
			f.dots(m, d.Src, int(x), int(y), run)
		}
		x += f.widthOf(run, known)
	}
}

// dots writes a run of letters that are made of dots. Bold ones are half as wide again as they are
// apart, and as high.
func (f *Face) dots(m *image.RGBA, ink image.Image, x, y int, run string) {
	for _, r := range run {
		cell, mask, from, advance, _ := bitmapfont.Face.Glyph(fixed.Point26_6{}, r)
		for row := range cell.Dy() {
			for col := range cell.Dx() {
				if mask.At(from.X+col, from.Y+row) == (color.Alpha{}) {
					continue
				}
				dot := image.Rect(0, 0, f.grain, f.grain).Add(image.Pt(x+(cell.Min.X+col)*f.grain, y+(cell.Min.Y+row)*f.grain))
				if f.bold && !unicode.Is(unicode.S, r) { // little pictures would become blots
					f.swell(m, ink, dot)
				}
				draw.Draw(m, dot, ink, image.Point{}, draw.Over)
			}
		}
		x += advance.Round() * f.grain
	}
}

// swell makes a dot larger by half of it, to the right and downwards: half a pixel is a pale one.
func (f *Face) swell(m *image.RGBA, ink image.Image, dot image.Rectangle) {
	large := dot
	large.Max = large.Max.Add(image.Pt((f.grain+1)/2, (f.grain+1)/2))
	if f.grain > 1 {
		draw.Draw(m, large, ink, image.Point{}, draw.Over)
		return
	}
	draw.DrawMask(m, large, ink, image.Point{}, image.NewUniform(color.Alpha{0x60}), image.Point{}, draw.Over)
}

// Fit is what can be written of a text in a room in pixels, 0 for any length, in the order
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
	f.mu.Lock()
	defer f.mu.Unlock()
	wide := 0.
	for run, known := range f.runs(s) {
		wide += f.widthOf(run, known)
	}
	return wide
}

func (f *Face) widthOf(run string, known bool) float64 {
	if known {
		return float64(f.measure(run)) / 64
	}
	dots := 0
	for _, r := range run {
		advance, _ := bitmapfont.Face.GlyphAdvance(r)
		dots += advance.Round()
	}
	return float64(dots * f.grain)
}

// measure is how wide letters of the font are, moved together where they are kerned.
func (f *Face) measure(run string) (all fixed.Int26_6) {
	last := rune(-1)
	for _, r := range run {
		if last >= 0 {
			all += f.face.Kern(last, r)
		}
		wide, known := f.wide[r]
		if !known {
			wide, _ = f.face.GlyphAdvance(r)
			f.wide[r] = wide
		}
		all, last = all+wide, r
	}
	return all
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
	seen := []rune(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return -1
	}, s))
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, ordinary(norm.NFC.String(string(seen[:min(len(seen), most)]))))
	return strings.Join(strings.Fields(bare), " ")
}

// ordinary is a text in ordinary letters, such as D for 𝕯. What the fonts have anyway, such as ½,
// stays.
func ordinary(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r <= unicode.MaxLatin1 {
			b.WriteRune(r)
		} else {
			b.WriteString(norm.NFKC.String(string(r)))
		}
	}
	return b.String()
}
