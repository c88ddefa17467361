package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

func search(t *testing.T, game rules.Game, limits engine.Limits) engine.Result {
	t.Helper()
	return searchWith(t, ready(t, game.Position.Variant()), game, limits)
}

// ready is an engine, which tests that search much use again and again.
func ready(t *testing.T, v *rules.Variant) *engine.Engine {
	t.Helper()
	e, err := engine.New(v)
	rulestest.Must(t, err)
	return e
}

func searchWith(t *testing.T, e *engine.Engine, game rules.Game, limits engine.Limits) engine.Result {
	t.Helper()
	result, err := e.Search(context.Background(), game, limits)
	rulestest.Must(t, err)
	return result
}

func variant(key string) *rules.Variant { return rules.Find(variants.All(), key) }

// wins reports whether the mover can force a mate, or the capture of a king, in that many
// of its moves.
func wins(t *testing.T, pos *rules.Position, moves int) bool {
	for _, m := range pos.Moves() {
		next := rulestest.Played(t, pos, m)
		if loses(t, next, moves-1) {
			return true
		}
	}
	return false
}

// loses reports whether the mover has lost, or does so within that many of the other
// side's moves.
func loses(t *testing.T, pos *rules.Position, moves int) bool {
	switch pos.Status() {
	case rules.Checkmate, rules.KingTaken:
		return true
	case rules.Stalemate, rules.Insufficient:
		return false
	case rules.Ongoing, rules.Mated:
	}
	if moves == 0 {
		return false
	}
	for _, m := range pos.Moves() {
		if !wins(t, rulestest.Played(t, pos, m), moves) {
			return false
		}
	}
	return true
}

// A game against random moves is won soon, and ends in a mate that is announced.
func TestMatesThatAreFoundAreMates(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				game, random := rules.NewGame(rulestest.Position(t, v, "")), rand.New(rand.NewPCG(seed, 2))
				for ply := 0; !game.Outcome().Over(); ply++ {
					moves := game.Position.Moves()
					m := moves[random.IntN(len(moves))]
					if ply%2 == int(seed%2) {
						result := search(t, game, engine.Limits{Nodes: 800})
						checkMate(t, seed, game.Position, result)
						m = result.Move()
					}
					game, _ = game.Play(m)
				}
				if won := rules.WinFor(rules.Color(seed % 2)); game.Outcome().Result != won {
					t.Errorf("seed %d: against random moves, the game ends %v", seed, game.Outcome())
				}
			}
		})
	}
}

// checkMate checks the mate that a search has announced, if it is near enough to be proved.
func checkMate(t *testing.T, seed uint64, pos *rules.Position, result engine.Result) {
	t.Helper()
	moves := result.Score.Mate
	switch size := len(pos.Moves()); {
	case moves == 0:
		return
	case moves == 1 || moves == 2 && size < 30:
		if !wins(t, pos, moves) || moves > 1 && wins(t, pos, moves-1) {
			t.Errorf("seed %d, %s: no mate in %d", seed, pos.FEN(), moves)
		}
	case moves == -1 && !loses(t, pos, 1):
		t.Errorf("seed %d, %s: not mated in 1", seed, pos.FEN())
	}
	for _, m := range result.Moves {
		pos = rulestest.Played(t, pos, m)
	}
	if status := pos.Status(); len(result.Moves) == 2*moves-1 && status != rules.Checkmate && status != rules.KingTaken {
		t.Errorf("seed %d: the principal variation of a mate in %d ends at %s, %s", seed, moves, status, pos.FEN())
	}
}

func TestTheSameLimitsGiveTheSameResult(t *testing.T) {
	for _, v := range variants.All() {
		used := ready(t, v)
		for seed := range uint64(4) {
			game := rules.NewGame(rulestest.RandomPosition(t, v, seed))
			if game.Outcome().Over() {
				continue
			}
			for level := range engine.Levels + 2 {
				limits := engine.Limits{Nodes: 1500, Seed: seed}
				if level <= engine.Levels {
					limits.Level = engine.AtLevel(level)
				}
				first, again := search(t, game, limits), searchWith(t, used, game, limits)
				if !reflect.DeepEqual(first, again) {
					t.Errorf("%s, seed %d, level %d: %+v, then %+v", v.Key, seed, level, first, again)
				}
			}
		}
	}
}

