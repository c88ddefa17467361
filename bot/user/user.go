// Package user keeps people and the places where they are met: accounts, sessions and settings, rooms,
// private chats and servers. Accounts can be linked, and people forgotten.
package user

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

// Users keeps people, places and what people have chosen. It is safe for concurrent use.
type Users struct {
	store   *storage.Store
	events  *event.Log
	match   *match.Service
	ratings *rating.Service
	now     func() time.Time

	// Withdraw takes a person who is being forgotten out of contests, and reports whether there may be
	// more to do; set it before anything is played.
	Withdraw func(storage.Writer, storage.PersonID) (more bool, err error)
}

// New makes Users over a store. now is the wall clock.
func New(store *storage.Store, in *event.Log, ratings *rating.Service, m *match.Service, now func() time.Time) *Users {
	none := func(storage.Writer, storage.PersonID) (bool, error) { return false, nil }
	return &Users{store, in, m, ratings, now, none}
}

// How much one step of a job, which is a transaction, does at most.
const (
	fewGames  = 8   // to change or end, with all their places; or challenges
	toldGames = 16  // to tell people of
	somePuts  = 64  // to write by themselves
	manyDrops = 200 // to remove
)

// The kinds of jobs.
const (
	leaveJob  = "leave"  // the places of a server are gone, or can be reached again
	lossJob   = "lost"   // people who play at a place are told that it is gone
	missedJob = "missed" // what a place has missed is shown there
	handJob   = "hand"   // a server gets the places of another
	moveJob   = "move"   // a place gets the games and challenges of another
)

// jobs are the jobs about people, places and clocks, which are quick, unlike joins.
func (s *Users) jobs() storage.Jobs {
	all := storage.Jobs{
		leaveJob: s.leaveMore, lossJob: s.tellLost, missedJob: s.showMore, handJob: handMore, moveJob: moveMore, storage.ForgetJob: s.forgetMore,
	}
	maps.Copy(all, s.match.Jobs())
	return all
}

// WorkMore does one step of the first job, and reports whether there may be another. The program may
// end between any two steps.
func (s *Users) WorkMore(ctx context.Context) (more bool, err error) {
	all := s.jobs()
	maps.Copy(all, s.joins())
	return all.More(ctx, s.store)
}

// Meet is the person with an identity, remembered under the name.
func (s *Users) Meet(ctx context.Context, a storage.Address, name string) (storage.Person, error) {
	person, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(a) })
	if err == nil && person.Name == storage.SafeName(name) || err != nil && !errors.Is(err, storage.ErrNotFound) {
		return person, err
	}
	err = s.store.Update(ctx, func(w storage.Writer) (err error) {
		person, err = w.Meet(a, name)
		return err
	})
	return person, err
}

// Met reports whether there is a person with an identity.
func (s *Users) Met(ctx context.Context, a storage.Address) (bool, error) {
	_, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(a) })
	return err == nil, storage.UnlessNew(err)
}

// Visit is a person at a place, as a platform knows them.
type Visit struct {
	Person  storage.Address
	Name    string
	Place   storage.Address
	Server  storage.Address // that the place belongs to; zero for none
	Private bool            // nobody else sees the place: they can be told things there
	Locale  string          // the person's language, as the platform has it; "" if that is not known
	Spoken  string          // likewise the server's
}

// Visitor is the person of a visit, and where they were met.
type Visitor struct {
	Person storage.Person
	Place  storage.Place
	Server storage.Server // zero for a private chat
}

// Welcome remembers a visit: the person's name, that the place can be reached, and whether it is
// private.
func (s *Users) Welcome(ctx context.Context, v Visit) (who Visitor, err error) {
	err = s.store.Update(ctx, func(w storage.Writer) error {
		var err, err2, err3 error
		who.Person, err = w.Meet(v.Person, v.Name)
		who.Place, err2 = w.Visit(v.Place, v.Server)
		who.Server, err3 = serverOf(w.Reader, who.Place)
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		person, place, server := v.update(&who)
		if server {
			err = w.Servers().Put(who.Server)
		}
		if place {
			err = errors.Join(err, w.Places().Put(who.Place))
		}
		if person {
			err = errors.Join(err, w.People().Put(who.Person))
		}
		return err
	})
	return who, err
}

