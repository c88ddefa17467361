package computer

import (
	"context"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
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

// play is a game between two weak levels of the computer, after a few random moves.
func play(tb testing.TB, v *rules.Variant, seed uint64, longest int) (r record) {
	tb.Helper()
	e, err := engine.New(v)
	must(tb, err)
	pos, err := v.Position("")
	must(tb, err)
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
			must(tb, err)
			m = found.Move()
		}
		next, err := now.Play(m)
		must(tb, err)
		r.games, r.moves = append(r.games, next), append(r.moves, m)
	}
	return r
}

// written is a game of moves in the notation of chats.
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

// line are moves in the notation of chats from a position on.
func line(t *testing.T, pos *rules.Position, text string) (moves []rules.Move) {
	t.Helper()
	for text := range strings.FieldsSeq(text) {
		m, err := pos.Parse(text)
		must(t, err)
		moves = append(moves, m)
		pos, err = pos.Play(m)
		must(t, err)
	}
	return moves
}

// told is the story of a game whose review found this.
func (r record) told(tb testing.TB, found storage.Review) *Story {
	tb.Helper()
	s, err := Tell(found, r.games, r.moves)
	must(tb, err)
	return s
}

// searches makes a Search of a new engine.
func searches(tb testing.TB, v *rules.Variant) Search {
	tb.Helper()
	e, err := engine.New(v)
	must(tb, err)
	return func(g rules.Game, l engine.Limits) (engine.Result, error) {
		return e.Search(context.Background(), g, l)
	}
}

func (r record) review(tb testing.TB, search Search) storage.Review {
	tb.Helper()
	found, err := judge(search, r.games, r.moves)
	must(tb, err)
	return found
}

func (r record) story(tb testing.TB, search Search) *Story {
	tb.Helper()
	return r.told(tb, r.review(tb, search))
}

func chess() *rules.Variant { return rules.Find(variants.All(), "chess") }

func near(a, b float64) bool { return math.Abs(a-b) < .005 }

// TestAccuracyIsWorkedOutAsOnLichess takes its figures from a second program that follows Lichess' source.
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

func TestAReviewTellsTheAnswerThatWasPlayedIfItWasAsGood(t *testing.T) {
	for _, answer := range []string{"bxa6", "Nxa6"} {
		s := written(t, chess(), "e4", "c6", "Ba6", answer, "d4").story(t, searches(t, chess()))
		if len(s.TurningPoints) == 0 {
			t.Fatalf("there is no moment before %s", answer)
		}
		if m := s.TurningPoints[0]; m.After.Chat(m.Answer[0]) != answer {
			t.Errorf("instead of %s, %s is told", answer, m.After.Chat(m.Answer[0]))
		}
	}
}

// TestAReviewLearnsFromHowTheGameWentOn has a search that sees no mate, and finds something better than what was played
// only when it looks closely.
func TestAReviewLearnsFromHowTheGameWentOn(t *testing.T) {
	r := written(t, chess(), "f3", "e5", "g4", "Qh4")
	s := r.story(t, func(g rules.Game, l engine.Limits) (found engine.Result, _ error) {
		found.Moves = g.Position.Moves()[:1]
		if l.Nodes < closely && g.Position.Turn() == rules.White {
			found.Moves = r.moves[2*(g.Position.FullMove()-1):]
		}
		return found, nil
	})
	if want := []string{"", "", "??", ""}; !slices.Equal(s.Marks, want) || s.Scores[3] != 1-won {
		t.Errorf("it marks %q after %v", s.Marks, s.Scores)
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
		if text := m.Before.Chat(m.Better[0]); text == "exd6" && reflect.DeepEqual(m.Gain.Took, []rules.Piece{queen}) && m.Before.Chat(m.Played) == "a3" {
			return
		}
	}
	t.Errorf("the last moment is %s, %+v", m.Before.Chat(m.Played), m)
}

func codes(v *rules.Variant, pieces []rules.Piece) (all string) {
	for _, p := range pieces {
		all += v.Table[p.White|p.Black].Code
	}
	return all
}

