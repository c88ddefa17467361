package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"chimera/render/draw"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Ranking is a part of a chart: people, best first, with each one's range on a shared scale.
type Ranking struct {
	Unit phrase.Phrase // meaning of the values, such as "Ratings"
	Rows []Row
	Bars bool // a bar from zero to each value, instead of a mark of the range
}

// Row is one line of a ranking.
type Row struct {
	Above            phrase.Phrase // a heading above it, if any
	Rank             int           // 0 for none
	Name             string
	Note             phrase.Phrase // below the name
	Score            phrase.Phrase // text for the value
	Spread           phrase.Phrase // text for its range, or what is counted
	Value, Low, High float64
	Mine             bool // the asker's
	Unsure           bool // provisional
}

const (
	rowHeight   = 36
	aboveHeight = 26
	axisHeight  = 16
)

// columns of a ranking, by their left edges; figures are right-aligned at the margin.
const (
	nameColumn  = 46
	rangeColumn = 196
	rangeWidth  = 92
	rangeFaint  = .45
)

func (r *Ranking) paint(e *easel, y float64) (foot float64) {
	s := r.scale()
	at := func(value float64) float64 { return rangeColumn + rangeWidth*s.share(value) }
	var tops []float64 // of the rows
	top, foot := y, y
	for _, row := range r.Rows {
		if !row.Above.IsZero() {
			foot += aboveHeight
		}
		if row.Mine {
			e.mark(foot, rowHeight)
		}
		tops = append(tops, foot)
		foot += rowHeight
	}
	if len(tops) > 0 {
		top = tops[0] // the ends of lines would stick out above a heading
	}
	for _, tick := range s.ticks() {
		e.rule(e.hair, at(tick), top, at(tick), foot)
		e.Write(draw.Style{Size: 10, Ink: e.faint, Align: draw.Center}, at(tick), foot+12, fmt.Sprintf("%g", tick))
	}
	for i, row := range r.Rows {
		y := tops[i]
		if !row.Above.IsZero() {
			e.box(e.Sheet, 0, y-aboveHeight, chartWidth, aboveHeight, 0)
			e.Write(draw.Style{Size: 12, Ink: e.faint}, margin, y-aboveHeight+17, e.say(row.Above))
		}
		if i > 0 || !row.Above.IsZero() {
			e.rule(e.hair, margin, y, chartWidth-margin, y)
		}
		e.paintRow(&row, y)
		mid := y + rowHeight/2
		if r.Bars {
			e.box(e.Lines[0], at(0), mid-5, at(row.Value)-at(0), 10, 0)
		} else {
			e.span(s, at, &row, mid)
			e.dot(e.Lines[0], at(row.Value), mid, 4.5, row.Unsure)
		}
	}
	return foot + axisHeight
}

// span draws a row's range on a scale. An arrow shows that a range goes on beyond it.
func (e *easel) span(s scale, at func(value float64) float64, row *Row, y float64) {
	const tip = 5
	ink := draw.Blend(e.Lines[0], e.Sheet, rangeFaint)
	left, right := at(max(row.Low, s.low)), at(min(row.High, s.high))
	e.box(ink, left, y-2, right-left, 4, 2)
	arrow := func(x, aside float64) {
		e.Loop(draw.Point{X: x + aside*tip, Y: y}, draw.Point{X: x - aside, Y: y - tip}, draw.Point{X: x - aside, Y: y + tip})
		e.Fill(ink)
	}
	if row.Low < s.low {
		arrow(left, -1)
	}
	if row.High > s.high {
		arrow(right, 1)
	}
}

// paintRow writes the facts about a person.
func (e *easel) paintRow(row *Row, y float64) {
	const room = rangeColumn - nameColumn - 8
	switch {
	case row.Rank > 0 && row.Rank <= len(e.medals) && !row.Unsure:
		e.medal(row.Rank, nameColumn-18, y+rowHeight/2)
	case row.Rank > 0:
		rank := draw.Style{Size: 14, Bold: true, Ink: e.faint, Align: draw.End}
		if row.Rank > 9999 {
			rank.Size = 10
		}
		e.Write(rank, nameColumn-8, y+17, fmt.Sprint(row.Rank))
	}
	bold, small := draw.Style{Size: 15, Bold: true, Ink: e.Text, Room: room}, draw.Style{Size: 11, Ink: e.faint, Room: room}
	e.Write(bold, nameColumn, y+17, row.Name)
	e.Write(small, nameColumn, y+31, e.say(row.Note))
	bold.Room, bold.Align, small.Room, small.Align = 0, draw.End, 0, draw.End
	if row.Spread.IsZero() {
		e.Write(bold, chartWidth-margin, y+24, e.say(row.Score))
		return
	}
	e.Write(bold, chartWidth-margin, y+17, e.say(row.Score))
	e.Write(small, chartWidth-margin, y+31, e.say(row.Spread))
}

// medal hangs one of the first three places on a ribbon.
func (e *easel) medal(rank int, x, y float64) {
	const radius, ribbon = 9.5, 6
	for _, aside := range []float64{-1, 1} {
		e.Loop(draw.Point{X: x + aside, Y: y}, draw.Point{X: x + aside*5, Y: y - radius - ribbon},
			draw.Point{X: x + aside*11, Y: y - radius - ribbon}, draw.Point{X: x + aside*7, Y: y})
	}
	e.Fill(e.Lines[0])
	y++
	e.ring(e.medals[rank-1], e.rim, x, y, radius, 1.5)
	e.Write(draw.Style{Size: 13, Bold: true, Ink: e.rim, Align: draw.Center}, x, y+4.7, fmt.Sprint(rank))
}

