// Package rating is Glicko-2, leaderboards and standings: what the results of rated games
// make of people.
//
// # Design
//
// Standings are authoritative, together with the log of results: a result changes the standings of
// both players and the log, and nothing else. Each process makes leaderboards from them in memory when
// somebody first asks, and reads what has been added to the log before every use: so nobody sees a
// board that misses a result. Storing the boards was tried: it took some eighty keys for each result,
// and a third of this package to keep them in step.
//
// Ratings depend on the order of a person's games. When a game no longer counts, or becomes somebody
// else's, all ratings are computed again from the log in memory, and stored records that differ are
// then updated step by step.
//
// # Glicko-2
//
// It follows Mark Glickman's "Example of the Glicko-2 system"
// (http://www.glicko.net/glicko/glicko2.pdf). Games are rated one by one, as on lichess, and not in
// periods of many games: a rating period is a length of time, and the deviation grows between games by
// fractions of it. For one whole period, this is the paper's sixth step. The constants are lichess's
// too: with 0.21436 periods a day and a volatility of 0.06, a deviation grows from 60 to 110 in a
// year.
//
// Results are rounded before they are stored, so that computing them again from the
// games gives the same ones on every machine: the last bits of a logarithm differ
// between processors, and are far below what is kept. Products that are added to
// something are rounded first by a conversion, since a compiler may otherwise fuse the two
// on some machines.
package rating

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Service rates games and ranks people. It is safe for concurrent use.
type Service struct {
	store    *storage.Store
	events   *event.Log
	variants []*rules.Variant
	now      func() time.Time
	latest   atomic.Int64 // the log was read up to this, in Unix nanoseconds

	// Struck is called for each contested game that no longer counts, in the same transaction. It is set
	// before the first.
	Struck func(storage.Writer, *storage.Game) error

	counting  sync.Mutex  // held while all ratings are computed again
	recounted *recounting // nil to begin anew

	mu     sync.Mutex
	boards *boards // nil before anybody has asked
}

// New makes a Service for games of these variants. now is the wall clock.
func New(store *storage.Store, in *event.Log, variants []*rules.Variant, now func() time.Time) *Service {
	return &Service{store: store, events: in, variants: variants, now: now}
}

// variant is the variant with a key, or nil.
func (l *Service) variant(key string) *rules.Variant { return rules.Find(l.variants, key) }

// Called is the name of a kind of game, its key if there is none.
func (l *Service) Called(kind string) phrase.Phrase {
	if v := l.variant(kind); v != nil {
		return v.Title()
	}
	return phrase.As(kind)
}

// withBoards calls fn with the stored records and leaderboards that are up to date with them.
func (l *Service) withBoards(ctx context.Context, fn func(storage.Reader, *boards) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.store.View(ctx, func(r storage.Reader) error {
		b, err := l.boards.refreshed(r, l.now())
		if l.boards = b; err != nil {
			l.boards = nil
			return err
		}
		l.read(b.log.at)
		return fn(r, b)
	})
}

// CatchUp brings the leaderboards up to date, so that whoever asks next does not wait for it.
func (l *Service) CatchUp(ctx context.Context) error {
	return l.withBoards(ctx, func(storage.Reader, *boards) error { return nil })
}

// read notes up to when the log was read.
func (l *Service) read(at time.Time) { l.latest.Store(max(l.latest.Load(), at.UnixNano())) }

// Limits on rated games outside of leagues and ladders. Games of those count however short they are,
// or players who never move would lose nothing.
const (
	MinPlies = 10 // shorter games do not count
	MaxPairs = 3  // games a day between the same two people that count
)

// Reasons in Game.Void why a rated game with a result does not count.
const (
	TooShort = "too short" // fewer plies than MinPlies
	TooMany  = "too many"  // the same two had MaxPairs on that day
	Annulled = "annulled"
)

