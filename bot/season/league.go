package season

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

// Service runs leagues. It is safe for concurrent use.
type Service struct {
	store  *storage.Store
	events *event.Log
	match  *match.Service
	now    func() time.Time
}

// New makes a Service. now is the wall clock, which times the seasons.
func New(store *storage.Store, in *event.Log, m *match.Service, ratings *rating.Service, now func() time.Time) *Service {
	s := &Service{store, in, m, now}
	m.Contest, m.MayClimb, ratings.Struck = s.ended, s.mayClimb, s.struck
	return s
}

// Limits of leagues, and the usual values.
const (
	LeastWeeks = 2
	UsualWeeks = 4
	MostWeeks  = 13
	LeastSize  = 4
	UsualSize  = 8
	MostSize   = 10
)

// Pace is the time of each side for a game in a season of some weeks: half of the season, less about a
// day.
func Pace(weeks int) storage.Pace { return storage.Pace{Bank: match.Day * time.Duration(weeks*7/2-1)} }

// Terms are the terms of a league that somebody wants to set up.
type Terms struct {
	Variant     string
	Weeks, Size int
	Begins      time.Time // the next season; zero for the usual moment
	Hour        string    // at which it and later ones shall begin, as clocks may skip it once; "" for that of Begins
}

// furthest is how far ahead a season may begin: dates are told without a year.
const furthest = 26 * 7 * match.Day

// usualHour is the hour at which seasons begin by default, on a Monday in the server's time zone.
const usualHour = 18

// SetUp sets up a league in the server of the asker's place, where its news will be told, or changes
// it from its next season on. If t.Begins is zero, that season begins when it would have anyway. The
// platform has to check that the asker may do this. It refuses NoServer, NoSuchVariant and BadValue.
func (s *Service) SetUp(ctx context.Context, by event.By, t Terms) (event.Done, error) {
	return s.change(ctx, by, t.Variant, func(w storage.Writer, l *storage.League, zone *time.Location) error {
		switch {
		case s.match.Variant(t.Variant) == nil:
			return event.Refuse(event.NoSuchVariant, 0)
		case t.Weeks < LeastWeeks, t.Weeks > MostWeeks, t.Size < LeastSize, t.Size > MostSize,
			!t.Begins.IsZero() && (t.Begins.Before(s.now()) || t.Begins.Sub(s.now()) > furthest):
			return event.Refuse(event.BadValue, 0)
		}
		l.Weeks, l.Size, l.Place, l.Off, l.Waits = t.Weeks, t.Size, by.Place, false, false
		if l.Runs || l.Draft != 0 {
			return nil
		}
		if !t.Begins.IsZero() {
			l.Next, l.Hour = t.Begins, t.Hour
		} else if !l.Next.After(s.now()) {
			l.Next, l.Hour = nextMonday(s.now().In(zone)), ""
		}
		l.Wake = l.Next
		return nil
	})
}

// nextMonday is the usual hour of the first Monday that is more than a day away.
func nextMonday(now time.Time) time.Time {
	year, month, day := now.Date()
	for ; ; day++ {
		at := time.Date(year, month, day, usualHour, 0, 0, 0, now.Location())
		if at.Weekday() == time.Monday && at.Sub(now) > match.Day {
			return at.UTC()
		}
	}
}

// TurnOff ends a league after its current season. It refuses NoServer and NoSuchLeague.
func (s *Service) TurnOff(ctx context.Context, by event.By, variant string) (event.Done, error) {
	return s.change(ctx, by, variant, func(_ storage.Writer, l *storage.League, _ *time.Location) error {
		switch {
		case l.Weeks == 0 || l.Off:
			return event.Refuse(event.NoSuchLeague, 0)
		case !l.Runs && l.Draft == 0:
			l.Next, l.Wake, l.Waits = time.Time{}, time.Time{}, false
		}
		l.Off = true
		return nil
	})
}

