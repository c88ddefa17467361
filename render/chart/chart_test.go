package chart

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/render"
	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/rules"
	"chimera/rules/combination"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// table has the simple pieces of chess and a few compounds.
func table() rules.Table {
	t := append(fide.Pieces(), rules.RoleInfo{Code: "RN", Parts: []rules.Role{fide.Rook, fide.Knight}},
		rules.RoleInfo{Code: "BN", Parts: []rules.Role{fide.Bishop, fide.Knight}},
		rules.RoleInfo{Code: "QRB", Parts: []rules.Role{fide.Queen, fide.Rook, fide.Bishop}},
		rules.RoleInfo{Code: "QN", Parts: []rules.Role{fide.Queen, fide.Knight}})
	return t
}

// piece is White's piece in capitals, with Black's half in small letters after it.
func piece(code string) rules.Piece {
	white := strings.TrimRight(code, "abcdefghijklmnopqrstuvwxyz")
	return rules.Piece{White: table().Role(white), Black: table().Role(strings.ToUpper(code[len(white):]))}
}

// charts are those whose pictures are kept in testdata.
func charts() map[string]*Chart {
	names := []string{"alice", "Bartholomew Featherstonehaugh the Third", "Зинаида Ивановна", "Ελένη", "carol", "日本の棋士 from 서울", "Zoë 🎉", "\u202ereversed\u202c ♞", "سارة و שרה", "𝕯𝖆𝖛𝖊"}
	ranking := &Ranking{Unit: phrase.As("Ratings")}
	for i, name := range names {
		value, spread := 1934-float64(i*i*6)-float64(17*i), 52+float64(i*13%40)
		ranking.Rows = append(ranking.Rows, Row{
			Rank: i + 1, Name: name, Note: phrase.As(fmt.Sprintf("%d games", 211-13*i)), Score: phrase.As(fmt.Sprintf("%.0f", value)), Spread: phrase.As(fmt.Sprintf("±%.0f", spread)),
			Value: value, Low: value - spread, High: value + spread, Mine: i == 4,
		})
	}
	guess := Row{Above: phrase.As("Provisional"), Rank: 1, Name: "newcomer", Note: phrase.As("2 games"), Score: phrase.As("1620"), Spread: phrase.As("±388"), Value: 1620, Low: 1232, High: 2008, Unsure: true}
	ranking.Rows = append(ranking.Rows, guess)
	points := &Ranking{Unit: phrase.As("Points"), Bars: true}
	for i, name := range []string{"carol", "bob", "alice"} {
		value := 12.5 - 4*float64(i)
		points.Rows = append(points.Rows, Row{Rank: i + 1, Name: name, Note: phrase.As("14 games"), Score: phrase.As(fmt.Sprintf("%g", value)), Spread: phrase.As("points"), Value: value, Mine: i == 1})
	}
	points.Rows = append(points.Rows, Row{Above: phrase.As("…"), Rank: 1041, Name: "zoe", Note: phrase.As("3 games"), Score: phrase.As("0.5"), Spread: phrase.As("points"), Value: .5})
	profile := &Chart{Title: phrase.As("alice"), Note: phrase.As("3 games in progress, 4 May 2026"), Crest: &Crest{table(), piece("RN")}, Parts: []Part{
		&Plot{Title: phrase.As("Combine Chess"), Figure: "1739±60", Curves: []Curve{wander("", 80, 1500, 3)}},
		&Plot{Title: phrase.As("Stealth Chess"), Figure: "1499±190?", Small: true, Curves: []Curve{wander("", 9, 1500, 5)}},
		&Figures{[]Figure{{phrase.As("All games"), phrase.As("1702±58")}, {phrase.As("Combined Arms Brigade Chess"), phrase.As("1512±311?")}}},
		&Tally{Title: phrase.As("Results, unrated too"), Rows: []Score{
			{phrase.As("as White"), 24, 3, 11}, {phrase.As("as Black"), 17, 6, 19}, {phrase.As("vs. bob"), 12, 0, 3}, {phrase.As("vs. Bartholomew Featherstonehaugh"), 2, 4, 9}, {phrase.As("vs. 棋士"), 0, 0, 4},
		}},
		&Pieces{Title: phrase.As("Favourite hybrids"), Pieces: []Count{
			{table(), piece("RN"), phrase.As("rook-knight"), 41},
			{table(), piece("BN"), phrase.As("bishop-knight"), 23},
			{table(), piece("Rn"), phrase.As("rook and knight"), 9},
			{table(), piece("QRB"), phrase.As("queen-rook-bishop"), 2},
			{table(), piece("QN"), phrase.As("queen-knight"), 1},
		}},
		&Facts{phrase.As("Winning streak: 3 now, 7 at best.")},
	}}
	return map[string]*Chart{
		"top":     {Title: phrase.As("Leaderboard"), About: phrase.As("Combine Chess"), Note: phrase.As("In The Extraordinarily Long Chess Club of Saint Petersburg, 4 May 2026"), Crest: &Crest{table(), piece("QRB")}, Parts: []Part{ranking, &Facts{phrase.As("Most games: carol, 211."), phrase.As("Longest winning streak: Bartholomew Featherstonehaugh and 2 more, 9 each.")}}},
		"points":  {Title: phrase.As("Leaderboard"), About: phrase.As("All games"), Note: phrase.As("This month in Chess Club, 4 May 2026"), Crest: &Crest{table(), piece("K")}, Parts: []Part{points}},
		"profile": profile,
		"compare": {Title: phrase.As("alice"), And: "bob", Parts: []Part{
			&Plot{Title: phrase.As("Combine Chess"), Curves: []Curve{wander("alice", 60, 1500, 3), wander("bob", 30, 1620, 8)}},
			&Tally{Title: phrase.As("Head to head"), Rows: []Score{{phrase.As("alice"), 5, 2, 3}, {phrase.As("bob"), 3, 2, 5}}},
		}},
		"cross": cross(8, 2),
		"share": share(),
		"holes": holes(),
		"games": {Title: phrase.As("alice"), Note: phrase.As("12 games in progress"), Parts: []Part{small(5), &Facts{phrase.As("… and 7 more games")}}},
		"game":  {Title: phrase.As("alice"), Note: phrase.As("1 game in progress"), Parts: []Part{small(1)}},
		"review": {Title: phrase.As("alice"), And: "bob", Note: phrase.As("Combine Chess #12, 1–0"), Parts: []Part{
			&Figures{[]Figure{{phrase.As("alice (White)"), phrase.As("91%")}, {phrase.As("bob (Black)"), phrase.As("74%")}}},
			&Chances{
				Title: phrase.As("Chances to win"), Figure: phrase.As("White's, in %"), First: 1, White: tide(85),
				Moments: []int{19, 40, 73}, Births: [2][]int{{8, 31}, {11, 12, 60}},
			},
			&Facts{phrase.As("4. R~Nb1: rook-knight on b1"), phrase.As("6… B~Nc6: bishop-knight on c6")},
		}},
	}
}

