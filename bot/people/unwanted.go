package people

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/inbox"
	"chimera/storage"
)

// Block refuses, or accepts again, challenges from a person to the asker.
func (s *People) Block(ctx context.Context, by inbox.By, whom storage.PersonID, blocked bool) (inbox.Done, error) {
	if whom == by.Person {
		return inbox.Done{}, inbox.Refuse(inbox.BlocksThemself, 0)
	}
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		p.Blocked = slices.DeleteFunc(slices.Clone(p.Blocked), func(id storage.PersonID) bool { return id == whom })
		if blocked {
			p.Blocked = append(p.Blocked, whom)
		}
		return inbox.Done{What: inbox.Chose}, w.PutPerson(p)
	})
}

// wary are those who want no challenges from a person, and the servers that show him on no
// leaderboard, but for those whose record is damaged.
func wary(r storage.Reader, of storage.PersonID) (people []storage.Person, servers []storage.Server, err error) {
	blocking, err := r.BlockedBy(of)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range blocking {
		p, err := r.Person(id)
		if err != nil && !storage.Lost(err) {
			return nil, nil, err
		}
		if err == nil && slices.Contains(p.Blocked, of) {
			people = append(people, p)
		}
	}
	hiding, err := r.HiddenBy(of)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range hiding {
		server, err := r.Server(id)
		if err != nil && !storage.Lost(err) {
			return nil, nil, err
		}
		if err == nil && server.Hides(of) {
			servers = append(servers, server)
		}
	}
	return people, servers, nil
}

// beWary lets those who are wary of a person be so of others instead, nobody of himself.
func beWary(w storage.Writer, of storage.PersonID, instead ...storage.PersonID) error {
	people, servers, err := wary(w.Reader, of)
	if err != nil {
		return err
	}
	replaced := func(list []storage.PersonID, but storage.PersonID) []storage.PersonID {
		list = slices.Concat(list, instead)
		return Distinct(slices.DeleteFunc(list, func(id storage.PersonID) bool {
			return id == but || id == of && !slices.Contains(instead, of)
		}))
	}
	for _, p := range people {
		p.Blocked = replaced(p.Blocked, p.ID)
		if err := w.PutPerson(p); err != nil {
			return err
		}
	}
	for _, server := range servers {
		server.Settings.Hidden = replaced(server.Settings.Hidden, 0)
		if err := w.PutServer(server); err != nil {
			return err
		}
	}
	return nil
}

// stayWary gives what blocks and hides a person to an account that is his no longer, and
// the account his own blocks: else who is not wanted would only have to unlink one.
func stayWary(w storage.Writer, p storage.Person, account storage.Address) error {
	people, servers, err := wary(w.Reader, p.ID)
	if err != nil || len(people)+len(servers)+len(p.Blocked) == 0 {
		return err
	}
	was, err := w.Meet(account, p.Name)
	if err != nil {
		return err
	}
	now := was
	now.Blocked = p.Blocked
	return errors.Join(w.PutPerson(now), beWary(w, p.ID, p.ID, now.ID))
}

// Hide takes a person off all leaderboards of the asker's server, or puts him there
// again.
func (s *People) Hide(ctx context.Context, by inbox.By, whom storage.PersonID, hidden bool) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		server, _, err := serverOf(w, by.Place)
		if err != nil {
			return inbox.Done{}, err
		}
		server.Settings.Hidden = slices.DeleteFunc(slices.Clone(server.Settings.Hidden), func(id storage.PersonID) bool { return id == whom })
		if hidden {
			server.Settings.Hidden = append(server.Settings.Hidden, whom)
		}
		return inbox.Done{What: inbox.Chose}, w.PutServer(server)
	})
}
