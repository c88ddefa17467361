package storage

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Job is work too large for one transaction: it is done in steps, and resumed if the program ends in between. Only its
// doer knows what its fields mean.
type Job struct {
	Kind string
	Of   uint64        // number of its subject; there is one Job of a kind for each
	Into uint64        `json:",omitempty"` // a second subject
	At   time.Time     `json:",omitzero"`  // when it began, or since when it is about something
	Gap  time.Duration `json:",omitzero"`  // how long it lasted
	Gone bool          `json:",omitempty"` // it announces an absence, not a return
	But  GameID        `json:",omitempty"` // a game that it leaves alone
	Told PlaceID       `json:",omitempty"` // a place that knows already

	Counted bool `json:",omitempty"` // one of the games so far counts for ratings

	Part   int      `json:",omitempty"` // the part of the work, from 0
	Place  PlaceID  `json:",omitempty"` // the last one reached in that part
	Game   GameID   `json:",omitempty"` // likewise
	Person PersonID `json:",omitempty"` // likewise
}

// JobID names a job.
type JobID struct {
	Kind string
	Of   uint64
}

// ID names the job.
func (j *Job) ID() JobID { return JobID{j.Kind, j.Of} }

// After are the games of a list in order that it has not reached yet.
func (j *Job) After(ids []GameID, failed error) ([]GameID, error) {
	done, _ := slices.BinarySearch(ids, j.Game+1)
	return ids[done:], failed
}

func (id JobID) parts() []any { return []any{id.Kind, id.Of} }

// Step does the next part of a job, updates its progress in it, and reports whether there is more.
type Step func(Writer, *Job) (more bool, err error)

// BeginJob does the first step of a job, and leaves the others to [Jobs]. It replaces a job of the same kind and
// subject.
func BeginJob(w Writer, j Job, do Step) error {
	switch more, err := do(w, &j); {
	case err != nil:
		return err
	case more:
		return w.Jobs().Put(j)
	}
	return w.Jobs().Delete(j.ID())
}

// Batch handles the items of a job until as many as are left in its step have written something, and reports whether
// there are more items.
func Batch[T any](items iter.Seq2[T, error], left *int, do func(T) (wrote bool, err error)) (more bool, err error) {
	for item, err := range items {
		if err != nil || *left == 0 {
			return err == nil, err
		}
		wrote, err := do(item)
		if err != nil {
			return false, err
		}
		if wrote {
			*left--
		}
	}
	return false, nil
}

// Items are the elements of a list, or the error with which it was read.
func Items[T any](list []T, failed error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range list {
			if !yield(item, nil) {
				return
			}
		}
		if failed != nil {
			yield(*new(T), failed)
		}
	}
}

// Jobs are the steps of each kind of job.
type Jobs map[string]Step

// More does the next step of the first job of these kinds, and reports whether there may be more. The program may end
// between any two steps.
func (s Jobs) More(ctx context.Context, store *Store) (more bool, err error) {
	found, err := first(Read(ctx, store, s.first))
	if err != nil || found.Kind == "" {
		return false, err
	}
	err = store.Update(ctx, func(w Writer) error {
		j, err := w.Jobs().Get(found.ID())
		if errors.Is(err, ErrNotFound) {
			return nil // another process has done it
		}
		return errors.Join(err, BeginJob(w, j, s[found.Kind]))
	})
	if Missing(err) { // its subject is damaged: the other jobs go on
		err = store.Update(ctx, func(w Writer) error { return w.Jobs().Delete(found.ID()) })
	}
	return true, err
}

// first is the first job of these kinds, if there is one.
func (s Jobs) first(r Reader) ([]Job, error) {
	return collect(r.kv.Scan(kv.Prefix(Key(jobs.prefix))), 1, func(item kv.Item) (Job, bool) {
		id := item.Key[len(jobs.prefix):]
		j := Job{Kind: string(id[:max(len(id)-NumberSize-1, 0)])}
		if s[j.Kind] == nil {
			return j, false
		}
		if err := Decode(item.Value, &j); err != nil { // a corrupt job starts again
			j.Of = End(id)
		}
		return j, true
	})
}

// Finish does all steps of all jobs of these kinds, while somebody waits.
func (s Jobs) Finish(ctx context.Context, store *Store) (err error) {
	for more := true; more && err == nil; {
		more, err = s.More(ctx, store)
	}
	return err
}

// Link is what a code stands for: merging accounts with a person, or accepting a challenge.
type Link struct {
	Person    PersonID  `json:",omitempty"` // who offers to merge accounts with anybody who knows the code; 0 if it is for a challenge
	Challenge GameID    `json:",omitempty"`
	By        PersonID  `json:",omitempty"` // who has accepted, and waits for Person to confirm
	Expires   time.Time `json:",omitzero"`  // zero: with the challenge
}

// Kinds of jobs about who somebody is.
const (
	JoinJob   = "join"   // all games of Of, who has become Into, are given to Into
	SplitJob  = "split"  // those that came with Of, who has left Into, are given back
	ForgetJob = "forget" // Of is forgotten
)

// Joining reports whether a JoinJob or a SplitJob is pending, about one of the people if any are given.
func (r Reader) Joining(people ...PersonID) (bool, error) {
	return r.HasJob([]string{JoinJob, SplitJob}, people...)
}

// HasJob reports whether a job of these kinds is pending, about one of the people if any are given.
func (r Reader) HasJob(kinds []string, people ...PersonID) (bool, error) {
	for _, kind := range kinds {
		for item, err := range r.kv.Scan(kv.Prefix(Key(jobs.prefix, kind))) {
			if err != nil {
				return false, err
			}
			var j Job
			_ = Decode(item.Value, &j) // if it fails, the job starts again
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

// PutCame stores whether that is so.
func (w Writer) PutCame(p PersonID, id GameID, came bool) error {
	return Mark(w.out, Key("came/", p, id), came)
}

// ToGive are the next games that a JoinJob or a SplitJob has to look at, at most limit. For a JoinJob, part 1 is games
// in progress and part 2 ended ones.
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