// cross is a division of n players, of which some go up and down.
func cross(n, move int) *Chart {
	c := &Crosstable{Unit: phrase.As("Points")}
	names := []string{"Sunniva", "João", "日本の棋士 from 서울", "Bartholomew Featherstonehaugh", "Élodie", "Зинаида", "Priya", "سارة", "ninth", "tenth"}
	for i := range n {
		row := Entrant{Place: i + 1, Name: names[i], Mine: i == 2}
		halves := 0
		switch {
		case i < move:
			row.Moves = Up
		case i >= n-move:
			row.Moves = Down
		}
		for j := range n {
			r := NotPlayed
			switch {
			case i == n-1 || j == n-1: // who has withdrawn
			case i < j:
				r = []Result{Won, Won, Drawn, Won, Running, Won}[(j-i)%6]
			case i > j: // as it was for the other
				r = []Result{NotPlayed, Running, Lost, Drawn, Won}[c.Rows[j].Results[i]]
			}
			halves += map[Result]int{Won: 2, Drawn: 1}[r]
			row.Results = append(row.Results, r)
		}
		row.Points = strings.Replace(fmt.Sprintf("%d%s", halves/2, "½"[:2*(halves%2)]), "0½", "½", 1)
		c.Rows = append(c.Rows, row)
	}
	out := &c.Rows[n-1]
	out.Place, out.Out = 0, true
	return &Chart{Title: phrase.As("Division 2 of 5"), About: phrase.As("Combine Chess"), Note: phrase.As("Season 3 in Chess Club, until 4 May 2026"), Crest: &Crest{table(), piece("RN")}, Parts: []Part{c}}
}

