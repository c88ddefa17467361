package render

import (
	"fmt"
	"image/color"
	"strings"

	"chimera/rules"
)

// Tally is a part of a poster: how games went, of several kinds.
type Tally struct {
	Title string
	Rows  []Score
}

// Score is how many games were won, drawn and lost.
type Score struct {
	Name             string
	Won, Drawn, Lost int
}

const (
	headHeight  = 24
	scoreHeight = 24
)

func (t *Tally) height() float64 { return headHeight + scoreHeight*float64(len(t.Rows)) }

func (t *Tally) paint(e *easel, y float64) {
	const left, width = 132, 142.
	e.heading(y, t.Title, "won – drawn – lost")
	y += headHeight
	for _, row := range t.Rows {
		e.write(text{size: 13, ink: e.ink, room: left - margin - 8}, margin, y+16, row.Name)
		e.write(text{size: 13, bold: true, ink: e.ink, right: true}, posterWidth-margin, y+16, fmt.Sprintf("%d – %d – %d", row.Won, row.Drawn, row.Lost))
		x := float64(left)
		all := max(1, row.Won+row.Drawn+row.Lost)
		for i, n := range []int{row.Won, row.Drawn, row.Lost} {
			long := width * float64(n) / float64(all)
			e.box([]color.Color{e.won, e.drawn, e.lost}[i], x, y+5, long, 13, 0)
			x += long
		}
		y += scoreHeight
	}
}

func (t *Tally) words() string {
	said := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		said[i] = fmt.Sprintf("%s %d won, %d drawn, %d lost", plain(row.Name), row.Won, row.Drawn, row.Lost)
	}
	return t.Title + ": " + strings.Join(said, "; ") + "."
}

// Figures is a part of a poster: names with a figure each.
type Figures struct {
	Rows []Figure
}

// Figure is what is written of somebody or something.
type Figure struct{ Name, Figure string }

const figureHeight = 22

func (f *Figures) height() float64 { return figureHeight * float64(len(f.Rows)) }

func (f *Figures) paint(e *easel, y float64) {
	for _, row := range f.Rows {
		e.write(text{size: 14, bold: true, ink: e.ink, room: 240}, margin, y+15, row.Name)
		e.write(text{size: 14, bold: true, ink: e.ink, right: true}, posterWidth-margin, y+15, row.Figure)
		y += figureHeight
	}
}

func (f *Figures) words() string {
	said := make([]string, len(f.Rows))
	for i, row := range f.Rows {
		said[i] = plain(row.Name) + " " + row.Figure
	}
	return strings.Join(said, "; ") + "."
}

// Men is a part of a poster: men in a row, and how many of each. There is room for five.
type Men struct {
	Title string
	Men   []Many
}

// Many is one kind of man.
type Many struct {
	Table rules.Table
	Piece rules.Piece
	Name  string
	Times int
}

const (
	manSize   = 46
	manWidth  = (posterWidth - 2*margin) / maxMen
	menHeight = headHeight + manSize + 44
	maxMen    = 5
)

func (m *Men) height() float64 { return menHeight }

func (m *Men) paint(e *easel, y float64) {
	e.heading(y, m.Title, "times made")
	y += headHeight
	for i, man := range m.Men[:min(len(m.Men), maxMen)] {
		x := margin + manWidth*float64(i)
		e.paintMan(man, x+(manWidth-manSize)/2, y)
		e.write(text{size: 14, bold: true, ink: e.ink, mid: true}, x+manWidth/2, y+manSize+15, fmt.Sprintf("×%d", man.Times))
		small := text{size: 11, ink: e.faint, mid: true, room: manWidth - 2}
		for j, words := range e.halves(small, man.Name) {
			e.write(small, x+manWidth/2, y+manSize+30+12*float64(j), words)
		}
	}
}

// halves are a name in one line or, where it is too long for that, in two.
func (e *easel) halves(t text, name string) []string {
	if e.lettering(t).width(name) <= t.room*e.unit {
		return []string{name}
	}
	cut := strings.LastIndexAny(name[:len(name)/2+1], " -") + 1
	return []string{strings.TrimSpace(name[:cut]), name[cut:]}
}

// paintMan paints a man with the upper left corner of its box there.
func (e *easel) paintMan(man Many, x, y float64) {
	if e.pen == nil {
		e.pen = newPen(e.scheme, e.dc, int(manSize*e.unit))
	}
	e.dc.SetLineCapRound()
	e.dc.SetLineJoinRound()
	unit := manSize * e.unit / box
	for _, b := range drawPiece(man.Table, man.Piece) {
		b.paint(e.pen, frame{x * e.unit, y * e.unit, unit, unit})
	}
}

func (m *Men) words() string {
	said := make([]string, len(m.Men))
	for i, man := range m.Men {
		said[i] = fmt.Sprintf("%s %d", man.Name, man.Times)
	}
	return m.Title + ": " + strings.Join(said, ", ") + "."
}

// Facts is a part of a poster: sentences, a line each.
type Facts []string

const factHeight = 20

func (f *Facts) height() float64 { return factHeight * float64(len(*f)) }

func (f *Facts) paint(e *easel, y float64) {
	for i, fact := range *f {
		e.write(text{size: 13, ink: e.ink, room: posterWidth - 2*margin}, margin, y+14+factHeight*float64(i), fact)
	}
}

func (f *Facts) words() string {
	said := make([]string, len(*f))
	for i, fact := range *f {
		said[i] = plain(fact)
	}
	return strings.Join(said, " ")
}