// What an engine keeps helps it to the same depth in fewer nodes, all games taken together, and is gone once it is not
// to be kept, or a level has searched.
func TestAnEngineKeepsWhatItIsAskedToKeep(t *testing.T) {
	fewer := 0
	for _, v := range variants.All() {
		game := rules.NewGame(rulestest.Position(t, v, ""))
		used := ready(t, v)
		again := func(l engine.Limits) engine.Result { return searchWith(t, used, game, l) }
		limits := engine.Limits{Nodes: 1 << 16, Depth: 6}
		first := again(limits)
		limits.Keep = true
		fewer += first.Nodes - again(limits).Nodes
		again(engine.Limits{Nodes: 1 << 16, Level: engine.AtLevel(2), Keep: true})
		if fresh := again(limits); !reflect.DeepEqual(fresh, first) {
			t.Errorf("%s: after a level %+v, at first %+v", v.Key, fresh, first)
		}
		limits.Keep = false
		if fresh := again(limits); !reflect.DeepEqual(fresh, first) {
			t.Errorf("%s: forgetful %+v, at first %+v", v.Key, fresh, first)
		}
	}
	if fewer <= 0 {
		t.Errorf("%d more nodes with what was found before", -fewer)
	}
}

func TestASearchYieldsWithoutAnEffectOnItsResult(t *testing.T) {
	for _, v := range variants.All() {
		game, limits := rules.NewGame(rulestest.Position(t, v, "")), engine.Limits{Nodes: 50_000}
		want := search(t, game, limits)
		yields := 0
		limits.Yield = func() { yields++ }
		got := search(t, game, limits)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, without yielding %+v", v.Key, got, want)
		}
		if fewest := got.Nodes / 4096; yields < fewest {
			t.Errorf("%s: %d nodes, and only %d yields", v.Key, got.Nodes, yields)
		}
	}
}

