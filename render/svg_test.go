package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/golang/freetype/raster"
	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/render/text"
	"chimera/rules/phrase"
)

// TestDrawingsShowWhatPicturesShow has another program make pixels of each SVG drawing, and
// compares them with the picture: the board by itself too, since letters stand a little differently.
func TestDrawingsShowWhatPicturesShow(t *testing.T) {
	paintsForLong(t)
	const square = 50 // pixels; with any whole number of them, squares begin where they do in the drawing
	all := sample.All(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(name, "start-") {
			continue // they are like others
		}
		t.Run(name, func(t *testing.T) {
			d, square := all[name], square
			if borderOf(&d) != (border{}) || len(d.Legend) > 0 {
				square *= 2 // as many as in the drawing, lest what is below is rounded to another height
			}
			size := sizeOf(&d, square)
			got, want := rasterised(t, drawing(t, d, size)), picture(t, d, size)
			written := slices.DeleteFunc(newScene(&d, size, false).areas, func(a area) bool { return a.part == nil })
			if len(written) > 0 {
				golden.CompareNearly(t, got, want, golden.Lines)
				for _, a := range written {
					for _, m := range []*image.RGBA{got, want} {
						imagedraw.Draw(m, a.Rectangle, image.Black, image.Point{}, imagedraw.Src)
					}
				}
			}
			golden.CompareNearly(t, got, want, golden.Rounding)
		})
	}
}

// TestAMarkThatIsMissingIsNoticed leaves the marks of one kind out of each picture that has some, on
// squares as small as those of drawings that are compared.
func TestAMarkThatIsMissingIsNoticed(t *testing.T) {
	paintsForLong(t)
	const square = 50
	for name, d := range sample.All(t) {
		whole := picture(t, d, sizeOf(&d, square))
		var kinds []diagram.MarkKind
		for _, m := range d.Marks {
			frosted := m.Kind == diagram.Reached && d.Marked(diagram.Frozen).Has(m.To) // frost covers where it arrived
			if !slices.Contains(kinds, m.Kind) && !frosted {
				kinds = append(kinds, m.Kind)
			}
		}
		for _, kind := range kinds {
			without := d
			without.Marks = slices.DeleteFunc(slices.Clone(d.Marks), func(m diagram.Mark) bool { return m.Kind == kind })
			if strange, _ := golden.Strange(picture(t, without, sizeOf(&d, square)), whole); strange <= golden.Rounding {
				t.Errorf("%s without marks of kind %d differs by %d pixels only", name, kind, strange)
			}
		}
	}
}

// drawing is d as SVG.
func drawing(t testing.TB, d diagram.Diagram, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	golden.Must(t, SVG(&b, d, size, phrase.English))
	return b.Bytes()
}

// node is an element of a drawing.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []*node    `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) number(t testing.TB, name string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(n.attr(name), 64)
	if err != nil {
		t.Fatalf("%s of a %s: %v", name, n.XMLName.Local, err)
	}
	return x
}

// rasterised is a drawing in pixels. The library that does it knows neither symbols nor texts,
// and makes lines no wider where all is larger: symbols are put where they are used, lines get the
// width that they have in pixels, and texts are written last.
func rasterised(t testing.TB, file []byte) *image.RGBA {
	t.Helper()
	var root node
	golden.Must(t, xml.Unmarshal(file, &root))
	var unit struct{ x, y, wide, high float64 }
	if _, err := fmt.Sscan(root.attr("viewBox"), &unit.x, &unit.y, &unit.wide, &unit.high); err != nil {
		t.Fatal(err)
	}
	width, height := root.number(t, "width"), root.number(t, "height")
	m := image.NewRGBA(image.Rect(0, 0, int(width), int(height)))
	f := flattening{TB: t, symbols: map[string]*node{}, on: m, place: place{scale: width / unit.wide}}
	f.add(&root)
	icon, err := oksvg.ReadIconStream(&f.file, oksvg.StrictErrorMode)
	golden.Must(t, err)
	icon.SetTarget(0, 0, width, height)
	scan := &scanner{Rasterizer: raster.NewRasterizer(m.Rect.Dx(), m.Rect.Dy()), on: raster.NewRGBAPainter(m)}
	icon.Draw(rasterx.NewDasher(m.Rect.Dx(), m.Rect.Dy(), scan), 1)
	for _, write := range f.texts {
		write()
	}
	return m
}

// scanner fills outlines. The library's own goes over all pixels for each of them.
type scanner struct {
	*raster.Rasterizer
	on *raster.RGBAPainter
}

func (s *scanner) Start(a fixed.Point26_6) { s.Rasterizer.Start(a) }
func (s *scanner) Line(b fixed.Point26_6)  { s.Add1(b) }
func (s *scanner) Draw()                   { s.Rasterize(s.on) }
func (s *scanner) SetColor(c any)          { s.on.SetColor(c.(color.Color)) }
func (s *scanner) SetWinding(nonZero bool) { s.UseNonZeroWinding = nonZero }
func (s *scanner) SetClip(image.Rectangle) {}

// GetPathExtent is asked for by gradients alone.
func (s *scanner) GetPathExtent() fixed.Rectangle26_6 { return fixed.Rectangle26_6{} }

