package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
)

func times(n int, moves ...string) []string {
	return strings.Fields(strings.Repeat(strings.Join(moves, " ")+" ", n))
}

func TestThreeRepetitionsMayBeClaimedAndFiveDraw(t *testing.T) {
	there := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	g := rulestest.PlayOn(t, rules.NewGame(position(t, "chess", "")), times(1, there...)...)
	if _, ok := g.Claim(); ok {
		t.Error("a draw may be claimed at two repetitions")
	}
	g = rulestest.PlayOn(t, g, there...)
	if o, ok := g.Claim(); !ok || o.Ending != rules.ByRepetition || g.Outcome().Over() {
		t.Errorf("at three repetitions: %v %v, outcome %v", o, ok, g.Outcome())
	}
	g = rulestest.PlayOn(t, g, times(2, there...)...)
	if o := g.Outcome(); o.Result != rules.Drawn || o.Ending != rules.ByRepetition {
		t.Errorf("at five repetitions: %v", o)
	}
	g = rulestest.PlayOn(t, g, there...)
	if o := g.Outcome(); g.Repetitions() != 6 || o.Result != rules.Drawn || o.Ending != rules.ByRepetition {
		t.Errorf("at six repetitions: %v", o)
	}
	if o, ok := g.Claim(); !ok || o.Ending != rules.ByRepetition {
		t.Errorf("at six repetitions: %v %v", o, ok)
	}
}

func TestRepetitionIsSeenThroughPawnMovesThatAreTakenBack(t *testing.T) {
	const amidst = "***k***/*5*/*5*/*5*/7/*1PB2*/*5*/*5*/***K*** w - - 0 1"
	for _, c := range []struct {
		key, fen     string
		first, there []string
	}{
		{"brigade", "", []string{"e3", "h6"}, []string{"d3", "Rh7", "dd2", "Rh8"}},
		{"combination", amidst, nil, []string{"c4d5", "d9c8", "d5c4", "c8d9"}},
	} {
		g := rulestest.PlayOn(t, rules.NewGame(position(t, c.key, c.fen)), c.first...)
		for n := 2; n <= 5; n++ {
			if g.Outcome().Over() {
				t.Errorf("%s: drawn before the position has stood %d times", c.key, n)
			}
			g = rulestest.PlayOn(t, g, c.there...)
			if g.Repetitions() != n {
				t.Errorf("%s: the position has stood %d times, not %d", c.key, n, g.Repetitions())
			}
		}
		if o := g.Outcome(); o.Ending != rules.ByRepetition {
			t.Errorf("%s: at five repetitions: %v", c.key, o)
		}
	}
}

func TestTheSameMovesForgetThePastWhereNothingGoesBack(t *testing.T) {
	for _, c := range []struct{ key, fen, move string }{
		{"chess", "4k3/8/8/8/8/8/4P3/4K2R w - - 4 9", "e3"},
		{"chess", "4k3/8/8/8/8/8/7r/4K2R w - - 4 9", "Rxh2"},
		{"stealth", "1k6/8/8/4p3/8/2p5/1P5K/[BBB]7 w - - 4 9", "BBBf6*c3*e5"},
		{"brigade", "k7/4P3/8/8/8/8/8/K7 w - - 4 9", "e8=Q"},
		{"brigade", "k7/8/8/4p3/8/2B5/4P3/7K w - - 4 9", "B*e5"},
		{"combination", "***k***/*5*/*5*/*2i2*/7/*2A2*/*5*/*5*/***K*** w - - 4 9", "d4d6"},
	} {
		if g := rulestest.PlayOn(t, rules.NewGame(position(t, c.key, c.fen)), c.move); len(g.Past) > 0 {
			t.Errorf("%s: after %s, its past has %d positions", c.key, c.move, len(g.Past))
		}
	}
}

func TestLostCastlingRightsMakeAnotherPosition(t *testing.T) {
	g := rulestest.PlayOn(t, rules.NewGame(position(t, "chess", "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1")), times(2, "Rh2", "Kd8", "Rh1", "Ke8")...)
	if n := g.Repetitions(); n != 2 {
		t.Errorf("the position has stood %d times, want 2: the first had castling", n)
	}
}

func TestAMergeAndASplitRepeatPositions(t *testing.T) {
	start := position(t, "combine", "4k3/8/8/8/8/8/8/RN2K3 w - - 7 1")
	g := rulestest.PlayOn(t, rules.NewGame(start), times(2, "R~Nb1", "Kd8", "RNb1/Ra1", "Ke8")...)
	if n := g.Repetitions(); n != 3 {
		t.Errorf("the position has stood %d times, want 3", n)
	}
	if got := g.Position.HalfMoves(); got != 15 {
		t.Errorf("the half-move clock is %d, want 15: merges and splits raise it", got)
	}
}

func TestFiftyMovesMayBeClaimedAndSeventyFiveDraw(t *testing.T) {
	for _, c := range []struct {
		halfMoves   int
		claim, over bool
	}{{98, false, false}, {99, true, false}, {148, true, false}, {149, false, true}} {
		fen := fmt.Sprintf("4k3/8/8/8/8/8/8/R3K3 w - - %d 90", c.halfMoves)
		g := rulestest.PlayOn(t, rules.NewGame(position(t, "chess", fen)), "Ra2")
		_, claim := g.Claim()
		if claim != c.claim || g.Outcome().Over() != c.over {
			t.Errorf("half-move clock %d: claim %v, over %v", c.halfMoves+1, claim, g.Outcome().Over())
		}
	}
}

func TestAMateOnTheSeventyFifthMoveWins(t *testing.T) {
	g := rulestest.PlayOn(t, rules.NewGame(position(t, "chess", "7k/8/6K1/8/8/8/8/R7 w - - 149 90")), "Ra8")
	if o := g.Outcome(); o.Result != rules.WhiteWins || o.Ending != rules.ByCheckmate {
		t.Errorf("outcome %v", o)
	}
}

func TestTooLittleMaterialDraws(t *testing.T) {
	for _, c := range []struct {
		key, pieces string
		want        rules.Status
	}{
		{"chess", "8", rules.Insufficient},
		{"chess", "6N1", rules.Insufficient},
		{"chess", "6b1", rules.Insufficient},
		{"chess", "6R1", rules.Ongoing},
		{"chess", "5NN1", rules.Ongoing},
		{"chess", "5Nn1", rules.Ongoing},
		{"combine", "6[BN]1", rules.Ongoing},
		{"combine", "6[RB]1", rules.Ongoing},
		{"combine", "6B1", rules.Insufficient},
	} {
		pos := position(t, c.key, "4k3/8/8/8/8/8/"+c.pieces+"/4K3 w - - 0 1")
		if got := pos.Status(); got != c.want {
			t.Errorf("%s with %s: %s, want %s", c.key, c.pieces, got, c.want)
		}
		if len(pos.Moves()) == 0 {
			t.Errorf("%s with %s: the position lists no moves", c.key, c.pieces)
		}
	}
}
