package bot

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"chimera/bot/inbox"
	"chimera/storage"
)

// overtaker is what is said right after a room's next letter and shows the move that this
// tells, nil if nothing is.
func (in *room) overtaker() *letter {
	letters := in.games[in.next.Game]
	if len(letters) < 2 || inbox.What(in.next.Kind) != inbox.Moved || in.next.missed {
		return nil
	}
	switch next := letters[1]; inbox.What(next.Kind) {
	case inbox.Moved, inbox.Ended:
		return next
	default:
		return nil
	}
}

// fold lets the next thing that is said of a game tell a move that was overtaken before
// it could be said: a board is not held up by lines about what led to it.
func (c *Courier) fold(ctx context.Context, j *job) {
	var told storage.Entry
	err := c.bot.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error {
		waiting, err := w.Outbox(j.into.ID-1, 1)
		if err != nil || len(waiting) == 0 || waiting[0].ID != j.into.ID {
			told = storage.Entry{} // it is not said any more
			return err
		}
		told = telling(waiting[0], &j.Entry)
		if err := w.Delivered(j.ID); err != nil {
			return err
		}
		return w.Retry(told)
	})
	switch {
	case err != nil:
		c.later(ctx, j, err)
	case told.ID == 0:
		c.forget(j, j.into)
		c.put(j)
	default:
		c.mu.Lock()
		j.into.Entry = told
		c.mu.Unlock()
		c.drop(j)
	}
}

// forget takes a letter from those that wait after a job.
func (c *Courier) forget(j *job, gone *letter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	games := j.room.games
	games[j.Game] = slices.DeleteFunc(games[j.Game], func(l *letter) bool { return l == gone })
}

// telling is an entry that tells a move before it too, and what that tells.
func telling(e storage.Entry, move *storage.Entry) storage.Entry {
	facts := maps.Clone(e.Facts)
	if facts == nil {
		facts = map[string]string{}
	}
	facts[inbox.FactBefore] = move.Facts[inbox.FactBefore] + fmt.Sprintf("%d %s\n", move.Ply, move.Facts[inbox.FactMove])
	e.Facts = facts
	return e
}
