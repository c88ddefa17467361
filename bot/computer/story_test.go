package computer

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/variants"
	"chimera/storage"
)

var sample = flag.Int("games", 0, "of how many games of each kind the turning points are searched ten times as long; 0 for one of some kinds")

// record is a game that was played.
type record struct {
	games []rules.Game
	moves []rules.Move
}

// play is a game between two weak levels of the computer, begun by random moves.
func play(tb testing.TB, v *rules.Variant, seed uint64, longest int) (r record) {
	tb.Helper()
	e, err := engine.New(v)
	if err != nil {
		tb.Fatal(err)
	}
	pos, err := v.Position("")
	if err != nil {
		tb.Fatal(err)
	}
	const least, apart, opening = 2, 4, 4
	dice := rand.New(rand.NewPCG(seed, 1))
	levels := [2]int{least + dice.IntN(apart), least + dice.IntN(apart)}
	r.games = []rules.Game{rules.NewGame(pos)}
	for len(r.moves) < longest {
		now := r.games[len(r.moves)]
		all := now.Position.Moves()
		if _, drawn := now.Claim(); drawn || now.Outcome().Over() || len(all) == 0 {
			break
		}
		m := all[dice.IntN(len(all))]
		if len(r.moves) >= opening {
			found, err := e.Search(tb.Context(), now, engine.Limits{Level: engine.AtLevel(levels[now.Position.Turn()]), Seed: seed})
			if err != nil {
				tb.Fatal(err)
			}
			m = found.Move()
		}
		next, err := now.Play(m)
		if err != nil {
			tb.Fatal(err)
		}
		r.games, r.moves = append(r.games, next), append(r.moves, m)
	}
	return r
}

// written is a game of moves as people write them.
func written(t *testing.T, v *rules.Variant, texts ...string) (r record) {
	t.Helper()
	pos, err := v.Position("")
	must(t, err)
	r.games = []rules.Game{rules.NewGame(pos)}
	for i, text := range texts {
		m, err := r.games[i].Position.Parse(text)
		must(t, err)
		next, err := r.games[i].Play(m)
		must(t, err)
		r.games, r.moves = append(r.games, next), append(r.moves, m)
	}
	return r
}

// searches searches with an engine.
func searches(tb testing.TB, v *rules.Variant) Search {
	tb.Helper()
	e, err := engine.New(v)
	if err != nil {
		tb.Fatal(err)
	}
	return func(g rules.Game, l engine.Limits) (engine.Result, error) {
		return e.Search(context.Background(), g, l)
	}
}

