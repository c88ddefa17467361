package draw

import (
	"bytes"
	"cmp"
	"embed"
	"image"
	"image/color"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/di"
	outlines "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"github.com/golang/freetype/truetype"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// Face is a font at a size, in which any name can be written. It is safe for concurrent use.
type Face struct {
	font *truetype.Font // with Latin, Greek and Cyrillic letters
	size float64
	bold bool

	mu   sync.Mutex
	face font.Face
	wide map[rune]fixed.Int26_6 // widths of measured letters: measuring takes as long as drawing
}

type faceKey struct {
	size float64
	bold bool
}

// faces are the recently used ones, and fonts their sources.
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

// FaceOf is the face whose letters have that height in pixels, from the foot of a g to the top of a d. Unless they are
// small, letters begin at whole pixels, so that each is drawn only once.
func FaceOf(size float64, bold bool) *Face {
	if f, ok := faces.Get(faceKey{size, bold}); ok {
		return f
	}
	f := &Face{font: fonts()[0], size: size, bold: bold, wide: map[rune]fixed.Int26_6{}}
	if bold {
		f.font = fonts()[1]
	}
	o := &truetype.Options{Size: size, GlyphCacheEntries: 128}
	const huge = 48 // pixels: only a few words are that large
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

// Write writes a text made by [Face.Fit] on a picture, from x on with its baseline at y.
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

// Fit is the part of a text that can be written within room pixels, 0 for any length.
func (f *Face) Fit(s string, room float64) string {
	const unknown, picture = '?', '☺' // for words without known letters, and for nothing but emoji
	var letters []rune
	s = Plain(s)
	for _, r := range s {
		if !f.has(r) && !theScribe().has(r) {
			n := len(letters)
			if unicode.Is(unicode.S, r) || n > 0 && letters[n-1] == unknown {
				continue // emoji can be left out
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

// runs are the parts of a text from left to right; most texts have one.
func (f *Face) runs(s string) []run {
	if !strings.ContainsFunc(s, func(r rune) bool { return !f.has(r) }) {
		return []run{{words: s}}
	}
	return theScribe().runs(s, f.size)
}

// Width is the width of a text in pixels.
func (f *Face) Width(s string) (wide float64) {
	for _, r := range f.runs(s) {
		wide += f.widthOf(r)
	}
	return wide
}

// widthOf is the width of a part of a text, with kerning.
func (f *Face) widthOf(of run) float64 {
	if of.shaped.Face != nil {
		return float64(of.shaped.Advance) / 64
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all, last := fixed.Int26_6(0), rune(-1)
	for _, r := range of.words {
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
	return float64(all) / 64
}

// Plain is a stranger's text in ordinary letters, without characters that are invisible or change the direction of
// text, cut to a reasonable length.
func Plain(s string) string {
	const most = 60
	if len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return strings.Join(strings.Fields(s), " ")
	}
	seen := []rune(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return -1
	}, s))
	// Such as 𝕯, which becomes D; characters of the fonts, such as ½, stay.
	rare := runes.Predicate(func(r rune) bool { return r > unicode.MaxLatin1 })
	marks := 0 // in a row
	bare := strings.Map(func(r rune) rune {
		if !unicode.Is(unicode.M, r) {
			marks = 0
			return r
		}
		const most = 3
		if marks++; marks > most || unicode.In(r, unicode.Inherited) { // vowel signs of a script count as letters
			return -1
		}
		return r
	}, runes.If(rare, norm.NFKC, nil).String(norm.NFC.String(string(seen[:min(len(seen), most)]))))
	return strings.Join(strings.Fields(bare), " ")
}

//go:embed fonts/*.ttf fonts/*.otf
var fontFiles embed.FS

// scribe shapes and orders letters by the rules of their scripts. It is safe for concurrent use.
type scribe struct {
	mu        sync.Mutex
	fonts     fontList
	segmenter shaping.Segmenter
	shaper    shaping.HarfbuzzShaper
	known     *lru.Cache[writing, []run]
}

// writing is a text of a size.
type writing struct {
	text string
	size float64
}

// fontList is the font of a [Face], followed by one for each script that it lacks.
type fontList []*outlines.Face

// ResolveFace is the first font with the letter, or else the first of all.
func (l fontList) ResolveFace(r rune) *outlines.Face {
	return l[max(0, slices.IndexFunc(l, func(f *outlines.Face) bool { _, has := f.NominalGlyph(r); return has }))]
}

// theScribe loads its fonts at first use.
//
//nolint:gochecknoglobals // guarded
var theScribe = sync.OnceValue(func() *scribe {
	s := &scribe{}
	s.known, _ = lru.New[writing, []run](1 << 10)
	add := func(file []byte, err error) {
		font, err2 := outlines.ParseTTF(bytes.NewReader(file))
		if err = cmp.Or(err, err2); err != nil {
			panic("draw: a font that is part of this program is broken: " + err.Error())
		}
		s.fonts = append(s.fonts, font)
	}
	add(goregular.TTF, nil)
	names, _ := fs.Glob(fontFiles, "fonts/*.?tf") // the pattern is valid
	for _, name := range names {
		add(fontFiles.ReadFile(name))
	}
	return s
})

// has reports whether a font other than the first has a letter.
func (s *scribe) has(r rune) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fonts.ResolveFace(r) != s.fonts[0]
}

// run is a part of a text in one font: words in the [Face]'s own, or shaped letters.
type run struct {
	words  string
	shaped shaping.Output
}

// runs are the parts of a text from left to right.
func (s *scribe) runs(text string, size float64) (all []run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all, ok := s.known.Get(writing{text, size}); ok {
		return all
	}
	letters := []rune(text)
	var parts []shaping.Output
	for _, part := range s.segmenter.Split(shaping.Input{Text: letters, RunEnd: len(letters), Size: fixed.Int26_6(size * 64)}, s.fonts) {
		parts = append(parts, s.shaper.ShapeNoExtents(part))
	}
	for i := 0; i < len(parts); i++ { // right-to-left parts, and numbers after them
		end := i
		for end < len(parts) && (parts[end].Direction.Progression() == di.TowardTopLeft || end > i && unicode.IsDigit(letters[parts[end].Runes.Offset])) {
			end++
		}
		slices.Reverse(parts[i:end])
		i = max(i, end-1)
	}
	for _, part := range parts {
		if part.Face == s.fonts[0] && part.Direction.Progression() == di.FromTopLeft {
			all = append(all, run{words: string(letters[part.Runes.Offset:][:part.Runes.Count])})
		} else {
			all = append(all, run{shaped: part})
		}
	}
	s.known.Add(writing{text, size}, all)
	return all
}

// outline is the outline of a run's letters, starting at x and y.
func (s *scribe) outline(of *shaping.Output, x, y float64) (p Path) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const one = 64
	scale := float64(of.Size) / one / float64(of.Face.Upem())
	for _, g := range of.Glyphs {
		left, foot := x+float64(g.XOffset)/one, y-float64(g.YOffset)/one
		at := func(p opentype.SegmentPoint) Point {
			return Point{left + float64(p.X)*scale, foot - float64(p.Y)*scale}
		}
		drawn, _ := of.Face.GlyphDataOutline(g.GlyphID) // none for a space
		for _, step := range drawn.Segments {
			a, b, c := at(step.Args[0]), at(step.Args[1]), at(step.Args[2])
			switch step.Op {
			case opentype.SegmentOpMoveTo:
				p = append(p, Segment{Op: Move, To: a})
			case opentype.SegmentOpLineTo:
				p = append(p, Segment{Op: Go, To: a})
			case opentype.SegmentOpQuadTo:
				from := p[len(p)-1].To
				p = append(p, Segment{Curve, between(from, a, 2./3), between(b, a, 2./3), b})
			case opentype.SegmentOpCubeTo:
				p = append(p, Segment{Curve, a, b, c})
			}
		}
		x += float64(g.Advance) / one
	}
	return p
}
