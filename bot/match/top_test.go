package match_test

import (
	"fmt"
	"testing"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/storage"
)

// listed is a club of a number of people more, who have these standings in a kind of game.
func listed(t *testing.T, game string, n int, standing func(i int) storage.Standing) *club {
	t.Helper()
	c := newClub(t)
	fill(t, c.store, n, func(w storage.Writer, i int) error {
		name := fmt.Sprint("p", i)
		p, err := w.Meet(storage.Address{Platform: "test", ID: name}, name)
		if err != nil {
			return err
		}
		now := standing(i)
		now.At, now.Volatility = c.now, 0.06
		var career storage.Standings
		career.Put(game, now)
		return w.PutStandings(p.ID, career)
	})
	return c
}

// pages checks each page of a leaderboard, as each person on it sees it.
func (c *club) pages(ask rating.Asked, sure, unsure int) {
	c.t.Helper()
	whole := func(asker storage.PersonID) (ranked, guesses []rating.Line) {
		for ask.From = 1; ask.From <= sure+unsure; ask.From += rating.PageSize {
			ask.Asker = asker
			found := c.top(ask)
			if found.From != ask.From || found.All != sure || found.Unsure != unsure {
				c.t.Errorf("from place %d: from %d, %d people and %d", ask.From, found.From, found.All, found.Unsure)
			}
			mine := 0
			for n, part := range [][]rating.Line{found.Lines, found.Guesses} {
				for i, l := range part {
					if i > 0 && l.Place <= part[i-1].Place {
						c.t.Errorf("from place %d, to person %d: %+v stands below %+v", ask.From, asker, l, part[i-1])
					}
					if l.Person == asker {
						mine++
						last := sure
						if n == 1 {
							last = unsure
						}
						if l.Place > 1 && (i == 0 || part[i-1].Place != l.Place-1) || l.Place < last && (i+1 == len(part) || part[i+1].Place != l.Place+1) {
							c.t.Errorf("from place %d, person %d has no neighbors in %+v", ask.From, asker, part)
						}
					}
				}
			}
			if asker != 0 && (mine != 1 || found.Absent != "") {
				c.t.Errorf("from place %d, person %d sees himself %d times: %q", ask.From, asker, mine, found.Absent)
			}
			ranked, guesses = append(ranked, found.Lines...), append(guesses, found.Guesses...)
		}
		return ranked, guesses
	}
	ranked, guesses := whole(0)
	for _, part := range [][]rating.Line{ranked, guesses} {
		for i, l := range part {
			if l.Place != i+1 || l.Rank > l.Place {
				c.t.Errorf("line %d is %+v", i, l)
			}
			whole(l.Person)
		}
	}
	if len(ranked) != sure || len(guesses) != unsure {
		c.t.Errorf("%d and %d people are on the pages, want %d and %d", len(ranked), len(guesses), sure, unsure)
	}
}

func TestPagesRunOnThroughProvisionalPeople(t *testing.T) {
	for _, n := range [][2]int{{0, 1}, {0, 14}, {3, 5}, {10, 10}, {12, 21}, {20, 0}, {21, 1}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := listed(t, storage.Overall, n[0]+n[1], func(i int) storage.Standing {
				now := storage.Standing{Value: float64(1500 - 7*i), Deviation: 50, Wins: 1}
				if i >= n[0] {
					now.Deviation = 300
				}
				return now
			})
			c.pages(rating.Asked{}, n[0], n[1])
		})
	}
}

func TestWhatElseIsCountedHasPagesAndSharedRanks(t *testing.T) {
	c := listed(t, "chess", 33, func(i int) storage.Standing { return storage.Standing{Wins: 9 - i/6, Best: 9 - i/6} })
	ask := rating.Asked{Game: "chess", Period: rating.Streak}
	c.pages(ask, 33, 0)
	ask.From = 11
	for i, l := range c.top(ask).Lines {
		if place := 11 + i; l.Place != place || l.Rank != (place-1)/6*6+1 || l.Value != float64(9-(place-1)/6) {
			t.Errorf("place %d is %+v", place, l)
		}
	}
	ask.Period, ask.From = rating.Ever, 1
	if most := c.top(ask).Most; len(most) != 2 || most[1] != (rating.Best{What: rating.Streak, Name: "p0", Score: 9, Others: 5}) {
		t.Errorf("the best are %+v", most)
	}
}

// Among very many with one score nobody's neighbors are looked for.
func TestAMultitudeSharesARank(t *testing.T) {
	c := listed(t, storage.Overall, 1200, func(int) storage.Standing { return storage.Standing{Wins: 1} })
	ask := rating.Asked{Period: rating.Games, From: 1, Asker: 3 + 1199}
	found := c.top(ask)
	if n := len(found.Lines); n != rating.PageSize+1 || found.Lines[n-1].Rank != 1 || found.Lines[n-1].Person != ask.Asker || found.Lines[n-1].Place != 0 {
		t.Errorf("%+v", found.Lines)
	}
	ask.From = 5000
	if found = c.top(ask); found.From != 1191 || found.Lines[len(found.Lines)-1].Place != 1200 {
		t.Errorf("the last page is from %d: %+v", found.From, found.Lines)
	}
}

func TestPastMonthsHaveNeighbors(t *testing.T) {
	c := newClub(t)
	members := []event.By{c.alice}
	for i := range 23 {
		members = append(members, c.meet(fmt.Sprint("p", i)))
	}
	for i := 0; i+1 < len(members); i++ {
		c.duel(members[i], members[i+1], 10)
	}
	month := rating.Period(storage.MonthOf(c.now).String())
	for _, period := range []rating.Period{rating.Week, rating.Month, month} {
		c.pages(rating.Asked{Period: period}, len(members), 0)
	}
	c.now = c.now.AddDate(0, 1, 0)
	c.pages(rating.Asked{Period: month}, len(members), 0)
}
