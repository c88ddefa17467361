package rulestest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
)

// backAndForth plays games in which each side mostly moves its last piece back at once, and otherwise moves all kinds
// of pieces equally often. It checks that they are drawn by repetition exactly when the list of their positions says
// so.
func backAndForth(t *testing.T, v *rules.Variant, games int) {
	repeated := 0
	for seed := range uint64(games) {
		if t.Failed() {
			return
		}
		if repeats(t, v, seed) {
			repeated++
		}
	}
	if repeated < games/2 {
		t.Errorf("%s: only %d of %d games that go back and forth end by repetition", v.Key, repeated, games)
	}
}

// repeats plays one such game, and reports whether repetition has drawn it.
func repeats(t *testing.T, v *rules.Variant, seed uint64) bool {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	game := rules.NewGame(RandomPosition(t, v, seed))
	stood := map[string]int{}
	var last [2]rules.Move
	for range 2 * Plies {
		pos := game.Position
		fields := strings.Fields(pos.FEN())
		key := strings.Join(slices.Delete(fields, 4, 6), " ")
		stood[key]++
		if n := game.Repetitions(); n != stood[key] {
			t.Errorf("seed %d, %s %s: it has stood %d times, not %d", seed, v.Key, pos.FEN(), stood[key], n)
			return false
		}
		open := pos.Status() == rules.Ongoing && pos.HalfMoves() < 150 && !pos.TakesKing()
		drawn := open && stood[key] >= 5
		if o := game.Outcome(); (o.Ending == rules.ByRepetition) != drawn {
			t.Errorf("seed %d, %s %s: it has stood %d times, and ends %v", seed, v.Key, pos.FEN(), stood[key], o)
			return false
		}
		if _, ok := game.Claim(); ok != (open && (stood[key] >= 3 || pos.HalfMoves() >= 100)) {
			t.Errorf("seed %d, %s %s: it has stood %d times; a draw may be claimed: %v", seed, v.Key, pos.FEN(), stood[key], ok)
			return false
		}
		if drawn || game.Closed() {
			return drawn
		}
		m := backOrOn(random, pos, last[pos.Turn()])
		last[pos.Turn()] = m
		var err error
		if game, err = game.Play(m); err != nil {
			t.Errorf("seed %d, %s %s: a legal move was refused: %v", seed, v.Key, pos.FEN(), err)
			return false
		}
	}
	return false
}

// backOrOn is mostly a move that takes the last one back, else one of any kind of piece.
func backOrOn(random *rand.Rand, pos *rules.Position, last rules.Move) rules.Move {
	moves, board := pos.Moves(), pos.Board()
	random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	back := slices.IndexFunc(moves, func(m rules.Move) bool { return m.From == last.To && m.To == last.From && m.Kills == 0 })
	if back >= 0 && last.From != last.To && random.IntN(8) > 0 {
		return moves[back]
	}
	kinds := map[rules.Role]rules.Move{}
	for _, m := range moves {
		kinds[board[m.From].Half(pos.Turn())] = m
	}
	all := make([]rules.Role, 0, len(kinds))
	for kind := range kinds {
		all = append(all, kind)
	}
	slices.Sort(all)
	return kinds[all[random.IntN(len(all))]]
}
