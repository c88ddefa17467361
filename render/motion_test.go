package render

import (
	"bytes"
	"image/gif"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/rules"
	"chimera/rules/variants"
)

// playedMove is what is seen of a position after a move, and how it was played.
func playedMove(t *testing.T, game, fen, move string) (diagram.Diagram, diagram.Played) {
	t.Helper()
	before, err := rules.Find(variants.All(), game).Position(fen)
	golden.Must(t, err)
	m, err := before.Parse(move)
	golden.Must(t, err)
	after, err := before.Play(m)
	golden.Must(t, err)
	effects := before.Effects(m)
	start := before.Board()
	d := diagram.Of(after, effects, rules.White)
	d.Over = after.Status() == rules.Checkmate
	return d.ShowTaken(start, nil), diagram.Played{Start: start, Before: start, Effects: effects}
}

func TestAMoveWorthSeeingIsAMotion(t *testing.T) {
	for _, c := range []struct {
		name, game, fen, move string
		moves                 bool
	}{
		{"a move", "chess", "", "e4", false},
		{"a capture", "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", false},
		{"mate", "chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8", true},
		{"a merge", "combine", "", "R~Nb1", true},
		{"a split", "combine", "4k3/8/8/8/3[RN]4/8/8/4K3 w - - 0 1", "RNd4/Ne5", true},
		{"a birth", "knightmare", "4k3/8/5n2/8/4N3/8/8/4K3 w - - 0 1", "Nxf6", true},
		{"a shot", "brigade", "4k3/8/8/3p4/8/3B4/8/4K3 w - - 0 1", "Bd3*d5", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, played := playedMove(t, c.game, c.fen, c.move)
			frames := d.Motion(played)
			if !c.moves {
				if frames != nil {
					t.Fatalf("it is shown in %d steps", len(frames))
				}
				return
			}
			if n := len(frames); n < 6 || n > 8 {
				t.Errorf("it is shown in %d steps, not in 6 to 8", n)
			}
			first, last := frames[0], frames[len(frames)-1]
			if first.Board != played.Before || first.Marks != nil {
				t.Error("it does not begin with the board before")
			}
			for i, frame := range frames[:len(frames)-1] {
				for side, bar := range frame.Bars.Sides {
					if bar.Taken != nil {
						t.Errorf("in step %d, %s has captured %v", i, rules.Color(side), bar.Taken)
					}
				}
			}
			var still, end bytes.Buffer
			golden.Must(t, NewPainter().PNG(&still, d, Small))
			golden.Must(t, NewPainter().PNG(&end, last, Small))
			if !bytes.Equal(still.Bytes(), end.Bytes()) {
				t.Error("it does not end with the board after")
			}
			var file bytes.Buffer
			golden.Must(t, NewPainter().GIF(&file, frames, Small, Pace{Step: 200 * time.Millisecond, Once: true}))
			film, err := gif.DecodeAll(&file)
			golden.Must(t, err)
			if film.LoopCount != -1 {
				t.Errorf("it is shown with the loop count %d, not once", film.LoopCount)
			}
		})
	}
}

// TestAPieceFliesAcrossSquares has a piece halfway between two squares on both tiles, and where a path turns
// at the turn.
func TestAPieceFliesAcrossSquares(t *testing.T) {
	pos, err := rules.Find(variants.All(), "chess").Position("")
	golden.Must(t, err)
	d := diagram.Of(pos, nil, rules.White)
	at := d.Shape.Parse
	rook := d.Board[at("a1")]
	for _, c := range []struct {
		f    diagram.Flight
		x, y float64
	}{
		{diagram.Flight{Piece: rook, From: at("a1"), To: at("a3"), Way: .25}, 0, 6.5},
		{diagram.Flight{Piece: rook, From: at("a1"), To: at("c3"), Path: rules.PathOf(at("a3"), at("c3")), Way: .5}, 0, 5},
		{diagram.Flight{Piece: rook, From: at("a1"), To: at("c3"), Path: rules.PathOf(at("a3"), at("c3")), Way: .75}, 1, 5},
	} {
		d.Flights = []diagram.Flight{c.f}
		g := newGrid(&d, false)
		if x, y := g.over(c.f); x != c.x || y != c.y {
			t.Errorf("%+v is at %v, %v, want %v, %v", c.f, x, y, c.x, c.y)
		}
		over := 0
		for i := range g.tiles {
			over += len(g.tiles[i].over)
		}
		if want := 1 + int(2*(c.y-float64(int(c.y)))); over != want {
			t.Errorf("%+v is over %d tiles, want %d", c.f, over, want)
		}
	}
}
