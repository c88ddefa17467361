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
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		p, err := w.People().Get(by.Person)
		if err != nil {
			return event.Done{}, err
		}
		was := len(p.Blocked)
		if p.Blocked = including(p.Blocked, whom, blocked); len(p.Blocked) > max(was, limit.Blocks) {
			return event.Done{}, event.Refuse(event.TooManyBlocked, 0)
		}
		return event.Done{Kind: event.Chose}, w.People().Put(p)
	})
}

// Hide takes a person off all leaderboards of the asker's server, or puts them there
// again. It refuses NoServer and TooManyHidden.
func (s *Users) Hide(ctx context.Context, by event.By, whom storage.PersonID, hidden bool) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		server, _, err := serverAt(w, by.Place)
		if err != nil {
			return event.Done{}, err
		}
		was, list := len(server.Settings.Hidden), including(server.Settings.Hidden, whom, hidden)
		if server.Settings.Hidden = list; len(list) > max(was, limit.Hidden) {
			return event.Done{}, event.Refuse(event.TooManyHidden, 0)
		}
		return event.Done{Kind: event.Chose}, w.Servers().Put(server)
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

// replaceBlocked lets those who do not want a person not want others instead, some of them, and
// reports whether there are more; nobody blocks themself. They are the people who want no
// challenges from that person, and the servers that show them on no leaderboard, but for those whose
// record is damaged.
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
