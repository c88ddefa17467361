package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// minimax is the search without any trick: all moves to the depth, and an evaluation of each
// last position made anew from its own FEN.
type minimax struct {
	evaluator *evaluator
	line      []*rules.Position // from the root
}

func (x *minimax) score(t *testing.T, game rules.Game, depth, ply int) int {
	pos := game.Position
	switch pos.Status() {
	case rules.KingTaken, rules.Checkmate:
		if outcome := game.Outcome(); outcome.Result == rules.WinFor(pos.Turn()) {
			return mate - ply
		}
		return ply - mate
	case rules.Stalemate, rules.Insufficient:
		if ply > 0 {
			return 0
		}
	case rules.Ongoing, rules.Mated:
	}
	if ply > 0 && x.drawn(game) {
		return 0
	}
	x.line = append(x.line, pos)
	defer func() { x.line = x.line[:len(x.line)-1] }()
	if depth == 0 {
		return x.evaluate(pos)
	}
	top := -infinite
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		rulestest.Must(t, err)
		past := append(slices.Clone(game.Past), pos.Key())
		top = max(top, -x.score(t, rules.Game{Position: next, Past: past}, depth-1, ply+1))
	}
	return top
}

// drawn is what the search takes for a draw: a hundred plies, a position that has stood on
// the line below the root before, or twice in all.
func (x *minimax) drawn(game rules.Game) bool {
	pos := game.Position
	if pos.Status() == rules.Mated || pos.TakesKing() {
		return false
	}
	for i, before := range x.line {
		if i > 0 && before.Key() == pos.Key() {
			return true
		}
	}
	return pos.HalfMoves() >= 100 || game.Repetitions() >= 3
}

// evaluate evaluates a position by all terms of the numbers, one by one.
func (x *minimax) evaluate(pos *rules.Position) int {
	terms := Terms(x.evaluator.Numbers, x.line...)
	var opening, ending int
	for _, term := range terms {
		opening += term.Times * int(x.evaluator.Worth[term.Index].Opening)
		ending += term.Times * int(x.evaluator.Worth[term.Index].Ending)
	}
	board := pos.Board()
	phase := min(x.evaluator.weigh(&board), x.evaluator.full)
	score := fade((opening*phase+ending*(x.evaluator.full-phase))/(10*x.evaluator.full), pos.HalfMoves())
	return min(max(score, -maxEval), maxEval)
}

// randomNumbers are numbers with something for each term, so that none is left untested.
func randomNumbers(v *rules.Variant) *Numbers {
	n := Guess(v)
	for i := range n.Worth {
		n.Worth[i].Opening += int32(mix(uint64(i))%80) - 40
		n.Worth[i].Ending += int32(mix(uint64(i)+1000)%80) - 40
	}
	return n
}

// agree compares a search that uses no trick with minimax, at all depths up to one.
func agree(t *testing.T, e *Engine, pos *rules.Position, depth int, what string) {
	t.Helper()
	for d := 1; d <= depth; d++ {
		x := &minimax{evaluator: e.search.stack.evaluator}
		want := x.score(t, rules.NewGame(pos), d, 0)
		got, err := e.Search(context.Background(), rules.NewGame(pos), Limits{Depth: d})
		if err != nil || got.Score != scoreOf(want) {
			t.Errorf("%s, depth %d, %s: %+v (%v), minimax says %+v", what, d, pos.FEN(), got.Score, err, scoreOf(want))
		}
	}
}

// Peculiarities of single games, in positions with few moves: pieces that both sides own, bombers'
// runs, kings that are taken or shot at, annihilations with and without a king in them.
func TestASearchAgreesWithMinimaxOnWhatIsOdd(t *testing.T) {
	for _, c := range []struct{ key, what, fen string }{
		{"knightmare", "a knightmare that may go", "4k3/2p5/8/3[Nr]4/8/8/8/4K3 w - - 5 9 -"},
		{"knightmare", "one that is frozen", "4k3/2[Nr]5/8/8/8/8/8/4K3 b - - 0 9 c7"},
		{"knightmare", "one to be born", "4k3/8/8/8/R2n4/8/8/6K1 w - - 0 1 -"},
		{"stealth", "a run through two", "1k6/8/8/4p3/8/2p5/1P5K/[BBB]7 w - - 0 1"},
		{"stealth", "a run of the other side", "4[rrr]2k/8/8/4p3/4B3/8/8/4K3 w - - 0 1"},
		{"brigade", "a king to be taken", "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1"},
		{"brigade", "a mate in the corner", "7k/5P1P/6P1/8/8/8/8/4K3 b - - 0 1"},
		{"brigade", "a pawn beside the king", "7k/8/8/8/8/8/5p2/4K3 b - - 0 1"},
		{"combination", "an annihilation", "***1***/*5*/*4k*/*3i1*/7/*5*/*2A2*/*5*/***K*** w - - 0 1"},
		{"combination", "one beside a king", "***1***/*5*/*5*/*2k2*/2i4/*5*/*2A2*/*5*/***K*** w - - 0 1"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			v := rules.Find(variants.All(), c.key)
			pos, err := v.Position(c.fen)
			rulestest.Must(t, err)
			e := WithNumbers(v, randomNumbers(v))
			e.search.bruteForce = true
			agree(t, e, pos, 4, c.what)
		})
	}
}

func TestASearchAgreesWithMinimax(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			e := WithNumbers(v, randomNumbers(v))
			e.search.bruteForce = true
			for seed := range uint64(16) {
				pos := rulestest.RandomPosition(t, v, seed)
				moves := len(pos.Moves())
				if moves == 0 || rules.NewGame(pos).Outcome().Over() {
					continue
				}
				depth := 4
				for size := moves * moves * moves * moves; size > 700 && depth > 1; depth-- {
					size /= moves
				}
				agree(t, e, pos, depth, fmt.Sprint("seed ", seed))
			}
		})
	}
}