// Finish handles the end of a game: if it counts, it updates both ratings, and the game enters the log
// of results. The end is set to at least a nanosecond after the end of its players' last games.
func (l *Service) Finish(w storage.Writer, was, g *storage.Game) (err error) {
	switch _, decided := scores[g.Result]; {
	case was.Over() || !g.Over() || !g.Rated || !decided:
		return nil
	case len(g.Moves) < MinPlies && !g.Contested():
		g.Void = TooShort
		return nil
	}
	var both [2]storage.Standings
	for side, p := range g.Players {
		if both[side], err = w.Standings(p); err != nil {
			return err
		}
		if last := both[side].Standings[storage.Overall].At; !g.Changed.After(last) {
			g.Changed = last.Add(1)
		}
	}
	first, other := storage.White, storage.Black
	if g.Players[first] > g.Players[other] {
		first, other = other, first
	}
	if met := both[first].Meet(g.Players[other], g.Changed); met > MaxPairs && !g.Contested() {
		g.Void = TooMany
		return nil
	}
	servers, err := w.Homes(g)
	if err != nil {
		return err
	}
	g.Counted, g.Servers = true, servers
	g.Figures = rate(&both, storage.ResultOf(g))
	for side, p := range g.Players {
		if servers[side] != 0 {
			both[side].Join(servers[side])
		}
		err = errors.Join(err, w.PutStandings(p, both[side]))
	}
	return errors.Join(err, l.noticeLate(w, g.Changed))
}

// noticeLate discards everything made from the log if a result comes before those read long ago,
// because a clock was set back.
func (l *Service) noticeLate(w storage.Writer, at time.Time) error {
	if at.UnixNano() >= l.latest.Load()-int64(late) {
		return nil
	}
	job, wanted, err := w.Recount()
	if wanted && err == nil {
		job.Round++
		err = w.PutRecount(job)
	}
	return errors.Join(err, w.RemakeBoards())
}

// Enough reports whether two people have played as many rated games today as can count.
func (l *Service) Enough(ctx context.Context, a, b storage.PersonID) (bool, error) {
	return storage.Read(ctx, l.store, func(r storage.Reader) (bool, error) {
		career, err := r.Standings(min(a, b))
		return career.MetOn(max(a, b), l.now()) >= MaxPairs, err
	})
}

// scores are White's points by the result of a game.
var scores = map[string]float64{ //nolint:gochecknoglobals // never written
	rules.WhiteWins.String(): 1, rules.BlackWins.String(): 0, rules.Drawn.String(): 0.5,
}

// pointsOf are a side's points by the result of a game; false if it was not decided.
func pointsOf(result string, side storage.Side) (points float64, decided bool) {
	points, decided = scores[result]
	if side == storage.Black {
		points = 1 - points
	}
	return points, decided
}

// ledger is what results, one after the other, have made of people.
type ledger map[storage.PersonID]storage.Standings

// add rates a game, and returns both ratings after it.
func (l ledger) add(r storage.Result) storage.Figures {
	defer runtime.Gosched() // there may be many games, and only a core or two: let writes go first
	both := [2]storage.Standings{l[r.Players[storage.White]], l[r.Players[storage.Black]]}
	f := rate(&both, r)
	for side, p := range r.Players {
		l[p] = both[side]
	}
	return f
}

// rate updates both players' standings by a game, in its kind and overall, and returns both ratings in
// its kind.
func rate(both *[2]storage.Standings, r storage.Result) (f storage.Figures) {
	for _, kind := range []string{storage.Overall, r.Kind} {
		before := [2]storage.Standing{standing(&both[0], kind), standing(&both[1], kind)}
		now := before
		apply(&now, r)
		for side := range both {
			both[side].Put(kind, now[side])
			f.Ratings[side] = [2]float64{before[side].Value, now[side].Value}
			f.Spreads[side] = now[side].Deviation
		}
	}
	return f
}

// standing is the part of a career about a kind of game.
func standing(c *storage.Standings, kind string) storage.Standing {
	if now, ok := c.Standings[kind]; ok {
		return now
	}
	return storage.Standing{Value: StartValue, Deviation: MaxDeviation, Volatility: StartVolatility}
}

// apply updates the standings of White and Black by a game. It depends on nothing else, so that
// ratings can be computed again from the games.
func apply(both *[2]storage.Standing, r storage.Result) {
	opponents := [2]Rating{At(&both[storage.Black], r.At), At(&both[storage.White], r.At)}
	for side := range both {
		s := &both[side]
		points, _ := pointsOf(r.Result, side)
		Rate(s, opponents[side], r.At, points)
		switch points {
		case 1:
			s.Wins++
			s.Streak++
			s.Best = max(s.Best, s.Streak)
			s.Merges += r.Merges[side]
		case 0:
			s.Losses++
			s.Streak = 0
		default:
			s.Draws++
			s.Streak = 0
		}
	}
}