// change changes, or makes, the league in a kind of game of the server of the asker's place.
func (s *Service) change(ctx context.Context, by event.By, variant string, do func(storage.Writer, *storage.League, *time.Location) error) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		server, err := event.ServerAt(w.Reader, by.Place)
		all, err2 := w.LeaguesIn(server.ID)
		l := storage.League{Server: server.ID, Variant: variant, Off: true}
		if i := slices.IndexFunc(all, func(l storage.League) bool { return l.Variant == variant }); i >= 0 {
			l = all[i]
		}
		was := l
		if err := cmp.Or(err, err2, do(w, &l, storage.ZoneOf(server.Settings.Zone))); err != nil {
			return event.Done{}, err
		}
		if l.ID == 0 {
			l.ID, err = w.NewLeagueID()
		}
		joined, err2 := w.CountMembers(l.ID, 1)
		err = errors.Join(err, err2, w.Leagues().Put(l))
		others := joined > 0 && !l.Runs && l.Draft == 0 && (was.Weeks != l.Weeks || was.Size != l.Size || !was.Next.Equal(l.Next)) // than they joined by
		if was.Off != l.Off || others {
			err = errors.Join(err, s.tell(w, &l, event.LeagueSet))
		}
		return event.Done{Kind: event.Chose}, err
	})
}

// Join lets the asker play in a league from its next season on. It refuses NoServer, NoSuchLeague,
// BarredHere and TooManyForLeague.
func (s *Service) Join(ctx context.Context, by event.By, id storage.LeagueID) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		server, err := event.ServerAt(w.Reader, by.Place)
		l, err2 := w.Leagues().Find(id)
		there, err3 := w.Servers().Find(l.Server)
		me, err4 := w.People().Get(by.Person)
		switch err := cmp.Or(err, err2, err3, err4); {
		case err != nil:
			return event.Done{}, err
		case l.ID == 0, l.Off, there.ID != server.ID:
			return event.Done{}, event.Refuse(event.NoSuchLeague, 0)
		case server.Hides(me.ID):
			return event.Done{}, event.Refuse(event.BarredHere, 0)
		}
		done := event.Done{Kind: event.Chose}
		if _, err := w.Member(l.ID, &me); !errors.Is(err, storage.ErrNotFound) {
			return done, err // they are in it already
		}
		if err := roomFor(w.Reader, &me, &l); err != nil {
			return done, err
		}
		err = w.Members().Put(storage.Member{League: l.ID, Person: me.ID, At: s.now()})
		if l.Waits && err == nil {
			var n int
			if n, err = countMembers(w.Reader, &l); n >= Fewest {
				l.Next, l.Wake = s.now(), s.now()
				err = errors.Join(err, w.Leagues().Put(l))
			}
		}
		return done, err
	})
}

// roomFor refuses a league if one of its seasons, together with those of the person's other leagues,
// would be more games at once than one may play.
func roomFor(r storage.Reader, p *storage.Person, l *storage.League) error {
	playing, err := r.Playing(p.ID)
	others, err2 := r.LeaguesAs(p)
	games := len(playing) + mostGames(l)
	for _, other := range others {
		if m, err := r.Member(other.ID, p); err == nil && (!other.Runs || m.Season != other.Season) && !other.Off {
			games += mostGames(&other)
		}
	}
	if games > limit.Games {
		return event.Refuse(event.TooManyForLeague, 0)
	}
	return errors.Join(err, err2)
}

// mostGames is the largest number of games that somebody can have in a season of a league: a division is larger than
// wished for rather than have fewer than Fewest players.
func mostGames(l *storage.League) int { return max(l.Size, 2*Fewest-1) - 1 }

// Leave takes the asker out of a league, and withdraws them from the current season. It refuses
// NotInLeague.
func (s *Service) Leave(ctx context.Context, by event.By, id storage.LeagueID) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		me, err := w.People().Get(by.Person)
		if err == nil {
			err = s.leave(w, &me, id)
		}
		if errors.Is(err, storage.ErrNotFound) {
			err = event.Refuse(event.NotInLeague, 0)
		}
		return event.Done{Kind: event.Chose}, err
	})
}

