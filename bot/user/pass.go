package user

import (
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

// Passes let people be themselves on pages: whoever has the secret of one acts as its person there,
// until it ends. It is safe for concurrent use.
type Passes struct {
	store  *storage.Store
	events *event.Log
	now    func() time.Time
}

// NewPasses makes a Passes. now is the wall clock.
func NewPasses(store *storage.Store, in *event.Log, now func() time.Time) *Passes {
	return &Passes{store, in, now}
}

// secretSize is how many random bytes a secret has.
const secretSize = 32

// ErrShown is about something that was shown for a pass before.
var ErrShown = errors.New("people: a pass was given for this before")

// Give gives a person a new pass for some time, and returns its secret, which nobody can find out again.
// What they have shown for it, if anything, is good once: then it is ErrShown.
func (s *Passes) Give(ctx context.Context, p storage.PersonID, lasts time.Duration, shown storage.MessageID) (secret string, err error) {
	secret = newSecret()
	return secret, s.store.Update(ctx, func(w storage.Writer) error {
		switch _, err := w.Seen(shown); {
		case err == nil:
			return ErrShown
		case !errors.Is(err, storage.ErrNotFound):
			return err
		}
		return errors.Join(w.PutSeen(shown, storage.Seen{At: s.now()}), put(w, storage.Session{Hash: hash(secret), Person: p, Ends: s.now().Add(lasts)}))
	})
}

// Another gives whoever has the secret of a pass another one that ends when that does. It is
// storage.ErrNotFound where no pass that holds has the secret.
func (s *Passes) Another(ctx context.Context, secret string) (other string, err error) {
	other = newSecret()
	return other, s.store.Update(ctx, func(w storage.Writer) error {
		p, err := s.holds(w.Reader, secret)
		if err != nil {
			return err
		}
		p.Hash = hash(other)
		return put(w, p)
	})
}

func newSecret() string {
	random := make([]byte, secretSize)
	_, _ = rand.Read(random) // never fails
	return base64.RawURLEncoding.EncodeToString(random)
}

// put writes a new pass. Where its person has too many, those go that would end first.
func put(w storage.Writer, p storage.Session) error {
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

// holds is the pass of a secret, if it holds.
func (s *Passes) holds(r storage.Reader, secret string) (storage.Session, error) {
	p, err := r.Sessions().Get(hash(secret))
	if err == nil && !s.now().Before(p.Ends) {
		err = storage.ErrNotFound
	}
	return p, err
}

// OnPages is where somebody is on pages who has no other place that they alone see.
func OnPages(p storage.PersonID) storage.Address {
	return storage.Address{Platform: "web", ID: strconv.FormatUint(uint64(p), 10)}
}

func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Holder is the person of a secret, and where they are told things in private, if that can be done
// at the moment. It is storage.ErrNotFound where no pass that holds has the secret.
func (s *Passes) Holder(ctx context.Context, secret string) (Visitor, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (who Visitor, err error) {
		p, err := s.holds(r, secret)
		if err != nil {
			return who, err
		}
		if who.Person, err = r.People().Get(p.Person); err != nil {
			return who, err
		}
		if len(who.Person.Identities) == 0 {
			return who, storage.ErrNotFound
		}
		home, err := r.Places().Get(who.Person.Home)
		if err == nil && home.Gone.IsZero() && home.Address.ID != "" {
			who.Place = home
		}
		if storage.Missing(err) {
			err = nil
		}
		return who, err
	})
}

// Reset ends all passes of the asker.
func (s *Passes) Reset(ctx context.Context, by event.By) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		return event.Done{Kind: event.Chose}, w.DropSessions(by.Person)
	})
}

// End ends the pass of a secret, if there is one.
func (s *Passes) End(ctx context.Context, secret string) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.Sessions().Get(hash(secret))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return errors.Join(err, w.Sessions().Delete(p.Hash))
	})
}

// Sweep forgets the passes that have ended.
func (s *Passes) Sweep(ctx context.Context) error {
	ended := func(r storage.Reader) ([]storage.Session, error) { return r.EndedSessions(s.now(), limit.SweepStep) }
	if some, err := storage.Read(ctx, s.store, ended); len(some) == 0 || err != nil {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		some, err := ended(w.Reader)
		for _, p := range some {
			err = errors.Join(err, w.Sessions().Delete(p.Hash))
		}
		return err
	})
}