// TestAReviewSaysWhatAMoveCosts takes games that were played, and what some of their moves lose by the best answers.
func TestAReviewSaysWhatAMoveCosts(t *testing.T) {
	type cost struct {
		move, mark, gave, took string
		mated                  int
	}
	for _, c := range []struct {
		kind, moves string
		costs       []cost
	}{
		{"chess", "e4 g6 d4 h6 Nf3 Nc6 d5 Ne5 Nxe5 f6 Nxg6 a5 Nxh8 b5 Qh5#", []cost{{"Ne5", "??", "N", "", 0}, {"f6", "??", "Q", "N", 0}, {"a5", "?", "", "", 0}, {"b5", "?", "", "", 0}}},
		{"combine", "e4 Nc6 d4 Nf6 d5 Na5 b4 c6 bxa5 Qxa5+ Bd2 Qa4 Nc3 Qa6 Bxa6 bxa6 dxc6", []cost{{"Qa6", "??", "Q", "B", 0}}},
		{"chess", "e4 Nc6 d4 Nf6 e5 Nd5 c4 Nb6 Nf3 d6 exd6 Qxd6 Nc3 Bg4 c5 Bxf3 Qxf3 Qe6+ Be3 Nb4 Rc1 N6d5 Nxd5 Nxd5 Bc4 c6 O-O O-O-O Rfe1 Qg6 Bd3 Qxd3 Qxf7 Nxe3 Qe6+ Kb8", []cost{{"Bd3", "??", "B", "P", 0}}},
		{"combine", "d4 f5 e4 fxe4 Nc3 Nf6 Bg5 Ng4 Qxg4 g6 Qxe4 Nc6 d5 h5 Qxg6#", []cost{{"Ng4", "??", "N", "", 0}, {"h5", "??", "P", "", 1}}},
		{"chess", "e4 Nc6 d4 Nf6 e5 Ne4 d5 Nxe5 Qd4 Nd6 Qxe5 f6 Qe2 b6 Bf4 Bb7 Nc3 Qc8 O-O-O Nf5 Nf3 c6 d6 c5 Nd5 Bxd5 Rxd5 e5 Rxe5+ fxe5 Qxe5+ Be7 Qxf5 Bf6 Bc4 Qc6 Re1+ Kd8 Ne5 Bxe5 Qxe5 Rb8 Qe7+ Kc8 Bb5 Qxb5 Qxg7 Kb7 Qf7 Rhf8 Re7 Qf1+ Kd2 Rxf7 Rxf7 Qxf2+", []cost{{"Bb5", "??", "B", "P", 0}, {"Re7", "??", "Q", "R", 0}}},
		{"chess", "g4 d5 Bg2 Bxg4 Na3 c6 c3 e5 h3 Be6 Qc2 Nf6 b4 Bd6 d3 O-O Qa4 Nbd7 Qb3 d4 Qb2 dxc3 Qxc3 Nd5 Bxd5 Bxd5 Bb2 Bxh1 O-O-O Bd5", []cost{{"Bb2", "??", "R", "", 0}}},
		{"chess", "Nf3 d5 d4 Nf6 Nc3 e6 Bg5 Be7 Bxf6 Bxf6 e4 dxe4 Nxe4 Nd7 Nxf6+ Nxf6 Bd3 O-O O-O b6 c3 Bb7 Rc1 Qd6 Ne5 c5 Qe2 cxd4 cxd4 Rac8 Rxc8 Rxc8 Ba6 Qd5 Bxb7 Qxb7 Re1 Qd5 Qa6 Rc7 Rd1 h6 b3 Rc2 Qxa7 Rxa2 Qxa2", []cost{{"Rxa2", "??", "R", "P", 0}}},
		{"chess", "Nc3 e5 Nf3 Nc6 Nd5 Nf6 Nxf6+ Qxf6 e4 Bc5 Bb5 O-O Qe2 Nd4 Nxd4 Bxd4 Qf1 d5 c3 Bb6 a3 dxe4 Be2 Bf5 d3 exd3 Bf3 e4 Be3 Bxe3 fxe3 exf3", []cost{{"Be3", "?", "B", "P", 0}}},
	} {
		v := rules.Find(variants.All(), c.kind)
		s := written(t, v, strings.Fields(c.moves)...).story(t, searches(t, v))
		for _, want := range c.costs {
			if !slices.Contains(s.Moves, want.move+want.mark) {
				t.Errorf("%s is not marked %s in %s", want.move, want.mark, s.Moves)
			}
			i := slices.IndexFunc(s.Marked, func(m TurningPoint) bool { return m.Before.Chat(m.Played) == want.move })
			if i < 0 {
				t.Errorf("of %s nothing is told in %s", want.move, s.Moves)
				continue
			}
			m := s.Marked[i]
			if want.gave == "" { // it may not be searched closely if other moves are worse
				continue
			}
			if got := (cost{want.move, want.mark, codes(v, m.Loss.Gave), codes(v, m.Loss.Took), m.Mated}); got != want {
				t.Errorf("%s: %+v, want %+v", c.kind, got, want)
			}
		}
	}
}

