package season

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/rules"
	"chimera/storage"
)

// The kinds of jobs.
const (
	pairJob  = "pair"  // the games of a season begin, one division at a time; by season
	closeJob = "close" // a season ends, one division at a time; likewise
)

// How much one step, which is a transaction, does at most.
const (
	fewDivisions = 16 // to write
	fewGames     = 16 // to end
)

// Work does what is due in leagues: seasons begin, are half over, and end. Calling it again at once
// does nothing.
func (s *Service) Work(ctx context.Context) error {
	for {
		l, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.League, error) { return r.DueLeague(s.now()) })
		if err != nil {
			return err
		}
		if l.ID == 0 {
			return storage.Jobs{pairJob: s.pairMore, closeJob: s.closeMore}.Finish(ctx, s.store)
		}
		if l.Runs {
			err = s.store.Update(ctx, func(w storage.Writer) error { return s.wake(w, l.ID) })
		} else {
			err = s.begin(ctx, l.ID)
		}
		if storage.Missing(err) { // a record it needs is damaged: the others go on
			err = s.store.Update(ctx, func(w storage.Writer) error {
				return w.Leagues().Change(l.ID, func(l *storage.League) { l.Wake = time.Time{} })
			})
		}
		if err != nil {
			return err
		}
	}
}

// wake handles a season that is half over, or has reached its end.
func (s *Service) wake(w storage.Writer, id storage.LeagueID) error {
	l, err := w.Leagues().Get(id)
	season, err2 := w.Seasons().Find(l.Season)
	if err := cmp.Or(err, err2); err != nil || !l.Runs {
		return err
	}
	if !l.Halved && s.now().Before(season.Ends) {
		l.Halved, l.Wake = true, season.Ends
		return errors.Join(w.Leagues().Put(l), s.tell(w, &l, event.SeasonHalf))
	}
	l.Wake = time.Time{}
	return errors.Join(w.Leagues().Put(l), storage.BeginJob(w, storage.Job{Kind: closeJob, Of: uint64(l.Season), Part: 1}, s.closeMore))
}

// tell posts an event of a league where it is announced.
func (s *Service) tell(w storage.Writer, l *storage.League, what event.Kind) error {
	at, err := room(w.Reader, l)
	return errors.Join(err, w.Post(event.Event{Kind: what, Payload: event.League{League: l.ID, Season: l.Season}}.Entry(cmp.Or(at, l.Place), s.now())))
}

// room is where a league is announced: at its place, or if nothing can be said there any more, at the first other place of
// its server; 0 if there is none.
func room(r storage.Reader, l *storage.League) (storage.PlaceID, error) {
	place, err := r.Places().Find(l.Place)
	if err != nil || place.ID != 0 && place.Gone.IsZero() {
		return place.ID, err
	}
	others, err := r.PlacesIn(l.Server)
	for _, p := range others {
		if p.Gone.IsZero() && p.Owner == 0 {
			return p.ID, err
		}
	}
	return 0, err
}

// begin begins the next season of a league. It draws up the divisions, some in each transaction, and
// starts the season with the last. If the program ends in between, they are drawn up again.
func (s *Service) begin(ctx context.Context, id storage.LeagueID) error {
	var draft [][]storage.Entrant
	err := s.store.View(ctx, func(r storage.Reader) error {
		l, err := r.Leagues().Get(id)
		if err == nil {
			draft, err = s.draw(r, &l)
		}
		return err
	})
	for from := 0; err == nil; from += fewDivisions {
		to := min(from+fewDivisions, len(draft))
		err = s.store.Update(ctx, func(w storage.Writer) error {
			l, err := w.Leagues().Get(id)
			if err != nil || l.Runs || l.Wake.After(s.now()) || l.Wake.IsZero() {
				return err
			}
			if from == 0 {
				if goes, err := s.goes(w, &l, len(draft)); err != nil || !goes {
					return errors.Join(err, w.Leagues().Put(l))
				}
			}
			for i := from; i < to; i++ {
				err = errors.Join(err, w.Divisions().Put(storage.Division{Season: l.Draft, Number: i + 1, Entrants: draft[i]}))
			}
			if to < len(draft) {
				return errors.Join(err, w.Leagues().Put(l))
			}
			return errors.Join(err, s.begun(w, &l, len(draft)))
		})
		if to == len(draft) {
			break
		}
	}
	return err
}

