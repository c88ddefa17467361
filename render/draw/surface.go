package draw

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fogleman/gg"
)

// Pixels is a Surface of pixels. It is for one goroutine.
type Pixels struct {
	m  *image.RGBA
	dc *gg.Context // for it
}

// OnPixels is a surface over an image, with pixels as units.
func OnPixels(m *image.RGBA) *Pixels {
	dc := gg.NewContextForRGBA(m)
	dc.SetLineJoinRound()
	return &Pixels{m: m, dc: dc}
}

// Fill implements [Surface].
func (p *Pixels) Fill(path Path, c color.NRGBA) {
	if r, ok := path.pixels(); ok && c.A == 0xff { // the rasterizer would take ten times as long
		draw.Draw(p.m, r, image.NewUniform(c), image.Point{}, draw.Src)
		return
	}
	p.follow(path)
	p.dc.SetColor(c)
	p.dc.FillPreserve()
}

// Stroke implements [Surface]. To the rasterizer a closed outline has two ends at its start. Round ends would overlap
// visibly; blunt ones meet, if the outline is smooth there.
func (p *Pixels) Stroke(path Path, c color.NRGBA, l Line) {
	p.dc.SetColor(c)
	p.dc.SetLineWidth(l.Width)
	p.dc.SetDash(l.Dashes...)
	open, closed := path, Path(nil)
	if l.Dashes == nil && !l.Blunt {
		open, closed = path.byEnds()
	}
	if len(open) > 0 {
		p.dc.SetLineCapRound()
		if l.Blunt {
			p.dc.SetLineCapButt()
		}
		p.follow(open)
		p.dc.StrokePreserve()
	}
	if len(closed) > 0 {
		p.dc.SetLineCapButt()
		p.follow(closed)
		p.dc.StrokePreserve()
	}
}

// follow sets a path.
func (p *Pixels) follow(path Path) {
	p.dc.ClearPath()
	for i := range path {
		switch s := &path[i]; s.Op {
		case Move:
			p.dc.MoveTo(s.To.X, s.To.Y)
		case Go:
			p.dc.LineTo(s.To.X, s.To.Y)
		case Curve:
			p.dc.CubicTo(s.C1.X, s.C1.Y, s.C2.X, s.C2.Y, s.To.X, s.To.Y)
		case Close:
			p.dc.ClosePath()
		}
	}
}

// Write implements [Surface].
func (p *Pixels) Write(t Text, c color.NRGBA) {
	face := FaceOf(t.Size, t.Bold)
	x := t.At.X
	if t.Middle {
		x -= face.Width(t.Words) / 2
	}
	face.Write(p.m, c, t.Words, x, t.At.Y)
}

// Stamp implements [Surface].
func (p *Pixels) Stamp(_ Stamp, at Square, draw func(Surface, Square)) { draw(p, at) }

// Vector is a Surface that produces an SVG drawing. It uses only attributes, so that no page has to allow styles or
// scripts for it. It is for one goroutine.
type Vector struct {
	symbols bytes.Buffer
	known   map[string]bool // the symbols, by id
	drawing bytes.Buffer
	layer   string          // its name
	start   int             // where in the drawing it begins
	seen    map[string]bool // what has been painted in the layer
	open    *element        // may still be extended
}

// NewVector is an empty drawing.
func NewVector() *Vector { return &Vector{known: map[string]bool{}, seen: map[string]bool{}} }

// Layer begins a layer of the drawing, with a name for people who read the file. Painting the same thing in it again
// does nothing, so several tiles of a board can each paint what they share.
func (v *Vector) Layer(name string) {
	v.end()
	v.layer, v.start = name, v.drawing.Len()
}

// end ends the current layer. An empty one is left out.
func (v *Vector) end() {
	v.flush()
	if painted := string(v.drawing.Bytes()[v.start:]); painted != "" {
		v.drawing.Truncate(v.start)
		fmt.Fprintf(&v.drawing, "<g class=%q>\n%s</g>\n", v.layer, painted)
	}
	clear(v.seen)
}

// Sheet is the area of a drawing, and its text for screen readers.
type Sheet struct {
	Left, Top          int // of the visible part, in units
	Width, Height      int // likewise
	Across, Down       int // default size in pixels
	Title, Description string
	Kept               bool // it keeps its colors where pages are dark: its class is "kept"
}

