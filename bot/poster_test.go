package bot

import (
	"strings"
	"testing"
	"time"

	"chimera/bot/match"
	"chimera/render"
	"chimera/storage"
)

func TestALeaderboardAsAPicture(t *testing.T) {
	ask := match.Asked{Game: storage.Overall, Period: match.Ever, Asker: 7}
	if topPoster(ask, &match.Leaderboard{}, nil) != nil {
		t.Error("there is a picture of nobody")
	}
	found := &match.Leaderboard{
		Lines:   []match.Line{{Rank: 1, Person: 1, Name: "alice", Value: 1700, Deviation: 40}, {Rank: 2, Person: 2, Name: "bob", Value: 1650, Deviation: 120, Unsure: true}},
		Mine:    []match.Line{{Rank: 30, Person: 6, Name: "carol", Value: 1510}, {Rank: 31, Person: 7, Name: "dora", Value: 1500}},
		Guesses: []match.Line{{Rank: 1, Person: 8, Name: "eve", Value: 1600, Deviation: 300, Unsure: true}},
		Most:    []match.Best{{What: "games", Name: "alice", Score: 12}},
	}
	p := topPoster(ask, found, nil)
	var got []string
	for _, row := range p.Parts[0].(*render.Ranking).Rows {
		line := strings.Repeat("-", row.Rank) + row.Name
		if row.Mine {
			line += "!"
		}
		got = append(got, row.Above+line+row.Spread)
	}
	want := "-alice±80, --bob±240?, …" + strings.Repeat("-", 30) + "carol±0, " + strings.Repeat("-", 31) + "dora!±0, Still provisionaleve±600?"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("the rows are\n%s\nwant\n%s", all, want)
	}
	if facts := *p.Parts[1].(*render.Facts); len(facts) != 1 || facts[0] != "Most games: alice, 12." {
		t.Errorf("the facts are %q", facts)
	}
	if p.Title != "All games" || p.Note != "Everywhere" {
		t.Errorf("it is called %q, %q", p.Title, p.Note)
	}
	found.Final, ask.Period, ask.Server = true, "2026-12", 1
	p = topPoster(ask, found, nil)
	if p.Note != "December 2026: the final table" || !p.Parts[0].(*render.Ranking).Bars {
		t.Errorf("a final table: %+v", p)
	}
}

func TestTwoPeopleAreComparedInTheGameThatBothPlayMost(t *testing.T) {
	course := func(key string, n int) match.Course {
		return match.Course{Key: key, Game: key, Points: make([]match.Reached, n)}
	}
	a := &match.Profile{Person: storage.Person{Name: "alice"}}
	b := &match.Profile{Person: storage.Person{Name: "bob"}}
	if comparePoster([2]*match.Profile{a, b}, match.Score{}) != nil {
		t.Error("there is a picture of nothing")
	}
	a.Courses = []match.Course{course("chess", 90), course("stealth", 20), course("brigade", 4)}
	b.Courses = []match.Course{course("brigade", 80), course("stealth", 15), course("chess", 2)}
	p := comparePoster([2]*match.Profile{a, b}, match.Score{Won: 3, Lost: 1})
	plot := p.Parts[0].(*render.Plot)
	if plot.Title != "stealth" || len(plot.Curves) != 2 || plot.Curves[0].Name != "alice" || len(plot.Curves[1].Points) != 15 {
		t.Errorf("the plot is %+v", plot)
	}
	if rows := p.Parts[1].(*render.Tally).Rows; rows[0] != (render.Score{Name: "alice", Won: 3, Lost: 1}) || rows[1] != (render.Score{Name: "bob", Won: 1, Lost: 3}) {
		t.Errorf("the scores are %+v", rows)
	}
}

func TestAProfileShowsTheMainGameLarge(t *testing.T) {
	p := &match.Profile{Kinds: []match.Kind{{Game: "Chess", Standing: storage.Standing{Value: 1612}, Deviation: 35}}}
	if profilePoster(p) != nil {
		t.Error("there is a picture of nothing")
	}
	for _, game := range []string{"Chess", "B", "C", "D"} {
		p.Courses = append(p.Courses, match.Course{Game: game, Points: []match.Reached{{At: time.Unix(0, 0), Value: 1500, Deviation: 50}}})
	}
	parts := profilePoster(p).Parts
	if len(parts) != mostCourses {
		t.Fatalf("there are %d plots", len(parts))
	}
	for i, part := range parts {
		plot := part.(*render.Plot)
		if plot.Small != (i > 0) || i == 0 && plot.Figure != "1612±70" || plot.Curves[0].Points[0].Spread != 100 {
			t.Errorf("plot %d is %+v", i, plot)
		}
	}
}
