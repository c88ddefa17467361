package computer

import (
	"context"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/engine"
	"chimera/rules/fide"
	"chimera/rules/variants"
)

func TestAHintSaysWhatItsMoveIsGoodFor(t *testing.T) {
	for _, c := range []struct {
		what, fen, kind, about string
		attackers, defenders   int
	}{
		{"a rook is attacked twice and guarded once", "4k3/8/2n1n3/8/3R4/4P3/8/4K3 w - - 0 1", "saves", "d4", 2, 1},
		{"a queen can be taken", "4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "wins", "", 0, 0},
		{"a rook can be had for a bishop", "6k1/8/3p4/4r3/3B4/8/8/4K3 w - - 0 1", "wins", "", 0, 0},
		{"a bishop is exchanged for a knight that guards a pawn", "4k3/6p1/5n2/3p2B1/8/2N5/8/4K3 w - - 0 1", "comes-out", "", 0, 0},
		{"White is ahead", "3rk3/8/8/8/8/8/3R1PPP/4K3 w - - 0 1", "trades", "d2", 0, 0},
		{"the king stands in the middle", "r1bq1rk1/ppp2ppp/2np1n2/4p3/4P3/2NP1NP1/PPP2PBP/R1BQK2R w KQ - 0 1", "castles", "", 0, 0},
		{"nothing has moved", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "brings-out", "", 0, 0},
		{"a pawn goes to the middle", "r1bqkb1r/pp3pp1/n1pppn1p/8/3P4/2N2N1P/PPP1PPP1/R1BQKB1R w KQkq - 2 7", "centers", "f1", 0, 0},
		{"mate cannot be helped", "7R/1pp2pp1/7k/p1B1NQn1/2P3p1/P7/1P3P2/5R1K b - - 2 30", "", "", 0, 0},
		{"the king loses its squares", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", "cuts", "", 0, 0},
	} {
		pos, err := fide.Chess().Position(c.fen)
		must(t, err)
		game := rules.NewGame(pos)
		found, err := engine.Search(t.Context(), game, engine.Limits{Nodes: 20_000})
		must(t, err)
		why := Why(t.Context(), game, nil, found, advises(searches(t, pos.Variant())))
		if why.Kind != c.kind || c.about != "" && pos.Variant().Shape.Name(why.Danger.On) != c.about || why.Danger.Attackers != c.attackers || why.Danger.Defenders != c.defenders {
			t.Errorf("%s: %s %+v, %+v", c.what, pos.Chat(found.Move()), found.Score, why)
		}
	}
}

// TestAMergeGainsTheSquaresThatItsPartsDidNotHave has a rook that can only join the knight, and a knight that can go to
// three squares or join either rook: of the 12 squares that the merged piece has more than that rook, 7 are new.
func TestAMergeGainsTheSquaresThatItsPartsDidNotHave(t *testing.T) {
	pos, err := rules.Find(variants.All(), "combine").Position("2krqb1r/1p3p1p/p2p1p2/3P4/3QP3/5N2/P1P2PPP/RN3RK1 w - - 0 15")
	must(t, err)
	m := line(t, pos, "Ra~Nb1")[0]
	after, err := pos.Play(m)
	must(t, err)
	if why := improves(pos, analysis.Passed(after), m); why.Kind != "frees" || why.More != 7 {
		t.Errorf("%+v", why)
	}
}

func TestAHintTellsARecaptureFromAGain(t *testing.T) {
	for fen, kind := range map[string]string{
		"4k3/1p6/2n5/1B6/8/8/8/4K3 w - - 0 1": "recaptures", // Bxc6+ bxc6
		"4k3/1p6/2p5/8/8/8/8/2R1K3 w - - 0 1": "wins",       // Rxc6 bxc6
	} {
		pos, err := fide.Chess().Position(fen)
		must(t, err)
		took := pos.Moves()[slices.IndexFunc(pos.Moves(), func(m rules.Move) bool { return pos.Variant().Shape.Name(m.To) == "c6" })]
		game, err := rules.NewGame(pos).Play(took)
		must(t, err)
		found := engine.Result{Line: engine.Line{Score: engine.Score{Centipawns: 100}, Moves: line(t, game.Position, "bxc6")}}
		if why := Why(t.Context(), game, pos.Effects(took), found, nil); why.Kind != kind || len(why.Wins) != 1 {
			t.Errorf("%s: %+v", fen, why)
		}
	}
}

func TestAHintSaysWhatAQuietMoveThreatens(t *testing.T) {
	pos, err := fide.Chess().Position("r3k3/p3pppp/8/8/8/2N5/PPP5/2K5 w - - 0 1")
	must(t, err)
	why := Why(t.Context(), rules.NewGame(pos), nil, engine.Result{Line: engine.Line{Moves: line(t, pos, "Nb5")}}, advises(searches(t, pos.Variant())))
	if why.Kind != "threatens" || why.Threat != "Nc7+" || len(why.Wins) != 1 {
		t.Errorf("of Nb5 a hint says %+v", why)
	}
	pos, err = fide.Chess().Position("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
	must(t, err)
	m := line(t, pos, "Ra7")[0]
	after, _ := pos.Play(m)
	if why, _ := Threat(t.Context(), pos, m, after, advises(searches(t, pos.Variant()))); why.Threat != "Ra8#" || why.More != 1 {
		t.Errorf("Ra7 threatens %+v", why)
	}
	busy := func(context.Context, rules.Game) (engine.Result, error) { return engine.Result{}, ErrBusy }
	if why, _ := Threat(t.Context(), pos, m, after, busy); why.Kind != "" {
		t.Errorf("if nobody could look at it, Ra7 threatens %+v", why)
	}
}

// TestAHintSaysNothingThatItsLineContradicts takes lines that were found in games. A hint has to agree with the whole
// line that it shows, and with the score.
func TestAHintSaysNothingThatItsLineContradicts(t *testing.T) {
	for _, c := range []struct {
		what, kind, fen, line string
		score                 int
		reason, on            string
	}{
		{"a pawn is won, but it is about even", "combine", "r1b1k3/pppp1p1p/n3pq1n/3r4/4[RB]1p1/1PR3P1/PNPPPP1P/3QK2N w q - 7 14", "RBxh7 N~Qf6 RBh4 QNf6/Qg7", 56, "takes", ""},
		{"infantry is won, and lost again", "brigade", "rn2kbnr/p1p2p1p/p1p4p/5Q2/P7/2P2P2/P1P2P1P/RNB1K1NR w - - 0 8", "Q*h7 Ng7 Qd1 R*a4 a3", 779, "takes", ""},
		{"a pawn is attacked, and a captain lost", "stealth", "r1b2rk1/ppppbp2/2n1p1pn/1N5C/4P2q/8/PPPP1PN1/R1BQ1RK1 w - - 0 12", "d4 Qxh5 Nxc7 Rb8", -170, "loses", ""},
		{"what is attacked stays where it is, and is not taken", "brigade", "4k1n1/1ppp2pr/2n1p3/p7/3PPB2/1P5P/P1P2P1P/RN2K1NR w - - 0 12", "ed5 g5 Bd2*g5 exd5 dxd5 Rh6", 1000, "threatens", ""},
		{"a knight that hangs takes a pawn", "combine", "r1bqkb1[rn]/2pppppp/2n5/1p6/1p1P4/2N2N2/P1P1PPPP/R1BQKB1R w KQq - 0 6", "Nxb5 Ra5 a4 RNg6", -67, "saves", "c3"},
		{"a pawn is given up, but it is about even", "chess", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3", "d4 exd4 e5 Bb4+ Kf2", -60, "", ""},
		{"a hybrid is lost, and won back behind what is shown", "stealth", "3rk3/3q2pp/1p1p3n/N3p3/P1[QN]1P1C1/2R5/1P[QN]2PB1/2B2RK1 w - - 0 26", "Rf3 Nf7 R~Nf7 b~Na5 RN~Qd7+ R~QNd7 QNc7+ Ke7 Bg5+ Kf8 QN~QNd7+", 2705, "threatens", ""},
		{"a check only puts off a capture", "combine-free", "2b4[rb]/1p1pkppp/1[QN]2pn2/8/p5PP/8/PPPP1P2/R1B3K1 w - - 1 17", "QNb6/Qc5+ d6 Nxc8+ RBxc8 Qxc8 b6", 1507, "wins", ""},
		{"a knight is won, and bishops are exchanged", "chess", "r1b1k2r/ppp1nppp/2n1p1q1/3Nb3/8/7B/PPPPPP1P/R1B1QR1K b kq - 0 12", "exd5 Bxc8 Rxc8 d3", 788, "wins", ""},
		{"a fork wins at once, and more later", "combine-free", "5kb1/6p1/8/N3[RB]3/p6P/5P2/PPP[rn]4/6K1 b - - 0 30", "RNxf3+ Kg2 RNxe5 b4 RNe3+ Kh1 RNh3+ Kg2 RNxh4+", 981, "wins", ""},
		{"mate is threatened, and a check remains of it", "knightmare", "rnbqkb1r/pppppppp/8/3n4/6P1/2N2P2/PPPPP2P/R1BQKBNR b KQkq - 2 3 -", "e6 Nh3 Qh4+ Nf2", 158, "threatens", ""},
		{"a pawn is saved though another falls", "chess", "1r2k2r/8/8/8/8/1P5P/8/5K2 w - - 0 1", "Kg2 Rxb3", 0, "saves", "h3"},
		{"the pawn that would be saved falls", "chess", "1r2k2r/8/8/8/8/1P5P/8/5K2 w - - 0 1", "Kg2 Rxh3", 0, "frees", ""},
		{"a knight is lost, and the last move answers a check", "combine", "4kb2/1[rb]p1pppp/2n1n3/1N3q2/1P1P4/4BN2/2P2PPP/R2Q1RK1 w - - 0 16", "d5 RBxb5 Ra8+ Ned8", 120, "loses", ""},
	} {
		v := rules.Find(variants.All(), c.kind)
		pos, err := v.Position(c.fen)
		must(t, err)
		found := engine.Result{Line: engine.Line{Score: engine.Score{Centipawns: c.score}}}
		found.Moves = line(t, pos, c.line)
		why := Why(t.Context(), rules.NewGame(pos), nil, found, advises(searches(t, v)))
		if why.Kind != c.reason || c.on != "" && v.Shape.Name(why.Danger.On) != c.on {
			t.Errorf("%s: %+v", c.what, why)
		}
	}
}

func TestMostHintsHaveAReason(t *testing.T) {
	for _, kind := range []string{"chess", "stealth", "brigade"} {
		v := rules.Find(variants.All(), kind)
		all, search := map[string]int{}, searches(t, v)
		const games, opening, apart = 5, 12, 5
		for seed := range uint64(games) {
			r := play(t, v, seed, 44)
			for i := opening; i < len(r.moves); i += apart {
				found, err := search(r.games[i], engine.Limits{Nodes: adviceNodes})
				must(t, err)
				why, pos := Why(t.Context(), r.games[i], nil, found, advises(search)), r.games[i].Position
				for _, m := range found.Moves[:why.Moves] {
					pos, err = pos.Play(m)
					must(t, err)
				}
				if side := r.games[i].Position.Turn(); (why.Kind == "wins" || why.Kind == "comes-out") && balance(pos, side) <= balance(r.games[i].Position, side) {
					t.Errorf("%s, seed %d, ply %d: after %d moves nothing is won of %+v", kind, seed, i, why.Moves, why)
				}
				if found.Score.Mate == 0 {
					all[why.Kind]++
				}
				all["all"]++
			}
		}
		if 10*all[""] > 2*all["all"] {
			t.Errorf("%s: of %v hints too many have none", kind, all)
		}
	}
}

func advises(search Search) func(context.Context, rules.Game) (engine.Result, error) {
	return func(_ context.Context, game rules.Game) (engine.Result, error) {
		return search(game, engine.Limits{Nodes: adviceNodes})
	}
}
