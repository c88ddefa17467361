package season_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/bot/season"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// begun is a club in whose league the first season has begun.
func begun(t testing.TB, people, weeks, size int) (*club, storage.LeagueID) {
	c := newClub(t, people)
	l := c.league(weeks, size)
	c.until(monday, day)
	c.told = nil
	return c, l
}

// standing is somebody's in a division.
func standing(d *season.Division, by event.By) season.Standing {
	return d.Standings[slices.IndexFunc(d.Standings, func(s season.Standing) bool { return s.Person == by.Person })]
}

func TestWhoIsWithdrawnForTimeInTwoSeasonsInARowHasToJoinAgain(t *testing.T) {
	c, l := begun(t, 5, 2, 8)
	idle := c.people[0]
	for _, stays := range []bool{true, false} {
		d := c.table(l, 1)
		for _, r := range d.Results {
			g := read(c, func(rd storage.Reader) (storage.Game, error) { return rd.Games().Get(r.Game) })
			white := event.By{Person: g.Players[0], Place: c.room.ID}
			if _, theirs := g.SideOf(idle.Person); !theirs {
				c.resigns(white, g)
			} else if white.Person != idle.Person {
				c.must(c.Match.Move(t.Context(), white, g.ID, "e4", nil))
			}
		}
		c.until(d.Season.Ends.Add(-day), 6*time.Hour)
		if s := standing(c.table(l, 1), idle); !s.Late || s.Losses == 0 && !s.Struck {
			t.Errorf("%+v", s)
		}
		if c.leagueHas(l, idle.Person) != stays {
			t.Errorf("after season %d they are a member: %v", d.Season.Number, !stays)
		}
		home := read(c, func(r storage.Reader) (storage.Person, error) { return r.People().Get(idle.Person) }).Home
		if told := c.withdrawn; len(told) != 1 || told[0].Place != home || bool(event.PayloadOf[event.League](&told[0]).Again) == stays {
			t.Errorf("told in private: %+v", told)
		}
		c.withdrawn = nil
		if stays {
			c.until(c.leagues()[0].Next, day)
		}
	}
}

func TestTooFewWaitWhichIsSaidOnceAndBeginWhenTheyAreEnough(t *testing.T) {
	c := newClub(t, 3)
	l := c.league(4, 8)
	c.until(monday.Add(20*day), day)
	c.says(event.LeagueSet, event.SeasonWaits)
	c.ok(c.links(c.people[2], c.people[1])) // who are one now
	c.must(c.Seasons.Join(t.Context(), c.meet(), l))
	c.tick()
	if seen, err := c.Seasons.Leagues(t.Context(), c.room.Server, 0); err != nil || seen[0].Members != 3 {
		t.Errorf("%+v, %v", seen, err)
	}
	c.says()
	c.must(c.Seasons.Join(t.Context(), c.meet(), l))
	c.tick()
	c.says(event.SeasonBegan)
	if d := c.table(l, 1); len(d.Results) != 6 || !d.Season.Ends.Equal(c.now.Add(28*day)) {
		t.Errorf("%+v", d)
	}
}

func TestWhereTheBotIsRemovedTheSeasonRunsToItsEndAndNoOtherBegins(t *testing.T) {
	c, l := begun(t, 4, 2, 8)
	c.ok(c.Users.LeaveServer(t.Context(), storage.Address{Platform: "test", ID: "server"}, true))
	c.until(monday.Add(40*day), 6*time.Hour)
	if d := c.table(l, 1); d.Season.Number != 1 || d.Season.Ended.IsZero() {
		t.Errorf("season %d, ended %s", d.Season.Number, d.Season.Ended)
	}
	c.ok(c.Users.LeaveServer(t.Context(), storage.Address{Platform: "test", ID: "server"}, false))
	c.until(monday.Add(48*day), 6*time.Hour)
	if d := c.table(l, 1); d.Season.Number != 2 {
		t.Errorf("back again, it's season %d", d.Season.Number)
	}
}