// scale includes all values and ranges, except unsure ranges if others are sure.
func (r *Ranking) scale() scale {
	s := scale{low: math.Inf(1), high: math.Inf(-1), most: 2}
	sure := slices.ContainsFunc(r.Rows, func(row Row) bool { return !row.Unsure })
	for _, row := range r.Rows {
		low, high := row.Low, row.High
		switch {
		case r.Bars:
			low, high = 0, row.Value
		case row.Unsure && sure: // its range may be wider than all others together
			low, high = row.Value, row.Value
		}
		s.low, s.high = min(s.low, low), max(s.high, high)
	}
	s = s.wide(1)
	const room = .05 // for what is painted around a value
	if more := room * (s.high - s.low); !r.Bars {
		s.low, s.high = s.low-more, s.high+more
	}
	return s
}

func (r *Ranking) words() phrase.Phrase {
	if len(r.Rows) == 0 {
		return phrase.Phrase{}
	}
	mine := phrase.As("none")
	for _, row := range r.Rows {
		if row.Mine {
			mine = row.words()
		}
	}
	return book.Say("ranking", "unit", r.Unit, "n", len(r.Rows), "first", r.Rows[0].words(), "last", r.Rows[len(r.Rows)-1].words(), "mine", mine)
}

func (row *Row) words() phrase.Phrase {
	score := phrase.Spaced(slices.DeleteFunc([]phrase.Phrase{row.Score, row.Spread}, phrase.Phrase.IsZero))
	return book.Say("row", "rank", row.Rank, "name", draw.Plain(row.Name), "score", score, "unsure", row.Unsure)
}

// Tally is a part of a chart: results of games, of several kinds.
type Tally struct {
	Title phrase.Phrase
	Rows  []Score
}

// Score is how many games were won, drawn and lost.
type Score struct {
	Name             phrase.Phrase
	Won, Drawn, Lost int
}

const scoreHeight = 24

func (t *Tally) paint(e *easel, y float64) (foot float64) {
	const left, width = 132, 142.
	y = e.heading(y, t.Title, book.Say("score"))
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
	return y
}

func (t *Tally) words() phrase.Phrase {
	rows := phrase.Each(t.Rows, func(row Score) phrase.Phrase {
		return book.Say("tally-row", "name", row.Name, "won", row.Won, "drawn", row.Drawn, "lost", row.Lost)
	})
	return book.Say("tally", "title", t.Title, "scores", phrase.Semicolons(rows))
}

// Figures is a part of a chart: names with a figure each.
type Figures struct {
	Rows []Figure
}

// Figure is a name with its figure.
type Figure struct {
	Name, Figure phrase.Phrase
}

const figureHeight = 22

func (f *Figures) paint(e *easel, y float64) (foot float64) {
	for _, row := range f.Rows {
		e.row(draw.Style{Size: 14, Bold: true, Room: 240}, y+15, e.say(row.Name), e.say(row.Figure))
		y += figureHeight
	}
	return y
}

func (f *Figures) words() phrase.Phrase {
	rows := phrase.Each(f.Rows, func(row Figure) phrase.List { return phrase.Spaced([]any{row.Name, row.Figure}) })
	return book.Say("figures", "figures", phrase.Semicolons(rows))
}

// Pieces is a part of a chart: pieces in a row, with their counts. There is room for five.
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
	pieceSize  = 46
	pieceWidth = (chartWidth - 2*margin) / maxPieces
	maxPieces  = 5
)

func (p *Pieces) paint(e *easel, y float64) (foot float64) {
	y = e.heading(y, p.Title, book.Say("made"))
	for i, c := range p.Pieces[:min(len(p.Pieces), maxPieces)] {
		x := margin + pieceWidth*float64(i)
		e.piece(c.Table, c.Piece, x+(pieceWidth-pieceSize)/2, y, pieceSize)
		e.Write(draw.Style{Size: 14, Bold: true, Ink: e.Text, Align: draw.Center}, x+pieceWidth/2, y+pieceSize+15, fmt.Sprintf("×%d", c.Times))
		small := draw.Style{Size: 11, Ink: e.faint, Align: draw.Center, Room: pieceWidth - 2}
		for j, words := range e.halves(small, e.say(c.Name)) {
			e.Write(small, x+pieceWidth/2, y+pieceSize+30+12*float64(j), words)
		}
	}
	return y + pieceSize + 44
}

// halves are a name in one line or, if it is too long, in two.
func (e *easel) halves(t draw.Style, name string) []string {
	if e.Face(t).Width(name) <= t.Room*e.Unit {
		return []string{name}
	}
	cut := strings.LastIndexAny(name[:len(name)/2+1], " -") + 1
	return []string{strings.TrimSpace(name[:cut]), name[cut:]}
}

func (p *Pieces) words() phrase.Phrase {
	rows := phrase.Each(p.Pieces, func(c Count) phrase.List { return phrase.Spaced([]any{c.Name, c.Times}) })
	return book.Say("pieces", "title", p.Title, "pieces", phrase.Commas(rows))
}

// Facts is a part of a chart: sentences, each on a line of its own, or on two.
type Facts []phrase.Phrase

func (f *Facts) paint(e *easel, y float64) (foot float64) {
	const most, line, below = 2, 16, 4
	s := draw.Style{Size: 13, Ink: e.Text, Room: chartWidth - 2*margin}
	for _, fact := range *f {
		for _, words := range e.Wrap(s, e.say(fact), most) {
			e.Write(s, margin, y+14, words)
			y += line
		}
		y += below
	}
	return y
}

func (f *Facts) words() phrase.Phrase { return sentences(*f) }

// sentences are phrases one after the other.
func sentences(all []phrase.Phrase) phrase.Phrase {
	return book.Say("sentences", "sentences", phrase.Spaced(all))
}
