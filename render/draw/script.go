package draw

import (
	"bytes"
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/di"
	outlines "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
)

//go:embed fonts/*.ttf fonts/*.otf
var fontFiles embed.FS

// scribe joins and orders letters as their scripts do. It is safe for concurrent use.
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

// fontList is the font of a [Face], and one for each script that it lacks.
type fontList []*outlines.Face

// ResolveFace is the first font that has a letter, or else the first of all.
func (l fontList) ResolveFace(r rune) *outlines.Face {
	return l[max(0, slices.IndexFunc(l, func(f *outlines.Face) bool { _, has := f.NominalGlyph(r); return has }))]
}

// theScribe reads its fonts when something is first written that needs them.
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
	names, _ := fs.Glob(fontFiles, "fonts/*.?tf") // a pattern that is right
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

// run is a part of a text in one font: words in that of a [Face], or letters that are shaped.
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
	for i := 0; i < len(parts); i++ { // what is read from right to left, and numbers after it
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

// outline is around the letters of a run that begins there.
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
