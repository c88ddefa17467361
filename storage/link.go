package storage

import (
	"slices"
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

// The kinds of jobs that concern who somebody is.
const (
	JoinJob   = "join"   // all games of Of, who has become Into, are given to Into
	SplitJob  = "split"  // those that came with Of, who has left Into, are given back
	ForgetJob = "forget" // Of is forgotten
)

// Joining reports whether a JoinJob or a SplitJob is to be done, about one of some people if any are
// named.
func (r Reader) Joining(people ...PersonID) (bool, error) {
	return r.HasJob([]string{JoinJob, SplitJob}, people...)
}

// HasJob reports whether a job of some kinds is to be done, about one of some people if any are named.
func (r Reader) HasJob(kinds []string, people ...PersonID) (bool, error) {
	for _, kind := range kinds {
		for item, err := range r.kv.Scan(kv.Prefix(Key(jobs.prefix, kind))) {
			if err != nil {
				return false, err
			}
			var j Job
			_ = Decode(item.Value, &j) // then it begins anew
			if len(people) == 0 || slices.Contains(people, PersonID(End(item.Key))) || slices.Contains(people, PersonID(j.Into)) {
				return true, nil
			}
		}
	}
	return false, nil
}

// HasCome reports whether a person brought a game into a link, or has played it since with the account that they brought.
func (r Reader) HasCome(p PersonID, id GameID) (bool, error) {
	value, err := r.kv.Get(Key("came/", p, id))
	return value != nil, err
}

// PutCame writes that, or the contrary.
func (w Writer) PutCame(p PersonID, id GameID, came bool) error {
	return Mark(w.out, Key("came/", p, id), came)
}

// ToGive are the next games that a JoinJob or a SplitJob has to look at, at most limit. Of a JoinJob,
// part 1 is about those in progress and part 2 about those that have ended.
func (r Reader) ToGive(j Job, limit int) ([]GameID, error) {
	prefix := Key("came/", PersonID(j.Of))
	if j.Kind == JoinJob {
		prefix = append(playerPrefix(PersonID(j.Of)), playing...)
		if j.Part > 1 {
			prefix = append(playerPrefix(PersonID(j.Of)), played...)
		}
	}
	_, end := kv.Prefix(prefix)
	return collect(r.kv.Scan(Key(string(prefix), j.Game+1), end), limit, lastNumber[GameID])
}