func (r record) review(tb testing.TB, search Search) storage.Review {
	tb.Helper()
	found, err := judge(search, r.games, r.moves)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func (r record) story(tb testing.TB, search Search) *Story {
	tb.Helper()
	s, err := Tell(r.review(tb, search), r.games, r.moves)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func chess() *rules.Variant { return rules.Find(variants.All(), "chess") }

func near(a, b float64) bool { return math.Abs(a-b) < .005 }

// The figures were worked out by a second program that follows Lichess'.
func TestAccuracyIsWorkedOutAsOnLichess(t *testing.T) {
	if got := 100 * Chances(100); !near(got, 59.10) {
		t.Errorf("a pawn ahead, the chances are %v", got)
	}
	if got := accuracy(50, 40); !near(got, 64.58) {
		t.Errorf("ten points lost is %v", got)
	}
	long := make([]int, 61)
	for i := range long {
		long[i] = int(300 * math.Sin(float64(i*i)/40))
	}
	for _, c := range []struct {
		scores []int
		want   [2]float64
	}{
		{[]int{15, 20, 10, 40, -30, -20, -310, -280, 50, 60}, [2]float64{100, 64.77}},
		{long, [2]float64{64.39, 58.39}},
		{[]int{0}, [2]float64{100, 100}},
		{[]int{0, won}, [2]float64{100, 100}},
	} {
		if got := Accuracy(c.scores, rules.White); !near(got[0], c.want[0]) || !near(got[1], c.want[1]) {
			t.Errorf("%v is %v, want %v", c.scores, got, c.want)
		}
	}
}

func TestAReviewTellsTheMoveThatLost(t *testing.T) {
	s := written(t, chess(), "e4", "e5", "Qh5", "Ke7", "Qxe5").story(t, searches(t, chess()))
	if len(s.TurningPoints) != 1 {
		t.Fatalf("the turning points are %+v", s.TurningPoints)
	}
	m := s.TurningPoints[0]
	if text := m.Before.Chat(m.Played); text != "Ke7" || m.Loss.Mates != 1 || m.Became > .05 || m.Could < .4 {
		t.Errorf("%s: %+v", text, m)
	}
	if s.Accuracy[rules.White] < 80 || s.Accuracy[rules.Black] > 80 {
		t.Errorf("accuracy is %v", s.Accuracy)
	}
}

func TestAReviewTellsWhatWasThereToWin(t *testing.T) {
	s := written(t, chess(), "e4", "d5", "e5", "Qd6", "a3", "Qe6", "a4").story(t, searches(t, chess()))
	if len(s.TurningPoints) == 0 {
		t.Fatal("there is no moment")
	}
	m := s.TurningPoints[len(s.TurningPoints)-1]
	queen := rules.PieceOf(rules.Black, chess().Table.Role("Q"))
	for _, m := range s.TurningPoints {
		if text := m.Before.Chat(m.Better[0]); text == "exd6" && reflect.DeepEqual(m.Gain.Wins, []rules.Piece{queen}) && m.Before.Chat(m.Played) == "a3" {
			return
		}
	}
	t.Errorf("the last moment is %s, %+v", m.Before.Chat(m.Played), m)
}

func TestAGameWithoutAMistakeHasNoTurningPoints(t *testing.T) {
	s := written(t, chess(), "e4", "e5", "Nf3", "Nc6").story(t, searches(t, chess()))
	if len(s.TurningPoints) != 0 || s.Accuracy[0] < 85 || s.Accuracy[1] < 85 {
		t.Errorf("%+v", s)
	}
}

// Each kind of game can be gone through, and the next time with the same result.
func TestEveryKindOfGameIsReviewed(t *testing.T) {
	for i, v := range variants.All() {
		seed := uint64(i + 1)
		r := play(t, v, seed, 20)
		search := searches(t, v)
		found := r.review(t, search)
		if i == 0 {
			if again := r.review(t, search); !reflect.DeepEqual(found, again) {
				t.Errorf("%s, seed %d: first %+v, then %+v", v.Key, seed, found, again)
			}
		}
		s, err := Tell(found, r.games, r.moves)
		must(t, err)
		last := -1
		for _, m := range s.TurningPoints {
			if m.Ply <= last || m.Could-m.Became < costs || m.Better[0] == m.Played || m.Before.Chat(m.Better[0]) == "" || m.Before.Chat(m.Played) == "" {
				t.Errorf("%s, seed %d: %+v", v.Key, seed, m)
			}
			last = m.Ply
		}
		for _, b := range s.Births {
			if after := r.games[b.Ply+1].Position.Board(); after[b.On] != b.Piece {
				t.Errorf("%s, seed %d, ply %d: %+v is not on its square", v.Key, seed, b.Ply, b)
			}
		}
		if _, err := Tell(found, r.games[1:], r.moves[1:]); err == nil {
			t.Errorf("%s: a review is told of another game", v.Key)
		}
	}
}

func TestScoresStandInExportsAsPawnsOrMates(t *testing.T) {
	for score, want := range map[int]string{35: "0.35", -410: "-4.10", won - 3: "#3", 2 - won: "#-2", won: "", 0: "0.00"} {
		if got := Eval(score); got != want {
			t.Errorf("%d is written %q, want %q", score, got, want)
		}
	}
}

// A search of ten times the nodes finds that the move was a mistake, and the better one none.
func TestTurningPointsHoldAgainstALongerSearch(t *testing.T) {
	if slower > 1 {
		t.Skip("under the race detector too few moves are tried")
	}
	all, n := variants.All(), *sample
	if n == 0 {
		all, n = all[:1], 1
	}
	held, moments := 0, 0
	for _, v := range all {
		search := searches(t, v)
		here, of := 0, 0
		for seed := uint64(1); seed <= uint64(n); seed++ {
			r := play(t, v, seed, 200)
			for _, m := range r.story(t, search).TurningPoints {
				of++
				if r.holds(t, search, &m) {
					here++
				} else {
					t.Logf("%s, seed %d: %s at ply %d is no mistake, or %s is one", v.Key, seed, m.Before.Chat(m.Played), m.Ply, m.Before.Chat(m.Better[0]))
				}
			}
		}
		t.Logf("%s: %d of %d moments hold", v.Key, here, of)
		held, moments = held+here, moments+of
	}
	if moments == 0 || float64(held) < .8*float64(moments) {
		t.Errorf("%d of %d moments hold, want 80 %%", held, moments)
	}
}

func (r record) holds(t *testing.T, search Search, m *TurningPoint) bool {
	t.Helper()
	better, err := r.games[m.Ply].Play(m.Better[0])
	must(t, err)
	turn := m.Before.Turn()
	w := &work{[]rules.Game{r.games[m.Ply], r.games[m.Ply+1], better}, make([]rules.Move, 2), search, make([]int, 3), make([][]rules.Move, 3)}
	var after [3]float64
	for i := range after {
		must(t, w.look(i, 10*closely))
		after[i] = chances(w.scores[i], turn)
	}
	best := max(after[0], after[2])
	return best-after[1] >= costs && best-after[2] < (best-after[1])/2
}

func TestASolutionIsPlayedOnUpToWhereItHasWon(t *testing.T) {
	v := rules.Find(variants.All(), "chess")
	for _, c := range []struct {
		fen, line, rest string
		won, pawns      int
	}{
		{"4k3/8/p7/8/8/8/K7/5R1r b - - 0 1", "h1f1 a2b2", "", 1, 5}, // nothing takes it back
		{"4k3/p7/8/8/8/5r2/8/4K3 b - - 0 1", "f3f2 e1f2 e8e7 f2f3", "", 0, -5},
		{"3q1k2/8/8/8/6N1/8/P7/4K3 w - - 0 1", "g4e5 f8g8 e5c6 g8h8 c6d8 h8h7", "f8g8 e5c6 g8h8 c6d8", 1, 9},
		{"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "e1e2 g8h8 a1a8", "g8h8 a1a8", 0, 0}, // mate
	} {
		pos, err := v.Position(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		line, _, err := follow(rules.NewGame(pos), strings.Fields(c.line))
		if err != nil {
			t.Fatal(err)
		}
		rest, won, pawns := PlayOut(pos, line, 1)
		if got := strings.Join(texts(v, rest), " "); got != c.rest || len(won) != c.won || pawns != c.pawns {
			t.Errorf("%s: goes on %q, wins %v and %d", c.line, got, won, pawns)
		}
	}
}
