package season_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/season"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// ladder is the ladder as somebody looks at it.
func (c *club) ladder(by event.By) *season.OnLadder {
	c.t.Helper()
	l, err := c.Seasons.Ladder(c.t.Context(), c.room.Server, "chess", by.Person)
	c.ok(err)
	return l
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

// climbing is a challenge on a ladder that is not decided.
type climbing struct {
	id       storage.GameID
	from, to storage.PersonID
	at       time.Time
	began    time.Time // zero until it is accepted
}

// rungs is how a ladder stands by its rules, which are worked out as things happen.
type rungs struct {
	stand    []storage.PersonID
	joined   map[storage.PersonID]time.Time
	played   map[storage.PersonID]time.Time
	sunk     map[storage.PersonID]int
	open     []*climbing
	met      map[[2]storage.PersonID]time.Time
	defences int
	sinks    int // that have moved somebody
}

// sink lets those go down whose time comes before a moment.
func (m *rungs) sink(now time.Time) {
	for {
		next, who := now, -1
		for i := len(m.stand) - 1; i >= 0; i-- {
			p := m.stand[i]
			at := m.played[p].Add(30*day + time.Duration(m.sunk[p])*7*day)
			plays := slices.ContainsFunc(m.open, func(c *climbing) bool {
				return !c.began.IsZero() && !c.began.After(at) && (c.from == p || c.to == p)
			})
			if !plays && at.Before(next) {
				next, who = at, i
			}
		}
		if who < 0 {
			return
		}
		m.sunk[m.stand[who]]++
		if who < len(m.stand)-1 {
			m.sinks++
			m.stand[who], m.stand[who+1] = m.stand[who+1], m.stand[who]
			m.crown(who)
		}
	}
}

func (m *rungs) crown(rung int) {
	if rung == 0 {
		m.defences = 0
	}
}

// decide is the end of a challenge, half a point for each draw.
func (m *rungs) decide(c *climbing, halves int, at time.Time) {
	m.open = slices.DeleteFunc(m.open, func(o *climbing) bool { return o == c })
	m.played[c.from], m.sunk[c.from] = at, 0
	if !c.began.IsZero() {
		m.played[c.to], m.sunk[c.to] = at, 0
	}
	from, to := slices.Index(m.stand, c.from), slices.Index(m.stand, c.to)
	began := c.began
	if began.IsZero() {
		began = c.at
	}
	if from < 0 || to < 0 || began.Before(m.joined[c.from]) || began.Before(m.joined[c.to]) {
		return // somebody has left
	}
	m.met[[2]storage.PersonID{min(c.from, c.to), max(c.from, c.to)}] = at
	switch {
	case halves == 2 && to < from:
		m.stand = slices.Insert(slices.Delete(m.stand, from, from+1), to, c.from)
		m.crown(to)
	case halves < 2 && to == 0:
		m.defences++
	}
}

// leaves takes somebody off, with the challenges that have not begun.
func (m *rungs) leaves(p storage.PersonID) {
	i := slices.Index(m.stand, p)
	m.stand = slices.Delete(m.stand, i, i+1)
	m.crown(i)
	m.open = slices.DeleteFunc(m.open, func(c *climbing) bool { return c.began.IsZero() && (c.from == p || c.to == p) })
}

// become makes one person of two.
func (m *rungs) become(from, into storage.PersonID) {
	low := into
	if slices.Index(m.stand, from) < slices.Index(m.stand, into) {
		low = from
		m.joined[into], m.played[into], m.sunk[into] = m.joined[from], m.played[from], m.sunk[from]
	}
	now := func(p storage.PersonID) storage.PersonID {
		if p == from {
			return into
		}
		return p
	}
	if high := slices.Index(m.stand, from); low == from {
		i := slices.Index(m.stand, into)
		m.stand[high] = into
		m.stand = slices.Delete(m.stand, i, i+1)
	} else {
		m.stand = slices.Delete(m.stand, high, high+1)
	}
	for _, c := range m.open {
		c.from, c.to = now(c.from), now(c.to)
	}
	m.open = slices.DeleteFunc(m.open, func(c *climbing) bool { return c.from == c.to })
	for pair, at := range m.met {
		if one, other := now(pair[0]), now(pair[1]); one != pair[0] || other != pair[1] {
			pair = [2]storage.PersonID{min(one, other), max(one, other)}
			if at.After(m.met[pair]) {
				m.met[pair] = at
			}
		}
	}
}

// possible are the rungs that somebody may challenge.
func (m *rungs) possible(p storage.PersonID, now time.Time) (open []int) {
	from := slices.Index(m.stand, p)
	for i := max(from-3, 0); i < from; i++ {
		at, met := m.met[[2]storage.PersonID{min(p, m.stand[i]), max(p, m.stand[i])}]
		busy := slices.ContainsFunc(m.open, func(c *climbing) bool { return c.from == p || c.to == m.stand[i] })
		if !busy && (!met || now.Sub(at) >= 14*day) {
			open = append(open, i)
		}
	}
	return open
}

var challenges = flag.Int("challenges", 1000, "how many challenges are made at random")

// TestALadderStandsByItsResultsAlone challenges at random, in a program that ends in its steps, among games that nobody
// plays, and people who leave, link accounts or are forgotten: at every moment everyone on the ladder
// stands on one rung, as the rules have it.
func TestALadderStandsByItsResultsAlone(t *testing.T) {
	rnd := kvtest.Random(t)
	challenges := *challenges
	if testing.Short() {
		challenges = 300
	}
	c := newClub(t, 14)
	m := &rungs{joined: map[storage.PersonID]time.Time{}, played: map[storage.PersonID]time.Time{}, sunk: map[storage.PersonID]int{}, met: map[[2]storage.PersonID]time.Time{}}
	messages := 0
	does := func(do func(event.By) (event.Done, error), by event.By) (event.Done, error) {
		messages++
		by.Message = storage.MessageID{Platform: "test", ID: fmt.Sprint(messages)}
		if rnd.IntN(6) == 0 {
			for range 2 { // within the transaction, and behind it
				_, _ = c.db.Ends(func() error { _, err := do(by); return err })
			}
			c.open()
		}
		return do(by)
	}
	resigns := func(by event.By, id storage.GameID) {
		for range 2 {
			_, err := does(func(by event.By) (event.Done, error) { return c.Match.Resign(t.Context(), by, id, false) }, by)
			c.ok(err)
		}
	}
	at := func(p storage.PersonID) event.By { return event.By{Person: p, Place: c.room.ID} }
	joins := func(by event.By) {
		_, err := does(func(by event.By) (event.Done, error) { return c.Seasons.Stand(t.Context(), by, "chess", true) }, by)
		c.ok(err)
		if !slices.Contains(m.stand, by.Person) {
			m.stand, m.joined[by.Person], m.played[by.Person], m.sunk[by.Person] = append(m.stand, by.Person), c.now, c.now, 0
		}
	}
	halves := func(g *storage.Game) int {
		return map[string][2]int{"1-0": {2, 0}, "0-1": {0, 2}, "1/2-1/2": {1, 1}}[g.Result][g.Climbs]
	}
	check := func(what string) {
		t.Helper()
		m.sink(c.now)
		l := c.ladder(at(m.stand[rnd.IntN(len(m.stand))]))
		var got []storage.PersonID
		for _, r := range l.Rungs {
			got = append(got, r.Person)
		}
		if !slices.Equal(got, m.stand) || l.Defences != m.defences {
			t.Fatalf("after %s they stand %v with %d defences, want %v with %d", what, got, l.Defences, m.stand, m.defences)
		}
		who := rnd.IntN(len(got))
		if l = c.ladder(at(got[who])); !slices.Equal(l.Open, m.possible(got[who], c.now)) {
			t.Fatalf("after %s %d may challenge %v, want %v", what, got[who], l.Open, m.possible(got[who], c.now))
		}
	}
	// passes lets time go by to a second of a minute, so that no two things are due at once.
	passes := func(long time.Duration, second int) {
		until := c.now.Add(long).Truncate(time.Minute).Add(time.Minute + time.Duration(second)*time.Second)
		for c.now.Before(until) {
			due, err := c.Match.NextDue(t.Context())
			c.ok(err)
			if due.IsZero() || due.After(until) {
				due = until
			}
			if due.After(c.now) {
				c.now = due
			}
			m.sink(c.now)
			c.ends = rnd.IntN(10) == 0
			c.tick()
			for _, o := range slices.Clone(m.open) {
				g := read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Find(o.id) })
				open := read(c, func(r storage.Reader) (storage.Challenge, error) { return r.Challenges().Find(o.id) })
				switch {
				case g.Over():
					m.decide(o, halves(&g), c.now)
				case g.ID == 0 && open.ID == 0:
					m.decide(o, 2, c.now)
				}
			}
		}
		check("some time")
	}
	for _, by := range c.people {
		joins(by)
		passes(0, 3)
	}
	made, moved := 0, map[string]int{}
	for made < challenges {
		long := 8 * time.Hour
		if rnd.IntN(25) == 0 {
			long = 25 * day
		}
		passes(time.Duration(rnd.Int64N(int64(long))), 7)
		p := m.stand[rnd.IntN(len(m.stand))]
		to := rnd.IntN(len(m.stand))
		open := m.possible(p, c.now)
		if len(open) > 0 && rnd.IntN(10) > 0 {
			to = open[rnd.IntN(len(open))]
		}
		if other := m.stand[to]; other != p {
			done, err := does(func(by event.By) (event.Done, error) {
				return c.Match.Challenge(t.Context(), by, season.Rung("chess", other))
			}, at(p))
			switch {
			case err == nil && slices.Contains(open, to):
				made++
				m.open = append(m.open, &climbing{id: done.Game, from: p, to: other, at: c.now})
			case !errors.As(err, new(*event.Refusal)) || slices.Contains(open, to):
				t.Fatalf("%d challenges %d: %v", p, other, err)
			}
			check("a challenge")
		}
		passes(0, 23)
		if len(m.open) == 0 {
			continue
		}
		o := m.open[rnd.IntN(len(m.open))]
		what := "nothing"
		switch chance := rnd.IntN(40); {
		case o.began.IsZero() && chance < 30:
			what = "accepting"
			_, err := does(func(by event.By) (event.Done, error) {
				return c.Match.AnswerChallenge(t.Context(), by, o.id, match.Accept)
			}, at(o.to))
			c.ok(err)
			o.began = c.now
		case o.began.IsZero() && chance < 33:
			what = "declining"
			_, err := does(func(by event.By) (event.Done, error) {
				return c.Match.AnswerChallenge(t.Context(), by, o.id, match.Decline)
			}, at(o.to))
			c.ok(err)
			m.decide(o, 2, c.now)
			for _, q := range read(c, storage.Reader.Queues) {
				if q.Game == 0 { // whoever climbs would be told beside the challenge, perhaps before it
					t.Fatalf("after %s %v waits", what, q)
				}
			}
		case o.began.IsZero() && chance < 35:
			what = "cancelling"
			_, err := does(func(by event.By) (event.Done, error) {
				return c.Match.AnswerChallenge(t.Context(), by, o.id, match.Cancel)
			}, at(o.from))
			c.ok(err)
			m.open = slices.DeleteFunc(m.open, func(other *climbing) bool { return o == other })
		case o.began.IsZero():
		case chance < 16:
			what = "winning"
			resigns(at(o.to), o.id)
			m.decide(o, 2, c.now)
		case chance < 28:
			what = "losing"
			resigns(at(o.from), o.id)
			m.decide(o, 0, c.now)
		case chance < 32:
			what = "a draw"
			for _, p := range []storage.PersonID{o.from, o.to} {
				c.must(c.Match.Offer(t.Context(), at(p), o.id, match.ADraw))
			}
			m.decide(o, 1, c.now)
		}
		check(what)
		switch p = m.stand[rnd.IntN(len(m.stand))]; rnd.IntN(60) {
		case 0:
			what = "leaving"
			_, err := does(func(by event.By) (event.Done, error) { return c.Seasons.Stand(t.Context(), by, "chess", false) }, at(p))
			c.ok(err)
			m.leaves(p)
			check(what)
			passes(0, 31)
			joins(at(p))
		case 1:
			what = "forgetting"
			for _, sure := range []bool{false, true} {
				c.must(c.Users.Forget(t.Context(), at(p), sure))
			}
			m.leaves(p)
			for _, o := range slices.Clone(m.open) {
				if o.from == p || o.to == p {
					m.decide(o, 0, c.now)
				}
			}
			c.tick()
			joins(c.meet())
		case 2:
			joins(at(p)) // which stores how they stand
			into := m.stand[rnd.IntN(len(m.stand))]
			if into == p || c.links(at(into), at(p)) != nil {
				break
			}
			what = "linking"
			m.become(p, into)
			joins(c.meet())
		}
		moved[what]++
		check(what)
	}
	t.Logf("%d challenges, %v; %d times somebody has gone down", made, moved, m.sinks)
}