// holes are boards of a game whose board has holes.
func holes() *Chart {
	v := combination.Combination()
	pos, err := v.Position("")
	if err != nil {
		panic(err)
	}
	d := diagram.Of(pos, nil, rules.White)
	large := d.ShowTaken(d.Board, nil)
	for side, name := range []string{"alice", "bob"} {
		large.Bars.Sides[side].Name = name
	}
	little := Small{Diagram: d, Title: phrase.As("#7"), Name: "bob", Kind: phrase.As("Combination Chess"), Note: phrase.As("your turn"), When: phrase.As("Fri 8 May"), Lit: true}
	return &Chart{Title: phrase.As("Combination Chess"), Parts: []Part{
		&Board{Diagram: large},
		&Scene{Diagram: d, Title: phrase.As("Key moment"), Move: "1. d4", Text: phrase.As("It is where it all begins.")},
		&Boards{little, little},
	}}
}

// share is a game to be passed on.
func share() *Chart {
	pos, last := play("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
	start, _ := play()
	before, fork := play("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6")
	final := diagram.Of(pos, last, rules.White)
	final.Over = true
	final = final.ShowTaken(start.Board(), nil).ShowWinner(rules.White)
	for side, name := range []string{"alice", "Bartholomew Featherstonehaugh"} {
		final.Bars.Sides[side].Name, final.Bars.Sides[side].Rating = name, []string{"1741?", "1259?"}[side]
	}
	final.Bars.Result = "1–0 · checkmate"
	return &Chart{Title: phrase.As("Combine Chess"), Note: phrase.As("#12, 4 May 2026, 34 moves"), Parts: []Part{
		&Board{Diagram: final},
		&Scene{
			Diagram: diagram.Of(before, fork, rules.White), Title: phrase.As("Key moment"), Move: "3… Nf6", Figure: phrase.As("bob: 62% → 0%"),
			Text: phrase.As("Knight from g8 to f6. It allowed mate in 1, which a queen on h5 and a bishop on c4 had been waiting for since the second move of the game."),
		},
		&Signature{Name: "Chimera", About: phrase.As("chess whose pieces combine")},
	}}
}

// small are n small boards, at first those that wait.
func small(n int) *Boards {
	b := &Boards{}
	for i, name := range []string{"bob", "Bartholomew Featherstonehaugh the Third", "Ελένη", "日本の棋士", "Zoë"}[:n] {
		pos, last := play([]string{"e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"}[:i]...)
		*b = append(*b, Small{
			Diagram: diagram.Of(pos, last, rules.Color(i%2)), Title: phrase.As(fmt.Sprintf("#%d", 7+50*i)), Name: name, Kind: phrase.As([]string{"Combine Chess", "Combining Knightmare Chess"}[i%2]),
			Note: phrase.As([]string{"your turn", name + "’s turn"}[min(1, i/2)]), When: phrase.As("Fri 8 May"), Lit: i < 2,
		})
	}
	return b
}

// play is the position after moves of chess, with what the last one did.
func play(moves ...string) (pos *rules.Position, last []rules.Effect) {
	pos, err := fide.Chess().Position("")
	for _, text := range moves {
		if err != nil {
			panic(err)
		}
		m, wrong := pos.ParseCoordinate(text)
		if wrong != nil {
			panic(wrong)
		}
		last = pos.Effects(m)
		pos, err = pos.Play(m)
	}
	return pos, last
}

// wander is a curve of n points that goes up and down.
func wander(name string, n int, from, seed float64) Curve {
	c := Curve{Name: name}
	at, value := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), from
	for i := range n {
		x := float64(i)
		value += 40*math.Sin(seed*x)*math.Exp(-x/30) + 3
		at = at.Add(time.Duration(20+40*math.Abs(math.Cos(seed+x))) * time.Hour)
		c.Points = append(c.Points, Point{at, value, 60 + 280*math.Exp(-x/6)})
	}
	return c
}