// goes reports whether a league's next season can begin now with this many divisions: not where the
// bot has been removed, nor too long after its hour. Without enough members it is put off.
func (s *Service) goes(w storage.Writer, l *storage.League, divisions int) (bool, error) {
	at, err := room(w.Reader, l)
	server, err2 := w.Servers().Find(l.Server)
	if err := cmp.Or(err, err2); err != nil {
		return false, err
	}
	const grace = match.Day
	zone := storage.ZoneOf(server.Settings.Zone)
	for next := l.Next; !next.After(s.now()); next = weeksOn(l, next, zone, 1) {
		l.Next = next
	}
	switch {
	case at == 0, l.Draft == 0 && s.now().Sub(l.Next) > grace:
		l.Next = weeksOn(l, l.Next, zone, 1)
		l.Wake = l.Next
		return false, nil
	case divisions == 0:
		l.Wake = time.Time{}
		if l.Waits {
			return false, nil
		}
		l.Waits = true
		return false, s.tell(w, l, event.SeasonWaits)
	}
	if l.Draft == 0 {
		l.Draft, err = w.NewSeasonID()
	}
	return true, err
}

// draw draws up the divisions of a league's next season, none if it has too few members.
func (s *Service) draw(r storage.Reader, l *storage.League) (divisions [][]storage.Entrant, err error) {
	last, err := s.lastOrder(r, l)
	all, err2 := members(r, l)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	all = Order(last, all)
	if len(all) < Fewest {
		return nil, nil
	}
	for _, n := range Sizes(len(all), l.Size) {
		var division []storage.Entrant
		for _, m := range all[:n] {
			division = append(division, storage.Entrant{Person: m.Person, Rating: m.Rating})
		}
		divisions, all = append(divisions, division), all[n:]
	}
	return divisions, nil
}

// members are those who would play in a league's next season; people who have joined twice, as they were linked later,
// come twice.
func members(r storage.Reader, l *storage.League) (all []Member, err error) {
	server, err := r.Servers().Find(l.Server)
	joined, err2 := r.MembersOf(l.ID)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	for _, m := range joined {
		p, err := r.PersonNow(m.Person)
		rated, err2 := standingOf(r, p.ID, l.Variant)
		if err := cmp.Or(storage.UnlessMissing(err), err2); err != nil {
			return nil, err
		}
		if len(p.Identities) > 0 && !server.Hides(p.ID) {
			all = append(all, Member{p.ID, rated, m.At})
		}
	}
	return all, nil
}

// countMembers is how many people are in a league. While it waits for more, that is those who would play.
func countMembers(r storage.Reader, l *storage.League) (int, error) {
	if !l.Waits {
		return r.CountMembers(l.ID, 0)
	}
	all, err := members(r, l)
	return len(Order(nil, all)), err
}

// lastOrder is the order in which a league's last season has left its players.
func (s *Service) lastOrder(r storage.Reader, l *storage.League) ([]storage.PersonID, error) {
	season, err := r.Seasons().Find(l.Season)
	var tables [][]Standing
	for n := 1; n <= season.Divisions && err == nil; n++ {
		var t *Division
		if t, err = s.division(r, l, &season, n); err == nil {
			tables = append(tables, t.Standings)
		}
	}
	return Promote(tables), err
}

// begun begins the season that was drawn up.
func (s *Service) begun(w storage.Writer, l *storage.League, divisions int) error {
	before, err := w.Seasons().Find(l.Season)
	server, err2 := w.Servers().Find(l.Server)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	season := storage.LeagueSeason{
		ID: l.Draft, League: l.ID, Number: before.Number + 1, Before: before.ID,
		Begins: l.Next.UTC(), Ends: weeksOn(l, l.Next, storage.ZoneOf(server.Settings.Zone), l.Weeks), Divisions: divisions,
	}
	l.Season, l.Draft, l.Runs, l.Halved, l.Waits, l.Next = season.ID, 0, true, false, false, time.Time{}
	l.Wake = season.Begins.Add(season.Ends.Sub(season.Begins) / 2)
	return errors.Join(
		w.Seasons().Put(season), w.Leagues().Put(*l), s.tell(w, l, event.SeasonBegan),
		w.Jobs().Put(storage.Job{Kind: pairJob, Of: uint64(season.ID), Part: 1}),
	)
}

