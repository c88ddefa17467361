package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/rating"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
)

func TestALeaderboardAsAPicture(t *testing.T) {
	ask := rating.Asked{Game: storage.Overall, Period: rating.Ever, Asker: 7}
	if TopChart(ask, &rating.Leaderboard{}, nil) != nil {
		t.Error("there is a picture of nobody")
	}
	found := &rating.Leaderboard{
		Lines: []rating.Line{
			{Rank: 1, Place: 1, Person: 1, Name: "alice", Value: 1700, Deviation: 40},
			{Rank: 2, Place: 2, Person: 2, Name: "bob", Value: 1650, Deviation: 120, Unsure: true},
			{Rank: 30, Place: 30, Person: 6, Name: "carol", Value: 1510},
			{Rank: 31, Place: 31, Person: 7, Name: "dora", Value: 1500},
		},
		Guesses: []rating.Line{{Rank: 1, Place: 1, Person: 8, Name: "eve", Value: 1600, Deviation: 300, Unsure: true}},
		All:     40, Unsure: 2, At: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC),
		Most: []rating.Best{{What: rating.Games, Name: "alice", Score: 12, Others: 2}, {What: rating.Combiner, Name: "bob", Score: 1.25}},
	}
	p := TopChart(ask, found, nil)
	var got []string
	for _, row := range p.Parts[0].(*chart.Ranking).Rows {
		line := strings.Repeat("-", row.Rank) + row.Name
		if row.Mine {
			line += "!"
		}
		got = append(got, row.Above.String()+line+row.Spread.String())
	}
	want := "-alice±80, --bob±240?, …" + strings.Repeat("-", 30) + "carol±0, " + strings.Repeat("-", 31) + "dora!±0, Provisional-eve±600?"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("the rows are\n%s\nwant\n%s", all, want)
	}
	facts := []string{"Sorted by rating minus its ±. “?” is provisional: few games, or none lately.", "40 people, plus 2 provisional.", "Most games: alice and 2 more, 12 each.", "Most merges: bob, 1.25 merges per win."}
	var told []string
	for _, fact := range *p.Parts[1].(*chart.Facts) {
		told = append(told, fact.String())
	}
	if !slices.Equal(told, facts) {
		t.Errorf("the facts are %q, want %q", told, facts)
	}
	if p.Title.String() != "Leaderboard" || p.About.String() != "All games" || p.Note.String() != "Everywhere, 4 May 2026" {
		t.Errorf("it is called %q, %q, %q", p.Title, p.About, p.Note)
	}
	ask.Period = rating.Champion
	if row := TopRanking(ask, found).Rows[0]; !row.Note.IsZero() {
		t.Errorf("a champion has %q", row.Note)
	}
	found.Final, ask.Period, ask.Server = true, "2026-12", 1
	p = TopChart(ask, found, nil)
	if p.Note.String() != "December 2026, final standings" || !p.Parts[0].(*chart.Ranking).Bars {
		t.Errorf("a final table: %+v", p)
	}
}

func TestTwoPeopleAreComparedInTheGameThatBothPlayMost(t *testing.T) {
	course := func(key string, n int) rating.Course {
		return rating.Course{Key: key, Game: phrase.As(key), Points: make([]rating.Reached, n)}
	}
	a := &rating.Profile{Person: storage.Person{Name: "alice"}}
	b := &rating.Profile{Person: storage.Person{Name: "bob"}}
	if CompareChart([2]*rating.Profile{a, b}, rating.Score{}) != nil {
		t.Error("there is a picture of nothing")
	}
	a.Courses = []rating.Course{course("chess", 90), course("stealth", 20), course("brigade", 4)}
	b.Courses = []rating.Course{course("brigade", 80), course("stealth", 15), course("chess", 2)}
	p := CompareChart([2]*rating.Profile{a, b}, rating.Score{Won: 3, Lost: 1})
	plot := p.Parts[0].(*chart.Plot)
	if plot.Title.String() != "stealth" || len(plot.Curves) != 2 || plot.Curves[0].Name != "alice" || len(plot.Curves[1].Points) != 15 {
		t.Errorf("the plot is %+v", plot)
	}
	if rows := p.Parts[1].(*chart.Tally).Rows; fmt.Sprint(rows) != "[{alice 3 0 1} {bob 1 0 3}]" {
		t.Errorf("the scores are %+v", rows)
	}
}

