package engine

import (
	"context"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// minimax is the search without any trick: all moves to the depth, and a judgement of each
// last position made anew from its own FEN.
type minimax struct {
	judge *judge
	keys  []uint64 // of the positions on the line, the root's first
}

func (x *minimax) score(t *testing.T, game rules.Game, parent *rules.Position, depth, ply int) int {
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
	if depth == 0 {
		return x.evaluate(pos, parent)
	}
	x.keys = append(x.keys, pos.Key())
	defer func() { x.keys = x.keys[:len(x.keys)-1] }()
	top := -infinite
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		var past []uint64
		if next.HalfMoves() > 0 {
			past = append(append(past, game.Past...), pos.Key())
		}
		top = max(top, -x.score(t, rules.Game{Position: next, Past: past}, pos, depth-1, ply+1))
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
	for i, key := range x.keys {
		if i > 0 && key == pos.Key() {
			return true
		}
	}
	return pos.HalfMoves() >= 100 || game.Repetitions() >= 3
}

// evaluate judges a position by all terms of the numbers, one by one.
func (x *minimax) evaluate(pos, parent *rules.Position) int {
	terms := Terms(x.judge.Numbers, pos, parent)
	var opening, ending int
	for _, term := range terms {
		opening += term.Times * int(x.judge.Worth[term.Index].Opening)
		ending += term.Times * int(x.judge.Worth[term.Index].Ending)
	}
	phase := 0
	for _, p := range pos.Board() {
		phase += x.judge.weight(p)
	}
	phase = min(phase, x.judge.full)
	score := fade((opening*phase+ending*(x.judge.full-phase))/(10*x.judge.full), pos.HalfMoves())
	return min(max(score, -evalMost), evalMost)
}

// noisy are numbers with something for each term, so that none is left untested.
func noisy(v *rules.Variant) *Numbers {
	n := Guess(v, 1)
	for i := range n.Worth {
		n.Worth[i].Opening += int32(mix(uint64(i))%80) - 40
		n.Worth[i].Ending += int32(mix(uint64(i)+1000)%80) - 40
	}
	return n
}

func TestASearchAgreesWithMinimax(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			e := WithNumbers(v, noisy(v))
			e.search.plain = true
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
				for d := 1; d <= depth; d++ {
					x := &minimax{judge: e.search.line.judge}
					want := x.score(t, rules.NewGame(pos), nil, d, 0)
					got, err := e.Search(context.Background(), rules.NewGame(pos), Limits{Depth: d})
					if err != nil || got.Score != scoreOf(want) {
						t.Errorf("seed %d, depth %d, %s: %+v (%v), minimax says %+v", seed, d, pos.FEN(), got.Score, err, scoreOf(want))
					}
				}
			}
		})
	}
}
