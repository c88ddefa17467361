package storage

import (
	"crypto/sha256"
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

// sessionsOf and sessionsEnd begin the keys that lead to them.
const (
	sessionsOf  = "passof/"
	sessionsEnd = "passend/"
)

// sessionLedTo is the key of the session to which a key leads, of which this follows what sessionsOf or sessionsEnd
// begins; nil if that is damaged.
func sessionLedTo(rest []byte) []byte {
	if len(rest) < NumberSize {
		return nil
	}
	return sessions.key(rest[NumberSize:])
}

// Index is what leads to a session.
func (p *Session) index() Index {
	var x Index
	x.Add(Key(sessionsOf, p.Person, p.Hash))
	x.Add(Key(sessionsEnd, seconds(p.Ends), p.Hash))
	return x
}

// SessionsOf are those of a person, in no order that means anything.
func (r Reader) SessionsOf(p PersonID) ([]Session, error) {
	start, end := kv.Prefix(Key(sessionsOf, p))
	return r.sessionsAt(start, end, 0)
}

// DropSessions removes all sessions of a person.
func (w Writer) DropSessions(p PersonID) error {
	all, err := w.SessionsOf(p)
	for _, session := range all {
		err = errors.Join(err, w.Sessions().Delete(session.Hash))
	}
	return err
}

// EndedSessions are those that have ended by a moment, the first first, at most limit.
func (r Reader) EndedSessions(now time.Time, limit int) ([]Session, error) {
	return r.sessionsAt(Key(sessionsEnd), Key(sessionsEnd, seconds(now)+1), limit)
}

// sessionsAt are the sessions to which some keys lead, at most limit unless that is 0.
func (r Reader) sessionsAt(start, end []byte, limit int) ([]Session, error) {
	hashes, err := collect(r.kv.Scan(start, end), limit, func(item kv.Item) ([]byte, bool) {
		return item.Key[max(len(item.Key)-sha256.Size, 0):], true
	})
	return r.Sessions().All(hashes, err)
}
