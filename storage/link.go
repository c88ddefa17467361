package storage

import "time"

// Link is what a code is for: to be one with a person, or to join a challenge.
type Link struct {
	Person    PersonID  `json:",omitempty"` // who offers to be one with whoever knows the code; 0 if it is for a challenge
	Challenge GameID    `json:",omitempty"`
	Expires   time.Time `json:",omitzero"` // zero: with the challenge
}

func linkKey(code string) []byte { return append(key("link/"), code...) }

// Link reads what a code is for, or returns ErrNotFound.
func (r Reader) Link(code string) (Link, error) {
	var l Link
	return l, r.get(linkKey(code), &l)
}

// PutLink lets a code be for something.
func (w Writer) PutLink(code string, l Link) error { return w.put(linkKey(code), l) }

// DropLink removes a code.
func (w Writer) DropLink(code string) error { return w.out.Delete(linkKey(code)) }
