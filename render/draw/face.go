package draw

import (
	"image"
	"image/color"
	"strings"
	"sync"
	"unicode"

	"github.com/golang/freetype/truetype"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// Face is a font of a size, in which any name can be written. It is safe for concurrent use.
type Face struct {
	font *truetype.Font // with Latin, Greek and Cyrillic letters
	size float64
	bold bool

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
	if f, ok := faces.Get(faceKey{size, bold}); ok {
		return f
	}
	f := &Face{font: fonts()[0], size: size, bold: bold, wide: map[rune]fixed.Int26_6{}}
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
func (f *Face) Write(m *image.RGBA, ink color.NRGBA, written string, x, y float64) {
	for _, r := range f.runs(written) {
		if r.shaped.Face == nil {
			f.writeWords(m, ink, r.words, x, y)
		} else {
			p, path := OnPixels(m), theScribe().outline(&r.shaped, x, y)
			p.Fill(path, ink)
			if f.bold {
				p.Stroke(path, ink, Line{Width: f.size / 30})
			}
		}
		x += f.widthOf(r)
	}
}

func (f *Face) writeWords(m *image.RGBA, ink color.NRGBA, words string, x, y float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const one = 64
	d := font.Drawer{Dst: m, Src: image.NewUniform(ink), Face: f.face, Dot: fixed.Point26_6{X: fixed.Int26_6(x * one), Y: fixed.Int26_6(y * one)}}
	d.DrawString(words)
}

// Fit is what can be written of a text in a room in pixels, 0 for any length.
func (f *Face) Fit(s string, room float64) string {
	const unknown, picture = '?', '☺' // stand for words that there are no letters for, and for nothing but little pictures
	var letters []rune
	s = Plain(s)
	for _, r := range s {
		if !f.has(r) && !theScribe().has(r) {
			n := len(letters)
			if unicode.Is(unicode.S, r) || n > 0 && letters[n-1] == unknown {
				continue // a little picture can be spared
			}
			r = unknown
		}
		letters = append(letters, r)
	}
	if len(letters) == 0 && s != "" {
		letters = []rune{picture}
	}
	letters = []rune(strings.Join(strings.Fields(string(letters)), " "))
	written := string(letters)
	for room > 0 && len(letters) > 0 && f.Width(written) > room {
		letters = letters[:len(letters)-1]
		written = strings.TrimRight(string(letters), " ") + "…"
	}
	return written
}

// has reports whether the font has a letter.
func (f *Face) has(r rune) bool { return f.font.Index(r) != 0 }

// runs are the parts of a text from left to right. Most have one.
func (f *Face) runs(s string) []run {
	if !strings.ContainsFunc(s, func(r rune) bool { return !f.has(r) }) {
		return []run{{words: s}}
	}
	return theScribe().runs(s, f.size)
}

// Width is how many pixels a text takes.
func (f *Face) Width(s string) (wide float64) {
	for _, r := range f.runs(s) {
		wide += f.widthOf(r)
	}
	return wide
}

func (f *Face) widthOf(r run) float64 {
	if r.shaped.Face != nil {
		return float64(r.shaped.Advance) / 64
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return float64(f.measure(r.words)) / 64
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
	marks := 0 // in a row
	bare := strings.Map(func(r rune) rune {
		if !unicode.Is(unicode.M, r) {
			marks = 0
			return r
		}
		const most = 3
		if marks++; marks > most || unicode.In(r, unicode.Inherited) { // vowels of a script are letters as others are
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
