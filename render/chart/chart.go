package chart

import (
	"embed"
	"image"
	"image/color"
	"io"
	"strings"
	"sync"
	"unicode"

	"github.com/fogleman/gg"

	"chimera/render"
	"chimera/render/glyph"
	"chimera/render/letter"
	"chimera/render/paint"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book has what stands on charts.
func Book() *phrase.Book { return book }

// Chart is a picture of words and figures, such as a leaderboard: data, painted by
// its PNG and told by its Words, both in its language. Names in it may be any text.
type Chart struct {
	Title    phrase.Phrase
	And      string        // the title's second half, or ""; each is cut by itself
	Note     phrase.Phrase // below the title, if any
	Theme    render.Theme
	Language phrase.Language
	Parts    []Part // from top to bottom
}

// Part is a part of a chart: a [*Ranking], a [*Plot], a [*Chances], a [*Figures], a [*Tally], a [*Pieces],
// a [*Facts], a [*Board], [*Boards], a [*Scene], a [*Headline] or a [*Signature].
type Part interface {
	height() float64           // in units
	paint(e *easel, y float64) // with its upper edge there
	words() phrase.Phrase      // sentences
}

// A chart is so many units wide, as many as a phone has dots across; all else on it
// is measured in them.
const (
	chartWidth = 360
	margin     = 14
	between    = 12 // parts
)

// PNG paints the chart as a picture that goes with boards of that size, half as wide
// again, and writes it to w. It refuses sizes below [render.MinSize] and above [render.MaxSize].
func (c *Chart) PNG(w io.Writer, size int) error {
	if err := render.CheckSize(size); err != nil {
		return err
	}
	inks, ok := inksOf[c.Theme]
	if !ok {
		inks = inksOf[render.Wood]
	}
	picture, boards := c.paint(size + size/2)
	return inks().PNG(w, picture, boards...)
}

// paint paints the chart so many pixels wide, but for the boards on it.
func (c *Chart) paint(width int) (*image.RGBA, []render.Inset) {
	unit := float64(width) / chartWidth
	high := c.head()
	for _, part := range c.Parts {
		high += part.height() + between
	}
	e := newEasel(newPaper(c.Theme), width, int(high*unit+.5), c.Language)
	e.title(text{size: 19, bold: true, ink: e.ink, room: chartWidth - 2*margin}, margin, 29, c)
	e.write(text{size: 12, ink: e.faint, room: chartWidth - 2*margin}, margin, 46, e.say(c.Note))
	y := c.head()
	for _, part := range c.Parts {
		part.paint(e, y)
		y += part.height() + between
	}
	for i := range e.boards {
		e.boards[i].Diagram.Theme = c.Theme
	}
	return e.dc.Image().(*image.RGBA), e.boards
}

// title writes a chart's title. Of two halves, one may be longer where the other is short.
func (e *easel) title(t text, x, y float64, c *Chart) {
	if c.And == "" {
		e.write(t, x, y, e.say(c.Title))
		return
	}
	title, and := e.say(c.Title), e.say(phrase.Common().Say("and"))
	f := e.face(t)
	width := func(s string) float64 { return f.Width(f.Fit(s, t.room*e.unit)) / e.unit }
	space, gap := f.Width(" ")/e.unit, f.Width(" "+and+" ")/e.unit
	room, whole := t.room-gap, width(title)
	t.room = max(room/2, room-width(c.And))
	e.write(t, x, y, title)
	x += min(whole, f.Width(f.Fit(title, t.room*e.unit))/e.unit)
	e.write(t, x+space, y, and)
	t.room = max(room/2, room-whole)
	e.write(t, x+gap, y, c.And)
}

// head is how much room the title takes.
func (c *Chart) head() float64 {
	if c.Note.IsZero() {
		return 40
	}
	return 56
}

// Words tell in a few sentences what is seen, for people who cannot see the picture.
func (c *Chart) Words() string {
	title := phrase.As(letter.Plain(c.Title.Text(c.Language)))
	said := []phrase.Phrase{book.Say("picture", "title", title)}
	if c.And != "" {
		said[0] = book.Say("picture-two", "title", title, "other", letter.Plain(c.And))
	}
	if !c.Note.IsZero() {
		said = append(said, book.Say("note", "note", letter.Plain(c.Note.Text(c.Language))))
	}
	for _, part := range c.Parts {
		said = append(said, part.words())
	}
	var b strings.Builder
	for i, sentence := range said {
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(sentence.Text(c.Language))
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, b.String())
}

// paper is the colors of charts in a theme.
type paper struct {
	sheet  color.NRGBA
	ink    color.NRGBA // of words
	faint  color.NRGBA // of small print
	rule   color.NRGBA // of lines between things
	mine   color.NRGBA // behind what is the asker's
	lines  [2]color.NRGBA
	band   color.NRGBA // around the first line
	won    color.NRGBA
	drawn  color.NRGBA
	lost   color.NRGBA
	pieces [2]glyph.Livery
}

func newPaper(theme render.Theme) *paper {
	c := theme.Colors()
	p := &paper{sheet: c.Sheet, ink: c.Text, mine: c.Tint, lines: c.Lines, pieces: c.Pieces}
	p.faint = render.Blend(p.ink, p.sheet, .3)
	p.rule = render.Blend(p.ink, p.sheet, .84)
	p.band = render.Blend(p.lines[0], p.sheet, .8)
	p.won, p.drawn, p.lost = p.lines[0], render.Blend(p.ink, p.sheet, .55), render.Blend(p.ink, p.sheet, .84)
	return p
}

// newInks are the colors that cover areas of a chart, and those that meet.
func (p *paper) newInks() *render.Inks {
	flats := []color.NRGBA{p.sheet, p.ink, p.faint, p.rule, p.mine, p.won, p.drawn, p.lost}
	flats = append(flats, p.lines[0], p.lines[1], p.band, render.Blend(p.lines[0], p.sheet, rangeFaint))
	edges := []render.Edge{
		{From: p.sheet, To: p.ink, Steps: 6},
		{From: p.sheet, To: p.faint, Steps: 5},
		{From: p.mine, To: p.ink, Steps: 5},
		{From: p.mine, To: p.faint, Steps: 4},
		{From: p.sheet, To: p.mine, Steps: 1},
	}
	for _, line := range p.lines {
		edges = append(edges, render.Edge{From: p.sheet, To: line, Steps: 4},
			render.Edge{From: p.band, To: line, Steps: 3}, render.Edge{From: p.mine, To: line, Steps: 2})
	}
	for _, piece := range p.pieces {
		flats = append(flats, piece.Fill, piece.Edge, piece.Detail)
		edges = append(edges, render.Edge{From: piece.Fill, To: piece.Edge, Steps: 3}, render.Edge{From: p.sheet, To: piece.Edge, Steps: 2},
			render.Edge{From: p.sheet, To: render.Over(piece.Halo, p.sheet), Steps: 1})
	}
	return render.NewInks(flats, edges)
}

// inksOf makes the inks of each theme when they are first asked for.
//
//nolint:gochecknoglobals // each is written once, under its own guard
var inksOf = func() map[render.Theme]func() *render.Inks {
	all := map[render.Theme]func() *render.Inks{}
	for _, theme := range render.Themes() {
		all[theme] = sync.OnceValue(newPaper(theme).newInks)
	}
	return all
}()

// easel is a chart that is being painted. It is for one goroutine.
type easel struct {
	*paper
	dc     *gg.Context
	brush  *paint.Brush // on the same pixels
	unit   float64      // in pixels
	faces  map[style]*letter.Face
	tongue phrase.Language
	boards []render.Inset // that lie on the chart
}

func newEasel(p *paper, width, height int, l phrase.Language) *easel {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	e := &easel{paper: p, dc: gg.NewContextForRGBA(m), brush: paint.NewBrush(paint.OnPixels(m)), unit: float64(width) / chartWidth, faces: map[style]*letter.Face{}, tongue: l}
	e.dc.SetColor(e.sheet)
	e.dc.Clear()
	return e
}

// say is a phrase in the language of the chart.
func (e *easel) say(p phrase.Phrase) string { return p.Text(e.tongue) }

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
func (e *easel) heading(y float64, title, figures phrase.Phrase) {
	e.write(text{size: 14, bold: true, ink: e.ink, room: 200}, margin, y+15, e.say(title))
	e.write(text{size: 11, ink: e.faint, right: true}, chartWidth-margin, y+15, e.say(figures))
}
