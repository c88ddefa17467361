package engine_test

import (
	"math/rand/v2"
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// hanging lists positions of random games in which capturing the most valuable piece that
// can be captured is by far the best move, and that move.
func hanging(t *testing.T, e *engine.Engine, v *rules.Variant, most int) (games []rules.Game, moves []rules.Move) {
	t.Helper()
	for seed := uint64(0); seed < 300 && len(games) < most; seed++ {
		game := rules.NewGame(rulestest.RandomPosition(t, v, seed))
		if game.Outcome().Over() || len(game.Position.Moves()) < 5 {
			continue
		}
		found := searchWith(t, e, game, engine.Limits{Nodes: 600, Lines: 2})
		if len(found.Lines) < 2 || found.Score.Mate != 0 || found.Lines[1].Score.Mate != 0 {
			continue
		}
		better := found.Score.Centipawns - found.Lines[1].Score.Centipawns
		if game.Position.Board()[found.Move().To] != (rules.Piece{}) && better >= 500 {
			games, moves = append(games, game), append(moves, found.Move())
		}
	}
	return games, moves
}

// Weak levels overlook what is far away, not a piece that is there to
// be taken.
func TestWeakLevelsTakeWhatHangs(t *testing.T) {
	want := [...]int{1: 80, 2: 85, 3: 90, 4: 90, 5: 95, 6: 95} // per cent
	taken, all := [len(want)]int{}, 0
	for _, v := range variants.All() {
		e := ready(t, v)
		games, moves := hanging(t, e, v, 10)
		all += len(games)
		for i, game := range games {
			for level := 1; level < len(want); level++ {
				found := searchWith(t, e, game, engine.Limits{Level: engine.AtLevel(level), Seed: uint64(i)})
				if found.Move() == moves[i] {
					taken[level]++
				}
			}
		}
	}
	for level, n := range taken {
		if n*100 < want[level]*all {
			t.Errorf("level %d takes %d of %d", level, n, all)
		}
	}
}

func TestALevelIsAnotherForAnotherSeed(t *testing.T) {
	for _, v := range variants.All() {
		game := rules.NewGame(rulestest.Position(t, v, ""))
		moves := map[rules.Move]bool{}
		for seed := range uint64(12) {
			moves[search(t, game, engine.Limits{Level: engine.AtLevel(2), Seed: seed}).Move()] = true
		}
		if len(moves) < 2 {
			t.Errorf("%s: level 2 begins every game in the same way", v.Key)
		}
	}
}

// A level looks no less far than the one below it, and errs no more.
func TestLevelsOnlyGetBetter(t *testing.T) {
	for _, v := range variants.All() {
		n, err := engine.ReadNumbers(v, v.Numbers)
		rulestest.Must(t, err)
		for level := 2; level <= engine.Levels; level++ {
			low, high := n.Ladder[level-1], n.Ladder[level]
			if high.Nodes < low.Nodes || high.Blind > low.Blind || high.Noise > low.Noise || high == low {
				t.Errorf("%s: level %d is %+v, level %d %+v", v.Key, level-1, low, level, high)
			}
		}
	}
}

// Who takes what hangs, and otherwise plays anything that hangs nothing, is soon ahead of level 0; the
// zero Level is not that level.
func TestLevelNoughtLosesToWhoTakesWhatHangs(t *testing.T) {
	if engine.AtLevel(0) == (engine.Level{}) {
		t.Error("level 0 plays as well as it can")
	}
	ahead, games := 0, 0
	for _, v := range variants.All() {
		e := ready(t, v)
		for seed := range uint64(4) {
			random, game := rand.New(rand.NewPCG(seed, 9)), rules.NewGame(rulestest.Position(t, v, ""))
			taker := rules.Color(seed % 2)
			for ply := 0; ply < 80 && !game.Closed(); ply++ {
				var m rules.Move
				if game.Position.Turn() == taker {
					m = takes(t, game.Position, taker, random)
				} else if found, err := e.Search(t.Context(), game, engine.Limits{Level: engine.AtLevel(0), Seed: seed}); err == nil {
					m = found.Move()
				}
				next, err := game.Play(m)
				rulestest.Must(t, err)
				game = next
			}
			games++
			if o := game.Outcome(); o.Result == rules.WinFor(taker) || !o.Over() && material(game.Position, taker) > 0 {
				ahead++
			}
		}
	}
	t.Logf("ahead in %d of %d games", ahead, games)
	if 4*ahead < 3*games {
		t.Errorf("who takes what hangs is ahead of level 0 in %d of %d games", ahead, games)
	}
}

// takes is the move after which a side has most, once what then hangs is taken; any of several.
func takes(t *testing.T, pos *rules.Position, side rules.Color, random *rand.Rand) (chosen rules.Move) {
	t.Helper()
	best := -1_000_000
	moves := pos.Moves()
	for _, i := range random.Perm(len(moves)) {
		next := rulestest.Played(t, pos, moves[i])
		least := material(next, side)
		for _, answer := range next.Moves() {
			least = min(least, material(rulestest.Played(t, next, answer), side))
		}
		if least > best {
			best, chosen = least, moves[i]
		}
	}
	return chosen
}

// material is what a side has more than the other, in pawns; a king counts more than all else.
func material(pos *rules.Position, side rules.Color) (total int) {
	v := pos.Variant()
	for _, p := range pos.Board() {
		for _, c := range []rules.Color{side, side.Other()} {
			worth := 0
			for _, part := range v.Table.Simple(p.Half(c)) {
				worth += v.Table[part].Worth
			}
			if v.Table[p.Half(c)].Royal {
				worth = 1000
			}
			if c != side {
				worth = -worth
			}
			total += worth
		}
	}
	return total
}

func TestNoLevelGivesItsBestPieceAwayAtOnce(t *testing.T) {
	const early, much = 4, 700 // plies, centipawns
	for _, v := range variants.All() {
		e := ready(t, v)
		for seed := range uint64(6) {
			game, level := rules.NewGame(rulestest.Position(t, v, "")), 1+int(seed%3)
			for range early {
				found := searchWith(t, e, game, engine.Limits{Level: engine.AtLevel(level), Seed: seed})
				next, err := game.Play(found.Move())
				rulestest.Must(t, err)
				game = next
				punished := searchWith(t, e, game, engine.Limits{Nodes: 2000})
				if punished.Score.Mate > 0 || punished.Score.Centipawns >= much {
					t.Errorf("%s, seed %d: level %d gives away %+v: %s", v.Key, seed, level, punished.Score, game.Position.FEN())
					break
				}
			}
		}
	}
}

func TestALevelDoesNotTakeBackItsLastMove(t *testing.T) {
	before := rules.NewGame(rulestest.Position(t, fide.Chess(), ""))
	last := rulestest.Move(t, before.Position, "g1f3")
	game := rulestest.PlayOn(t, before, "g1f3", "a7a6")
	for level := 1; level <= 4; level++ {
		for seed := range uint64(25) {
			m := search(t, game, engine.Limits{Level: engine.AtLevel(level), Seed: seed, Last: last}).Move()
			if m.From == last.To && m.To == last.From {
				t.Errorf("level %d takes its move back, seed %d", level, seed)
			}
		}
	}
}

// A level that sees a mate plays it, and takes no move that it dislikes for one.
func TestALevelSeesNoMateWhereThereIsNone(t *testing.T) {
	for _, v := range variants.All() {
		e := ready(t, v)
		for seed := range uint64(40) {
			game := rules.NewGame(rulestest.RandomPosition(t, v, seed))
			if game.Closed() {
				continue
			}
			for _, m := range game.Position.Moves() {
				limits := engine.Limits{Level: engine.AtLevel(4), Seed: seed, Last: rules.Move{From: m.To, To: m.From}}
				found := searchWith(t, e, game, limits)
				if found.Score.Mate == 1 && !wins(t, game.Position, 1) {
					t.Errorf("%s, seed %d: a mate in one in %s", v.Key, seed, game.Position.FEN())
				}
				if seed%8 > 0 {
					break
				}
			}
		}
	}
}

// As people's do, games of chess begin with pawns in the middle, and each of two often.
func TestALevelBeginsInMoreThanOneWay(t *testing.T) {
	e, pos := ready(t, fide.Chess()), rulestest.Position(t, fide.Chess(), "")
	for level := 3; level <= 5; level++ {
		const games = 40
		moves, middle := map[string]int{}, 0
		for seed := range uint64(games) {
			found := searchWith(t, e, rules.NewGame(pos), engine.Limits{Level: engine.AtLevel(level), Seed: seed})
			moves[pos.Chat(found.Move())]++
		}
		for _, pawn := range []string{"c4", "d4", "e4", "f4"} {
			middle += moves[pawn]
		}
		if middle < games/3 || moves["d4"] < games/5 || moves["e4"] < games/5 {
			t.Errorf("level %d begins with %v", level, moves)
		}
	}
}
