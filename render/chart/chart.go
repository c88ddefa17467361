// Package chart paints pictures other than boards: leaderboards, curves of ratings, results, leagues.
//
// Read it in this order:
//
//   - chart.go: a chart, and what it is painted with;
//   - ranking.go, plot.go, league.go, board.go: the parts that it is put together from.
//
// # Design
//
// A chart is made for phones: as wide as one, and as high as needed. It is painted anew each time, in some ten
// milliseconds. Colors are never the only distinction: shape, place or a number says the same. Names on it are
// strangers' texts, cut to their room.
package chart

import (
	"embed"
	"image"
	"image/color"
	imagedraw "image/draw"
	"io"
	"math"
	"strings"
	"unicode"

	"chimera/render"
	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Chart is a picture of words and figures, such as a leaderboard: data, painted by its PNG and described by its Words,
// both in its language. Names in it may be any text.
type Chart struct {
	Title    phrase.Phrase
	And      string        // the title's second half, or ""; each is cut separately
	About    phrase.Phrase // below the title, in large letters, if any
	Note     phrase.Phrase // below that, if any
	Crest    *Crest        // in the upper right corner, if any: makes the chart a poster, with a larger title
	Theme    diagram.Theme
	Language phrase.Language
	Parts    []Part // from top to bottom
}

// Part is a part of a chart: a [*Ranking], a [*Plot], a [*Chances], a [*Figures], a [*Tally], a [*Pieces],
// a [*Facts], a [*Board], [*Boards], a [*Scene], a [*Crosstable] or a [*Signature].
type Part interface {
	paint(e *easel, y float64) (foot float64) // with its upper edge at y, in units; returns its lower edge
	words() phrase.Phrase                     // sentences
}

// The width of a chart in units, about a phone's in CSS pixels, and other lengths.
const (
	chartWidth = 360
	margin     = 14
	between    = 12 // parts
)

// PNG has a painter paint the chart as a picture to go with boards of that size, half as wide again, and writes it to
// w. It refuses sizes below [render.MinSize] and above [render.MaxSize], and those that would make a board on it
// smaller or larger than that.
func (c *Chart) PNG(p *render.Painter, w io.Writer, size int) error {
	if err := render.CheckSize(size); err != nil {
		return err
	}
	width := size + size/2
	e := newEasel(c, width, 0)
	e = newEasel(c, width, int(e.chart(c)*e.Unit+.5)) // now that its height is known
	e.chart(c)
	for i := range e.boards {
		e.boards[i].Diagram.Theme = c.Theme
	}
	return p.EncodePNG(w, e.m, inksOf(c.Theme), e.boards...)
}

// Crest is the piece that represents a poster's subject.
type Crest struct {
	Table rules.Table
	Piece rules.Piece
}

const crestSize = 62

// chart paints the chart, and returns its height.
func (e *easel) chart(c *Chart) (foot float64) {
	foot = e.head(c)
	for _, part := range c.Parts {
		foot = part.paint(e, foot) + between
	}
	return foot
}

// head paints everything above the parts of a chart.
func (e *easel) head(c *Chart) (foot float64) {
	title := draw.Style{Size: 19, Bold: true, Ink: e.Text, Room: chartWidth - 2*margin}
	y := 29.
	if c.Crest != nil {
		title.Size, y = 27, 36
		title.Room -= crestSize + 8
		e.piece(c.Crest.Table, c.Crest.Piece, chartWidth-margin-crestSize, 10, crestSize)
	}
	e.title(title, margin, y, c)
	if !c.About.IsZero() {
		y += 20
		e.Write(draw.Style{Size: 15, Bold: true, Ink: e.Lines[0], Room: title.Room}, margin, y, e.say(c.About))
	}
	const most, noteLine = 2, 15
	small := draw.Style{Size: 12, Ink: e.faint, Room: title.Room}
	note := e.Wrap(small, e.say(c.Note), most)
	for _, line := range note {
		y += noteLine
		e.Write(small, margin, y+2, line)
	}
	more := noteLine * float64(max(0, len(note)-1))
	switch {
	case c.Crest != nil && !c.About.IsZero():
		return 84 + more
	case c.Crest != nil:
		return crestSize + 12 + more
	case c.Note.IsZero():
		return 40
	}
	return 56 + more
}

// title writes a chart's title. Of two halves, one may be longer if the other is short.
func (e *easel) title(t draw.Style, x, y float64, c *Chart) {
	if c.And == "" {
		e.Write(t, x, y, e.say(c.Title))
		return
	}
	title, and := e.say(c.Title), e.say(phrase.Common().Say("and"))
	f := e.Face(t)
	space, gap := f.Width(" ")/e.Unit, f.Width(" "+and+" ")/e.Unit
	room, whole := t.Room-gap, e.Width(t, title)
	t.Room = max(room/2, room-e.Width(t, c.And))
	e.Write(t, x, y, title)
	x += min(whole, e.Width(t, title))
	e.Write(t, x+space, y, and)
	t.Room = max(room/2, room-whole)
	e.Write(t, x+gap, y, c.And)
}

// Words describe the chart in a few sentences, for people who cannot see the picture.
func (c *Chart) Words() string {
	title := phrase.As(draw.Plain(c.Title.Text(c.Language)))
	said := []phrase.Phrase{book.Say("picture", "title", title)}
	if c.And != "" {
		said[0] = book.Say("picture-two", "title", title, "other", draw.Plain(c.And))
	}
	for _, note := range []phrase.Phrase{c.About, c.Note} {
		if !note.IsZero() {
			said = append(said, book.Say("note", "note", draw.Plain(note.Text(c.Language))))
		}
	}
	var boards []phrase.Phrase // at the end, since they are long
	for _, part := range c.Parts {
		if _, long := part.(*Board); long {
			boards = append(boards, part.words())
			continue
		}
		said = append(said, part.words())
	}
	said = append(said, boards...)
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, sentences(said).Text(c.Language))
}

