package storage

import ()

// Recount is the work of computing all ratings again from the log of results.
type Recount struct {
	Games   []GameID `json:",omitempty"` // that are to count no more
	Again   bool     `json:",omitempty"` // it is wanted though there are none: games have got other players
	Figures bool     `json:",omitempty"` // the ratings hold, and it goes on with what the games tell of them
	Round   uint64   // another one when what was computed so far is of no use
}

func recountKey() []byte { return []byte("meta/recount") }

// Recount is the work of computing ratings again, or ErrNotFound if there is none to do.
func (r Reader) Recount() (Recount, error) {
	var job Recount
	return job, get(r.kv, recountKey(), &job)
}

// PutRecount writes how far the work has come.
func (w Writer) PutRecount(job Recount) error { return Put(w.out, recountKey(), job) }

// DropRecount removes the work when it is done.
func (w Writer) DropRecount() error { return w.out.Delete(recountKey()) }
