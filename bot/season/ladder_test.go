package season_test

import (
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/season"
	"chimera/storage"
)

// climbers is a club whose people have joined a ladder one after the other.
func climbers(t testing.TB, people int) *club {
	c := newClub(t, people)
	for _, by := range c.people {
		c.must(c.Seasons.JoinLadder(t.Context(), by, "chess"))
	}
	return c
}

// ladder is the ladder as somebody looks at it.
func (c *club) ladder(by event.By) *season.OnLadder {
	c.t.Helper()
	l, err := c.Seasons.Ladder(c.t.Context(), c.room.Server, "chess", by.Person)
	c.ok(err)
	return l
}

// stand checks who stands on the ladder, by their numbers in the club from 1.
func (c *club) stand(want ...int) {
	c.t.Helper()
	var got []int
	for _, r := range c.ladder(event.By{}).Rungs {
		got = append(got, 1+slices.IndexFunc(c.people, func(by event.By) bool { return by.Person == r.Person }))
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("they stand %v, want %v", got, want)
	}
}

// challenges challenges a person for their rung; both are numbers in the club, from 1.
func (c *club) challenges(from, to int) (storage.GameID, error) {
	done, err := c.Match.Challenge(c.t.Context(), c.people[from-1], season.Rung("chess", c.people[to-1].Person))
	return done.Game, err
}

// plays is a game on the ladder that has begun.
func (c *club) plays(from, to int) storage.Game {
	c.t.Helper()
	id, err := c.challenges(from, to)
	c.ok(err)
	done, err := c.Match.AnswerChallenge(c.t.Context(), c.people[to-1], id, match.Accept)
	c.ok(err)
	if g := done.After; !g.Rated || g.Pace != (storage.Pace{Bank: 10 * day}) {
		c.t.Errorf("rated %v, pace %+v", g.Rated, g.Pace)
	}
	return *done.After
}

// meets checks whom somebody may challenge.
func (c *club) meets(who int, want ...int) {
	c.t.Helper()
	l := c.ladder(c.people[who-1])
	var got []int
	for _, i := range l.Open {
		got = append(got, 1+slices.IndexFunc(c.people, func(by event.By) bool { return by.Person == l.Rungs[i].Person }))
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("%d may challenge %v, want %v", who, got, want)
	}
}

func TestWhoChallengesAndWinsTakesTheRung(t *testing.T) {
	c := climbers(t, 6)
	c.stand(1, 2, 3, 4, 5, 6)
	c.resigns(c.people[1], c.plays(5, 2))
	c.stand(1, 5, 2, 3, 4, 6)
	c.resigns(c.people[2], c.plays(3, 5)) // the challenger loses
	c.stand(1, 5, 2, 3, 4, 6)
	g := c.plays(4, 3)
	c.must(c.Match.Offer(t.Context(), c.people[2], g.ID, match.ADraw))
	c.must(c.Match.Offer(t.Context(), c.people[3], g.ID, match.ADraw))
	c.stand(1, 5, 2, 3, 4, 6)
	low, high := c.plays(4, 2), c.plays(2, 1)
	c.resigns(c.people[0], high)
	c.stand(2, 1, 5, 3, 4, 6)
	c.resigns(c.people[3], low)
	c.stand(2, 1, 5, 3, 4, 6)
	low, high = c.plays(6, 4), c.plays(4, 5)
	c.resigns(c.people[4], high)
	c.stand(2, 1, 4, 5, 3, 6)
	c.resigns(c.people[3], low) // who has climbed meanwhile
	c.stand(2, 1, 6, 4, 5, 3)
}