// TestWhatAMoveCostIsBorneOutByBothLines takes the lines of a game that was played. Both lines after 9. a3 win one gun;
// only one of them also exchanges another.
func TestWhatAMoveCostIsBorneOutByBothLines(t *testing.T) {
	v := rules.Find(variants.All(), "brigade")
	r := written(t, v, strings.Fields("ef3 a6 dc3 gh6 Bf4*h6 Bh6*f4 Qb6*d8 bxb6 g4 Bf4*g4 h3 Bd6 hg3 h5 Rh2 Bb4*c3 a3 Bc5")...)
	found := storage.Review{Scores: []int{30, 33, 95, 95, 166, -485, -505, -485, -533, -449, -21, -617, -528, -479, -75, -75, -7, -124, 3}, Lost: make([]int, 18)}
	lines := map[int][2]string{
		9:  {"Bg5*g4 Ng2 Bf6 ba3 Ra7 ab4", "fxf4 dd8 Ng4 Ra7 g5 ef6"},
		13: {"dd8 Rh3 b5 3b3", "Rh2 Rh6 R*d6 R*h2 Bc4 aa7"},
		16: {"Bc4*b4 a5 Bb3 Bb7 Bd5*b7 R*d5", "d5 axb4 Rh7 Ra3 Bh3*f1 gxh3"},
	}
	for _, ply := range slices.Sorted(maps.Keys(lines)) {
		m := storage.TurningPoint{Ply: ply}
		for i, into := range []*[]string{&m.Better, &m.Answer} {
			*into = texts(v, line(t, r.games[ply+i].Position, lines[ply][i]))
		}
		found.Moments = append(found.Moments, m)
	}
	s := r.told(t, found)
	for i, want := range [][2]bool{{true, true}, {true, false}, {false, false}} {
		if m := s.Marked[i]; m.Loses() != want[0] || m.Misses() != want[1] {
			t.Errorf("%s: loses %v, misses %v: %+v, %+v", s.Moves[m.Ply], m.Loses(), m.Misses(), m.Loss, m.Gain)
		}
	}
}

// TestAReviewSaysWhatFallsAlongItsLine expects a piece that falls later in the line to count as lost, though not all
// moves before are forced; and none where the piece can be taken, while the better line loses as much.
func TestAReviewSaysWhatFallsAlongItsLine(t *testing.T) {
	for _, c := range []struct {
		move, better, answer string
		gave, taken          int
	}{
		{"a3", "Nc3 Nf6", "Nf6 h3 Be7 h4 Nxe4", 1, 0},
		{"Nxe5", "Ba6 bxa6", "Nxe5", 0, 1},
	} {
		r := written(t, chess(), "e4", "e5", "Nf3", "Nc6", c.move)
		m := storage.TurningPoint{Ply: 4, Better: texts(chess(), line(t, r.games[4].Position, c.better)), Answer: texts(chess(), line(t, r.games[5].Position, c.answer))}
		told := r.told(t, storage.Review{Scores: []int{0, 0, 0, 0, 0, -200}, Lost: make([]int, 5), Moments: []storage.TurningPoint{m}}).Marked[0]
		if told.Loses() != (c.gave > 0) || c.gave > 0 && len(told.Loss.Gave) != c.gave || len(told.Taken) != c.taken {
			t.Errorf("%s: %+v", c.move, told)
		}
	}
}

func TestATradeIsToldAsItsSumIs(t *testing.T) {
	for _, c := range []struct {
		what, fen, line string
		which           int
		took, gave      string
	}{
		{"pawns decide who wins", "k3rr2/1bp2q1p/p7/1p2p3/2p2PNP/3BP3/NB1P1K2/R2Q4 w - - 0 23", "Nxe5 Rxe5 Bxc4 Qxc4 Bxe5 b4", 0, "RPP", "NB"},
		{"a pawn is taken as a queen", "r1b1kb1r/pppqp1pp/2n4P/3p1p2/7P/5N2/PPPPPP2/RNBQKBR1 b Qkq - 3 6", "b6 hxg7 Rg8 gxf8=Q+ Kxf8", 1, "", ""},
	} {
		pos, err := chess().Position(c.fen)
		must(t, err)
		if sum := settle(pos, line(t, pos, c.line), c.which); codes(chess(), sum.Took) != c.took || codes(chess(), sum.Gave) != c.gave {
			t.Errorf("%s: %+v", c.what, sum)
		}
	}
}