// File writes the drawing to w as an SVG file.
func (v *Vector) File(w io.Writer, s Sheet) error {
	v.end()
	var file bytes.Buffer
	fmt.Fprintf(&file, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%d %d %d %d" role="img"`,
		s.Across, s.Down, s.Left, s.Top, s.Width, s.Height)
	if s.Kept {
		file.WriteString(` class="kept"`)
	}
	file.WriteString(` font-family="system-ui, sans-serif" stroke-linecap="round" stroke-linejoin="round">` + "\n")
	fmt.Fprintf(&file, "<title>%s</title>\n<desc>%s</desc>\n<defs>\n", escaped(s.Title), escaped(s.Description))
	file.Write(v.symbols.Bytes())
	file.WriteString("</defs>\n")
	file.Write(v.drawing.Bytes())
	file.WriteString("</svg>\n")
	_, err := w.Write(file.Bytes())
	return err
}

// element is outlines that are painted in the same way.
type element struct {
	path   []string
	boxes  []bounds
	fill   string // attributes, "" for none
	stroke string // attributes, "" for none
}

// flush writes the open element.
func (v *Vector) flush() {
	if v.open == nil {
		return
	}
	fill := cmp.Or(v.open.fill, ` fill="none"`)
	fmt.Fprintf(&v.drawing, "<path%s%s d=%q/>\n", fill, v.open.stroke, strings.Join(v.open.path, ""))
	v.open = nil
}

// Fill implements [Surface].
func (v *Vector) Fill(p Path, c color.NRGBA) {
	fill, outline, around := paintOf("fill", c), outlineOf(p), boxOf(p, 0)
	if p.isField() {
		fill += ` shape-rendering="crispEdges"` // the ground must not show through between neighbors
	}
	if outline != "" && v.news(fill, outline) {
		v.add(element{fill: fill}, outline, around, true)
	}
}

// add adds an outline to the open element, or to a new one if the paint differs, or if the outline must not overlap the
// open one (apart) but would.
func (v *Vector) add(e element, outline string, around bounds, apart bool) {
	if o := v.open; o == nil || o.fill != e.fill || o.stroke != e.stroke || apart && o.touches(around) {
		v.flush()
		v.open = &e
	}
	v.open.path = append(v.open.path, outline)
	v.open.boxes = append(v.open.boxes, around)
}

// Stroke implements [Surface].
func (v *Vector) Stroke(p Path, c color.NRGBA, l Line) {
	stroke := paintOf("stroke", c) + fmt.Sprintf(` stroke-width="%s"`, number(l.Width))
	if len(l.Dashes) > 0 {
		dashes := make([]string, len(l.Dashes))
		for i, d := range l.Dashes {
			dashes[i] = number(d)
		}
		stroke += fmt.Sprintf(" stroke-dasharray=%q", strings.Join(dashes, " "))
	}
	outline, around := outlineOf(p), boxOf(p, l.Width/2)
	if !v.news(stroke, outline) {
		return
	}
	if e := v.open; e != nil && e.stroke == "" && len(e.path) == 1 && e.path[0] == outline {
		e.stroke = stroke // the outline was just filled
		return
	}
	v.add(element{stroke: stroke}, outline, around, c.A != 0xff)
}

// isField reports whether p is a rectangle that may have neighbors, not a thin line.
func (p Path) isField() bool {
	const least = 20
	b := boxOf(p, 0)
	wide, high := b.right-b.left, b.bottom-b.top
	return wide >= least && high >= least && slices.EqualFunc(p, Rectangle(b.left, b.top, wide, high), func(s, t Segment) bool {
		return s.Op == t.Op && number(s.To.X) == number(t.To.X) && number(s.To.Y) == number(t.To.Y)
	})
}

// news reports whether something is painted for the first time in this layer.
func (v *Vector) news(how, what string) bool {
	known := v.seen[how+what]
	v.seen[how+what] = true
	return !known
}