// tide are the chances of a game of n positions that swings and is won.
func tide(n int) (white []float64) {
	for i := range n {
		x := float64(i)
		white = append(white, 1/(1+math.Exp(-x/float64(n)*3*math.Sin(x/9)-math.Max(0, x-60)/5)))
	}
	return white
}

func TestChartsAreAsTheyWere(t *testing.T) {
	for name, p := range charts() {
		for _, theme := range diagram.Themes() {
			p.Theme = theme
			t.Run(name+"-"+theme.String(), func(t *testing.T) { golden.Compare(t, name+"-"+theme.String(), painted(t, p)) })
		}
	}
}

// paint is p painted.
func painted(t *testing.T, p *Chart) []byte {
	t.Helper()
	var b bytes.Buffer
	golden.Must(t, p.PNG(render.NewPainter(), &b, render.Medium))
	return b.Bytes()
}

// Odd values and names are painted, and cut what is too long.
func TestChartsOfOddThingsAreFinite(t *testing.T) {
	inf := math.Inf(1)
	for name, p := range map[string]*Chart{
		"empty":        {},
		"empty parts":  {Parts: []Part{&Ranking{}, &Plot{}, &Chances{}, &Tally{}, &Pieces{}, &Figures{}, &Facts{}, &Crosstable{}}},
		"no points":    {Parts: []Part{&Plot{Curves: []Curve{{}, {}}}}},
		"one position": {Parts: []Part{&Chances{White: []float64{math.NaN()}, Moments: []int{-1, 0, 7}, Births: [2][]int{{0}, {0}}}}},
		"one point":    {Parts: []Part{&Plot{Curves: []Curve{{Points: []Point{{Value: 1500}}}}}}},
		"not finite":   {Parts: []Part{&Plot{Curves: []Curve{{Points: []Point{{Value: inf}, {Value: math.NaN()}}}}}, &Ranking{Rows: []Row{{Value: inf, Low: -inf, High: math.NaN()}}}}},
		"long":         {Title: phrase.As(strings.Repeat("title", 500)), Note: phrase.As(strings.Repeat("m", 500)), Parts: []Part{&Facts{phrase.As(strings.Repeat("fact ", 500))}}},
		"odd league":   {Parts: []Part{&Crosstable{Rows: make([]Entrant, 60)}}},
		"strange name": {Parts: []Part{&Ranking{Rows: []Row{{Name: "\x00\xff\u200b\u0301\U0001F469\u200d\U0001F9D1"}}}}},
		"empty scores": {Parts: []Part{&Tally{Rows: []Score{{}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := golden.Decode(t, bytes.NewReader(painted(t, p))).Rect.Dx(); got != render.Medium*3/2 {
				t.Errorf("it is %d wide", got)
			}
			_ = p.Words()
		})
	}
	for _, size := range []int{render.MinSize - 1, render.MaxSize + 1} {
		if err := new(Chart).PNG(render.NewPainter(), &bytes.Buffer{}, size); err == nil {
			t.Errorf("size %d is painted", size)
		}
	}
}

func TestWordsTellWhatAChartShows(t *testing.T) {
	var all strings.Builder
	kept := charts()
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		fmt.Fprintf(&all, "%s: %s\n", name, kept[name].Words())
	}
	golden.CompareText(t, "words.golden", all.String())
}

// Of two names neither hides the other, whichever is long.
func TestATitleOfTwoNamesShowsBoth(t *testing.T) {
	const long, other = "Maximilian_the_extraordinarily_long", "Bartholomew Featherstonehaugh"
	for _, names := range [][2]string{{"alice", "bob"}, {long, "bob"}, {"bob", long}, {long, other}, {"سارة", long}} {
		p := &Chart{Title: phrase.As(names[0]), And: names[1]}
		t.Run(names[0]+" and "+names[1], func(t *testing.T) {
			golden.Compare(t, "title-"+fmt.Sprint(len(names[0]), "-", len(names[1])), painted(t, p))
		})
	}
}

func TestDatesOfAnotherYearSaySo(t *testing.T) {
	at := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 9, 30, 0, 0, time.UTC)
	}
	for _, c := range []struct {
		at, first, last  time.Time
		english, russian string
	}{
		{at(2026, 3, 1), at(2026, 3, 1), at(2026, 5, 1), "1 Mar", "1 мар"},
		{at(2025, 11, 9), at(2025, 11, 9), at(2026, 2, 1), "9 Nov 2025", "9 ноя 2025"},
		{at(2026, 2, 1), at(2025, 11, 9), at(2026, 2, 1), "1 Feb", "1 фев"},
		{at(2026, 2, 1), at(2026, 2, 1), at(2026, 2, 2), "1 Feb 09:30", "1 фев 09:30"},
		{at(2024, 5, 1), at(2024, 5, 1), at(2026, 2, 2), "May 2024", "май 2024"},
		{at(2026, 5, 5), at(2026, 4, 25), at(2026, 5, 5), "5 May", "5 мая"}, // a month stands otherwise beside a day
	} {
		said := date(c.at, c.last.Sub(c.first), c.last)
		if english, russian := said.Text(phrase.English), said.Text(phrase.Russian); english != c.english || russian != c.russian {
			t.Errorf("%s is written %q and %q, want %q and %q", c.at, english, russian, c.english, c.russian)
		}
	}
}

