package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

func game(key string) *rules.Variant { return rules.Find(variants.All(), key) }

func position(t *testing.T, key, fen string) *rules.Position {
	t.Helper()
	return rulestest.Position(t, game(key), fen)
}

// of is what a piece on its own can do.
func of(t *testing.T, v *rules.Variant, p rules.Piece) analysis.Power {
	t.Helper()
	w, err := analysis.Of(v, p)
	rulestest.Must(t, err)
	return w
}

// names are the names of squares, by file.
func names(v *rules.Variant, set rules.Set) string {
	var all []string
	for _, sq := range v.Shape.ByFile(set) {
		all = append(all, v.Shape.Name(sq))
	}
	return strings.Join(all, " ")
}

func TestAPieceGoesCapturesAndShoots(t *testing.T) {
	const everywhere = "everywhere"
	for _, c := range []struct{ game, piece, goes, takes, shoots string }{
		{"chess", "N", "b3 b5 c2 c6 e2 e6 f3 f5", "b3 b5 c2 c6 e2 e6 f3 f5", ""},
		{"chess", "P", "d5", "c5 e5", ""},
		{"chess", "K", "c3 c4 c5 d3 d5 e3 e4 e5", "c3 c4 c5 d3 d5 e3 e4 e5", ""},
		{"stealth", "C", "c4 d3 d5 e4", "c3 c5 e3 e5", ""},
		{"brigade", "Q", everywhere, everywhere, "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6"},
		{"brigade", "R", "a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4", "", "a1 a4 a7 d1 d7 d8 g1 g4 g7 h4 h8"},
		{"brigade", "N", "a4 b3 b5 c2 c4 c6 d1 d3 d5 d7 e2 e4 e6 f3 f5 g4", "a4 b3 b4 b5 c2 c3 c4 c5 c6 d1 d2 d3 d5 d6 d7 e2 e3 e4 e5 e6 f3 f4 f5 g4", ""},
		{"brigade", "B", "a1 a7 b2 b6 c3 c5 e3 e5 f2 f6 g1 g7 h8", "", "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6"},
		{"combination", "A", "b5 d3 d7 f5", "b5 d3 d7 f5", ""},
	} {
		v := game(c.game)
		w := of(t, v, rules.Piece{White: v.Table.Role(c.piece)})
		for _, set := range []struct {
			what string
			got  rules.Set
			want string
		}{{"goes to", w.All.Goes, c.goes}, {"captures on", w.All.Takes, c.takes}, {"shoots at", w.All.Shoots, c.shoots}} {
			got := names(v, set.got)
			if set.got == v.Shape.Squares&^w.From.Set() {
				got = everywhere
			}
			if got != set.want {
				t.Errorf("%s in %s %s %s, want %s", c.piece, c.game, set.what, got, set.want)
			}
		}
	}
}

// TestEveryPartHasItsSquares looks at what each part of a compound can do: all of it, and nothing
// twice.
func TestEveryPartHasItsSquares(t *testing.T) {
	for _, v := range variants.All() {
		for r := range v.Table[1:] {
			w := of(t, v, rules.Piece{White: rules.Role(r + 1)})
			name := v.Key + " " + v.Table[r+1].Code
			if w.All.Goes == 0 {
				t.Errorf("%s can go nowhere", name)
			}
			var goes, takes, shoots rules.Set
			for _, part := range w.Parts {
				if part.Goes&goes|part.Takes&takes|part.Shoots&shoots != 0 {
					t.Errorf("%s: two parts have the same squares", name)
				}
				goes, takes, shoots = goes|part.Goes, takes|part.Takes, shoots|part.Shoots
			}
			if (analysis.Reach{Goes: goes, Takes: takes, Shoots: shoots}) != w.All {
				t.Errorf("%s: the parts have other squares than the whole", name)
			}
		}
		if _, err := analysis.Of(v, rules.Piece{}); err == nil {
			t.Errorf("%s: nobody has powers", v.Key)
		}
	}
}