// Write implements [Surface]. A text is as wide as in pixels, whatever fonts there are.
func (v *Vector) Write(t Text, c color.NRGBA) {
	var b strings.Builder
	fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="%s"%s`, number(t.At.X), number(t.At.Y), number(t.Size), paintOf("fill", c))
	if t.Bold {
		b.WriteString(` font-weight="bold"`)
	}
	if t.Middle {
		b.WriteString(` text-anchor="middle"`)
	}
	if utf8.RuneCountInString(t.Words) > 2 {
		fmt.Fprintf(&b, ` textLength="%s" lengthAdjust="spacingAndGlyphs"`, number(FaceOf(t.Size, t.Bold).Width(t.Words)))
	}
	fmt.Fprintf(&b, ">%s</text>\n", escaped(t.Words))
	if v.news("", b.String()) {
		v.flush()
		v.drawing.WriteString(b.String())
	}
}

// Stamp implements [Surface]: each kind of stamp becomes one symbol.
func (v *Vector) Stamp(s Stamp, at Square, draw func(Surface, Square)) {
	const side = 100
	picture := NewVector()
	draw(picture, Square{Side: side})
	picture.flush()
	words := strings.FieldsFunc(strings.ToLower(s.Name), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	sum := fnv.New32a()
	_, _ = sum.Write(picture.drawing.Bytes()) // a page may have several drawings, so a symbol's id depends on its content
	id := fmt.Sprintf("%s-%08x", strings.Join(words, "-"), sum.Sum32())
	if !v.known[id] {
		v.known[id] = true
		fmt.Fprintf(&v.symbols, "<symbol id=%q viewBox=\"0 0 %d %[2]d\">\n%s</symbol>\n", id, side, picture.drawing.Bytes())
	}
	v.flush()
	fmt.Fprintf(&v.drawing, `<use href="#%s" x="%s" y="%s" width="%s" height="%[4]s"/>`+"\n", id, number(at.X), number(at.Y), number(at.Side))
}

// outlineOf is a path in SVG syntax. Its steps are relative: equal shapes are equal text, which compresses well.
func outlineOf(p Path) string {
	var b strings.Builder
	var at Point // rounded, so that errors do not add up
	for _, s := range p {
		to := Point{X: rounded(s.To.X), Y: rounded(s.To.Y)}
		by := func(q Point) string { return number(rounded(q.X)-at.X) + " " + number(rounded(q.Y)-at.Y) }
		switch {
		case s.Op == Close:
			b.WriteByte('z')
			continue // a Move follows
		case s.Op == Curve:
			b.WriteString("c" + by(s.C1) + " " + by(s.C2) + " " + by(to))
		case s.Op == Move:
			b.WriteString("M" + number(to.X) + " " + number(to.Y))
		case to.Y == at.Y:
			b.WriteString("h" + number(to.X-at.X))
		case to.X == at.X:
			b.WriteString("v" + number(to.Y-at.Y))
		default:
			b.WriteString("l" + by(to))
		}
		at = to
	}
	return strings.ReplaceAll(b.String(), " -", "-")
}

// bounds is a rectangle around something.
type bounds struct{ left, top, right, bottom float64 }

// boxOf is the bounding box of a path, with room for a line.
func boxOf(p Path, room float64) bounds {
	b := bounds{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, s := range p {
		if s.Op == Close {
			continue
		}
		points := []Point{s.To}
		if s.Op == Curve {
			points = append(points, s.C1, s.C2)
		}
		for _, q := range points {
			b = bounds{min(b.left, q.X-room), min(b.top, q.Y-room), max(b.right, q.X+room), max(b.bottom, q.Y+room)}
		}
	}
	return b
}

// touches reports whether e may overlap a bounds.
func (e *element) touches(b bounds) bool {
	const hair = .01 // squares of a board may touch
	return slices.ContainsFunc(e.boxes, func(o bounds) bool {
		return b.left < o.right-hair && o.left < b.right-hair && b.top < o.bottom-hair && o.top < b.bottom-hair
	})
}

// paintOf is the attributes for a color.
func paintOf(attribute string, c color.NRGBA) string {
	text := fmt.Sprintf(` %s="#%02x%02x%02x"`, attribute, c.R, c.G, c.B)
	if c.A != 0xff {
		text += fmt.Sprintf(` %s-opacity="%s"`, attribute, number(float64(c.A)/0xff))
	}
	return text
}

// number writes a length, to a hundredth.
func number(x float64) string { return strconv.FormatFloat(rounded(x), 'f', -1, 64) }

func rounded(x float64) float64 {
	const parts = 100
	return math.Round(x*parts)/parts + 0 // avoids "-0"
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to a strings.Builder never fails
	return b.String()
}

// Fingerprint is a Surface that hashes what is painted on it: equal for what looks equal and, but for a chance of one
// in 2^64, different otherwise.
// Only those with the same seed can be compared.
type Fingerprint struct{ maphash.Hash }

// Fill implements [Surface].
func (f *Fingerprint) Fill(p Path, c color.NRGBA) { f.add(p, c, -1) }

// Stroke implements [Surface].
func (f *Fingerprint) Stroke(p Path, c color.NRGBA, l Line) {
	f.add(p, c, l.Width)
	for _, dash := range l.Dashes {
		maphash.WriteComparable(&f.Hash, dash)
	}
}

func (f *Fingerprint) add(p Path, c color.NRGBA, width float64) {
	for i := range p {
		maphash.WriteComparable(&f.Hash, p[i])
	}
	maphash.WriteComparable(&f.Hash, c)
	maphash.WriteComparable(&f.Hash, width)
}

// Write implements [Surface].
func (f *Fingerprint) Write(t Text, c color.NRGBA) {
	maphash.WriteComparable(&f.Hash, t)
	maphash.WriteComparable(&f.Hash, c)
}

// Stamp implements [Surface].
func (f *Fingerprint) Stamp(s Stamp, at Square, _ func(Surface, Square)) {
	maphash.WriteComparable(&f.Hash, s)
	maphash.WriteComparable(&f.Hash, at)
}
