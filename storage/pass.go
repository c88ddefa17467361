package storage

import (
	"crypto/sha256"
	"errors"
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// Pass lets whoever knows its secret be a person on pages, until it ends. The secret itself is
// not stored.
type Pass struct {
	Hash   []byte // SHA-256, of the secret
	Person PersonID
	Ends   time.Time
}

// The kinds of keys of passes.
const (
	passes  = "pass/"
	passOf  = "passof/"
	passEnd = "passend/"
)

func passKey(hash []byte) []byte { return append(record.Key(passes), hash...) }

func (p *Pass) index() record.Index {
	var x record.Index
	x.Add(append(record.Number(record.Key(passOf), p.Person), p.Hash...))
	x.Add(append(record.Number(record.Key(passEnd), uint64(max(p.Ends.Unix(), 0))), p.Hash...))
	return x
}

// Pass is the one whose secret has a hash, or ErrNotFound.
func (r personReader) Pass(hash []byte) (Pass, error) {
	var p Pass
	return p, r.get(passKey(hash), &p)
}

// PutPass writes a new pass.
func (w personWriter) PutPass(p Pass) error { return w.put(passKey(p.Hash), p, nil, p.index()) }

// DropPass removes a pass.
func (w personWriter) DropPass(p Pass) error {
	return errors.Join(record.Reindex(w.out, p.index(), nil), w.out.Delete(passKey(p.Hash)))
}

// PassesOf are those of a person, in no order that means anything.
func (r personReader) PassesOf(p PersonID) ([]Pass, error) {
	start, end := kv.Prefix(record.Number(record.Key(passOf), p))
	return r.passesAt(start, end, 0)
}

// DropPasses removes all passes of a person.
func (w personWriter) DropPasses(p PersonID) error {
	all, err := w.PassesOf(p)
	for _, pass := range all {
		err = errors.Join(err, w.DropPass(pass))
	}
	return err
}

// EndedPasses are those that have ended by a moment, the first first, at most so many.
func (r personReader) EndedPasses(now time.Time, limit int) ([]Pass, error) {
	return r.passesAt(record.Key(passEnd), record.Number(record.Key(passEnd), uint64(max(now.Unix(), 0)+1)), limit)
}

// passesAt are the passes to which some keys lead and that can be read, at most so many unless that
// is 0.
func (r *tx) passesAt(start, end []byte, limit int) (all []Pass, err error) {
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		var p Pass
		switch err := r.get(passKey(item.Key[max(len(item.Key)-sha256.Size, 0):]), &p); {
		case Lost(err):
			continue // Check reports it
		case err != nil:
			return nil, err
		}
		if all = append(all, p); len(all) == limit {
			break
		}
	}
	return all, nil
}
