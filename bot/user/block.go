package user

import (
	"context"
	"slices"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/storage"
)

// Block refuses, or accepts again, challenges from a person to the asker. It refuses
// BlocksThemself and TooManyBlocked.
func (s *Users) Block(ctx context.Context, by event.By, whom storage.PersonID, blocked bool) (event.Done, error) {
	if whom == by.Person {
		return event.Done{}, event.Refuse(event.BlocksThemself, 0)
	}
	return s.change(ctx, by, event.Chose, func(_ storage.Writer, p *storage.Person) error {
		was := len(p.Blocked)
		if p.Blocked = including(p.Blocked, whom, blocked); len(p.Blocked) > max(was, limit.Blocks) {
			return event.Refuse(event.TooManyBlocked, 0)
		}
		return nil
	})
}

// Hide takes a person off all leaderboards of the asker's server, or puts them there
// again. It refuses NoServer and TooManyHidden.
func (s *Users) Hide(ctx context.Context, by event.By, whom storage.PersonID, hidden bool) (event.Done, error) {
	return s.changeServer(ctx, by, func(server *storage.Server, _ storage.Place) error {
		was, list := len(server.Settings.Hidden), including(server.Settings.Hidden, whom, hidden)
		if server.Settings.Hidden = list; len(list) > max(was, limit.Hidden) {
			return event.Refuse(event.TooManyHidden, 0)
		}
		return nil
	})
}

// including is a list with somebody at its end, or without them.
func including(list []storage.PersonID, who storage.PersonID, wanted bool) []storage.PersonID {
	list = slices.DeleteFunc(slices.Clone(list), func(id storage.PersonID) bool { return id == who })
	if wanted {
		list = append(list, who)
	}
	return list
}

// replaceBlocked puts others in the place of a person in some of the lists that have that person on
// them, and reports whether there are more: people's lists of those whose challenges they do not want,
// and servers' of those whom their leaderboards leave out. Nobody comes to block themself; corrupt
// records are left out.
func replaceBlocked(w storage.Writer, who storage.PersonID, instead ...storage.PersonID) (more bool, err error) {
	replaced := func(list []storage.PersonID, but storage.PersonID) []storage.PersonID {
		list = slices.Concat(list, instead)
		return Distinct(slices.DeleteFunc(list, func(id storage.PersonID) bool {
			return id == but || id == who && !slices.Contains(instead, who)
		}))
	}
	left := somePuts
	more, err = storage.Batch(w.People().Each(w.BlockedBy(who)), &left, func(p storage.Person) (bool, error) {
		was := p.Blocked
		if p.Blocked = replaced(was, p.ID); slices.Equal(p.Blocked, was) {
			return false, nil
		}
		return true, w.People().Put(p)
	})
	if more || err != nil {
		return more, err
	}
	return storage.Batch(w.Servers().Each(w.HiddenBy(who)), &left, func(server storage.Server) (bool, error) {
		was := server.Settings.Hidden
		if server.Settings.Hidden = replaced(was, 0); slices.Equal(server.Settings.Hidden, was) {
			return false, nil
		}
		return true, w.Servers().Put(server)
	})
}