// update takes over the languages of a visit and, in private, that the person can be told things
// there. It reports what has changed. A server gets the language of its first visitor until its own is
// known.
func (v *Visit) update(who *Visitor) (person, place, server bool) {
	p, at, in := &who.Person, &who.Place, &who.Server
	if locale := cmp.Or(v.Locale, p.Locale); locale != p.Locale {
		p.Locale, person = locale, true
	}
	if v.Private && p.Home != at.ID {
		p.Home, p.Chats, person = at.ID, Distinct(append(p.AllChats(), at.ID)), true
	}
	if v.Private && at.Owner != p.ID {
		at.Owner, place = p.ID, true
	}
	if locale := cmp.Or(v.Spoken, in.Locale, v.Locale); in.ID != 0 && locale != in.Locale {
		in.Locale, server = locale, true
	}
	return person, place, server
}

// Author is the author of a message, and the outcome of the message if it came before.
type Author struct {
	Visitor
	Again   *event.Done    // nil if it has not
	Playing []storage.Game // in progress, in order of number; only Overheard reads them
}

// Overheard is the author of a message that may not be meant for the bot, with the games that it could
// be about; the error is storage.ErrNotFound if the person or the place was never met.
func (s *Users) Overheard(ctx context.Context, a, at storage.Address, m storage.MessageID) (Author, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (who Author, err error) {
		if who, err = author(r, a, at, m); err == nil {
			who.Playing, err = r.Games().All(r.Playing(who.Person.ID))
		}
		return who, err
	})
}

// author reads first whether the message came before, which no process of a cluster has in memory.
// Nobody is met again by the message that made the bot forget them.
func author(r storage.Reader, a, at storage.Address, m storage.MessageID) (who Author, err error) {
	if who.Again, err = event.Before(r, m); err != nil || who.Again != nil && who.Again.Kind == event.Forgot {
		return who, err
	}
	who.Visitor, err = VisitorIn(r, a, at)
	return who, err
}

// Receive is the author of a message. Anything new about the visit is remembered; known is what was
// just read of the author, or nil.
func (s *Users) Receive(ctx context.Context, v Visit, m storage.MessageID, known *Author) (who Author, err error) {
	if known != nil {
		who = *known
	} else {
		who, err = storage.Read(ctx, s.store, func(r storage.Reader) (Author, error) { return author(r, v.Person, v.Place, m) })
	}
	forgot := who.Again != nil && who.Again.Kind == event.Forgot
	if errors.Is(err, storage.ErrNotFound) || err == nil && !forgot && v.isNews(who.Visitor) {
		who.Visitor, err = s.Welcome(ctx, v)
	}
	return who, err
}

// isNews reports whether something of a visit is not stored yet.
func (v *Visit) isNews(who Visitor) bool {
	person, place, server := v.update(&who)
	return person || place || server || who.Person.Name != storage.SafeName(v.Name) || !who.Place.Tried.IsZero() || who.Server.Address != v.Server
}

// Known is the person with an identity, the place at an address, and its server; the error is
// storage.ErrNotFound if the person or the place was never met.
func (s *Users) Known(ctx context.Context, a, at storage.Address) (Visitor, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (Visitor, error) { return VisitorIn(r, a, at) })
}

// VisitorIn is Known within a transaction.
func VisitorIn(r storage.Reader, a, at storage.Address) (who Visitor, err error) {
	var err2, err3 error
	who.Person, err = r.PersonAt(a)
	who.Place, err2 = r.PlaceAt(at)
	who.Server, err3 = serverOf(r, who.Place)
	return who, cmp.Or(err, err2, err3)
}

// Name is what a person is called.
func (s *Users) Name(ctx context.Context, p storage.PersonID) (string, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (string, error) { return r.NameOf(p) })
}

// change changes the asker, once for each message.
func (s *Users) change(ctx context.Context, by event.By, kind event.Kind, do func(storage.Writer, *storage.Person) error) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		p, err := w.People().Get(by.Person)
		if err = cmp.Or(err, do(w, &p)); err == nil {
			err = w.People().Put(p)
		}
		return event.Done{Kind: kind}, err
	})
}

