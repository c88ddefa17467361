package storage

import (
	"crypto/sha256"
	"errors"
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// Session lets whoever knows its secret be a person on pages, until it ends. The secret itself is
// not stored.
type Session struct {
	Hash   []byte // SHA-256, of the secret
	Person PersonID
	Ends   time.Time
}

// sessions begins the keys of all sessions.
const sessions = "pass/"

// sessionsOf and sessionsEnd begin the keys that lead to them.
const (
	sessionsOf  = "passof/"
	sessionsEnd = "passend/"
)

func sessionKey(hash []byte) []byte { return append(record.Key(sessions), hash...) }

// sessionLedTo is the key of the session to which a key leads, of which this follows what sessionsOf or sessionsEnd
// begins; nil if that is damaged.
func sessionLedTo(rest []byte) []byte {
	if len(rest) < record.NumberSize {
		return nil
	}
	return sessionKey(rest[record.NumberSize:])
}

// Index is what leads to a session.
func (p *Session) index() record.Index {
	var x record.Index
	x.Add(append(record.Number(record.Key(sessionsOf), p.Person), p.Hash...))
	x.Add(append(record.Number(record.Key(sessionsEnd), uint64(max(p.Ends.Unix(), 0))), p.Hash...))
	return x
}

// Session is the one whose secret has a hash, or ErrNotFound.
func (r Reader) Session(hash []byte) (Session, error) {
	var p Session
	return p, record.Get(r.kv, sessionKey(hash), &p)
}

// PutSession writes a new session.
func (w Writer) PutSession(p Session) error {
	return record.Replace(w.out, sessionKey(p.Hash), p, nil, p.index())
}

// DropSession removes a session.
func (w Writer) DropSession(p Session) error {
	return errors.Join(record.Reindex(w.out, p.index(), nil), w.out.Delete(sessionKey(p.Hash)))
}

// SessionsOf are those of a person, in no order that means anything.
func (r Reader) SessionsOf(p PersonID) ([]Session, error) {
	start, end := kv.Prefix(record.Number(record.Key(sessionsOf), p))
	return r.sessionsAt(start, end, 0)
}

// DropSessions removes all sessions of a person.
func (w Writer) DropSessions(p PersonID) error {
	all, err := w.SessionsOf(p)
	for _, session := range all {
		err = errors.Join(err, w.DropSession(session))
	}
	return err
}

// EndedSessions are those that have ended by a moment, the first first, at most so many.
func (r Reader) EndedSessions(now time.Time, limit int) ([]Session, error) {
	return r.sessionsAt(record.Key(sessionsEnd), record.Number(record.Key(sessionsEnd), uint64(max(now.Unix(), 0)+1)), limit)
}

// sessionsAt are the sessions to which some keys lead and that can be read, at most so many unless that
// is 0.
func (r Reader) sessionsAt(start, end []byte, limit int) (all []Session, err error) {
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		var p Session
		switch err := record.Get(r.kv, sessionKey(item.Key[max(len(item.Key)-sha256.Size, 0):]), &p); {
		case record.Lost(err):
			continue // whoever checks reports it
		case err != nil:
			return nil, err
		}
		if all = append(all, p); len(all) == limit {
			break
		}
	}
	return all, nil
}