func TestPartsAreNamedByTheirFigures(t *testing.T) {
	for _, c := range []struct{ game, piece, want string }{
		{"combine", "RN", "R a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4|N b3 b5 c2 c6 e2 e6 f3 f5"},
		{"stealth", "RRN", "RR a4 b4 c4 d1 d2 d3 d5 e4 f4 g4 h4|N b3 b5 c2 c6 e2 e6 f3 f5"},
		{"stealth", "RF", "R a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4|WF c3 c5 e3 e5"},
		{"chess", "Q", "Q a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 d8 e3 e4 e5 f2 f4 f6 g1 g4 g7 h4 h8"},
	} {
		v := game(c.game)
		w := of(t, v, rules.Piece{White: v.Table.Role(c.piece)})
		var got []string
		for _, part := range w.Parts {
			got = append(got, v.Table.Code(part.Piece)+" "+names(v, part.Goes))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s in %s: %s", c.piece, c.game, strings.Join(got, "|"))
		}
	}
}

// TestObstaclesShowWhatPassesThem has a friend on d6 and a foe on d7 where that tells one level of
// a line from another.
func TestObstaclesShowWhatPassesThem(t *testing.T) {
	v := game("stealth")
	for _, c := range []struct {
		piece, friends, foes string
		takes, beyond        bool
	}{
		{"R", "", "", false, false},
		{"N", "", "", false, false},
		{"RR", "d6", "d7", true, false},
		{"RRR", "d6", "d7", true, true},
		{"BBB", "f6", "g7", true, true},
		{"QQ", "d6 f6", "d7 g7", true, false},
		{"RBB", "f6", "g7", true, false},
	} {
		w := of(t, v, rules.Piece{White: v.Table.Role(c.piece)})
		var friends, foes rules.Set
		for sq, p := range w.Board {
			switch {
			case rules.Square(sq) == w.From:
			case p.White != rules.NoRole:
				friends |= rules.Square(sq).Set()
			case p.Black != rules.NoRole:
				foes |= rules.Square(sq).Set()
			}
		}
		if names(v, friends) != c.friends || names(v, foes) != c.foes {
			t.Errorf("%s: friends on %q and foes on %q", c.piece, names(v, friends), names(v, foes))
		}
		for foe := range foes.Squares() {
			step := (foe - w.From) / 3
			if w.All.Takes.Has(foe) != c.takes || w.All.Goes.Has(foe+step) != c.beyond {
				t.Errorf("%s takes %s: %v, goes on: %v", c.piece, v.Shape.Name(foe), w.All.Takes.Has(foe), w.All.Goes.Has(foe+step))
			}
		}
	}
}

func TestEachSideMovesItsHalfOfASharedPiece(t *testing.T) {
	v := game("knightmare")
	w := of(t, v, rules.Piece{White: v.Table.Role("N"), Black: v.Table.Role("R")})
	if len(w.Parts) != 2 || w.Parts[0].Piece.White == 0 || w.Parts[1].Piece.Black == 0 {
		t.Fatalf("the halves are %v", w.Parts)
	}
	for i, want := range []string{"b3 b5 c2 c6 e2 e6 f3 f5", "a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4"} {
		if got := names(v, w.Parts[i].Goes); got != want {
			t.Errorf("half %d goes to %s, want %s", i, got, want)
		}
	}
	for white := range v.Table {
		for black := range v.Table {
			one, other := v.Table[white], v.Table[black]
			if one.Glyph == "" || other.Glyph == "" || one.Pawn || other.Pawn || one.Royal || other.Royal {
				continue
			}
			of(t, v, rules.Piece{White: rules.Role(white), Black: rules.Role(black)})
		}
	}
}

func TestAPieceLendsItsPowers(t *testing.T) {
	v := game("combination")
	w := of(t, v, rules.Piece{White: v.Table.Role("R")})
	if got := names(v, w.Lends); got != "c4 c6 e4 e6" {
		t.Errorf("a rook on d5 lends to %s", got)
	}
}

// told writes threats for comparison: "e4<c6,d5".
func told(v *rules.Variant, all []analysis.Threat) string {
	var text []string
	for _, th := range all {
		text = append(text, v.Shape.Name(th.On)+"<"+strings.ReplaceAll(names(v, th.By), " ", ","))
	}
	return strings.Join(text, " ")
}

