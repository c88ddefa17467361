package match_test

import (
	"maps"
	"slices"
	"testing"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

func (c *club) profile(p storage.PersonID) *rating.Profile {
	c.t.Helper()
	found, err := c.Profile(c.t.Context(), event.By{Person: p}, p, 0)
	c.ok(err)
	return found
}

func TestAProfileTellsHowRatingsChanged(t *testing.T) {
	c := newClub(t)
	carol := c.meet("carol")
	began := c.now
	first := c.duel(c.alice, c.bob, 10)
	c.now = c.now.Add(day)
	second := c.duel(carol, c.alice, 10)
	c.now = c.now.Add(day)
	c.duel(c.alice, c.bob, 3) // too short to count for ratings
	p := c.profile(c.alice.Person)
	if len(p.Courses) != 1 || p.Courses[0].Key != "chess" {
		t.Fatalf("the courses are %+v", p.Courses)
	}
	want := []rating.Reached{
		{At: began, Value: 1500},
		{At: first.Changed, Value: first.Ratings[0][1], Deviation: first.Spreads[0]},
		{At: second.Changed, Value: second.Ratings[1][1], Deviation: second.Spreads[1]},
	}
	if got := p.Courses[0].Points; !slices.Equal(got, want) {
		t.Errorf("the rating went %+v, want %+v", got, want)
	}
	if now := c.standing(c.alice.Person, "chess"); now.Value != want[2].Value || now.Deviation != want[2].Deviation {
		t.Errorf("it ends at %+v, not where the standing %+v is", want[2], now)
	}
	if want := [2]rating.Score{{Won: 2}, {Lost: 1}}; p.Colors != want {
		t.Errorf("by color: %v, want %v", p.Colors, want)
	}
	if len(p.Against) != 2 || p.Against[0].Person != c.bob.Person || p.Against[0].Score != (rating.Score{Won: 2}) || p.Against[1].Name != "carol" {
		t.Errorf("against: %+v", p.Against)
	}
}

func TestAnAnnulledGameIsNoPartOfTheCourse(t *testing.T) {
	c := newClub(t)
	c.serve()
	c.annul(c.duel(c.alice, c.bob, 10).ID)
	if p := c.profile(c.alice.Person); len(p.Courses) != 0 || p.Colors[0].Won != 1 {
		t.Errorf("%+v", p.History)
	}
}

// Kinds of pieces are kept from rated games, with the first of these, whether it is found by them or, as one of an
// earlier version, only read.
func TestAProfileKeepsKindsOfPiecesMadeInRatedGames(t *testing.T) {
	c := newClub(t)
	rated := true
	play := func(rated bool) storage.GameID {
		id := c.begun(c.alice, c.bob, storage.Challenge{Variant: "combine", Rated: rated, Pace: storage.Pace{Move: day}})
		c.must(c.Move(t.Context(), c.alice, id, "R~Nb1"))
		c.resigns(c.bob, id)
		return id
	}
	play(!rated)
	first := play(rated)
	play(rated)
	kind := rating.KindOfPiece{Key: "combine", Sign: "RN"}
	for range 2 {
		want := map[rating.KindOfPiece]rating.Kept{kind: {Times: 2, First: first, Seen: true, New: true}}
		if got := c.profile(c.alice.Person).Kept; !maps.Equal(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		c.change(first, func(g *storage.Game) { g.Listed = false })
	}
	c.now = c.now.Add(4 * day)
	if c.profile(c.alice.Person).Kept[kind].New {
		t.Error("it is new for ever")
	}
}

// BenchmarkProfile measures the profile of somebody who has ended more games than are
// looked at, of 100 plies each.
func BenchmarkProfile(b *testing.B) {
	c := newClub(b)
	g := opened(b, c, "combine", longGame(b, c.Variant("combine"), 100)...)
	g.Players, g.Place, g.Began, g.Changed = [2]storage.PersonID{c.alice.Person, c.bob.Person}, c.alice.Place, c.now, c.now
	g.Rated, g.Counted, g.Result, g.Ending = true, true, "1-0", string(rules.ByResignation)
	g.Figures = storage.Figures{Ratings: [2][2]float64{{1500, 1510}, {1500, 1490}}, Spreads: [2]float64{90, 90}}
	fill(b, c.store, rating.MostHistory+100, func(w storage.Writer, _ int) error { return add(w, &g) })
	for b.Loop() {
		c.profile(c.alice.Person)
	}
}
