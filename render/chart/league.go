package chart

import (
	"fmt"

	"chimera/render/draw"
	"chimera/rules/phrase"
)

// Crosstable is a part of a chart: the results of everyone in a division against everyone, best first.
type Crosstable struct {
	Unit phrase.Phrase // meaning of the figures at the right, such as "Points"
	Rows []Entrant
}

// Entrant is one line of a crosstable.
type Entrant struct {
	Place   int // 0 for none
	Name    string
	Points  string
	Results []Result // against the player of each line, in order; missing ones are NotPlayed
	Moves   Moves
	Mine    bool // the asker's
	Out     bool // they have withdrawn
}

// Result is the state of a game between two people.
type Result uint8

// The results.
const (
	NotPlayed Result = iota
	Running
	Won
	Drawn
	Lost
)

// String is the sign of a result.
func (r Result) String() string {
	return [...]string{NotPlayed: "", Running: "·", Won: "1", Drawn: "½", Lost: "0"}[r]
}

// Moves is where a place leads at the end of a season.
type Moves int8

// Where it leads.
const (
	Down Moves = iota - 1
	Stays
	Up
)

// String is the name of where it leads, in sentences.
func (m Moves) String() string { return [...]string{"down", "stays", "up"}[m-Down] }

const (
	crossHead  = 18
	crossRow   = 30
	crossCell  = 24 // at most
	crossWidth = 170
	crossName  = 38
	pointsRoom = 34
)

func (c *Crosstable) paint(e *easel, y float64) (foot float64) {
	cell := min(crossCell, crossWidth/float64(max(1, len(c.Rows))))
	left := chartWidth - margin - pointsRoom - cell*float64(len(c.Rows))
	head := draw.Style{Size: 11, Ink: e.faint, Align: draw.Center}
	for i := range c.Rows {
		e.Write(head, left+cell*(float64(i)+.5), y+12, fmt.Sprint(i+1))
	}
	head.Align, head.Room = draw.End, pointsRoom+8
	e.Write(head, chartWidth-margin, y+12, e.say(c.Unit))
	y += crossHead
	for i := range c.Rows {
		row, top := &c.Rows[i], y+crossRow*float64(i)
		if row.Mine {
			e.mark(top, crossRow)
		}
		edge := e.hair
		switch before := c.Rows[max(i-1, 0)].Moves; {
		case before == Up && row.Moves != Up:
			edge = e.Lines[0]
		case before != Down && row.Moves == Down:
			edge = e.Lines[1]
		}
		e.rule(edge, margin, top, chartWidth-margin, top)
		e.entrant(row, top, left-crossName-6)
		for j := range c.Rows {
			x := left + cell*float64(j)
			if i == j {
				e.Line(draw.Point{X: x + 4, Y: top + crossRow - 7}, draw.Point{X: x + cell - 4, Y: top + 7})
				e.Stroke(e.drawn, 1)
				continue
			}
			result := NotPlayed
			if j < len(row.Results) {
				result = row.Results[j]
			}
			e.result(result, x+cell/2, top+crossRow/2, cell-3)
		}
	}
	return y + crossRow*float64(len(c.Rows))
}

// mark highlights the asker's own row, also for people who do not see the color.
func (e *easel) mark(y, height float64) {
	e.box(e.mine, 0, y, chartWidth, height, 0)
	e.box(e.Text, 0, y, 4, height, 0)
}

// entrant writes somebody's place, where it leads, and their points.
func (e *easel) entrant(row *Entrant, y, room float64) {
	const tip = 4
	ink := e.Text
	if row.Out {
		ink = e.faint
	}
	if row.Moves != Stays {
		up, color := float64(row.Moves), e.Lines[0]
		if row.Moves == Down {
			color = e.Lines[1]
		}
		mid := y + crossRow/2
		e.Loop(draw.Point{X: 12, Y: mid - up*tip}, draw.Point{X: 12 - tip, Y: mid + up*tip}, draw.Point{X: 12 + tip, Y: mid + up*tip})
		e.Fill(color)
	}
	if row.Place > 0 {
		e.Write(draw.Style{Size: 13, Bold: true, Ink: e.faint, Align: draw.End}, crossName-6, y+20, fmt.Sprint(row.Place))
	}
	e.Write(draw.Style{Size: 14, Bold: !row.Out, Ink: ink, Room: room}, crossName, y+20, row.Name)
	e.Write(draw.Style{Size: 15, Bold: true, Ink: ink, Align: draw.End}, chartWidth-margin, y+20, row.Points)
}

// result paints a result in a square around a middle.
func (e *easel) result(r Result, x, y, side float64) {
	figure := draw.Style{Size: 13, Ink: e.Text, Align: draw.Center}
	switch r {
	case NotPlayed:
		return
	case Running:
		e.dot(e.faint, x, y, 2, false)
		return
	case Won:
		e.box(e.Lines[0], x-side/2, y-side/2, side, side, 4)
		figure.Bold, figure.Ink = true, e.Sheet
	case Drawn:
		e.box(e.hair, x-side/2, y-side/2, side, side, 4)
	case Lost:
	}
	e.Write(figure, x, y+4.7, r.String())
}

func (c *Crosstable) words() phrase.Phrase {
	rows := make([]phrase.Phrase, len(c.Rows))
	for i := range c.Rows {
		row := &c.Rows[i]
		var n [Lost + 1]int
		for _, r := range row.Results {
			n[r]++
		}
		tally := book.Say("tally-row", "name", draw.Plain(row.Name), "won", n[Won], "drawn", n[Drawn], "lost", n[Lost])
		rows[i] = book.Say("cross-row", "rank", row.Place, "tally", tally, "points", row.Points, "left", n[Running], "moves", row.Moves.String())
	}
	return book.Say("figures", "figures", phrase.Semicolons(rows))
}