func TestAProfileShowsTheMainGameLarge(t *testing.T) {
	p := &rating.Profile{At: time.Unix(900, 0)}
	if ProfileChart(p) != nil {
		t.Error("there is a picture of nothing")
	}
	p.Kinds = []rating.Kind{{Key: storage.Overall, Standing: storage.Standing{Value: 1600}, Deviation: 40}, {Key: "Chess", Game: phrase.As("Chess"), Standing: storage.Standing{Value: 1612}, Deviation: 35}}
	for _, game := range []string{"Chess", "B", "C", "D"} {
		p.Courses = append(p.Courses, rating.Course{Key: game, Game: phrase.As(game), Points: []rating.Reached{{At: time.Unix(0, 0), Value: 1612, Deviation: 25}}})
	}
	p.Kinds = append(p.Kinds, rating.Kind{Key: "D", Game: phrase.As("D"), Standing: storage.Standing{Value: 1400}, Deviation: 200, Unsure: true})
	parts := ProfileChart(p).Parts
	if len(parts) != mostCourses+1 {
		t.Fatalf("there are %d parts", len(parts))
	}
	const figures = "[{All games 1600±80} {D 1400±400?}]"
	if got := parts[mostCourses].(*chart.Figures).Rows; fmt.Sprint(got) != figures {
		t.Errorf("the figures are %+v", got)
	}
	want := []chart.Point{{At: time.Unix(0, 0), Value: 1612, Spread: 50}, {At: p.At, Value: 1612, Spread: 70}}
	if got := parts[0].(*chart.Plot).Curves[0].Points; !slices.Equal(got, want) {
		t.Errorf("the rating went %+v, want %+v", got, want)
	}
	parts = parts[:mostCourses]
	for i, part := range parts {
		plot := part.(*chart.Plot)
		if plot.Small != (i > 0) || i == 0 && plot.Figure != "1612±70" {
			t.Errorf("plot %d is %+v", i, plot)
		}
	}
}

func TestARankSaysWhere(t *testing.T) {
	k := rating.Kind{Key: "Chess", Game: phrase.As("Chess"), Standing: storage.Standing{Value: 1612, Wins: 30}, Deviation: 35, Rank: 12}
	for server, want := range map[storage.ServerID]string{0: "Chess: 1612±70, 30 won, 0 drawn, 0 lost, rank 12 of all", 3: "Chess: 1612±70, 30 won, 0 drawn, 0 lost, rank 12 here"} {
		if got := Profile(&rating.Profile{Kinds: []rating.Kind{k}}, server).Plain(); !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A page says what is the asker's, and fits into a message.
func TestThePageOfTheAsker(t *testing.T) {
	found := &rating.Leaderboard{All: 99999, Unsure: 99999, From: 5001}
	name := strings.Repeat("W", 32)
	for i := range rating.PageSize {
		found.Lines = append(found.Lines, rating.Line{Rank: 5001 + i, Place: 5001 + i, Person: storage.PersonID(i + 9), Name: name, Value: 1500, Deviation: 40, Games: 1000})
	}
	for i := range 3 {
		found.Guesses = append(found.Guesses, rating.Line{Rank: 7001 + i, Place: 7001 + i, Person: storage.PersonID(i + 1), Name: name, Value: 1500, Deviation: 400, Games: 1, Unsure: true})
	}
	for _, p := range []rating.Period{rating.Games, rating.Streak, rating.Combiner} {
		found.Most = append(found.Most, rating.Best{What: p, Name: name, Score: 12345, Others: 54321})
	}
	ask := rating.Asked{Server: 1, Game: storage.Overall, Period: rating.Ever, Asker: 2}
	whole, _ := Top(ask, found, nil)
	words := whole.In(phrase.English)
	var bolds []string
	for _, span := range words {
		if span.Style == Bold {
			bolds = append(bolds, span.Words)
		}
	}
	if want := []string{"All games", "7002. " + name + " 1500±800?, 1 game"}; !slices.Equal(bolds, want) {
		t.Errorf("bold are %q, want %q", bolds, want)
	}
	const most = 2000 // of Discord, the lowest
	if plain := words.Plain(); len(plain) > most || strings.Count(plain, "…") != 0 {
		t.Errorf("%d bytes:\n%s", len(plain), plain)
	}
}

// Each game is known by a piece, and by one of both sides where they share pieces.
func TestEachGameHasACrest(t *testing.T) {
	for _, v := range append(variants.All(), nil) {
		c := crestOf(v)
		if c.Piece == (rules.Piece{}) || c.Piece.Shared() != (v != nil && v.Shares()) {
			t.Errorf("%v: it is %+v", v, c.Piece)
		}
		most := 0
		if v != nil {
			for r := range v.Table {
				most = max(most, len(v.Table.Simple(rules.Role(r))))
			}
		}
		if got := len(c.Table.Simple(c.Piece.White)); got < most {
			t.Errorf("%s: of a piece of %d parts, where there is one of %d", v.Key, got, most)
		}
	}
}