func TestWhoHoldsTheTopHasTheBelt(t *testing.T) {
	c := climbers(t, 4)
	belt := func(since time.Time, defences int) {
		t.Helper()
		if l := c.ladder(event.By{}); !l.Since.Equal(since) || l.Defences != defences {
			t.Errorf("since %s, %d defences", l.Since, l.Defences)
		}
	}
	joined := c.now
	c.until(c.now.Add(day), day)
	c.resigns(c.people[3], c.plays(4, 1))
	g := c.plays(3, 1)
	c.must(c.Match.Offer(t.Context(), c.people[0], g.ID, match.ADraw))
	c.must(c.Match.Offer(t.Context(), c.people[2], g.ID, match.ADraw))
	c.resigns(c.people[1], c.plays(4, 2))
	belt(joined, 2)
	c.resigns(c.people[0], c.plays(2, 1))
	c.stand(2, 1, 4, 3)
	belt(c.now, 0)
}

func TestOnlyPossibleChallengesAreOffered(t *testing.T) {
	c := climbers(t, 6)
	c.meets(1)
	c.meets(2, 1)
	c.meets(6, 3, 4, 5)
	for _, pair := range [][2]int{{6, 2}, {1, 2}, {3, 3}} {
		if _, err := c.challenges(pair[0], pair[1]); !event.IsRefused(err, event.OutOfReach) && !event.IsRefused(err, event.WithYourself) {
			t.Errorf("%v: %v", pair, err)
		}
	}
	g := c.plays(6, 3)
	c.meets(6)       // one made at a time,
	c.meets(5, 2, 4) // and one received
	c.meets(3, 1, 2) // which does not keep from making one
	c.resigns(c.people[5], g)
	c.meets(6, 4, 5)
	c.until(c.now.Add(14*day-time.Hour), 7*day)
	c.meets(6, 4, 5)
	c.until(c.now.Add(time.Hour), day)
	c.meets(6, 3, 4, 5)
	c.must(c.Users.Block(t.Context(), c.people[3], c.people[5].Person, true))
	c.must(c.Users.Block(t.Context(), c.people[5], c.people[4].Person, true))
	c.meets(6, 3)
	c.must(c.Seasons.LeaveLadder(t.Context(), c.people[5], "chess"))
	c.meets(6)
}

func TestAChallengeThatIsNotAcceptedIsAsIfLost(t *testing.T) {
	c := climbers(t, 4)
	id, err := c.challenges(3, 1)
	c.ok(err)
	c.until(c.now.Add(3*day-time.Hour), day)
	c.stand(1, 2, 3, 4)
	c.until(c.now.Add(time.Hour), time.Hour)
	c.stand(3, 1, 2, 4)
	if _, err := c.Match.AnswerChallenge(t.Context(), c.people[0], id, match.Accept); !event.IsRefused(err, event.NoSuchChallenge) {
		t.Errorf("accepted late: %v", err)
	}
	id, err = c.challenges(4, 2)
	c.ok(err)
	c.must(c.Match.AnswerChallenge(t.Context(), c.people[1], id, match.Decline))
	c.stand(3, 1, 4, 2)
	if _, err = c.challenges(2, 4); !event.IsRefused(err, event.OutOfReach) {
		t.Errorf("who have just met: %v", err)
	}
	id, err = c.challenges(2, 1)
	c.ok(err)
	c.must(c.Match.AnswerChallenge(t.Context(), c.people[1], id, match.Cancel))
	c.stand(3, 1, 4, 2)
	c.says(event.Challenged, event.Expired, event.Climbed)
}

func TestNobodyAbortsAGameOnALadderAndWhoDoesNotMoveLosesIt(t *testing.T) {
	c := climbers(t, 2)
	g := c.plays(2, 1)
	if _, err := c.Match.Abort(t.Context(), c.people[0], g.ID, false); !event.IsRefused(err, event.InSeason) {
		t.Errorf("%v", err)
	}
	c.until(c.now.Add(11*day), 6*time.Hour)
	if now := read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(g.ID) }); now.Result != "0-1" {
		t.Errorf("%s %s", now.Result, now.Ending)
	}
	c.stand(2, 1)
}