// paper is the colors of charts in a theme.
type paper struct {
	*draw.Scheme
	faint  color.NRGBA    // of small print
	hair   color.NRGBA    // of lines between rows
	mine   color.NRGBA    // behind the asker's own row
	band   color.NRGBA    // around the first line
	drawn  color.NRGBA    // of drawn games
	medals [3]color.NRGBA // of the first three
	rim    color.NRGBA    // around them
}

func newPaper(theme diagram.Theme) *paper {
	s := draw.SchemeOf(theme)
	toSheet := func(c color.NRGBA, share float64) color.NRGBA { return draw.Blend(c, s.Sheet, share) }
	grey := func(y uint8) color.NRGBA { return color.NRGBA{y, y, y, 0xff} }
	p := &paper{
		s, toSheet(s.Text, .3), toSheet(s.Text, .84), draw.Over(s.LeftTint, s.Sheet), toSheet(s.Lines[0], .8), toSheet(s.Text, .55),
		[3]color.NRGBA{{0xf2, 0xc0, 0x3d, 0xff}, {0xcb, 0xd2, 0xd9, 0xff}, {0xd9, 0x94, 0x5c, 0xff}},
		color.NRGBA{0x4a, 0x36, 0x10, 0xff},
	}
	if theme == diagram.Print {
		p.medals, p.rim = [3]color.NRGBA{grey(0xff), grey(0xe0), grey(0xc0)}, grey(0x20)
	}
	return p
}

// newInks are the palette of a chart: the colors that cover areas, and those that meet.
func (p *paper) newInks() *draw.Palette {
	flats := []color.NRGBA{
		p.Sheet, p.Text, p.faint, p.hair, p.mine, p.Lines[0], p.drawn, p.rim, p.Lines[1], p.band, draw.Blend(p.Lines[0], p.Sheet, rangeFaint),
	}
	edges := []draw.Edge{
		{From: p.Sheet, To: p.Text, Steps: 6},
		{From: p.Sheet, To: p.faint, Steps: 5},
		{From: p.mine, To: p.Text, Steps: 5},
		{From: p.mine, To: p.faint, Steps: 4},
		{From: p.Sheet, To: p.mine, Steps: 1},
	}
	for _, medal := range p.medals {
		flats = append(flats, medal)
		edges = append(edges, draw.Edge{From: medal, To: p.rim, Steps: 3})
	}
	for _, line := range p.Lines {
		edges = append(edges, draw.Edge{From: p.Sheet, To: line, Steps: 4},
			draw.Edge{From: p.band, To: line, Steps: 3}, draw.Edge{From: p.mine, To: line, Steps: 2})
	}
	for _, piece := range p.Pieces {
		flats = append(flats, piece.Fill, piece.Edge, piece.Detail)
		edges = append(edges, draw.Edge{From: piece.Fill, To: piece.Edge, Steps: 3}, draw.Edge{From: p.Sheet, To: piece.Edge, Steps: 2},
			draw.Edge{From: p.Sheet, To: draw.Over(piece.Halo, p.Sheet), Steps: 1})
	}
	return draw.NewPalette(flats, edges)
}