// leave takes somebody out of a league; it fails with storage.ErrNotFound if they are not in it.
func (s *Service) leave(w storage.Writer, p *storage.Person, id storage.LeagueID) error {
	l, err := w.Leagues().Find(id)
	m, err2 := w.Member(id, p)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for ; err2 == nil && err == nil; m, err2 = w.Member(id, p) { // several members may have become this person
		err = w.Members().Delete(m.ID())
		if l.Runs && m.Season == l.Season {
			d, err2 := w.DivisionOf(m.Season, m.Division)
			if err = cmp.Or(err, err2); err == nil {
				err = s.withdraw(w, &d, p.ID, false)
			}
		}
	}
	return err
}

// LeaveAll takes somebody who is forgotten off their ladders and out of their leagues, one league at a
// time, and reports whether there are more.
func (s *Service) LeaveAll(w storage.Writer, id storage.PersonID) (more bool, err error) {
	p, err := w.People().Get(id)
	if err != nil {
		return false, err
	}
	all, err := w.LeaguesAs(&p)
	if err == nil && len(all) > 0 {
		err = s.leave(w, &p, all[0].ID)
	}
	for g, err2 := range w.Games().Each(w.Playing(id)) {
		if err = cmp.Or(err, err2); err == nil && g.Ladder != 0 {
			err = s.takeOff(w, g.Ladder, g.Variant, id)
		}
	}
	return len(all) > 0, err
}

// Bar takes somebody out of all leagues and off all ladders of the server of the asker's place: they
// have left it, or its managers have hidden them from leaderboards.
func (s *Service) Bar(ctx context.Context, by event.By, who storage.PersonID) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		server, err := event.ServerAt(w.Reader, by.Place)
		if err != nil {
			return err
		}
		return s.bar(w, server.ID, who)
	})
}

// bar is Bar from a server within a transaction.
func (s *Service) bar(w storage.Writer, server storage.ServerID, who storage.PersonID) error {
	p, err := w.People().Get(who)
	leagues, err2 := w.LeaguesIn(server)
	ladders, err3 := w.LaddersIn(server)
	if err := cmp.Or(err, err2, err3); err != nil {
		return err
	}
	for _, l := range leagues {
		if err := s.leave(w, &p, l.ID); err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
	}
	for _, l := range ladders {
		err = cmp.Or(err, s.takeOff(w, server, l.Variant, p.ID))
	}
	return err
}

// Absent bars people from the leagues and ladders of a platform's servers if none of their accounts is
// a member of the server any more, as has reports. If has cannot know, it must return true.
func (s *Service) Absent(ctx context.Context, platform string, has func(ctx context.Context, server, account string) bool) error {
	servers, err := storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Server, error) { return r.Servers().List() })
	for _, server := range servers {
		if server.Address.Platform != platform {
			continue
		}
		people, err2 := storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) { return entered(r, server.ID) })
		here := func(a storage.Address) bool { return a.Platform == platform }
		there := func(a storage.Address) bool { return here(a) && has(ctx, server.Address.ID, a.ID) }
		for _, p := range people {
			if err2 == nil && slices.ContainsFunc(p.Identities, here) && !slices.ContainsFunc(p.Identities, there) {
				err2 = s.store.Update(ctx, func(w storage.Writer) error { return s.bar(w, server.ID, p.ID) })
			}
		}
		err = errors.Join(err, err2)
	}
	return err
}

// entered are the people in the leagues and on the ladders of a server.
func entered(r storage.Reader, server storage.ServerID) (people []storage.Person, err error) {
	in := map[storage.PersonID]bool{}
	leagues, err := r.LeaguesIn(server)
	for _, l := range leagues {
		members, err2 := r.MembersOf(l.ID)
		err = cmp.Or(err, err2)
		for _, m := range members {
			in[m.Person] = true
		}
	}
	ladders, err2 := r.LaddersIn(server)
	for _, l := range ladders {
		for _, rung := range l.Rungs {
			in[rung.Person] = true
		}
	}
	for id := range in {
		p, err2 := r.PersonNow(id)
		people, err = append(people, p), cmp.Or(err, storage.UnlessMissing(err2))
	}
	return people, cmp.Or(err, err2)
}