func TestWhoLeavesClosesTheGapAndTheirGameMovesNobody(t *testing.T) {
	c := climbers(t, 6)
	g := c.plays(5, 2)
	c.must(c.Seasons.LeaveLadder(t.Context(), c.people[1], "chess"))
	c.stand(1, 3, 4, 5, 6)
	c.must(c.Seasons.JoinLadder(t.Context(), c.people[1], "chess"))
	c.resigns(c.people[1], g)
	c.stand(1, 3, 4, 5, 6, 2)
	id, err := c.challenges(6, 3)
	c.ok(err)
	c.must(c.Seasons.LeaveLadder(t.Context(), c.people[5], "chess"))
	if _, err := c.Match.AnswerChallenge(t.Context(), c.people[2], id, match.Accept); !event.IsRefused(err, event.NoSuchChallenge) {
		t.Errorf("their challenge: %v", err)
	}
	if _, err := c.Seasons.LeaveLadder(t.Context(), c.people[5], "chess"); !event.IsRefused(err, event.NotOnLadder) {
		t.Errorf("leaving again: %v", err)
	}
	c.stand(1, 3, 4, 5, 2)
}

func TestWhoIsForgottenOrHiddenIsOnNoLadder(t *testing.T) {
	c := climbers(t, 6)
	c.plays(5, 2)
	c.plays(4, 1)
	c.must(c.Users.Forget(t.Context(), c.people[1], false))
	c.must(c.Users.Forget(t.Context(), c.people[1], true))
	c.stand(1, 3, 4, 5, 6) // the game that was lost by it has moved nobody
	c.until(c.now.Add(day), day)
	c.must(c.Users.Hide(t.Context(), c.people[2], c.people[0].Person, true))
	c.stand(3, 4, 5, 6)
	if _, err := c.Seasons.JoinLadder(t.Context(), c.people[0], "chess"); !event.IsRefused(err, event.BarredHere) {
		t.Errorf("joining again: %v", err)
	}
	c.resigns(c.people[2], c.plays(5, 3))
	c.stand(5, 3, 4, 6)
}

// links makes one person of two: the second becomes the first.
func (c *club) links(into, from event.By) error {
	c.t.Helper()
	c.update(func(w storage.Writer) error { // whose account is on another platform
		return w.People().Change(from.Person, func(p *storage.Person) {
			p.Identities = []storage.Address{{Platform: "other", ID: p.Identities[0].ID}}
		})
	})
	code, err := c.Users.NewLink(c.t.Context(), into)
	if err == nil {
		_, err = c.Users.AgreeLink(c.t.Context(), from, code)
	}
	if err == nil {
		_, err = c.Users.GiveLink(c.t.Context(), into, code)
	}
	c.tick()
	return err
}

func TestTwoOnALadderWhoAreLinkedStandOnTheHigherRung(t *testing.T) {
	c := climbers(t, 5)
	g := c.plays(5, 2)
	c.ok(c.links(c.people[3], c.people[1]))
	c.stand(1, 4, 3, 5)
	c.resigns(c.people[3], g)
	c.stand(1, 5, 4, 3)
	c.ok(c.links(c.people[4], c.people[2]))
	c.stand(1, 5, 4)
}

func TestWhoDoesNotPlayForThirtyDaysGoesDownByOneAWeek(t *testing.T) {
	c := climbers(t, 4)
	joined := c.now
	at := func(days int, want ...int) {
		t.Helper()
		c.until(joined.Add(time.Duration(days)*day+time.Hour), 12*time.Hour)
		c.stand(want...)
	}
	at(20, 1, 2, 3, 4)
	c.resigns(c.people[2], c.plays(4, 3))
	at(29, 1, 2, 4, 3)
	at(30, 4, 1, 2, 3)
	if l := c.ladder(event.By{}); !l.Since.Equal(joined.Add(30 * day)) {
		t.Errorf("the belt since %s", l.Since)
	}
	at(36, 4, 1, 2, 3)
	at(37, 4, 3, 1, 2)
	at(44, 4, 3, 2, 1)
	c.resigns(c.people[1], c.plays(1, 2))
	at(50, 4, 3, 1, 2)
	at(51, 1, 4, 3, 2)
	at(56, 1, 4, 3, 2)
	_, err := c.challenges(2, 3)
	c.ok(err)
	at(60, 1, 2, 4, 3) // who has challenged stands above by the time that it was not accepted
}
