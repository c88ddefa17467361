package storage

import (
	"time"

	"chimera/storage/kv"
)

// Link is what a code is for: to merge accounts with a person, or to accept a challenge.
type Link struct {
	Person    PersonID  `json:",omitempty"` // who offers to merge accounts with anybody who knows the code; 0 if it is for a challenge
	Challenge GameID    `json:",omitempty"`
	By        PersonID  `json:",omitempty"` // who has accepted, and waits for Person to confirm
	Expires   time.Time `json:",omitzero"`  // zero: with the challenge
}

func linkKey(code string) []byte { return Key("link/", []byte(code)) }

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

func joinKey(of PersonID) []byte { return Key("join/", of) }

// HasCome reports whether a game is one of those.
func (r Reader) HasCome(p PersonID, id GameID) (bool, error) {
	value, err := r.kv.Get(Key("came/", p, id))
	return value != nil, err
}

// PutCame writes that a game is one of those, or is not.
func (w Writer) PutCame(p PersonID, id GameID, came bool) error {
	return Mark(w.out, Key("came/", p, id), came)
}

// ToJoin are the next games that a Join has to look at, at most limit: those in progress, then
// those that have ended, or those that came with the account.
func (r Reader) ToJoin(j Join, limit int) ([]GameID, error) {
	prefix := append(playerPrefix(j.From), playing...)
	switch {
	case j.Of != j.From:
		prefix = Key("came/", j.Of)
	case j.Played:
		prefix = append(playerPrefix(j.From), played...)
	}
	_, end := kv.Prefix(prefix)
	return collect(r.kv.Scan(Key(string(prefix), j.Next+1), end), limit, func(item kv.Item) (GameID, bool) {
		return LastNumber[GameID](item.Key)
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