func TestRatingSettlesWhoGoesDownOfASharedPlaceAlone(t *testing.T) {
	c, l := begun(t, 8, 2, 4)
	d := c.table(l, 1)
	if !d.Settled() {
		t.Error("all four share a place, and one goes down")
	}
	last := d.Standings[3].Person
	for _, s := range d.Standings[:3] {
		c.resigns(event.By{Person: last, Place: c.room.ID}, c.game(d, event.By{Person: last}, event.By{Person: s.Person}))
	}
	if d = c.table(l, 1); d.Settled() {
		t.Errorf("one stands last: %+v", d.Standings)
	}
}

func TestOffEndsAfterTheSeasonThatRuns(t *testing.T) {
	c, l := begun(t, 8, 2, 4)
	if _, down := c.table(l, 1).Exchanged(); down == 0 {
		t.Error("nobody goes down")
	}
	c.must(c.Seasons.TurnOff(t.Context(), c.people[0], "chess"))
	if _, down := c.table(l, 1).Exchanged(); down != 0 {
		t.Errorf("%d go down, though no season follows", down)
	}
	if d, err := c.Seasons.Join(t.Context(), c.meet(), l); !event.IsRefused(err, event.NoSuchLeague) {
		t.Errorf("joining: %v, %v", d, err)
	}
	c.until(monday.Add(60*day), 12*time.Hour)
	if d := c.table(l, 1); d.Season.Number != 1 || d.Season.Ended.IsZero() || c.leagues()[0].Runs {
		t.Errorf("season %d, ended %s", d.Season.Number, d.Season.Ended)
	}
}

func TestTwoEntrantsWhoAreLinkedPlayOnAndHaveOnePlaceInTheNextSeason(t *testing.T) {
	c, l := begun(t, 9, 2, 4)
	high, low := c.table(l, 1).Standings[0], c.table(l, 2).Standings[0]
	by := func(s season.Standing) event.By { return event.By{Person: s.Person, Place: c.room.ID} }
	c.ok(c.links(by(high), by(low)))
	for n := 1; n <= 2; n++ {
		if s := standing(c.table(l, n), by(high)); s.Left != len(c.table(l, n).Standings)-1 || s.Out {
			t.Errorf("division %d: %+v", n, s)
		}
	}
	for n := 1; n <= 2; n++ {
		d := c.table(l, n)
		for _, r := range d.Results {
			g := read(c, func(rd storage.Reader) (storage.Game, error) { return rd.Games().Get(r.Game) })
			c.resigns(event.By{Person: g.Players[1], Place: c.room.ID}, g)
		}
	}
	c.tick()
	c.until(c.leagues()[0].Next, day)
	if d := c.table(l, 1); d.Season.Number != 2 || d.Season.Divisions != 2 || len(d.Standings)+len(c.table(l, 2).Standings) != 8 {
		t.Errorf("%+v: %d and %d", d.Season, len(d.Standings), len(c.table(l, 2).Standings))
	}
	c.must(c.Seasons.Leave(t.Context(), by(high), l))
	if c.leagueHas(l, high.Person) || c.leagueHas(l, low.Person) {
		t.Error("they are still in it")
	}
	if d, err := c.Seasons.Leave(t.Context(), by(high), l); !event.IsRefused(err, event.NotInLeague) {
		t.Errorf("the second time: %v, %v", d, err)
	}
}

func TestWhoBecomesSomebodyElseByALinkStaysInTheLeague(t *testing.T) {
	c := newClub(t, 4)
	l := c.league(2, 8)
	outside := c.meet()
	c.ok(c.links(outside, c.people[3]))
	c.until(monday, day)
	standing(c.table(l, 1), outside)
	c.until(monday.Add(21*day), day)
	if d := c.table(l, 1); d.Season.Number != 2 || len(d.Standings) != 4 {
		t.Errorf("%+v", d.Season)
	}
	standing(c.table(l, 1), outside)
}