// inksOf is the palette of charts in a theme.
var inksOf = diagram.ByTheme(func(t diagram.Theme) *draw.Palette { return newPaper(t).newInks() }) //nolint:gochecknoglobals // each is written once

// easel is a chart being painted. It is for one goroutine.
type easel struct {
	*paper
	draw.Brush
	m        *image.RGBA
	language phrase.Language
	boards   []render.Inset // boards on the chart
}

// newEasel has an empty picture for a chart, with a size in pixels.
func newEasel(c *Chart, width, height int) *easel {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	e := &easel{paper: newPaper(c.Theme), Brush: *draw.NewBrush(draw.OnPixels(m)), m: m, language: c.Language}
	e.Unit = float64(width) / chartWidth
	imagedraw.Draw(m, m.Rect, image.NewUniform(e.Sheet), image.Point{}, imagedraw.Src)
	return e
}

// say is a phrase in the language of the chart.
func (e *easel) say(p phrase.Phrase) string { return p.Text(e.language) }

// box fills a rectangle, with rounded corners, or with edges aligned to whole pixels.
func (e *easel) box(c color.NRGBA, x, y, width, height, round float64) {
	if round == 0 {
		e.cover(c, x*e.Unit, y*e.Unit, (x+width)*e.Unit, (y+height)*e.Unit)
		return
	}
	e.Box(c, x, y, width, height, round)
}

// cover fills a rectangle given in pixels, rounded to whole ones.
func (e *easel) cover(c color.NRGBA, left, top, right, bottom float64) {
	whole := func(edge float64) int { return int(math.Round(edge)) }
	imagedraw.Draw(e.m, image.Rect(whole(left), whole(top), whole(right), whole(bottom)), image.NewUniform(c), image.Point{}, imagedraw.Src)
}

// rule draws a horizontal or vertical line, whole pixels wide.
func (e *easel) rule(c color.NRGBA, x1, y1, x2, y2 float64) {
	wide := max(1, math.Round(e.Unit))
	x1, y1, x2, y2 = math.Round(x1*e.Unit-wide/2), math.Round(y1*e.Unit-wide/2), x2*e.Unit, y2*e.Unit
	e.cover(c, x1, y1, max(x1+wide, x2), max(y1+wide, y2))
}

// dot draws a disc, or a ring where it is to be hollow.
func (e *easel) dot(c color.NRGBA, x, y, radius float64, hollow bool) {
	if hollow {
		e.ring(e.Sheet, c, x, y, radius, 1.6)
	} else {
		e.Disc(c, x, y, radius)
	}
}

// ring draws a disc with an edge of that width.
func (e *easel) ring(fill, edge color.NRGBA, x, y, radius, wide float64) {
	e.Circle(x, y, radius)
	e.FillPreserve(fill)
	e.Stroke(edge, wide)
}

// row writes a name at the left margin, and a figure of any length at the right one.
func (e *easel) row(s draw.Style, y float64, name, figure string) {
	s.Ink = e.Text
	e.Write(s, margin, y, name)
	s.Room, s.Align = 0, draw.End
	e.Write(s, chartWidth-margin, y, figure)
}

// headHeight is the height of a part's title.
const headHeight = 24

// heading writes a part's title, and to the right the meaning of its figures, and returns where the part goes on.
func (e *easel) heading(y float64, title, figures phrase.Phrase) (foot float64) {
	e.Write(draw.Style{Size: 14, Bold: true, Ink: e.Text, Room: 200}, margin, y+15, e.say(title))
	e.Write(draw.Style{Size: 11, Ink: e.faint, Align: draw.End}, chartWidth-margin, y+15, e.say(figures))
	return y + headHeight
}

// piece paints a piece in a box with that upper left corner.
func (e *easel) piece(t rules.Table, p rules.Piece, x, y, size float64) {
	on := draw.NewBrush(draw.OnPixels(e.m))
	on.Piece(t, p, false, math.Floor(x*e.Unit), math.Floor(y*e.Unit), math.Round(size*e.Unit), &e.Pieces)
}