// TestARankingShowsWholeRanges: an unsure range does not widen the scale where another is on it.
func TestARankingShowsWholeRanges(t *testing.T) {
	sure := Row{Value: 1700, Low: 1620, High: 1780}
	guess := Row{Value: 1741, Low: 948, High: 2534, Unsure: true}
	for _, rows := range [][]Row{{guess}, {guess, guess}, {sure}, {sure, guess}} {
		s := (&Ranking{Rows: rows}).scale()
		low, high := rows[0].Low, rows[0].High
		if s.low >= low || s.high <= high || s.high-s.low > 1.2*(high-low) {
			t.Errorf("%+v are on a scale from %.0f to %.0f", rows, s.low, s.high)
		}
	}
}

func TestTicksAreRoundAndFew(t *testing.T) {
	for _, s := range []scale{{1400, 1900, 2}, {1481, 1522, 4}, {0, 1, 2}, {-3, 2e6, 4}, {1e-9, 2e-9, 3}} {
		if ticks := s.ticks(); len(ticks) == 0 || len(ticks) > s.most {
			t.Errorf("%+v has the ticks %v", s, ticks)
		}
	}
}

// BenchmarkChart measures a leaderboard, and a profile with everything on it.
func BenchmarkChart(b *testing.B) {
	for _, name := range []string{"top", "profile"} {
		b.Run(name, func(b *testing.B) {
			c := charts()[name]
			var file bytes.Buffer
			p := render.NewPainter()
			for b.Loop() {
				file.Reset()
				golden.Must(b, c.PNG(p, &file, render.Medium))
			}
			b.ReportMetric(float64(file.Len()), "B/picture")
		})
	}
}
