package storage

import "time"

// Link is an offer of a person's to be one with whoever knows its code.
type Link struct {
	Person  PersonID
	Expires time.Time
}

func linkKey(code string) []byte { return append(key("link/"), code...) }

// Link reads the offer of a code, or returns ErrNotFound.
func (r Reader) Link(code string) (Link, error) {
	var l Link
	return l, r.get(linkKey(code), &l)
}

// PutLink writes an offer.
func (w Writer) PutLink(code string, l Link) error { return w.put(linkKey(code), l) }

// DropLink removes an offer.
func (w Writer) DropLink(code string) error { return w.out.Delete(linkKey(code)) }