func ratingOf(s *storage.Standing) Rating { return Rating{s.Value, s.Deviation, s.Volatility} }

// MostAnnulled is how many games a server may leave out of its leaderboards, the latest ones: with one
// more, the oldest counts again.
const MostAnnulled = 500

// Annul makes a rated game stop counting anywhere, as if it had not been played. All ratings are
// computed again: here if that is quick, else step by step by Tick. Both players are told. It is for
// operators alone. It refuses NoSuchGame, Damaged, Aborted and NotRated.
func (l *Service) Annul(ctx context.Context, id storage.GameID) error {
	err := l.store.Update(ctx, func(w storage.Writer) error {
		g, err := event.Named(w.Reader, id)
		if err == nil && (!g.Counted || g.Annul) {
			err = event.Refuse(event.NotRated, id)
		}
		job, _, err2 := w.Recount()
		if err = errors.Join(err, err2); err != nil {
			return err
		}
		g.Strike, g.Annul = nil, true
		job.Games = append(job.Games, id)
		return errors.Join(w.Games().Put(g), w.PutRecount(job), l.annulled(w, &g, 0))
	})
	if err != nil {
		return err
	}
	return l.Work(ctx)
}

// LeaveOut takes a rated game out of the leaderboards of the asker's server, at the second word; a
// first word is kept, or refused if sure. Ratings stay as they are: otherwise people with a server of
// their own could undo their losses there. Both players are told. The platform has to check at the
// first word that the asker may do this; a player of the game never may.
func (l *Service) LeaveOut(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return l.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		g, err := event.Named(w.Reader, id)
		server, err2 := leavesOut(w.Reader, by, &g)
		said := l.events.Second(g.Strike, by) && g.Strike.Server == server.ID
		switch err := cmp.Or(err, err2); {
		case err != nil:
			return event.Done{}, err
		case !said && sure:
			return event.Done{}, event.Refuse(event.NotAsked, id)
		case !said:
			g.Strike = l.events.Offer(by)
			g.Strike.Server = server.ID
			return event.Done{Kind: event.AnnulAsked, Game: id}, w.Games().Put(g)
		}
		g.Strike = nil
		all := append(server.Settings.Annulled, id)
		server.Settings.Annulled = all[max(0, len(all)-MostAnnulled):]
		return event.Done{Kind: event.Chose, Game: id}, errors.Join(
			w.Games().Put(g), w.Servers().Put(server), l.annulled(w, &g, by.Person),
		)
	})
}

// annulled tells of a game that somebody has stopped from counting.
func (l *Service) annulled(w storage.Writer, g *storage.Game, by storage.PersonID) error {
	err := l.events.Post(w, g, event.Event{Kind: event.GameAnnulled, Ply: len(g.Moves), By: by})
	if g.Contested() && l.Struck != nil {
		err = errors.Join(err, l.Struck(w, g))
	}
	return err
}

// LetCount takes back the asker's first word to leave a game out. It refuses NotAsked.
func (l *Service) LetCount(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return l.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		g, err := event.Named(w.Reader, id)
		switch {
		case err != nil:
			return event.Done{}, err
		case g.Strike == nil || g.Strike.By != by.Person:
			return event.Done{}, event.Refuse(event.NotAsked, id)
		}
		g.Strike = nil
		return event.Done{Kind: event.Chose, Game: id}, w.Games().Put(g)
	})
}

// leavesOut is the asker's server, whose leaderboards are to leave a game out: it refuses games that
// are not rated games of that server, and the asker's own.
func leavesOut(r storage.Reader, by event.By, g *storage.Game) (server storage.Server, err error) {
	here, err := r.Places().Get(by.Place)
	there, err2 := r.Homes(g)
	switch err := errors.Join(err, err2); {
	case err != nil:
		return server, err
	case here.Server == 0:
		return server, event.Refuse(event.NoServer, 0)
	case slices.Contains(g.Players[:], by.Person):
		return server, event.Refuse(event.OwnGame, g.ID)
	case !slices.Contains(there[:], here.Server):
		return server, event.Refuse(event.NotOfServer, g.ID)
	}
	server, err = r.Servers().Get(here.Server)
	if err == nil && (!g.Counted || g.Annul || server.LeavesOut(g.ID)) {
		err = event.Refuse(event.NotRated, g.ID)
	}
	return server, err
}
