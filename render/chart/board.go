package chart

import (
	"image"
	imagedraw "image/draw"
	"math"
	"strings"

	"chimera/render"
	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/text"
	"chimera/rules/phrase"
)

// Board is a part of a chart: a position, as wide as the chart. All boards of a chart share its theme.
type Board struct{ diagram.Diagram }

func (b *Board) paint(e *easel, y float64) (foot float64) {
	const most = 390 // for boards higher than wide
	high := min((chartWidth-2*margin)*render.Aspect(b.Diagram), most)
	e.board(&b.Diagram, margin, y, chartWidth-2*margin, high)
	return y + high
}

func (b *Board) words() phrase.Phrase { return text.Words(b.Diagram) }

// small makes room for a board too small to name its squares.
func (e *easel) small(d diagram.Diagram, x, y, width, height float64) {
	d.Coords = diagram.NoCoords
	e.board(&d, x, y, width, height)
}

// board makes room for a board: a box with the board in the middle, as large as possible.
func (e *easel) board(d *diagram.Diagram, x, y, width, height float64) {
	whole := func(units float64) int { return int(math.Round(units * e.Unit)) }
	inset, seen := render.Within(*d, image.Rect(whole(x), whole(y), whole(x+width), whole(y+height)))
	frame := max(1, int(math.Round(e.Unit/2)))
	imagedraw.Draw(e.m, seen.Inset(-frame), image.NewUniform(e.faint), image.Point{}, imagedraw.Src)
	e.boards = append(e.boards, inset)
}

// Boards is a part of a chart: small boards, two in a row.
type Boards []Small

// Small is a small board with captions.
type Small struct {
	diagram.Diagram
	Name  string        // above it: a player's name
	Title phrase.Phrase // before the name
	Kind  phrase.Phrase // below these: the game
	Note  phrase.Phrase // below the board
	When  phrase.Phrase // beside the note
	Lit   bool          // singled out
}

const (
	smallAside = 16 // between two in a row
	smallBelow = 8  // between rows
	smallWidth = (chartWidth - 2*margin - smallAside) / 2
	smallHead  = 36
	smallFoot  = 24
)

func (b *Boards) paint(e *easel, y float64) (foot float64) {
	side, left := float64(smallWidth), float64(margin) // of the room for each board
	if len(*b) == 1 {
		side, left = 260, (chartWidth-260)/2 // a single one may be larger
	}
	row := smallHead + side + smallFoot + smallBelow
	for i, s := range *b {
		s.paint(e, left+float64(i%2)*(side+smallAside), y+float64(i/2)*row, side)
	}
	return y + float64((len(*b)+1)/2)*row - smallBelow
}

// paint paints a board with its captions, from the upper left corner.
func (s *Small) paint(e *easel, x, y, side float64) {
	title := draw.Style{Size: 12, Ink: e.faint, Room: side / 2}
	e.Write(title, x, y+15, e.say(s.Title))
	used := e.Width(title, e.say(s.Title)) + 5
	e.Write(draw.Style{Size: 13, Bold: true, Ink: e.Text, Room: side - used}, x+used, y+15, s.Name)
	e.Write(draw.Style{Size: 11, Ink: e.faint, Room: side}, x, y+29, e.say(s.Kind))
	y += smallHead
	note, when := draw.Style{Size: 12, Ink: e.faint}, draw.Style{Size: 12, Ink: e.faint, Align: draw.End}
	if s.Lit { // a frame and a dark foot, for people who do not see the color
		const frame = 3
		e.box(e.Lines[0], x-frame, y-frame, side+2*frame, side+smallFoot+frame, 2)
		e.box(e.Sheet, x, y, side, side, 0) // beside boards that are not square
		note.Bold, note.Ink, when.Ink = true, e.Sheet, e.Sheet
	}
	when.Room = .5 * side
	note.Room = side - e.Width(when, e.say(s.When)) - 8
	e.Write(note, x+2, y+side+16, e.say(s.Note))
	e.Write(when, x+side-2, y+side+16, e.say(s.When))
	e.small(s.Diagram, x, y, side, side)
}

func (b *Boards) words() phrase.Phrase {
	rows := phrase.Each(*b, func(s Small) phrase.Phrase {
		return book.Say("small", "title", s.Title, "name", draw.Plain(s.Name), "kind", s.Kind, "note", s.Note, "dated", !s.When.IsZero(), "when", s.When)
	})
	return book.Say("boards", "boards", phrase.Semicolons(rows))
}

// Scene is a part of a chart: a small board, with text to its right.
type Scene struct {
	diagram.Diagram
	Title  phrase.Phrase // above the move
	Move   string        // the move that led there
	Figure phrase.Phrase // below it, if any
	Text   phrase.Phrase // a sentence or two, of which the first may not be written for want of room
}

const (
	sceneSide = 132
	sceneLine = 16
)

func (s *Scene) paint(e *easel, y float64) (foot float64) {
	foot = y + sceneSide
	wide := sceneSide / max(1, render.Aspect(s.Diagram))
	e.small(s.Diagram, margin, y, wide, sceneSide)
	x := margin + wide + 14
	t := draw.Style{Size: 13, Bold: true, Ink: e.faint, Room: chartWidth - margin - x}
	e.Write(t, x, y+12, e.say(s.Title))
	t.Size, t.Ink = 18, e.Text
	e.Write(t, x, y+34, s.Move)
	t.Size, t.Bold = 13, false
	y += 55
	lines := 5
	if !s.Figure.IsZero() {
		lines--
		t.Ink = e.Lines[0]
		e.Write(t, x, y, e.say(s.Figure))
		y += sceneLine + 2
	}
	t.Ink = e.Text
	text := e.say(s.Text)
	if _, rest, several := strings.Cut(text, ". "); several && len(e.Wrap(t, text, 0)) > lines {
		text = rest
	}
	for _, line := range e.Wrap(t, text, lines) {
		e.Write(t, x, y, line)
		y += sceneLine
	}
	return foot
}

func (s *Scene) words() phrase.Phrase {
	return book.Say("scene", "title", s.Title, "move", s.Move, "figured", !s.Figure.IsZero(), "figure", s.Figure, "text", s.Text)
}

// Signature is a part of a chart: its author, below a line.
type Signature struct {
	Name  string
	About phrase.Phrase
}

func (s *Signature) paint(e *easel, y float64) (foot float64) {
	e.rule(e.hair, margin, y, chartWidth-margin, y)
	e.Write(draw.Style{Size: 13, Bold: true, Ink: e.Text, Room: 120}, margin, y+20, s.Name)
	e.Write(draw.Style{Size: 12, Ink: e.faint, Align: draw.End, Room: 220}, chartWidth-margin, y+20, e.say(s.About))
	return y + 24
}

func (s *Signature) words() phrase.Phrase {
	return book.Say("signature", "name", s.Name, "about", s.About)
}
