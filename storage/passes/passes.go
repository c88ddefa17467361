// Package passes keeps what lets people be themselves on pages, for a while.
package passes

import (
	"crypto/sha256"
	"errors"
	"time"

	"chimera/storage/id"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// Pass lets whoever knows its secret be a person on pages, until it ends. The secret itself is
// not stored.
type Pass struct {
	Hash   []byte // SHA-256, of the secret
	Person id.Person
	Ends   time.Time
}

// Reader reads passes within a transaction.
type Reader struct{ KV kv.Reader }

// Writer writes passes within a transaction.
type Writer struct{ KV kv.Writer }

// Kind begins the keys of all passes.
const Kind = "pass/"

// ByPerson and ByEnd begin the keys that lead to them.
const (
	ByPerson = "passof/"
	ByEnd    = "passend/"
)

func keyOf(hash []byte) []byte { return append(record.Key(Kind), hash...) }

// Owner is the key of the pass to which a key leads, of which this follows what ByPerson or ByEnd
// begins; nil if that is damaged.
func Owner(rest []byte) []byte {
	if len(rest) < record.NumberSize {
		return nil
	}
	return keyOf(rest[record.NumberSize:])
}

// Index is what leads to a pass.
func (p *Pass) Index() record.Index {
	var x record.Index
	x.Add(append(record.Number(record.Key(ByPerson), p.Person), p.Hash...))
	x.Add(append(record.Number(record.Key(ByEnd), uint64(max(p.Ends.Unix(), 0))), p.Hash...))
	return x
}

// Pass is the one whose secret has a hash, or ErrNotFound.
func (r Reader) Pass(hash []byte) (Pass, error) {
	var p Pass
	return p, record.Get(r.KV, keyOf(hash), &p)
}

// PutPass writes a new pass.
func (w Writer) PutPass(p Pass) error { return record.Replace(w.KV, keyOf(p.Hash), p, nil, p.Index()) }

// DropPass removes a pass.
func (w Writer) DropPass(p Pass) error {
	return errors.Join(record.Reindex(w.KV, p.Index(), nil), w.KV.Delete(keyOf(p.Hash)))
}

// PassesOf are those of a person, in no order that means anything.
func (r Reader) PassesOf(p id.Person) ([]Pass, error) {
	start, end := kv.Prefix(record.Number(record.Key(ByPerson), p))
	return r.at(start, end, 0)
}

// DropPasses removes all passes of a person.
func (w Writer) DropPasses(p id.Person) error {
	all, err := Reader{w.KV}.PassesOf(p)
	for _, pass := range all {
		err = errors.Join(err, w.DropPass(pass))
	}
	return err
}

// EndedPasses are those that have ended by a moment, the first first, at most so many.
func (r Reader) EndedPasses(now time.Time, limit int) ([]Pass, error) {
	return r.at(record.Key(ByEnd), record.Number(record.Key(ByEnd), uint64(max(now.Unix(), 0)+1)), limit)
}

// at are the passes to which some keys lead and that can be read, at most so many unless that
// is 0.
func (r Reader) at(start, end []byte, limit int) (all []Pass, err error) {
	for item, err := range r.KV.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		var p Pass
		switch err := record.Get(r.KV, keyOf(item.Key[max(len(item.Key)-sha256.Size, 0):]), &p); {
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
