package league

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/inbox"
	"chimera/storage"
)

// Annul lets a rated game count no more, as if it had not been played, at the second word;
// with sure, only then. All ratings that it had part in are computed again, step by step,
// and change at once when that is done: here if they are few, else by Tick. Both players
// are told. Who may do that is for the asker's platform to say, at the first word; a player
// of the game never may.
func (l *League) Annul(ctx context.Context, by inbox.By, id storage.GameID, sure bool) (inbox.Done, error) {
	done, err := l.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		g, err := inbox.Named(w.Reader, id)
		if err != nil {
			return inbox.Done{}, err
		}
		if err := mayAnnul(w.Reader, by, &g); err != nil {
			return inbox.Done{}, err
		}
		was := g
		if !l.inbox.Second(g.Strike, by) {
			if sure {
				return inbox.Done{}, inbox.Refuse(inbox.NotAsked, id)
			}
			g.Strike = l.inbox.Offer(by)
			return inbox.Done{What: inbox.AnnulAsked, Game: id}, w.PutGame(was, g)
		}
		g.Strike, g.Annul = nil, true
		job, _, err := recount(w.Reader)
		if err != nil {
			return inbox.Done{}, err
		}
		job.Games = append(job.Games, id)
		return inbox.Done{What: inbox.Chose, Game: id}, errors.Join(
			w.PutGame(was, g), w.PutRecount(job), l.inbox.Post(w, &g, inbox.Said{What: inbox.GameAnnulled, Ply: len(g.Moves), By: by.Person}),
		)
	})
	if err != nil || done.What == inbox.AnnulAsked {
		return done, err
	}
	return done, l.Work(ctx)
}

// LetCount takes back the asker's first word to annul a game. It refuses NotAsked.
func (l *League) LetCount(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return l.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		g, err := inbox.Named(w.Reader, id)
		switch {
		case err != nil:
			return inbox.Done{}, err
		case g.Strike == nil || g.Strike.By != by.Person:
			return inbox.Done{}, inbox.Refuse(inbox.NotAsked, id)
		}
		was := g
		g.Strike = nil
		return inbox.Done{What: inbox.Chose, Game: id}, w.PutGame(was, g)
	})
}

// mayAnnul refuses what is no rated game of the asker's server, or one of their own.
func mayAnnul(r storage.Reader, by inbox.By, g *storage.Game) error {
	here, err := r.Place(by.Place)
	if err != nil {
		return err
	}
	there, err := r.Homes(g)
	switch {
	case err != nil:
		return err
	case here.Server == 0:
		return inbox.Refuse(inbox.NoServer, 0)
	case slices.Contains(g.Players[:], by.Person):
		return inbox.Refuse(inbox.OwnGame, g.ID)
	case !slices.Contains(there[:], here.Server):
		return inbox.Refuse(inbox.NotOfServer, g.ID)
	case !g.Counted || g.Annul:
		return inbox.Refuse(inbox.NotRated, g.ID)
	}
	return nil
}