// flattening is a drawing that becomes one without symbols and texts.
type flattening struct {
	testing.TB
	file    bytes.Buffer
	symbols map[string]*node
	on      *image.RGBA
	texts   []func() // write on it
	place
}

// place is where on the pixels the units of an element are.
type place struct{ x, y, scale float64 }

func (f *flattening) add(n *node) {
	switch n.XMLName.Local {
	case "title", "desc":
	case "defs":
		for _, s := range n.Nodes {
			f.symbols["#"+s.attr("id")] = s
		}
	case "text":
		f.texts = append(f.texts, f.text(n))
	case "use":
		f.use(n)
	case "svg":
		fmt.Fprintf(&f.file, `<svg viewBox=%q><g stroke-linecap=%q stroke-linejoin=%q>`, n.attr("viewBox"), n.attr("stroke-linecap"), n.attr("stroke-linejoin"))
		f.addAll(n.Nodes)
		f.file.WriteString("</g></svg>")
	default:
		f.file.WriteString("<" + n.XMLName.Local)
		for _, a := range n.Attrs {
			switch a.Name.Local {
			case "stroke-width", "stroke-dasharray":
				a.Value = f.scaled(a.Value)
			}
			fmt.Fprintf(&f.file, " %s=%q", a.Name.Local, a.Value)
		}
		f.file.WriteString(">")
		f.addAll(n.Nodes)
		f.file.WriteString("</" + n.XMLName.Local + ">")
	}
}

func (f *flattening) addAll(nodes []*node) {
	for _, n := range nodes {
		f.add(n)
	}
}

// use puts a symbol where it is used.
func (f *flattening) use(n *node) {
	const side = 100 // of a symbol
	symbol := f.symbols[n.attr("href")]
	if symbol == nil {
		f.Fatalf("no symbol %s", n.attr("href"))
	}
	x, y, scale := n.number(f, "x"), n.number(f, "y"), n.number(f, "width")/side
	outer := f.place
	f.place = place{outer.x + x*outer.scale, outer.y + y*outer.scale, outer.scale * scale}
	fmt.Fprintf(&f.file, `<g transform="translate(%v,%v) scale(%v,%[3]v)">`, x, y, scale)
	f.addAll(symbol.Nodes)
	f.file.WriteString("</g>")
	f.place = outer
}

// scaled are lengths in pixels.
func (f *flattening) scaled(lengths string) string {
	var all []string
	for _, length := range strings.Fields(lengths) {
		x, err := strconv.ParseFloat(length, 64)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, fmt.Sprint(x*f.scale))
	}
	return strings.Join(all, " ")
}

func (f *flattening) text(n *node) (write func()) {
	c := color.NRGBA{A: 0xff}
	if _, err := fmt.Sscanf(n.attr("fill"), "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		f.Fatal(err)
	}
	text := draw.Text{
		Words:  n.Text,
		At:     draw.Point{X: f.x + n.number(f, "x")*f.scale, Y: f.y + n.number(f, "y")*f.scale},
		Size:   n.number(f, "font-size") * f.scale,
		Bold:   n.attr("font-weight") == "bold",
		Middle: n.attr("text-anchor") == "middle",
	}
	return func() { draw.OnPixels(f.on).Write(text, c) }
}

// TestAnyPageMayContainADrawing is about pages that allow no styles and no scripts, and of which
// others can read aloud.
func TestAnyPageMayContainADrawing(t *testing.T) {
	paintsForLong(t)
	for name, d := range sample.All(t) {
		file := string(drawing(t, d, DefaultSize))
		if bad := regexp.MustCompile(`<(style|script|image|foreignObject|a)\b|\s(style|on\w+|xlink:href|src)=|url\(|https?://`).FindString(strings.Replace(file, `xmlns="http://www.w3.org/2000/svg"`, "", 1)); bad != "" {
			t.Errorf("%s: there is %q", name, bad)
		}
		if strings.Contains(file, "></text>") {
			t.Errorf("%s: there is a text without words", name)
		}
		var across, down, width, height int
		_, err := fmt.Sscanf(file[strings.Index(file, "width"):], `width="%d" height="%d" viewBox="0 0 %d %d"`, &across, &down, &width, &height)
		if err != nil || max(across*height-down*width, down*width-across*height) > width {
			t.Errorf("%s: %d×%d is not the shape of %d×%d: %v", name, across, down, width, height, err)
		}
		for _, want := range []string{`role="img"`, "<title>" + text.Turn(d).Text(phrase.English) + "</title>", "<desc>"} {
			if !strings.Contains(file, want) {
				t.Errorf("%s: there is no %s", name, want)
			}
		}
	}
}

func TestEachKindOfPieceIsOneSymbol(t *testing.T) {
	file := string(drawing(t, sample.Diagram(t, sample.StartBoard), DefaultSize))
	if symbols, uses := strings.Count(file, "<symbol "), strings.Count(file, "<use "); symbols != 12 || uses != 32 {
		t.Errorf("there are %d symbols, used %d times, want 12 and 32", symbols, uses)
	}
	const most = 24 << 10
	if len(file) > most {
		t.Errorf("the start of chess takes %d bytes, more than %d", len(file), most)
	}
}