// pairMore begins all games of the next division of a season, unless the program has slept over its end.
func (s *Service) pairMore(w storage.Writer, j *storage.Job) (more bool, err error) {
	id := storage.SeasonID(j.Of)
	season, err := w.Seasons().Get(id)
	league, err2 := w.Leagues().Get(season.League)
	d, err3 := w.DivisionOf(id, j.Part)
	if err := cmp.Or(err, err2, err3); err != nil || !season.Ended.IsZero() {
		return false, err
	}
	homes := make([]storage.PlaceID, len(d.Entrants))
	var left []storage.PersonID // people who have left the league meanwhile
	for i := range d.Entrants {
		p, err := w.PersonNow(d.Entrants[i].Person)
		if err == nil {
			homes[i], err = s.home(w, &league, &p)
		}
		m, err2 := w.Member(league.ID, &p)
		if errors.Is(err2, storage.ErrNotFound) {
			left = append(left, p.ID)
		} else if err = cmp.Or(err, err2); err == nil {
			m.Season, m.Division = id, d.Number
			err = w.Members().Put(m)
		}
		if d.Entrants[i].Person = p.ID; err != nil {
			return false, err
		}
	}
	for _, pair := range Pairs(len(d.Entrants)) {
		white, black := pair[0], pair[1]
		c := storage.Challenge{
			From: d.Entrants[white].Person, To: d.Entrants[black].Person, Variant: league.Variant, Rated: true, Pace: Pace(weeksOf(&season)),
			Place: homes[white], Seat: homes[black],
		}
		g, err := s.match.Pair(w, c, id, d.Number)
		if err != nil {
			return false, err
		}
		d.Games = append(d.Games, g.ID)
	}
	err = w.Divisions().Put(d)
	for _, p := range left {
		err = errors.Join(err, s.withdraw(w, &d, p, false))
	}
	j.Part++
	return j.Part <= season.Divisions, err
}

// OneRoom is the platform where everybody shares one room, and nobody has a private chat.
const OneRoom = "console"

// home is where somebody plays in seasons: their private chat, or where nothing can be said there, the pages.
func (s *Service) home(w storage.Writer, l *storage.League, p *storage.Person) (storage.PlaceID, error) {
	if home, err := w.Places().Find(p.Home); err != nil || home.ID != 0 && home.Gone.IsZero() {
		return home.ID, err
	}
	if _, here := p.On(OneRoom); here {
		return l.Place, nil
	}
	place, err := w.Visit(user.OnPages(p.ID), storage.Address{})
	return place.ID, err
}

// missable is the number of seasons in a row in which somebody may be withdrawn for losing on time
// before they have to join again.
const missable = 2

// closeMore ends some more games of a season that is over, and finally the season.
func (s *Service) closeMore(w storage.Writer, j *storage.Job) (more bool, err error) {
	id := storage.SeasonID(j.Of)
	left, err := w.InSeason(id, j.Game, fewGames)
	for g, err := range w.Games().Each(left, err) {
		if err == nil && !g.Over() { // else somebody was withdrawn meanwhile
			err = s.match.CutOff(w, g)
		}
		if err != nil && !match.Unfit(err) { // if it is unfit, nobody can play on
			return false, err
		}
	}
	if len(left) > 0 {
		j.Game = left[len(left)-1]
	}
	season, err2 := w.Seasons().Get(id)
	league, err3 := w.Leagues().Get(season.League)
	if err := cmp.Or(err, err2, err3); err != nil || len(left) == fewGames {
		return true, err
	}
	if j.Part <= season.Divisions {
		d, err := w.DivisionOf(id, j.Part)
		j.Part++
		if storage.Missing(err) {
			return true, nil
		}
		return true, cmp.Or(err, s.withdrawLate(w, &d), s.countMissed(w, league.ID, &d))
	}
	server, err := w.Servers().Find(league.Server)
	season.Ended = s.now()
	league.Runs, league.Halved = false, false
	if zone, weeks := storage.ZoneOf(server.Settings.Zone), 0; !league.Off { // it may have ended early
		for weeks < weeksOf(&season) && weeksOn(&league, season.Begins, zone, weeks).Before(s.now()) {
			weeks++
		}
		league.Next = weeksOn(&league, season.Begins, zone, weeks+1)
	}
	league.Wake = league.Next
	return false, errors.Join(err, s.crown(w, &season), w.Leagues().Put(league), s.tell(w, &league, event.SeasonEnded))
}