func TestThreats(t *testing.T) {
	for _, c := range []struct{ name, game, fen, attacked, pieces, ranged, blasts, chances string }{
		{
			name: "the start of chess", game: "chess", fen: "",
			attacked: "a6 b6 c6 d6 e6 f6 g6 h6",
		},
		{
			name: "pawns attack aslant", game: "chess", fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
			attacked: "c4 d7 d8 e4 e7 f7 f8", pieces: "e4<d5",
		},
		{
			name: "a pinned piece threatens nobody", game: "chess", fen: "4k3/8/8/4n3/8/3P4/8/K3R3 w - - 0 1",
			attacked: "d7 d8 e7 f7 f8",
		},
		{
			name: "a king in check", game: "chess", fen: "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1",
			attacked: "a2 b2 c2 d2 d7 d8 e1 e3 e4 e5 e6 e7 f2 f7 f8 g2 h2", pieces: "e1<e2",
		},
		{
			name: "a king checked by two", game: "chess", fen: "4k3/8/8/8/4r3/8/2n5/R3K3 w - - 0 1",
			attacked: "a1 a3 a4 b4 c4 d4 d7 d8 e1 e2 e3 e5 e6 e7 f4 f7 f8 g4 h4", pieces: "a1<c2 e1<c2,e4",
		},
		{
			name: "a king in check near the other king", game: "chess", fen: "4k3/8/5K2/8/8/8/8/4Q3 b - - 0 1",
			attacked: "a1 a5 b1 b4 c1 c3 d1 d2 e2 e3 e4 e5 e6 e7 e8 f1 f2 f5 g1 g3 g5 g6 g7 h1 h4", pieces: "e8<e1",
		},
		{
			name: "guns", game: "brigade", fen: "4k3/8/8/8/r7/8/4P3/R3K3 w - - 0 1",
			attacked: "a1 a7 a8 d1 d4 d7 d8 e4 e7 f7 f8", pieces: "a1<a4", ranged: "a1 a7 a8 d1 d4 d7 e4",
		},
		{
			name: "a knightmare of both sides", game: "knightmare", fen: "4k3/8/8/3[Nb]4/8/8/8/R3K3 w - - 0 1 -",
			attacked: "a2 a8 b3 b7 c4 c6 d7 d8 e4 e6 f3 f7 f8 g2 g8 h1",
		},
		{
			name: "an annihilation, by either side", game: "combination", fen: "***k***/*5*/*2a2*/*5*/7/*2I2*/*1R3*/*5*/***K*** w - - 0 1",
			attacked: "d5 d8 e8", blasts: "c3<d7 d4<d7", chances: "d7<d4",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos := position(t, c.game, c.fen)
			v, found := pos.Variant(), analysis.Find(pos)
			for _, what := range []struct{ name, got, want string }{
				{"attacked", names(v, found.Attacked), c.attacked},
				{"pieces", told(v, found.Pieces), c.pieces},
				{"ranged", names(v, found.Ranged), c.ranged},
				{"blasts", told(v, found.Blasts), c.blasts},
				{"chances", told(v, found.Chances), c.chances},
			} {
				if what.got != what.want {
					t.Errorf("%s: %s, want %s", what.name, what.got, what.want)
				}
			}
		})
	}
}

func TestThreatsAreFoundInEveryGame(t *testing.T) {
	for _, v := range variants.All() {
		pos := rulestest.Position(t, v, "")
		for ply := range 60 {
			moves := pos.Moves()
			if len(moves) == 0 || pos.Status() != rules.Ongoing {
				break
			}
			found := analysis.Find(pos)
			where := fmt.Sprintf("%s, ply %d, %s", v.Key, ply, pos.FEN())
			if pos.Checked()&^found.Attacked != 0 {
				t.Errorf("%s: the king is in check and not attacked", where)
			}
			for _, th := range found.Pieces {
				if !found.Attacked.Has(th.On) || pos.Board()[th.On].Half(pos.Turn()) == rules.NoRole || th.By == 0 {
					t.Errorf("%s: a threat to %s by %s", where, v.Shape.Name(th.On), names(v, th.By))
				}
			}
			pos = rulestest.Played(t, pos, moves[(ply*7919+13)%len(moves)])
		}
	}
}
