package user

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/storage"
)

// secretSize is how many random bytes a secret has.
const secretSize = 32

// ErrShownBefore is about a proof of who somebody is with which a session has begun before.
var ErrShownBefore = errors.New("user: a session was begun with this before")

// NewSession lets a person be themselves on pages for some time, and returns the secret by which they
// are known there; nobody can find it out again. The proof that they have shown is good once: the
// second time it is ErrShownBefore.
func (s *Users) NewSession(ctx context.Context, p storage.PersonID, lasts time.Duration, shown storage.MessageID) (secret string, err error) {
	secret = newSecret()
	return secret, s.store.Update(ctx, func(w storage.Writer) error {
		_, err := w.Seen(shown)
		if err == nil {
			return ErrShownBefore
		}
		return errors.Join(unlessNew(err), w.PutSeen(shown, storage.Seen{At: s.now()}), putSession(w, storage.Session{Hash: secretHash(secret), Person: p, Ends: s.now().Add(lasts)}))
	})
}

// AnotherSession begins a second session, which ends when that of the secret does. The error is
// storage.ErrNotFound if no session goes on that has the secret.
func (s *Users) AnotherSession(ctx context.Context, secret string) (other string, err error) {
	other = newSecret()
	return other, s.store.Update(ctx, func(w storage.Writer) error {
		p, err := s.session(w.Reader, secret)
		if err != nil {
			return err
		}
		p.Hash = secretHash(other)
		return putSession(w, p)
	})
}

func newSecret() string {
	random := make([]byte, secretSize)
	_, _ = rand.Read(random) // never fails
	return base64.RawURLEncoding.EncodeToString(random)
}

// putSession writes a new session. If its person has too many, those go that would end first.
func putSession(w storage.Writer, p storage.Session) error {
	all, err := w.SessionsOf(p.Person)
	if err != nil {
		return err
	}
	if len(all) >= limit.Passes {
		slices.SortFunc(all, func(a, b storage.Session) int { return b.Ends.Compare(a.Ends) })
		for _, old := range all[limit.Passes-1:] {
			err = errors.Join(err, w.Sessions().Delete(old.Hash))
		}
	}
	return errors.Join(err, w.Sessions().Put(p))
}

// session is that of a secret, if it goes on.
func (s *Users) session(r storage.Reader, secret string) (storage.Session, error) {
	p, err := r.Sessions().Get(secretHash(secret))
	if err == nil && !s.now().Before(p.Ends) {
		err = storage.ErrNotFound
	}
	return p, err
}

// OnPages is where somebody is on pages who has no other place that they alone see.
func OnPages(p storage.PersonID) storage.Address {
	return storage.Address{Platform: "web", ID: strconv.FormatUint(uint64(p), 10)}
}

func secretHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// SessionHolder is the person of a secret, and where they are told things in private, if that can be
// done at the moment. The error is storage.ErrNotFound if no session goes on that has the secret.
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

// EndSession ends the session of a secret, if there is one.
func (s *Users) EndSession(ctx context.Context, secret string) error {
	return s.store.Update(ctx, func(w storage.Writer) error { return w.Sessions().Delete(secretHash(secret)) })
}