// changeServer changes the server of the asker's place, once for each message. It refuses NoServer.
func (s *Users) changeServer(ctx context.Context, by event.By, do func(*storage.Server, storage.Place) error) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		server, err := event.ServerAt(w.Reader, by.Place)
		place, err2 := w.Places().Find(by.Place)
		if err = cmp.Or(err, err2, do(&server, place)); err == nil {
			err = w.Servers().Put(server)
		}
		return event.Done{Kind: event.Chose}, err
	})
}

// Lively is a place where games are in progress.
type Lively struct {
	Place  storage.Place
	Server storage.Server // that it is in; zero for a private chat
	Games  []storage.GameID
}

// Lively are the places of a platform where games are in progress, and the private chats of their
// players.
func (s *Users) Lively(ctx context.Context, platform string) ([]Lively, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (all []Lively, err error) {
		ids, err := r.LivelyPlaces()
		for i := 0; i < len(ids) && err == nil; i++ { // the loop adds to ids
			place, err := r.Places().Find(ids[i])
			if err != nil {
				return nil, err
			}
			if place.Address.Platform != platform || !place.Tried.IsZero() {
				continue
			}
			server, err := serverOf(r, place)
			games, err2 := r.Here(place.ID)
			players, err2 := playersOf(r, games, err2)
			if err := errors.Join(err, err2); err != nil {
				return nil, err
			}
			all = append(all, Lively{place, server, games})
			for _, p := range players {
				if p.Home != 0 && !slices.Contains(ids, p.Home) {
					ids = append(ids, p.Home)
				}
			}
		}
		return all, err
	})
}

// serverOf is the server that a place is in, zero for a private chat.
func serverOf(r storage.Reader, place storage.Place) (storage.Server, error) {
	if place.Server == 0 {
		return storage.Server{}, nil
	}
	return r.Servers().Get(place.Server)
}

// playersOf are the players of some games, each once; failed is an error from finding the games, or
// nil.
func playersOf(r storage.Reader, games []storage.GameID, failed error) ([]storage.Person, error) {
	all, err := r.Games().All(games, failed)
	var ids []storage.PersonID
	for _, g := range all {
		ids = append(ids, g.Players[:]...)
	}
	return r.People().All(Distinct(ids), err)
}

// Home is the place where a game is played and its server, zero for a private chat.
func (s *Users) Home(ctx context.Context, id storage.GameID) (place storage.Place, server storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		g, err := r.Games().Get(id)
		var err2, err3 error
		place, err2 = r.Places().Get(g.Place)
		server, err3 = serverOf(r, place)
		return cmp.Or(err, err2, err3)
	})
	return place, server, err
}

// PeopleAt are the people who play at a place, and those who lately played with somebody, unless that is 0.
func (s *Users) PeopleAt(ctx context.Context, at storage.Address, with storage.PersonID) ([]storage.Person, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) {
		place, err := r.PlaceAt(at)
		games, err2 := r.Here(place.ID)
		own, err3 := r.GamesOf(with)
		return playersOf(r, append(games, own[max(0, len(own)-limit.Searched):]...), cmp.Or(storage.UnlessNew(err), err2, err3))
	})
}

// Concerned are the people of a game or a challenge; nobody if it is gone or unreadable.
func (s *Users) Concerned(ctx context.Context, id storage.GameID) ([]storage.Person, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) {
		people, _, err := concerned(r, id)
		return people, err
	})
}

// concerned are the people of a game or of a challenge, and the game if it is one.
func concerned(r storage.Reader, id storage.GameID) ([]storage.Person, storage.Game, error) {
	g, err := r.Games().Find(id)
	who := g.Players[:]
	if g.ID == 0 && err == nil {
		var c storage.Challenge
		c, err = r.Challenges().Find(id)
		who = []storage.PersonID{c.From, c.To} // 0 is nobody
	}
	people, err := r.People().All(who, err)
	return people, g, err
}

