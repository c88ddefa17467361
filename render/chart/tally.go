package chart

import (
	"fmt"
	"image/color"
	"strings"

	"chimera/render/draw"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Tally is a part of a chart: how games went, of several kinds.
type Tally struct {
	Title phrase.Phrase
	Rows  []Score
}

// Score is how many games were won, drawn and lost.
type Score struct {
	Name             phrase.Phrase
	Won, Drawn, Lost int
}

const (
	headHeight  = 24
	scoreHeight = 24
)

func (t *Tally) height(*easel) float64 { return headHeight + scoreHeight*float64(len(t.Rows)) }

func (t *Tally) paint(e *easel, y float64) {
	const left, width = 132, 142.
	e.heading(y, t.Title, book.Say("score"))
	y += headHeight
	for _, row := range t.Rows {
		e.Write(draw.Style{Size: 13, Ink: e.Text, Room: left - margin - 8}, margin, y+16, e.say(row.Name))
		e.Write(draw.Style{Size: 13, Bold: true, Ink: e.Text, Align: draw.End}, chartWidth-margin, y+16, fmt.Sprintf("%d – %d – %d", row.Won, row.Drawn, row.Lost))
		x := float64(left)
		all := max(1, row.Won+row.Drawn+row.Lost)
		for i, n := range []int{row.Won, row.Drawn, row.Lost} {
			long := width * float64(n) / float64(all)
			e.box([]color.NRGBA{e.Lines[0], e.drawn, e.hair}[i], x, y+5, long, 13, 0)
			x += long
		}
		y += scoreHeight
	}
}

func (t *Tally) words() phrase.Phrase {
	rows := make([]phrase.Phrase, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = book.Say("tally-row", "name", row.Name, "won", row.Won, "drawn", row.Drawn, "lost", row.Lost)
	}
	return book.Say("tally", "title", t.Title, "scores", phrase.Semicolons(rows))
}

// Figures is a part of a chart: names with a figure each.
type Figures struct {
	Rows []Figure
}

// Figure is what is written of somebody or something.
type Figure struct {
	Name   phrase.Phrase
	Figure string
}

const figureHeight = 22

func (f *Figures) height(*easel) float64 { return figureHeight * float64(len(f.Rows)) }

func (f *Figures) paint(e *easel, y float64) {
	for _, row := range f.Rows {
		e.row(draw.Style{Size: 14, Bold: true, Room: 240}, y+15, e.say(row.Name), row.Figure)
		y += figureHeight
	}
}

func (f *Figures) words() phrase.Phrase {
	rows := make([]phrase.List, len(f.Rows))
	for i, row := range f.Rows {
		rows[i] = phrase.Spaced([]any{row.Name, row.Figure})
	}
	return book.Say("figures", "figures", phrase.Semicolons(rows))
}

// Pieces is a part of a chart: pieces in a row, and how many of each. There is room for five.
type Pieces struct {
	Title  phrase.Phrase
	Pieces []Count
}

// Count is one kind of piece.
type Count struct {
	Table rules.Table
	Piece rules.Piece
	Name  phrase.Phrase
	Times int
}

const (
	pieceSize    = 46
	pieceWidth   = (chartWidth - 2*margin) / maxPieces
	piecesHeight = headHeight + pieceSize + 44
	maxPieces    = 5
)

func (p *Pieces) height(*easel) float64 { return piecesHeight }

func (p *Pieces) paint(e *easel, y float64) {
	e.heading(y, p.Title, book.Say("made"))
	y += headHeight
	for i, c := range p.Pieces[:min(len(p.Pieces), maxPieces)] {
		x := margin + pieceWidth*float64(i)
		e.piece(c.Table, c.Piece, x+(pieceWidth-pieceSize)/2, y, pieceSize)
		e.Write(draw.Style{Size: 14, Bold: true, Ink: e.Text, Align: draw.Center}, x+pieceWidth/2, y+pieceSize+15, fmt.Sprintf("×%d", c.Times))
		small := draw.Style{Size: 11, Ink: e.faint, Align: draw.Center, Room: pieceWidth - 2}
		for j, words := range e.halves(small, e.say(c.Name)) {
			e.Write(small, x+pieceWidth/2, y+pieceSize+30+12*float64(j), words)
		}
	}
}

// halves are a name in one line or, where it is too long for that, in two.
func (e *easel) halves(t draw.Style, name string) []string {
	if e.Face(t).Width(name) <= t.Room*e.Unit {
		return []string{name}
	}
	cut := strings.LastIndexAny(name[:len(name)/2+1], " -") + 1
	return []string{strings.TrimSpace(name[:cut]), name[cut:]}
}

func (p *Pieces) words() phrase.Phrase {
	rows := make([]phrase.List, len(p.Pieces))
	for i, c := range p.Pieces {
		rows[i] = phrase.Spaced([]any{c.Name, c.Times})
	}
	return book.Say("pieces", "title", p.Title, "pieces", phrase.Commas(rows))
}

// Facts is a part of a chart: sentences, each on a line of its own, or on two.
type Facts []phrase.Phrase

const (
	factLine  = 16
	factBelow = 4 // each
)

// lines are a fact in lines, and how they are written.
func (f *Facts) lines(e *easel, fact phrase.Phrase) ([]string, draw.Style) {
	const most = 2
	s := draw.Style{Size: 13, Ink: e.Text, Room: chartWidth - 2*margin}
	return e.Wrap(s, e.say(fact), most), s
}

func (f *Facts) height(e *easel) (high float64) {
	for _, fact := range *f {
		lines, _ := f.lines(e, fact)
		high += factLine*float64(len(lines)) + factBelow
	}
	return high
}

func (f *Facts) paint(e *easel, y float64) {
	for _, fact := range *f {
		lines, s := f.lines(e, fact)
		for _, line := range lines {
			e.Write(s, margin, y+14, line)
			y += factLine
		}
		y += factBelow
	}
}

func (f *Facts) words() phrase.Phrase { return sentences(*f) }

// sentences are phrases one after the other.
func sentences(all []phrase.Phrase) phrase.Phrase {
	return book.Say("sentences", "sentences", phrase.Spaced(all))
}