func TestASmallMistakeIsNotMarkedInTheFirstMoves(t *testing.T) {
	r := written(t, chess(), "a3", "e5", "h3", "d5", "g3")
	for ply, want := range []string{"", "", "", "", "?!"} {
		found := storage.Review{Scores: make([]int, 6), Lost: make([]int, 5)}
		for i := ply + 1; i < len(found.Scores); i++ {
			found.Scores[i] = 75 * (2*(ply%2) - 1)
		}
		if s := r.told(t, found); s.Marks[ply] != want {
			t.Errorf("%s is marked %q", s.Moves[ply], s.Marks[ply])
		}
	}
}

func TestAGameWithoutAMistakeHasNoTurningPoints(t *testing.T) {
	s := written(t, chess(), "e4", "e5", "Nf3", "Nc6").story(t, searches(t, chess()))
	if len(s.TurningPoints) != 0 || s.Accuracy[0] < 85 || s.Accuracy[1] < 85 {
		t.Errorf("%+v", s)
	}
	r := written(t, chess(), "e4", "e5", "Nf3", "Nc6", "a3") // another move would have mated in 2, but all is won anyway
	mate := storage.Review{Scores: []int{0, 0, 0, 0, won - 2, 2500}, Lost: make([]int, 5), Moments: []storage.TurningPoint{{Ply: 4, Better: []string{"b1c3"}}}}
	if s := r.told(t, mate); len(s.Marked) != 1 || len(s.TurningPoints) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestEveryKindOfGameIsReviewed reviews a game of each kind, and one of them twice with the same result.
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
		s := r.told(t, found)
		if n, all := len(s.Marked), len(slices.DeleteFunc(slices.Clone(s.Marks), func(mark string) bool { return mark == "" })); n != all {
			t.Errorf("%s, seed %d: there is something to tell of %d of %d marked moves", v.Key, seed, n, all)
		}
		blunders := func(all []TurningPoint) (n int) {
			for _, m := range all {
				n += strings.Count(s.Marks[m.Ply], "??")
			}
			return n
		}
		if n, all := blunders(s.TurningPoints), blunders(s.Marked); n != min(all, suspected) {
			t.Errorf("%s, seed %d: %d of %d blunders are turning points of %s", v.Key, seed, n, all, s.Moves)
		}
		last := -1
		for _, m := range s.TurningPoints {
			if m.Ply <= last || s.Marks[m.Ply] == "" || m.Better[0] == m.Played || m.Before.Chat(m.Better[0]) == "" || m.Before.Chat(m.Played) == "" {
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

// TestTurningPointsHoldAgainstALongerSearch has a search of ten times the nodes confirm that the move was worse than
// the better one.
func TestTurningPointsHoldAgainstALongerSearch(t *testing.T) {
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
	bad := func(played rules.Move) int {
		after, err := r.games[m.Ply].Play(played)
		must(t, err)
		w := &work{[]rules.Game{r.games[m.Ply], after}, []rules.Move{played}, search, make([]int, 2), make([][]rules.Move, 2), make([]int, 2)}
		for i := range w.games {
			must(t, w.look(i, 10*closely))
		}
		return badness(evened(m.Before.Variant(), w.scores), 0, m.Before, w.cost()[0])
	}
	return bad(m.Better[0]) < bad(m.Played)
}

func TestASolutionIsPlayedOnUpToWhereItHasWon(t *testing.T) {
	v := rules.Find(variants.All(), "chess")
	for _, c := range []struct {
		fen, line, rest string
		won, pawns      int
	}{
		{"4k3/8/p7/8/8/8/K7/5R1r b - - 0 1", "h1f1 a2b2", "", 1, 5}, // nothing recaptures
		{"4k3/p7/8/8/8/5r2/8/4K3 b - - 0 1", "f3f2 e1f2 e8e7 f2f3", "", 0, -5},
		{"3q1k2/8/8/8/6N1/8/P7/4K3 w - - 0 1", "g4e5 f8g8 e5c6 g8h8 c6d8 h8h7", "f8g8 e5c6 g8h8 c6d8", 1, 9},
		{"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "e1e2 g8h8 a1a8", "g8h8 a1a8", 0, 0}, // mate
		{"3n2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q g8g7", "", 0, 11},             // a piece, and a queen for a pawn
	} {
		pos, err := v.Position(c.fen)
		must(t, err)
		line, err := pos.ParseLine(strings.Fields(c.line))
		must(t, err)
		rest, won, pawns := PlayOut(pos, line, 1)
		if got := strings.Join(texts(v, rest), " "); got != c.rest || len(won.Took) != c.won || pawns != c.pawns {
			t.Errorf("%s: goes on %q, wins %v and %d", c.line, got, won, pawns)
		}
	}
}
