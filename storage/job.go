package storage

import (
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
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

// Kind begins the keys of all jobs.
const jobs = "task/"

func jobKey(kind string, of uint64) []byte {
	return record.Number(record.Text(record.Key(jobs), kind), of)
}

// FirstJob is the first one of some kinds, or record.ErrNotFound.
func (r Reader) FirstJob(wanted func(kind string) bool) (t Job, err error) {
	for item, err := range r.kv.Scan(kv.Prefix(record.Key(jobs))) {
		if err != nil {
			return t, err
		}
		kind := string(item.Key[len(jobs) : len(item.Key)-record.NumberSize-1])
		if !wanted(kind) {
			continue
		}
		t = Job{Kind: kind}
		if err := record.Decode(item.Value, &t); err != nil { // it begins anew
			t.Of = record.End(item.Key)
		}
		return t, nil
	}
	return t, record.ErrNotFound
}

// Job is the one of a kind that is about something, or record.ErrNotFound.
func (r Reader) Job(kind string, of uint64) (t Job, err error) {
	return t, record.Get(r.kv, jobKey(kind, of), &t)
}

// PutJob writes how far a job has come.
func (w Writer) PutJob(t Job) error { return record.Put(w.out, jobKey(t.Kind, t.Of), t) }

// DropJob removes a job that is done.
func (w Writer) DropJob(t Job) error { return w.out.Delete(jobKey(t.Kind, t.Of)) }
