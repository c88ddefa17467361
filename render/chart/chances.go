package chart

import (
	"fmt"
	"slices"

	"chimera/render/draw"
	"chimera/rules/phrase"
)

// Chances is a part of a chart: how likely White was to win a game, position by position, with
// the moves that decided it.
type Chances struct {
	Title   phrase.Phrase
	Figure  phrase.Phrase // what the height means, in per cent
	White   []float64     // from 0 to 1, of each position, the first included
	First   float64       // the number of the move in that: half more with Black to move
	Moments []int         // positions in which what decided the game was played, in their order
	Births  [2][]int      // positions to which White and Black have made pieces of two
}

const chancesArea = 150

func (c *Chances) height(*easel) float64 { return plotHead + chancesArea + plotFoot }

func (c *Chances) paint(e *easel, y float64) {
	e.heading(y, c.Title, c.Figure)
	y += plotHead
	f := field{left: curvesLeft, right: chartWidth - margin - 4, top: y, bottom: y + chancesArea, values: scale{high: 1}}
	e.box(e.Pieces[1].Fill, f.left, f.top, f.right-f.left, chancesArea, 0)
	if len(c.White) > 1 {
		outline := []draw.Point{{X: f.left, Y: f.bottom}}
		for i, white := range c.White {
			outline = append(outline, draw.Point{X: c.x(f, i), Y: f.y(white)})
		}
		e.Loop(append(outline, draw.Point{X: f.right, Y: f.bottom})...)
		e.Fill(e.Pieces[0].Fill)
	}
	for _, tick := range []float64{0, .5, 1} {
		e.paintTick(f, e.faint, tick, round(100*tick))
	}
	c.paintMoves(e, f)
	for side, at := range c.Births {
		for _, i := range at {
			e.birth(c.x(f, i), f, side == 0)
		}
	}
	for n, i := range c.Moments {
		if i >= 0 && i < len(c.White) {
			e.numbered(n+1, c.x(f, i), f.y(c.White[i]))
		}
	}
}

// x is where a position is.
func (c *Chances) x(f field, i int) float64 {
	return f.left + (f.right-f.left)*float64(i)/float64(max(len(c.White)-1, 1))
}

// paintMoves writes the numbers of some moves.
func (c *Chances) paintMoves(e *easel, f field) {
	s := scale{low: c.First, high: c.First + float64(len(c.White)-1)/2, most: 6}
	if s.high <= s.low {
		return
	}
	for _, tick := range s.ticks() {
		if tick != float64(int(tick)) {
			continue
		}
		x := f.left + (f.right-f.left)*s.share(tick)
		e.rule(e.faint, x, f.bottom, x, f.bottom+3)
		e.Write(draw.Style{Size: 11, Ink: e.faint, Align: draw.Center}, x, f.bottom+14, fmt.Sprint(tick))
	}
}

// birth marks a position at the edge of the side that made a piece.
func (e *easel) birth(x float64, f field, white bool) {
	const half, high = 4, 7
	edge, tip, fill := f.top, f.top+high, e.Pieces[0].Fill
	if white {
		edge, tip, fill = f.bottom, f.bottom-high, e.Pieces[1].Fill
	}
	e.Loop(draw.Point{X: x - half, Y: edge}, draw.Point{X: x + half, Y: edge}, draw.Point{X: x, Y: tip})
	e.Fill(fill)
}

// numbered is a disc with a number on it.
func (e *easel) numbered(n int, x, y float64) {
	const radius = 8
	e.dot(e.Sheet, x, y, radius+1.5, false)
	e.dot(e.Lines[0], x, y, radius, false)
	e.Write(draw.Style{Size: 12, Bold: true, Ink: e.Sheet, Align: draw.Center}, x, y+4.3, fmt.Sprint(n))
}

func (c *Chances) words() phrase.Phrase {
	if len(c.White) == 0 {
		return phrase.Phrase{}
	}
	share := func(white float64) int { return int(100*white + .5) }
	return book.Say("chances", "title", c.Title, "first", share(c.White[0]), "last", share(c.White[len(c.White)-1]),
		"low", share(slices.Min(c.White)), "high", share(slices.Max(c.White)))
}
