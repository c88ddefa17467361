package storage

import (
	"time"

	"chimera/storage/kv"
)

// Job is work that is done in steps. Only its doer knows what it is.
type Job struct {
	Kind string
	Of   uint64    // number of what it is about; of each there is one Job of a kind
	Into uint64    `json:",omitempty"` // the other one that it is about
	At   time.Time `json:",omitzero"`  // when it began, or since when it is about something
	Gone bool      `json:",omitempty"` // that is what it makes known, and not the contrary
	But  GameID    `json:",omitempty"` // which it leaves alone
	Told PlaceID   `json:",omitempty"` // where that is known already

	Part   int      `json:",omitempty"` // in which part of the work it is, from 0
	Place  PlaceID  `json:",omitempty"` // the last one that it has come to in that part
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

func jobKey(id JobID) []byte { return Key("task/", id.Kind, id.Of) }

// FirstJob is the first one of some kinds, or ErrNotFound.
func (r Reader) FirstJob(wanted func(kind string) bool) (t Job, err error) {
	for item, err := range r.kv.Scan(kv.Prefix(Key(jobs.prefix))) {
		if err != nil {
			return t, err
		}
		kind := string(item.Key[len(jobs.prefix) : len(item.Key)-NumberSize-1])
		if !wanted(kind) {
			continue
		}
		t = Job{Kind: kind}
		if err := Decode(item.Value, &t); err != nil { // it begins anew
			t.Of = End(item.Key)
		}
		return t, nil
	}
	return t, ErrNotFound
}
