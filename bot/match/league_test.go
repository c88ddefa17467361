package match_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

// season plays a number of rated games among people of known strengths, with a draw now and
// then, and returns the club with the people and their strengths.
func season(t *testing.T, seed uint64, games int) (c *club, people []event.By, strength []float64) {
	t.Helper()
	c, _, people = newBrittleClub(t, 98)
	rnd := rand.New(rand.NewPCG(seed, 4))
	strength = make([]float64, len(people))
	for i := range strength {
		strength[i] = 1500 + 300*rnd.NormFloat64()
	}
	begun := opened(t, c, "chess", strings.Fields(opening)...)
	begun.Merged = 0 // as in a game of an earlier version, whose merges are not counted yet
	for range games {
		c.now = c.now.Add(time.Duration(rnd.IntN(3)) * time.Hour)
		i := rnd.IntN(len(people))
		j := (i + 1 + rnd.IntN(len(people)-1)) % len(people)
		white, black := people[i], people[j]
		g := begun
		g.Players = [2]storage.PersonID{white.Person, black.Person}
		g.Rated, g.Place, g.Began, g.Changed = true, white.Place, c.now, c.now
		g.Draw = &storage.Offer{By: white.Person, At: c.now}
		loser := black
		if win := 1 / (1 + math.Pow(10, (strength[j]-strength[i])/400)); rnd.Float64() > win {
			loser = white
		}
		g.Resign = &storage.Offer{By: loser.Person, At: c.now}
		c.update(func(w storage.Writer) error { return add(w, &g) })
		if rnd.IntN(10) == 0 {
			c.must(c.Draw(t.Context(), black, g.ID))
		} else {
			c.must(c.Resign(t.Context(), loser, g.ID, true))
		}
	}
	return c, people, strength
}

// opened is a game in progress that began with these moves.
func opened(t testing.TB, c *club, key string, moves ...string) storage.Game {
	t.Helper()
	g := storage.Game{Variant: key, Result: rules.Unfinished.String()}
	pos, err := c.Variant(key).Position("")
	c.ok(err)
	for _, text := range moves {
		m, err := pos.Parse(text)
		c.ok(err)
		g.Moves = append(g.Moves, pos.Variant().Coordinate(m))
		pos, err = pos.Play(m)
		c.ok(err)
	}
	line, err := c.Replay(&g)
	c.ok(err)
	line.Restore(&g)
	return g
}

// add stores a game under a number of its own.
func add(w storage.Writer, g *storage.Game) (err error) {
	if g.ID, err = w.NewGameID(); err != nil {
		return err
	}
	return w.Games().Put(*g)
}

// careers are those of all people.
func (c *club) careers() map[storage.PersonID]storage.Standings {
	c.t.Helper()
	all := map[storage.PersonID]storage.Standings{}
	err := c.store.View(c.t.Context(), func(r storage.Reader) error {
		people, err := r.PersonIDs()
		for _, p := range people {
			if err == nil {
				all[p], err = r.Standings(p)
			}
		}
		return err
	})
	c.ok(err)
	return all
}

// order is who stands where on the world's leaderboard, provisional people last.
func (c *club) order() []storage.PersonID {
	var order []storage.PersonID
	for from := 1; ; from += rating.PageSize {
		found := c.top(rating.Asked{From: from})
		for _, l := range found.Lines {
			if l.Rank != len(order)+1 {
				c.t.Errorf("rank %d comes after %d people", l.Rank, len(order))
			}
			order = append(order, l.Person)
		}
		if len(order) >= found.All {
			return order
		}
	}
}

func TestTheLeaderboardOrdersALeagueOfKnownStrengthsRightly(t *testing.T) {
	const seed, games = 8, 5000
	c, people, strength := season(t, seed, games)
	c.ratingsHold()
	again, _, _ := season(t, seed, games)
	if !reflect.DeepEqual(again.careers(), c.careers()) {
		t.Error("the same league has other ratings the second time")
	}
	order := c.order()
	if len(order) != len(people) {
		t.Fatalf("%d of %d people are on the leaderboard", len(order), len(people))
	}
	slices.SortFunc(people, func(a, b event.By) int {
		return cmp.Compare(strength[b.Person-1], strength[a.Person-1])
	})
	var squares float64
	for i, by := range people {
		apart := float64(slices.Index(order, by.Person) - i)
		squares += apart * apart
	}
	n := float64(len(people))
	rho := 1 - 6*squares/(n*(n*n-1)) // Spearman's
	t.Logf("rank correlation %.4f", rho)
	if rho < 0.95 {
		t.Errorf("rank correlation %.4f", rho)
	}
	c.annul(1) // this number of games is told their figures in portions
	c.tick()
	if c.look(1).Game.Counted {
		t.Error("game 1 still counts")
	}
	c.ratingsHold()
}