// withdraw withdraws a person from a division: they lose their games in progress. late means that they
// have lost on time too often, which they are told.
func (s *Service) withdraw(w storage.Writer, d *storage.Division, p storage.PersonID, late bool) error {
	games, err := gamesOf(w.Reader, d)
	if err != nil {
		return err
	}
	seat, ended := -1, 0
	var left []storage.Game
	for i, pair := range Pairs(len(d.Entrants))[:len(games)] {
		side, plays := games[i].SideOf(p)
		switch {
		case !plays:
			continue
		case games[i].Over():
			ended++
		default:
			left = append(left, games[i])
		}
		seat = pair[side]
	}
	if seat < 0 || d.Entrants[seat].Out {
		return nil
	}
	e := &d.Entrants[seat]
	e.Out, e.Late, e.Before = true, late, ended
	err = w.Divisions().Put(*d)
	if late {
		err = errors.Join(err, s.tellWithdrawn(w, d.Season, p, len(left)))
	}
	for _, g := range left {
		err = errors.Join(err, s.match.Forfeit(w, g, p))
	}
	return err
}

// ended handles the end of a contested game: on a ladder it may move its players; in a season, a
// player who has lost too many games on time is withdrawn, and the last game ends the season.
func (s *Service) ended(w storage.Writer, g *storage.Game) error {
	if g.Ladder != 0 {
		return s.climb(w, g)
	}
	season, err := w.Seasons().Find(g.Season)
	league, err2 := w.Leagues().Find(season.League)
	if err := cmp.Or(err, err2); err != nil || league.Season != g.Season || !league.Runs {
		return err
	}
	if loser := lostOnTime(g); loser != 0 && s.now().Before(season.Ends) { // then all games end, and closeMore withdraws
		d, err := w.DivisionOf(g.Season, g.Part)
		games, err2 := gamesOf(w.Reader, &d)
		if err = cmp.Or(err, err2); err == nil && tooLate(games, loser) {
			err = s.withdraw(w, &d, loser, true)
		}
		if err != nil {
			return err
		}
	}
	left, err := w.InSeason(g.Season, 0, 1)
	if err != nil || len(left) > 0 {
		return err
	}
	if _, err := w.Jobs().Get(storage.JobID{Kind: pairJob, Of: uint64(season.ID)}); !errors.Is(err, storage.ErrNotFound) { // more games are about to begin
		return storage.UnlessMissing(err)
	}
	if league, err = w.Leagues().Get(league.ID); err == nil && !league.Wake.IsZero() {
		league.Wake, league.Halved = s.now(), true
		err = w.Leagues().Put(league)
	}
	return err
}

// tooLate reports whether somebody has lost too many of a division's games on time.
func tooLate(games []storage.Game, p storage.PersonID) bool {
	const most = 2
	lost := 0
	for i := range games {
		if lostOnTime(&games[i]) == p {
			lost++
		}
	}
	return lost >= most
}

// tellWithdrawn tells somebody in their private chat, if they have one, that they are out of the
// season, and how many games they have lost with it.
func (s *Service) tellWithdrawn(w storage.Writer, season storage.SeasonID, id storage.PersonID, lost int) error {
	l, err := w.LeagueOf(season)
	p, err2 := w.PersonNow(id)
	m, err3 := w.Member(l.ID, &p)
	if err := cmp.Or(err, err2, err3); err != nil || p.Home == 0 {
		return storage.UnlessMissing(err)
	}
	told := event.League{League: l.ID, Season: season, Again: event.Flag(m.Missed+1 >= missable), Lost: lost}
	return w.Post(event.Event{Kind: event.Withdrawn, Payload: told}.Entry(p.Home, s.now()))
}

// gamesOf are the games of a division, in the order of their pairs; a missing one is the zero Game.
func gamesOf(r storage.Reader, d *storage.Division) ([]storage.Game, error) {
	found, err := r.Games().All(d.Games)
	games := make([]storage.Game, len(d.Games))
	for _, g := range found {
		games[slices.Index(d.Games, g.ID)] = g
	}
	return games, err
}

func standingOf(r storage.Reader, p storage.PersonID, variant string) (float64, error) {
	career, err := r.Standings(p)
	if now, played := career.Standings[variant]; played {
		return now.Value, err
	}
	return rating.StartValue, storage.UnlessMissing(err)
}