// crown stores a season that is over, with its winners by the table as it is now.
func (s *Service) crown(w storage.Writer, season *storage.LeagueSeason) error {
	l, err := w.Leagues().Find(season.League)
	d, err2 := s.division(w.Reader, &l, season, 1)
	season.Champions = nil
	if err2 == nil {
		for _, first := range d.First() {
			season.Champions = append(season.Champions, first.Person)
		}
	}
	return errors.Join(err, storage.UnlessMissing(err2), w.Seasons().Put(*season))
}

// struck handles a game that no longer counts: its season may have another winner.
func (s *Service) struck(w storage.Writer, g *storage.Game) error {
	season, err := w.Seasons().Find(g.Season)
	if err != nil || season.Ended.IsZero() {
		return err
	}
	return s.crown(w, &season)
}

// withdrawLate withdraws those who have lost too many games of a division on time as the season ended. All their games
// have ended, so their results stand.
func (s *Service) withdrawLate(w storage.Writer, d *storage.Division) error {
	games, err := gamesOf(w.Reader, d)
	for i := range games {
		if loser := lostOnTime(&games[i]); err == nil && loser != 0 && tooLate(games, loser) {
			err = s.withdraw(w, d, loser, true)
		}
	}
	return err
}

// countMissed notes who was withdrawn from a division for losing on time, and takes those out of the
// league who were in missable seasons in a row.
func (s *Service) countMissed(w storage.Writer, l storage.LeagueID, d *storage.Division) error {
	for _, e := range d.Entrants {
		p, err := w.PersonNow(e.Person)
		m, err2 := w.Member(l, &p)
		if storage.Missing(err) || errors.Is(err2, storage.ErrNotFound) {
			continue
		}
		if err := cmp.Or(err, err2); err != nil {
			return err
		}
		was := m.Missed
		if m.Missed++; !e.Late {
			m.Missed = 0
		}
		if m.Missed >= missable {
			err = w.Members().Delete(m.ID())
		} else if m.Missed != was {
			err = w.Members().Put(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// weeksOf is how many weeks a season was meant to take.
func weeksOf(season *storage.LeagueSeason) int {
	return int(season.Ends.Sub(season.Begins).Round(7*match.Day) / (7 * match.Day))
}

// HourOf is the hour at which seasons of a league begin, one of which does at a moment, on any day.
func HourOf(l *storage.League, begins time.Time) time.Time {
	own, err := time.Parse("15:04", l.Hour)
	if err != nil {
		return begins
	}
	return own
}

// weeksOn is some weeks after a season of a league has begun, at the league's hour by the clocks of a time zone; these
// may have skipped it when the season began, even to the day before.
func weeksOn(l *storage.League, began time.Time, zone *time.Location, weeks int) time.Time {
	began = began.In(zone)
	hour := HourOf(l, began)
	noon := began.Add(time.Duration(12-hour.Hour())*time.Hour - time.Duration(hour.Minute())*time.Minute)
	return time.Date(noon.Year(), noon.Month(), noon.Day()+7*weeks, hour.Hour(), hour.Minute(), hour.Second(), hour.Nanosecond(), zone).UTC()
}

// outcomeOf is what a game counts as.
func outcomeOf(g *storage.Game) Outcome {
	switch {
	case g.ID != 0 && !g.Over() && g.Quarantined == "":
		return Pending
	case g.Annul, g.Void == rating.Annulled, g.Quarantined != "":
		return Void
	case g.Result == rules.WhiteWins.String():
		return WhiteWon
	case g.Result == rules.BlackWins.String():
		return BlackWon
	case g.Result == rules.Drawn.String():
		return Drawn
	}
	return Void
}

// lostOnTime is the player who has lost a game on time, or as the season ended; 0 if nobody has.
func lostOnTime(g *storage.Game) storage.PersonID {
	for side, halves := range outcomeOf(g).halves() {
		if (g.Ending == string(rules.ByTime) || g.Ending == match.SeasonOver) && halves == 2 {
			return g.Players[1-side]
		}
	}
	return 0
}

// Division is the state of a division of a season.
type Division struct {
	League    storage.League
	Season    storage.LeagueSeason
	Number    int // from 1
	Standings []Standing
	Names     []string // of the people in Standings, in that order
	Results   []Result // in the order of their pairs; none before the games begin
	Idle      []bool   // by seat: they have moved in none of their games

	around [2]int // how many play in the divisions above and below
}

// division reads the state of a division of a season.
func (s *Service) division(r storage.Reader, l *storage.League, season *storage.LeagueSeason, n int) (*Division, error) {
	d, err := r.DivisionOf(season.ID, n)
	server, err2 := r.Servers().Find(l.Server)
	games, err3 := gamesOf(r, &d)
	above, err4 := r.DivisionOf(season.ID, n-1)
	below, err5 := r.DivisionOf(season.ID, n+1)
	if err := cmp.Or(err, err2, err3, storage.UnlessMissing(err4), storage.UnlessMissing(err5)); err != nil {
		return nil, err
	}
	t := &Division{
		League: *l, Season: *season, Number: n, Idle: slices.Repeat([]bool{len(games) > 0}, len(d.Entrants)),
		around: [2]int{len(above.Entrants), len(below.Entrants)},
	}
	who := make([]storage.PersonID, len(d.Entrants))
	for i, pair := range Pairs(len(d.Entrants))[:len(games)] {
		g := &games[i]
		result := Result{Game: d.Games[i], Seats: pair, Outcome: outcomeOf(g)}
		if server.LeavesOut(g.ID) {
			result.Outcome = Void
		}
		for side, seat := range pair { // the players of the games play in the division now, whoever began in it
			who[seat] = cmp.Or(who[seat], g.Players[side])
			if len(g.Moves) > side {
				t.Idle[seat] = false
			}
		}
		t.Results = append(t.Results, result)
	}
	for i := range d.Entrants {
		d.Entrants[i].Person = cmp.Or(who[i], d.Entrants[i].Person)
	}
	t.Standings = Table(d.Entrants, t.Results)
	for i := range t.Standings {
		name, err2 := r.NameOf(t.Standings[i].Person)
		t.Names, err = append(t.Names, name), cmp.Or(err, err2)
	}
	return t, err
}

// Division is division n (from 1) of a season of a league; storage.ErrNotFound if there is none. For
// number 0 it is of the current or last season.
func (s *Service) Division(ctx context.Context, id storage.LeagueID, number, n int) (*Division, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (*Division, error) {
		l, err := r.Leagues().Get(id)
		if err != nil {
			return nil, err
		}
		season, err := r.Seasons().Get(l.Season)
		for err == nil && number != 0 && season.Number != number {
			season, err = r.Seasons().Get(season.Before)
		}
		if err != nil {
			return nil, err
		}
		return s.division(r, &l, &season, n)
	})
}

// Seasons are the first divisions of a league's seasons, the newest first, most at most.
func (s *Service) Seasons(ctx context.Context, id storage.LeagueID, most int) ([]*Division, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (all []*Division, err error) {
		l, err := r.Leagues().Get(id)
		for next := l.Season; next != 0 && err == nil && len(all) < most; {
			season, err := r.Seasons().Get(next)
			first, err2 := s.division(r, &l, &season, 1)
			if err := cmp.Or(err, err2); err != nil {
				return nil, err
			}
			all, next = append(all, first), season.Before
		}
		return all, err
	})
}

// Seen is a league as somebody looks at it.
type Seen struct {
	storage.League
	Season  storage.LeagueSeason // the current or last one
	Members int
	Member  *storage.Member // the person in the league; nil if they are not in it
}

// Division is the number of the division of the person who looks at the league, or 1.
func (l *Seen) Division() int {
	if l.Member != nil && l.Member.Season == l.League.Season {
		return max(l.Member.Division, 1)
	}
	return 1
}

// Leagues are the leagues of a server, or for server 0 those that somebody is in.
func (s *Service) Leagues(ctx context.Context, server storage.ServerID, who storage.PersonID) ([]Seen, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (seen []Seen, err error) {
		p, err := r.People().Find(who)
		all, err2 := r.LeaguesIn(server)
		if server == 0 {
			all, err2 = r.LeaguesAs(&p)
		}
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		for _, l := range all {
			it := Seen{League: l}
			var err, err2 error
			it.Season, err = r.Seasons().Find(l.Season)
			it.Members, err2 = countMembers(r, &l)
			m, err3 := r.Member(l.ID, &p)
			if err3 == nil {
				it.Member = &m
			}
			if err := cmp.Or(err, err2, storage.UnlessNew(err3)); err != nil {
				return nil, err
			}
			seen = append(seen, it)
		}
		return seen, nil
	})
}

// Running is how many seasons are in progress.
func (s *Service) Running(ctx context.Context) (int, error) {
	all, err := storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.League, error) { return r.Leagues().List() })
	return len(slices.DeleteFunc(all, func(l storage.League) bool { return !l.Runs })), err
}

