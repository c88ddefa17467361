package rating

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/storage"
)

// MostAnnulled is how many games a server may leave out of its leaderboards, the last ones: one that was left
// out so long before counts again.
const MostAnnulled = 500

// Annul lets a rated game count no more anywhere, as if it had not been played. All ratings
// that it had part in are computed again, step by step: here if they are few, else by Tick.
// Both players are told. It is for operators alone. It refuses NoSuchGame, Damaged, Aborted and
// NotRated.
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
		return errors.Join(w.Games().Put(g), w.PutRecount(job), l.events.Post(w, &g, event.Event{Kind: event.GameAnnulled, Ply: len(g.Moves)}))
	})
	if err != nil {
		return err
	}
	return l.Work(ctx)
}

// LeaveOut takes a rated game out of the leaderboards of the asker's server, at the second
// word; with sure, only then. Ratings stay: people who have a server of their own could undo
// their losses there. Both players are told. Who may do that is for the asker's platform to
// say, at the first word; a player of the game never may.
func (l *Service) LeaveOut(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return l.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		g, err := event.Named(w.Reader, id)
		if err != nil {
			return event.Done{}, err
		}
		server, err := leavesOut(w.Reader, by, &g)
		said := l.events.Second(g.Strike, by) && g.Strike.Server == server.ID
		switch {
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
			w.Games().Put(g), w.Servers().Put(server), l.events.Post(w, &g, event.Event{Kind: event.GameAnnulled, Ply: len(g.Moves), By: by.Person}),
		)
	})
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

// leavesOut is the asker's server, whose leaderboards can leave a game out: it refuses what is
// no rated game of that server, and one of their own.
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