// opens plays the first moves of a game, after which it counts.
func (c *club) opens(g storage.Game) storage.Game {
	c.t.Helper()
	for i, text := range []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"} {
		c.must(c.Match.Move(c.t.Context(), event.By{Person: g.Players[i%2], Place: g.Seat(i % 2)}, g.ID, text, nil))
	}
	return g
}

func TestAnAnnulledGameCountsForNobody(t *testing.T) {
	c, l := begun(t, 4, 4, 8)
	d := c.table(l, 1)
	out := c.opens(c.game(d, c.people[0], c.people[1]))
	annulled := c.opens(c.game(d, c.people[0], c.people[2]))
	c.resigns(c.people[0], out)
	c.resigns(c.people[0], annulled)
	if one, other := standing(c.table(l, 1), c.people[1]), standing(c.table(l, 1), c.people[2]); one.Wins != 1 || other.Wins != 1 {
		t.Fatalf("%+v, %+v", one, other)
	}
	manager := c.people[2]
	c.must(c.Ratings.LeaveOut(t.Context(), manager, out.ID, false))
	c.must(c.Ratings.LeaveOut(t.Context(), manager, out.ID, false))
	c.ok(c.Ratings.Annul(t.Context(), annulled.ID))
	for _, by := range c.people[1:3] {
		if s := standing(c.table(l, 1), by); s.Wins != 0 || s.Points != 0 {
			t.Errorf("left out or annulled: %+v", s)
		}
	}
}

func TestWhoStandsFirstAtTheEndIsChampionAsLongAsTheResultsStand(t *testing.T) {
	c, l := begun(t, 4, 4, 8)
	d := c.table(l, 1)
	decisive := c.opens(c.game(d, c.people[0], c.people[1]))
	for i, one := range c.people {
		for _, other := range c.people[i+1:] {
			c.resigns(other, c.game(d, one, other))
		}
	}
	titles := func(want ...int) {
		t.Helper()
		c.tick()
		top, err := c.Ratings.Top(t.Context(), rating.Asked{Server: c.room.Server, Game: "chess", Period: rating.Champion, From: 1})
		c.ok(err)
		for i, n := range want {
			profile, err := c.Ratings.Profile(t.Context(), c.people[i], c.people[i].Person, c.room.Server)
			c.ok(err)
			line := slices.IndexFunc(top.Lines, func(l rating.Line) bool { return l.Person == c.people[i].Person })
			if len(profile.Titles) != n || (line >= 0) != (n > 0) || n > 0 && top.Lines[line].Value != float64(n) {
				t.Errorf("the %d. has %v, and the leaderboard is %+v", i+1, profile.Titles, top.Lines)
			}
		}
	}
	titles(1, 0, 0, 0)
	c.ok(c.Ratings.Annul(t.Context(), decisive.ID))
	titles(1, 1, 0, 0) // nothing tells them apart
}

func TestNobodyJoinsWhoWouldPlayMoreThanOneCan(t *testing.T) {
	c := newClub(t, 1)
	for i, v := range []string{"chess", "combine", "stealth"} {
		c.must(c.Seasons.SetUp(t.Context(), c.people[0], season.Terms{Variant: v, Weeks: 2, Size: 10}))
		if i == 0 { // many games already
			c.update(func(w storage.Writer) error {
				pos, err := c.Games.Variant("chess").Position("")
				for n := range storage.GameID(185) {
					err = cmp.Or(err, w.Games().Put(storage.Game{ID: 1000 + n, Variant: "chess", Players: [2]storage.PersonID{c.people[0].Person, c.people[0].Person}, FEN: pos.FEN(), Result: "*", Place: c.room.ID}))
				}
				return err
			})
		}
	}
	refused := 0
	for _, l := range c.leagues() {
		if _, err := c.Seasons.Join(t.Context(), c.people[0], l.ID); event.IsRefused(err, event.TooManyForLeague) {
			refused++
		}
	}
	if refused != 2 { // 185 + 9, and 9 more are too many
		t.Errorf("%d of 3 were refused", refused)
	}
}

