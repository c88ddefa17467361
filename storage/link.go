package storage

import (
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// Link is what a code is for: to be one with a person, or to join a challenge.
type Link struct {
	Person    PersonID  `json:",omitempty"` // who offers to be one with whoever knows the code; 0 if it is for a challenge
	Challenge GameID    `json:",omitempty"`
	By        PersonID  `json:",omitempty"` // who has said yes to being one with Person, and waits for the same word
	Expires   time.Time `json:",omitzero"`  // zero: with the challenge
}

func linkKey(code string) []byte { return append(record.Key("link/"), code...) }

// Link reads what a code is for, or returns ErrNotFound.
func (r Reader) Link(code string) (Link, error) {
	var l Link
	return l, record.Get(r.kv, linkKey(code), &l)
}

// PutLink lets a code be for something.
func (w Writer) PutLink(code string, l Link) error { return record.Put(w.out, linkKey(code), l) }

// DropLink removes a code.
func (w Writer) DropLink(code string) error { return w.out.Delete(linkKey(code)) }

// Join is the work of giving games of one person to another: all of them when accounts are
// linked, and those that came with an account when it is unlinked.
type Join struct {
	Of         PersonID // who came, or goes: From or Into
	From, Into PersonID
	Ready      bool   `json:",omitempty"` // what comes before has been done
	Played     bool   `json:",omitempty"` // those in progress have been given, and it goes on with those that have ended
	Next       GameID `json:",omitempty"` // the last game that was looked at
	Counted    bool   `json:",omitempty"` // one of the games so far counts for ratings
}

func joinKey(of PersonID) []byte { return record.Number(record.Key("join/"), of) }

// Joins is the work of that kind that there is to do.
func (r Reader) Joins() ([]Join, error) {
	var all []Join
	for item, err := range r.kv.Scan(kv.Prefix(record.Key("join/"))) {
		if err != nil {
			return nil, err
		}
		var j Join
		if err := record.Decode(item.Value, &j); err != nil {
			return nil, err
		}
		all = append(all, j)
	}
	return all, nil
}

// PutJoin writes how far such work has come.
func (w Writer) PutJoin(j Join) error { return record.Put(w.out, joinKey(j.Of), j) }

// DropJoin removes it when it is done.
func (w Writer) DropJoin(j Join) error { return w.out.Delete(joinKey(j.Of)) }

// HasCome reports whether a game is one of those.
func (r Reader) HasCome(p PersonID, id GameID) (bool, error) {
	value, err := r.kv.Get(record.Pair("came/", p, id))
	return value != nil, err
}

// PutCame writes that a game is one of those, or is not.
func (w Writer) PutCame(p PersonID, id GameID, came bool) error {
	return record.Mark(w.out, record.Pair("came/", p, id), came)
}

// ToJoin are the next games that a Join has to look at, at most so many: those in progress,
// or else those that have ended, or those that have come.
func (r Reader) ToJoin(j Join, limit int) ([]GameID, error) {
	prefix := append(playerPrefix(j.From), playing...)
	switch {
	case j.Of != j.From:
		prefix = record.Number(record.Key("came/"), j.Of)
	case j.Played:
		prefix = append(playerPrefix(j.From), played...)
	}
	_, end := kv.Prefix(prefix)
	return record.Collect(r.kv.Scan(record.Number(prefix, j.Next+1), end), limit, func(item kv.Item) (GameID, bool) {
		return record.LastNumber[GameID](item.Key)
	})
}

// Opponents reports whether two people have a game with each other; with underway, whether
// one is in progress.
func (r Reader) Opponents(a, b PersonID, underway bool) (bool, error) {
	kinds := []string{playing}
	if !underway {
		kinds = append(kinds, played)
	}
	for _, kind := range kinds {
		start, end := kv.Prefix(append(playerPrefix(a), kind...))
		for item, err := range r.kv.Scan(start, end) {
			if err != nil {
				return false, err
			}
			theirs := append(append(playerPrefix(b), kind...), item.Key[len(start):]...)
			if value, err := r.kv.Get(theirs); err != nil || value != nil {
				return value != nil, err
			}
		}
	}
	return false, nil
}
