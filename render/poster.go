package render

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"

	"github.com/fogleman/gg"
)

// Poster is a picture of words and figures, such as a leaderboard: data, painted by
// its PNG and told by its Words. Names in it may be any text.
type Poster struct {
	Title string
	And   string // the title's second half, or ""; each is cut by itself
	Note  string // below the title, or ""
	Theme Theme
	Parts []Part // from top to bottom
}

// Part is a part of a poster: a [*Ranking], a [*Plot], a [*Figures], a [*Tally], a [*Men]
// or a [*Facts].
type Part interface {
	height() float64           // in units
	paint(e *easel, y float64) // with its upper edge there
	words() string             // sentences
}

// A poster is so many units wide, as many as a phone has dots across; all else on it
// is measured in them.
const (
	posterWidth = 360
	margin      = 14
	between     = 12 // parts
)

// PNG paints the poster as a picture that goes with boards of that size, half as wide
// again, and writes it to w. It refuses sizes below [MinSize] and above [MaxSize].
func (p *Poster) PNG(w io.Writer, size int) error {
	if err := checkSize(size); err != nil {
		return err
	}
	b := studio.bench()
	defer studio.benches.Put(b)
	inks := p.Theme.posterInks()
	b.canvas.trace(p.paint(size+size/2), inks)
	file, err := b.encodePNG(inks)
	if err == nil {
		_, err = w.Write(file)
	}
	if err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// paint paints the poster so many pixels wide.
func (p *Poster) paint(width int) *image.RGBA {
	unit := float64(width) / posterWidth
	high := p.head()
	for _, part := range p.Parts {
		high += part.height() + between
	}
	e := newEasel(p.Theme.scheme(), width, int(high*unit+.5))
	e.title(text{size: 19, bold: true, ink: e.ink, room: posterWidth - 2*margin}, margin, 29, p)
	e.write(text{size: 12, ink: e.faint, room: posterWidth - 2*margin}, margin, 46, p.Note)
	y := p.head()
	for _, part := range p.Parts {
		part.paint(e, y)
		y += part.height() + between
	}
	return e.dc.Image().(*image.RGBA)
}

// title writes a poster's title. Of two halves, one may be longer where the other is short.
func (e *easel) title(t text, x, y float64, p *Poster) {
	if p.And == "" {
		e.write(t, x, y, p.Title)
		return
	}
	l := e.lettering(t)
	width := func(s string) float64 { return l.width(l.fit(s, t.room*e.unit)) / e.unit }
	space, gap := l.width(" ")/e.unit, l.width(" and ")/e.unit
	room, whole := t.room-gap, width(p.Title)
	t.room = max(room/2, room-width(p.And))
	e.write(t, x, y, p.Title)
	x += min(whole, l.width(l.fit(p.Title, t.room*e.unit))/e.unit)
	e.write(t, x+space, y, "and")
	t.room = max(room/2, room-whole)
	e.write(t, x+gap, y, p.And)
}

// head is how much room the title takes.
func (p *Poster) head() float64 {
	if p.Note == "" {
		return 40
	}
	return 56
}

// Words tell in a few sentences what is seen, for people who cannot see the picture.
func (p *Poster) Words() string {
	said := []string{"Picture: " + plain(p.Title) + "."}
	if p.And != "" {
		said[0] = "Picture: " + plain(p.Title) + " and " + plain(p.And) + "."
	}
	if p.Note != "" {
		said = append(said, plain(p.Note)+".")
	}
	for _, part := range p.Parts {
		said = append(said, part.words())
	}
	return strings.Join(said, " ")
}

// paper is the colors of posters in a theme.
type paper struct {
	sheet color.NRGBA
	ink   color.NRGBA // of words
	faint color.NRGBA // of small print
	rule  color.NRGBA // of lines between things
	mine  color.NRGBA // behind what is the asker's
	lines [2]color.NRGBA
	band  color.NRGBA // around the first line
	won   color.NRGBA
	drawn color.NRGBA
	lost  color.NRGBA
}

func (s *scheme) paper() *paper {
	p := &paper{
		sheet: s.sheet, ink: s.coordinates, mine: over(s.leftTint, s.sheet),
		lines: [2]color.NRGBA{s.join, s.part},
	}
	p.faint = blend(p.ink, p.sheet, .3)
	p.rule = blend(p.ink, p.sheet, .84)
	p.band = blend(p.lines[0], p.sheet, .8)
	p.won, p.drawn, p.lost = p.lines[0], blend(p.ink, p.sheet, .55), blend(p.ink, p.sheet, .84)
	return p
}

// posterInks are the colors that cover areas of a poster, and those that meet.
func (s *scheme) posterInks() (flats []color.NRGBA, edges []edge) {
	p := s.paper()
	flats = []color.NRGBA{p.sheet, p.ink, p.faint, p.rule, p.mine, p.won, p.drawn, p.lost}
	flats = append(flats, p.lines[0], p.lines[1], p.band, blend(p.lines[0], p.sheet, rangeFaint))
	edges = []edge{{p.sheet, p.ink, 6}, {p.sheet, p.faint, 5}, {p.mine, p.ink, 5}, {p.mine, p.faint, 4}, {p.sheet, p.mine, 1}}
	for _, line := range p.lines {
		edges = append(edges, edge{p.sheet, line, 4}, edge{p.band, line, 3}, edge{p.mine, line, 2})
	}
	for _, man := range s.men {
		flats = append(flats, man.fill, man.edge, man.detail)
		edges = append(edges, edge{man.fill, man.edge, 3}, edge{p.sheet, man.edge, 2}, edge{p.sheet, over(man.halo, p.sheet), 1})
	}
	return flats, edges
}

func (t Theme) posterInks() *inks {
	if int(t) >= len(schemes) {
		t = Wood
	}
	return inksOf[t].poster()
}

// easel is a poster that is being painted. It is for one goroutine.
type easel struct {
	*paper
	scheme *scheme
	dc     *gg.Context
	unit   float64 // in pixels
	pen    *pen    // for men, or nil
	faces  map[face]lettering
}

func newEasel(s *scheme, width, height int) *easel {
	e := &easel{
		paper: s.paper(), scheme: s, dc: gg.NewContext(width, height), unit: float64(width) / posterWidth, faces: map[face]lettering{},
	}
	e.dc.SetColor(e.sheet)
	e.dc.Clear()
	return e
}

// box fills a rectangle with rounded corners.
func (e *easel) box(c color.Color, x, y, width, height, round float64) {
	u := e.unit
	e.dc.DrawRoundedRectangle(x*u, y*u, width*u, height*u, round*u)
	e.dc.SetColor(c)
	e.dc.Fill()
}

// line draws a straight line.
func (e *easel) line(c color.Color, x1, y1, x2, y2, width float64) {
	u := e.unit
	e.dc.DrawLine(x1*u, y1*u, x2*u, y2*u)
	e.dc.SetColor(c)
	e.dc.SetLineWidth(width * u)
	e.dc.SetLineCapButt()
	e.dc.Stroke()
}

// dot draws a disc, or a ring where it is to be hollow.
func (e *easel) dot(c color.Color, x, y, radius float64, hollow bool) {
	u := e.unit
	e.dc.DrawCircle(x*u, y*u, radius*u)
	e.dc.SetColor(c)
	if !hollow {
		e.dc.Fill()
		return
	}
	e.dc.SetColor(e.sheet)
	e.dc.FillPreserve()
	e.dc.SetColor(c)
	e.dc.SetLineWidth(1.6 * u)
	e.dc.Stroke()
}

// heading writes what a part is about, and to the right what its figures mean.
func (e *easel) heading(y float64, title, figures string) {
	e.write(text{size: 14, bold: true, ink: e.ink, room: 200}, margin, y+15, title)
	e.write(text{size: 11, ink: e.faint, right: true}, posterWidth-margin, y+15, figures)
}
