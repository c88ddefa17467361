package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/variants"
)

// greedy looks two plies ahead, and counts nothing but pieces, by what the rules say of
// them. It shares no line of the search.
type greedy struct {
	table rules.Table
}

func (g *greedy) count(pos *rules.Position) int {
	total := 0
	for _, p := range pos.Board() {
		total += g.table.Worth(p.Half(pos.Turn())) - g.table.Worth(p.Half(pos.Turn().Other()))
	}
	return total
}

func (g *greedy) score(pos *rules.Position, depth int) (int, rules.Move) {
	switch pos.Status() {
	case rules.Checkmate, rules.KingTaken:
		return -1_000_000 - depth, rules.Move{}
	case rules.Stalemate, rules.Insufficient:
		return 0, rules.Move{}
	case rules.Ongoing, rules.Mated:
	}
	if depth == 0 {
		return g.count(pos), rules.Move{}
	}
	top, best := -2_000_000, rules.Move{}
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		if err != nil {
			panic(err)
		}
		if score, _ := g.score(next, depth-1); -score > top {
			top, best = -score, m
		}
	}
	return top, best
}

func (g *greedy) move(_ context.Context, c *course) (rules.Move, error) {
	_, m := g.score(c.now.Position, 2)
	return m, nil
}

// The computer is no weaker than it was: it beats one that is greedy by as much.
func TestStrengthDoesNotFall(t *testing.T) {
	for _, key := range []string{"chess", "combine", "knightmare"} {
		v, err := variants.Named(key)
		must(t, err)
		one, err := newPlayer(v, "nodes=300")
		must(t, err)
		result, err := duel(t.Context(), v, key, one, &greedy{v.Table}, 3, 7, nil)
		must(t, err)
		if result.score() < 0.8 {
			t.Errorf("%s, seed 7: %s against a greedy player, want 80 %%", key, result)
		}
	}
}

func TestAStrongerLevelWins(t *testing.T) {
	v, err := variants.Named("chess")
	must(t, err)
	for _, levels := range [][2]string{{"level=1", "random"}, {"level=3", "level=1"}, {"level=5", "level=3"}} {
		one, err := newPlayer(v, levels[0])
		must(t, err)
		other, err := newPlayer(v, levels[1])
		must(t, err)
		result, err := duel(t.Context(), v, levels[0], one, other, 5, 7, nil)
		must(t, err)
		if result.score() < 0.75 {
			t.Errorf("seed 7: %s for %s against %s, want 75 %%", result, levels[0], levels[1])
		}
	}
}

func TestPlayersThatMakeNoSenseAreRefused(t *testing.T) {
	v, err := variants.Named("chess")
	must(t, err)
	for _, text := range []string{"level=x", "strong", "numbers=/nowhere", "uci=", "uci=/nowhere"} {
		if _, err := newPlayer(v, text); err == nil {
			t.Errorf("%q was understood", text)
		}
	}
}

// What has been played and learned is not done again, and gives the same.
func TestLearningGoesOn(t *testing.T) {
	v, err := variants.Named("chess")
	must(t, err)
	run := func(work string, rounds int) (string, string) {
		var out strings.Builder
		l := learn{
			Rounds: rounds, PerRound: 3, Nodes: 30, Openings: 1, MatchNodes: 30,
			Steps: 5, Lambda: 0.95, Trust: 1, Seed: 1, Work: work, FromGuesses: true,
		}
		must(t, l.game(t.Context(), &out, v))
		n, err := readNumbers(v, work+"/chess.txt")
		must(t, err)
		return out.String(), n.Text()
	}
	once, work := t.TempDir(), t.TempDir()
	run(work, 1)
	said, went := run(work, 2)
	if _, all := run(once, 2); all != went {
		t.Error("after an interruption, something else is learned")
	}
	if strings.Contains(said, "round 1") || !strings.Contains(said, "round 2") {
		t.Errorf("it said %q", said)
	}
}

func TestAReportGoesOn(t *testing.T) {
	c := whole{Openings: 1, Work: t.TempDir()}
	report := func(numbers string, cut error) (printed string, err error) {
		var out strings.Builder
		err = c.once(&out, &rules.Variant{Key: "chess", Numbers: numbers}, "level 3", func(out io.Writer) error {
			fmt.Fprint(out, "by ", numbers)
			return cut
		})
		return out.String(), err
	}
	if _, err := report("old", context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("a part that was cut short: %v", err)
	}
	for i, numbers := range []string{"old", "new"} {
		for range 2 {
			printed, err := report(numbers, nil)
			must(t, err)
			if printed != "by "+numbers {
				t.Errorf("numbers %d: %q was printed", i, printed)
			}
		}
	}
	parts, err := readRecords[part](c.Work + "/chess-report.jsonl")
	must(t, err)
	if len(parts) != 2 {
		t.Errorf("%d parts were taken, not one for each numbers: %v", len(parts), parts)
	}
}

// By hand: in 40 pairs the first scores 0.55 a game, with a variance of 40/39 * 0.035, and 10 Elo are 0.01439:
// 40 * 0.01439 * (2*0.55 - 1.01439) / (2*0.0359) is 0.686.
func TestASequentialTestWeighsPairsOfGames(t *testing.T) {
	var better, worse tally
	for i := range 40 {
		points := []float64{0.5, 1, 1, 1.5, 1.5}[i%5]
		better.pairs, worse.pairs = append(better.pairs, points), append(worse.pairs, 2-points)
		better.wins, worse.losses = better.wins+int(2*points), worse.losses+int(2*points)
		better.losses, worse.wins = better.losses+4-int(2*points), worse.wins+4-int(2*points)
	}
	if got, other := better.likelihood(10), worse.likelihood(10); math.Abs(got-0.686) > 0.001 || math.Abs(other+0.917) > 0.001 {
		t.Errorf("%.3f for who is better, want 0.686, and %.3f for the other, want -0.917", got, other)
	}
	if got := (&tally{wins: 2, pairs: []float64{2}}).likelihood(10); got != 0 {
		t.Errorf("one pair weighs %.3f", got)
	}
}

// must ends a test that cannot go on.
func must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
