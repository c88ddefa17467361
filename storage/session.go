package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"chimera/storage/kv"
)

// Session is a browser signed in: whoever knows its secret is the person on pages, until it ends. The
// secret itself is not stored.
type Session struct {
	Hash   []byte // SHA-256, of the secret
	Person PersonID
	Ends   time.Time
}

// sessionsOf begins the keys that lead to them.
const sessionsOf = "passof/"

func (p *Session) index() (x Index) {
	x.Add(Key(sessionsOf, p.Person, p.Hash))
	return x
}

// SessionsOf are those of a person, in no order that means anything.
func (r Reader) SessionsOf(p PersonID) ([]Session, error) {
	prefix := Key(sessionsOf, p)
	hashes, err := collect(r.kv.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) ([]byte, bool) { return item.Key[len(prefix):], true })
	return r.Sessions().All(hashes, err)
}

// DropSessions removes all sessions of a person.
func (w Writer) DropSessions(p PersonID) error {
	all, err := w.SessionsOf(p)
	for _, session := range all {
		err = errors.Join(err, w.Sessions().Delete(session.Hash))
	}
	return err
}

// Secret is a key that is the same for all who share the database, and that nobody else knows. It is made when
// it is first asked for.
func (s *Store) Secret(ctx context.Context) ([]byte, error) {
	const size = 32
	read := func(r Reader) (key []byte, err error) {
		err = get(r.kv, Key("meta/secret"), &key)
		return key, err
	}
	key, err := Read(ctx, s, read)
	if !errors.Is(err, ErrNotFound) {
		return key, err
	}
	err = s.Update(ctx, func(w Writer) error {
		if key, err = read(w.Reader); !errors.Is(err, ErrNotFound) {
			return err // another was quicker
		}
		key = make([]byte, size)
		_, _ = rand.Read(key) // never fails
		return Put(w.out, Key("meta/secret"), key)
	})
	return key, err
}