func (c *club) leagueHas(l storage.LeagueID, p storage.PersonID) bool {
	return slices.ContainsFunc(read(c, func(r storage.Reader) ([]storage.Member, error) { return r.MembersOf(l) }), func(m storage.Member) bool { return m.Person == p })
}

// watched is a database of which is known how long each transaction has taken.
type watched struct {
	kv.DB
	took []time.Duration
}

func (w *watched) Update(ctx context.Context, fn func(kv.Writer) error) error {
	begun := time.Now()
	defer func() { w.took = append(w.took, time.Since(begun)) }()
	return w.DB.Update(ctx, fn)
}

// in are the lengths of the transactions of something, the longest last.
func (w *watched) in(do func() error) ([]time.Duration, error) {
	w.took = nil
	err := do()
	slices.Sort(w.took)
	return w.took, err
}

func TestNoStepOfASeasonGrowsWithItsEntrants(t *testing.T) {
	const most = 2500
	c := newClub(t, 200)
	counted := &kvtest.Counted{DB: c.db.DB}
	c.db.DB = counted
	c.open()
	c.league(2, season.MostSize)
	c.until(monday, 5*day)
	c.until(monday.Add(21*day), 7*day)
	if read, written := counted.MostRead.Load(), counted.MostWritten.Load(); c.leagues()[0].Season != 2 || read > most || written > most {
		t.Errorf("in season %d, a transaction has read %d keys and written %d; want %d at most", c.leagues()[0].Season, read, written, most)
	}
}

// BenchmarkStart begins a season of 2,000 entrants, and says the longest hold of the store; it fails if
// most are so long that others notice.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		c := newClub(b, 2000)
		c.league(4, 8)
		c.now = monday
		b.StartTimer()
		held, err := c.held.in(func() error { return c.Seasons.Work(b.Context()) })
		c.ok(err)
		if usual := held[len(held)/2]; usual > 50*time.Millisecond { // the longest may be the machine's
			b.Errorf("the store is held for %s", usual)
		}
		b.ReportMetric(float64(held[len(held)-1].Microseconds())/1000, "ms/longest")
		b.ReportMetric(float64(held[len(held)/2].Microseconds())/1000, "ms/median")
		b.ReportMetric(float64(held[len(held)*99/100].Microseconds())/1000, "ms/p99")
	}
}

// BenchmarkResult ends games in a league and games outside in turn, and says how many times as long the
// median one in a league takes.
func BenchmarkResult(b *testing.B) {
	c := newClub(b, 1000)
	c.league(4, 8)
	c.now = monday
	c.ok(c.Seasons.Work(b.Context()))
	ids := read(c, func(r storage.Reader) ([]storage.GameID, error) { return r.InSeason(c.leagues()[0].Season, 0, 0) })
	var took [2][]time.Duration
	for n, id := range ids {
		g := read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
		g.Moves = strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7")
		line, err := c.Games.Replay(&g)
		c.ok(err)
		if line.Restore(&g); n%2 == 1 {
			c.update(func(w storage.Writer) error {
				g.Season = 0
				return w.Games().Put(g)
			})
			g = read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(g.ID) })
		}
		begun := time.Now()
		c.ok(c.Store.Update(b.Context(), func(w storage.Writer) error { return c.Match.Forfeit(w, g, g.Players[0]) }))
		took[n%2] = append(took[n%2], time.Since(begun))
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	n := len(took[1])
	b.ReportMetric(float64(took[0][n/2])/float64(took[1][n/2]), "times")
	b.ReportMetric(0, "ns/op")
}