func TestAGameThatIsOverHasNoMove(t *testing.T) {
	pos := rulestest.Position(t, fide.Chess(), "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
	if _, err := engine.Search(context.Background(), rules.NewGame(pos), engine.Limits{Depth: 1}); !errors.Is(err, engine.ErrOver) {
		t.Errorf("got %v", err)
	}
}

func TestASearchThatIsStoppedAtOnceHasALegalMove(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, v := range variants.All() {
		pos := rulestest.Position(t, v, "")
		result, err := engine.Search(ctx, rules.NewGame(pos), engine.Limits{})
		if err != nil || pos.Check(result.Move()) != nil {
			t.Errorf("%s: %+v, %v", v.Key, result, err)
		}
	}
}

// play plays moves from a position.
func play(t *testing.T, v *rules.Variant, fen string, texts ...string) rules.Game {
	t.Helper()
	return rulestest.PlayOn(t, rules.NewGame(rulestest.Position(t, v, fen)), texts...)
}

func TestALostSideRepeats(t *testing.T) {
	// White is a queen down, and has a perpetual check on e8 and h5.
	game := play(t, fide.Chess(), "6k1/6p1/8/7Q/8/8/1q3PPP/3q2K1 w - - 0 1")
	if m := search(t, game, engine.Limits{Nodes: 20_000}).Move(); fide.Chess().Coordinate(m) != "h5d1" {
		t.Errorf("White plays %s", fide.Chess().Coordinate(m))
	}
	game = play(t, fide.Chess(), "5rk1/6p1/8/7Q/8/8/qq4PP/7K w - - 10 1")
	if result := search(t, game, engine.Limits{Nodes: 20_000}); result.Score.Mate > 0 {
		t.Errorf("found %+v", result)
	}
}

func TestThePastCountsForRepetition(t *testing.T) {
	// White is winning, and the knight's return would be the third time.
	fen := "6k1/5ppp/8/8/8/8/5PPP/3R2KN w - - 10 20"
	once := play(t, fide.Chess(), fen, "Ng3", "Kf8", "Nh1", "Kg8", "Ng3", "Kf8")
	result := search(t, once, engine.Limits{Nodes: 5_000, Lines: 40})
	for _, line := range result.Lines {
		if fide.Chess().Coordinate(line.Moves[0]) == "g3h1" && line.Score != (engine.Score{}) && line.Score.Centipawns < 100 {
			t.Errorf("the third time is judged %+v", line.Score)
		}
	}
	if result.Score.Centipawns < 300 {
		t.Errorf("White is judged %+v", result.Score)
	}
}

func TestPawnMovesThatAreTakenBackCountForRepetition(t *testing.T) {
	// Black is a bishop and a pawn down; the king's return would be the third time.
	v := variant("combination")
	game := play(t, v, "***k***/*5*/*5*/*5*/7/*1PB2*/*5*/*5*/***K*** w - - 0 1",
		"c4d5", "d9c8", "d5c4", "c8d9", "c4d5", "d9c8", "d5c4")
	if result := search(t, game, engine.Limits{Depth: 1}); v.Coordinate(result.Move()) != "c8d9" || result.Score != (engine.Score{}) {
		t.Errorf("Black plays %s, judged %+v", v.Coordinate(result.Move()), result.Score)
	}
}

func TestAGameThatWentOnAfterFiveRepetitionsIsSearched(t *testing.T) {
	there := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	game := play(t, fide.Chess(), "", slices.Concat(there, there, there, there)...)
	if !game.Outcome().Over() {
		t.Error("five repetitions do not draw")
	}
	search(t, game, engine.Limits{Depth: 2})
}

func TestTheFiftiethMoveDraws(t *testing.T) {
	game := play(t, fide.Chess(), "8/8/8/8/8/2k5/1q6/4K3 b - - 99 80")
	result := search(t, game, engine.Limits{Depth: 4})
	if result.Score != (engine.Score{}) {
		t.Errorf("judged %+v, want a draw", result.Score)
	}
	game = play(t, fide.Chess(), "8/8/8/8/8/4k3/1q6/4K3 b - - 99 80")
	if result := search(t, game, engine.Limits{Depth: 4}); result.Score.Mate != 1 {
		t.Errorf("judged %+v, want a mate with the hundredth ply", result.Score)
	}
}

func TestAKingIsTaken(t *testing.T) {
	v := variant("brigade")
	game := play(t, v, "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1")
	result := search(t, game, engine.Limits{Depth: 3})
	if result.Score.Mate != 1 || result.Move().To != v.Shape.Parse("e8") {
		t.Errorf("found %+v", result)
	}
}

func TestAnAnnihilationIsSeen(t *testing.T) {
	v := variant("combination")
	for seed := range uint64(400) {
		pos := rulestest.RandomPosition(t, v, seed)
		for _, m := range pos.Moves() {
			next := rulestest.Played(t, pos, m)
			if next.Status() != rules.KingTaken {
				continue
			}
			if result := search(t, rules.NewGame(pos), engine.Limits{Nodes: 300}); result.Score.Mate != 1 {
				t.Errorf("seed %d, %s: %s wins, but %+v was found", seed, pos.FEN(), v.Coordinate(m), result)
			}
			break
		}
	}
}

func TestNumbersAreWrittenAndReadBack(t *testing.T) {
	for _, v := range variants.All() {
		n := engine.Guess(v)
		for i := range n.Worth {
			n.Worth[i].Ending = int32(i%2001) - 1000
		}
		n.Ladder[3] = engine.Strength{Depth: 2, Blind: 30, Noise: 70}
		n.Ladder[8] = engine.Strength{Nodes: 12_345}
		again, err := engine.ReadNumbers(v, n.Text())
		rulestest.Must(t, err)
		if again.Text() != n.Text() || again.Ladder != n.Ladder {
			t.Errorf("%s: the numbers changed; the ladder is %+v, and was %+v", v.Key, again.Ladder, n.Ladder)
		}
	}
}

func TestNumbersThatAreWrongAreRefused(t *testing.T) {
	for _, text := range []string{
		"Z value 1 2", "P value 1", "P value one 2", "P rank 9 1 2", "passed 0 1 2", "P", "P what 1 2", "tempo 99999 1",
		"level", "level -1 nodes 3", "level 9 nodes 3", "level x", "level 2 nodes", "level 2 nodes -1", "level 2 luck 4",
	} {
		if _, err := engine.ReadNumbers(fide.Chess(), text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// A search allocates as it begins, and when it reports; a node allocates nothing.
func TestNodesAllocateNothing(t *testing.T) {
	for _, v := range variants.All() {
		e := ready(t, v)
		game := rules.NewGame(rulestest.RandomPosition(t, v, 3))
		const nodes = 5000
		allocated := testing.AllocsPerRun(2, func() { searchWith(t, e, game, engine.Limits{Nodes: nodes}) })
		if allocated > nodes/20 {
			t.Errorf("%s: %.0f allocations in a search of %d nodes", v.Key, allocated, nodes)
		}
	}
}
