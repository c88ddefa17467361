package render

import (
	"slices"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/sample"
	"chimera/rules"
)

func TestBadgesNameWhatIsBorrowed(t *testing.T) {
	d := sample.Diagram(t, "3/1p1/RbR/BPB").ShowZones([]rules.Influence{})
	d = d.ShowZones(sample.Zones(d))
	g := newGrid(&d, false)
	borrowed := func(sq string, side rules.Color) []rules.Role {
		return g.at(g.place(d.Shape.Parse(sq))).borrowed[side]
	}
	if got := borrowed("b1", rules.White); !slices.Equal(got, []rules.Role{sample.Bishop, sample.Rook}) {
		t.Errorf("the pawn has powers from %v", got)
	}
	if got := borrowed("b2", rules.White); got != nil {
		t.Errorf("a piece of Black's has White's powers %v", got)
	}
	if got := borrowed("b3", rules.Black); !slices.Equal(got, []rules.Role{sample.Bishop}) {
		t.Errorf("Black's pawn has powers from %v", got)
	}
}

func TestGhostsStandWhereNobodyElseDoes(t *testing.T) {
	for _, c := range []struct {
		variant, fen, move string
		ghosts             string
	}{
		{"stealth", "4k3/8/p7/8/p7/8/8/[RRR]3K3 w - - 0 1", "a1a8xa4xa6", "a4 a6"},
		{"brigade", "4k3/8/8/p7/8/8/8/R3K3 w - - 0 1", "a1a1xa5", "a5"},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "d5"},
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", ""},
	} {
		d := sample.After(t, c.variant, c.fen, c.move)
		g := newGrid(&d, false)
		var got rules.Set
		for sq := range d.Shape.Squares.Squares() {
			if g.at(g.place(sq)).ghost != (rules.Piece{}) {
				got |= sq.Set()
			}
		}
		if d.Shape.Names(got) != c.ghosts {
			t.Errorf("%s: the ghosts are on %q, want %q", c.move, d.Shape.Names(got), c.ghosts)
		}
	}
}

func TestARunThatGoesBackHasNoArrowsOnOneAnother(t *testing.T) {
	d := sample.After(t, "brigade", "k7/8/8/8/8/2p5/1p6/1N5K w - - 0 1", "b1c3xb2")
	d.Marks[slices.IndexFunc(d.Marks, func(m diagram.Mark) bool { return m.Kind == diagram.Ran })].Path = rules.PathOf(d.Shape.Parse("b2"), d.Shape.Parse("b3"), d.Shape.Parse("b2"))
	if slices.ContainsFunc(newGrid(&d, false).tiles, func(t tile) bool { return len(t.ways) > 0 }) {
		t.Error("there are some")
	}
}

// TestTheMoversEdgeIsMarkedUnlessBarsTell looks for it on either side of the board.
func TestTheMoversEdgeIsMarkedUnlessBarsTell(t *testing.T) {
	for _, turn := range []rules.Color{rules.White, rules.Black} {
		for _, bottom := range []rules.Color{rules.White, rules.Black} {
			d := sample.Diagram(t, sample.StartBoard)
			d.Turn, d.Bottom = turn, bottom
			row, want := 0, whiteEdge
			if turn == rules.Black {
				want = blackEdge
			}
			if turn == bottom {
				row, want = 7, want|lowerEdge
			}
			for i, tile := range newGrid(&d, false).tiles {
				if marked := tile.turn != 0; marked != (i/8 == row) || marked && tile.turn != want {
					t.Errorf("%v to move, %v below: tile %d has the edge %d", turn, bottom, i, tile.turn)
				}
			}
			for name, none := range map[string]func(*diagram.Diagram){
				"with bars": func(d *diagram.Diagram) { d.Bars = &diagram.Bars{} }, "at the end": func(d *diagram.Diagram) { d.Over = true },
				"in checkmate": func(d *diagram.Diagram) { d.Status = rules.Checkmate },
			} {
				quiet := d
				none(&quiet)
				if slices.ContainsFunc(newGrid(&quiet, false).tiles, func(t tile) bool { return t.turn != 0 }) {
					t.Errorf("%s an edge is marked", name)
				}
			}
		}
	}
}