// AccountsOn are people's accounts on a platform; people without one are left out.
func (s *Users) AccountsOn(ctx context.Context, people []storage.PersonID, platform string) map[storage.PersonID]string {
	if len(people) == 0 {
		return nil
	}
	known, _ := storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Person, error) { return r.People().All(people) })
	accounts := map[storage.PersonID]string{}
	for _, p := range known { // an unreadable person is called by name
		if account, ok := p.On(platform); ok {
			accounts[p.ID] = account
		}
	}
	return accounts
}

// ErrShownBefore means that a proof of identity has been used for a session before.
var ErrShownBefore = errors.New("user: a session was begun with this before")

// NewSession signs a person in on pages for some time, and returns the secret that identifies the
// session; only its hash is stored. Each proof of identity can be used once: the second time, it fails
// with ErrShownBefore.
func (s *Users) NewSession(ctx context.Context, p storage.PersonID, lasts time.Duration, shown storage.MessageID) (secret string, err error) {
	secret = rand.Text()
	return secret, s.store.Update(ctx, func(w storage.Writer) error {
		_, err := w.Seen(shown)
		if err == nil {
			return ErrShownBefore
		}
		return errors.Join(storage.UnlessNew(err), w.PutSeen(shown, storage.Seen{At: s.now()}), putSession(w, storage.Session{Hash: secretHash(secret), Person: p, Ends: s.now().Add(lasts)}))
	})
}

// AnotherSession begins a second session, which ends when the first one does. The error is
// storage.ErrNotFound if the secret has no current session.
func (s *Users) AnotherSession(ctx context.Context, secret string) (other string, err error) {
	other = rand.Text()
	return other, s.store.Update(ctx, func(w storage.Writer) error {
		p, err := s.session(w.Reader, secret)
		if err != nil {
			return err
		}
		p.Hash = secretHash(other)
		return putSession(w, p)
	})
}

// putSession stores a new session. If its person has too many, those that expire first are removed.
func putSession(w storage.Writer, p storage.Session) error {
	all, err := w.SessionsOf(p.Person)
	slices.SortFunc(all, func(a, b storage.Session) int { return b.Ends.Compare(a.Ends) })
	for _, old := range all[min(len(all), limit.Passes-1):] {
		err = errors.Join(err, w.Sessions().Delete(old.Hash))
	}
	return errors.Join(err, w.Sessions().Put(p))
}

// session is the session with a secret, unless it has expired.
func (s *Users) session(r storage.Reader, secret string) (storage.Session, error) {
	p, err := r.Sessions().Get(secretHash(secret))
	if err == nil && !s.now().Before(p.Ends) {
		err = storage.ErrNotFound
	}
	return p, err
}

// Pages is the platform of pages.
const Pages = "web"

// OnPages is the place on pages of a person who has no private chat.
func OnPages(p storage.PersonID) storage.Address {
	return storage.Address{Platform: Pages, ID: strconv.FormatUint(uint64(p), 10)}
}

func secretHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// SessionHolder is the person signed in with a secret, and where to tell them things in private, if
// that is possible now. The error is storage.ErrNotFound if the secret has no current session.
func (s *Users) SessionHolder(ctx context.Context, secret string) (Visitor, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (who Visitor, err error) {
		p, err := s.session(r, secret)
		if err != nil {
			return who, err
		}
		who.Person, err = r.People().Get(p.Person)
		home, err2 := r.Places().Find(who.Person.Home)
		if err = cmp.Or(err, err2); err == nil && len(who.Person.Identities) == 0 {
			err = storage.ErrNotFound
		}
		if home.Gone.IsZero() && home.Address.ID != "" {
			who.Place = home
		}
		return who, err
	})
}

// EndSessions ends all sessions of the asker.
func (s *Users) EndSessions(ctx context.Context, by event.By) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		return event.Done{Kind: event.Chose}, w.DropSessions(by.Person)
	})
}

// EndSession ends the session with a secret, if there is one.
func (s *Users) EndSession(ctx context.Context, secret string) error {
	return s.store.Update(ctx, func(w storage.Writer) error { return w.Sessions().Delete(secretHash(secret)) })
}