// League is a league, one of its seasons (the zero value for 0), and its number of members.
func (s *Service) League(ctx context.Context, id storage.LeagueID, of storage.SeasonID) (l storage.League, season storage.LeagueSeason, n int, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		var err, err2, err3 error
		l, err = r.Leagues().Get(id)
		season, err2 = r.Seasons().Find(of)
		n, err3 = countMembers(r, &l)
		return cmp.Or(err, err2, err3)
	})
	return l, season, n, err
}

// First is when a first season begins on a day at an hour, in a time zone: on the next Monday without
// a day, at the usual hour without an hour.
func (s *Service) First(zone *time.Location, day, hour time.Time) time.Time {
	if day.IsZero() {
		day = nextMonday(s.now().In(zone)).In(zone)
	}
	h, m := usualHour, 0
	if !hour.IsZero() {
		h, m = hour.Hour(), hour.Minute()
	}
	return time.Date(day.Year(), day.Month(), day.Day(), h, m, 0, 0, zone).UTC()
}

// GamesOf are a person's games in progress in the division.
func (d *Division) GamesOf(p storage.PersonID) (games []storage.GameID) {
	for _, s := range d.Standings {
		for _, r := range d.Results {
			if s.Person == p && r.Outcome == Pending && slices.Contains(r.Seats[:], s.Seat) {
				games = append(games, r.Game)
			}
		}
	}
	return games
}

// Line is the place in Standings of a seat.
func (d *Division) Line(seat int) int {
	return slices.IndexFunc(d.Standings, func(s Standing) bool { return s.Seat == seat })
}

// First are those in first place, whom there may be several of; nobody without results that count.
func (d *Division) First() []Standing {
	return slices.DeleteFunc(slices.Clone(d.Standings), func(s Standing) bool { return s.Place > 1 || s.Struck || s.Wins+s.Draws+s.Losses == 0 })
}

// Exchanged is how many go up from the division, and down from it, when the season ends.
func (d *Division) Exchanged() (up, down int) {
	if d.League.Off && d.Season.ID == d.League.Season { // no season follows
		return 0, 0
	}
	if d.Number > 1 {
		up = Exchanged(d.around[0], len(d.Standings))
	}
	if d.Number < d.Season.Divisions {
		down = Exchanged(len(d.Standings), d.around[1])
	}
	return up, down
}

// Settled reports whether a shared place had to be settled by rating, since only some of those sharing
// it go up or down.
func (d *Division) Settled() bool {
	order := d.Order()
	up, down := d.Exchanged()
	return up > 0 && order[up-1].Place == order[up].Place || down > 0 && order[len(order)-down-1].Place == order[len(order)-down].Place
}
