package storage

import (
	"bytes"
	"errors"

	"chimera/storage/kv"
)

// Recount is the work of computing all ratings again. What it has come to are drafts of
// people's standings, which nobody sees before it is done, and of games' figures, which are
// written into the games after that. When all games are rated, the drafts hold at once, and
// are then written into the careers.
type Recount struct {
	Games    []GameID   // that are left out
	Waiting  []GameID   // that are to be left out by the next one
	Again    bool       `json:",omitempty"` // it is wanted though no game is left out: games have got other players
	People   []PersonID `json:",omitempty"` // who may have no game any more that counts
	Counting bool       // it is under way, and the drafts are of this one
	Spoiled  bool       `json:",omitempty"` // the drafts are of one that was given up
}

func recountKey() []byte { return []byte("meta/recount") }

// Recount is the work of computing ratings again, or ErrNotFound if there is none to do.
func (r Reader) Recount() (Recount, error) {
	var job Recount
	return job, r.get(recountKey(), &job)
}

// PutRecount writes how far the work has come.
func (w Writer) PutRecount(job Recount) error { return w.put(recountKey(), job) }

// DropRecount removes the work when it is done.
func (w Writer) DropRecount() error { return w.out.Delete(recountKey()) }

func draftKey(p PersonID) []byte { return number(key("draft/"), p) }

func decodeDraft(value []byte) (Career, error) {
	u := unpack(value)
	var c Career
	c.decodeStandings(&u)
	return c, u.end()
}

// HasDraft reports whether there is a draft of a person's standings.
func (r Reader) HasDraft(p PersonID) (bool, error) {
	value, err := r.kv.Get(draftKey(p))
	return value != nil, err
}

// HasDrafts reports whether there is a draft of anybody's standings.
func (r Reader) HasDrafts() (bool, error) {
	keys, err := r.first(key("draft/"), 1)
	return len(keys) > 0, err
}

func adoptingKey() []byte { return []byte("meta/adopting") }

// Adopting reports whether the drafts hold, and not the standings in the careers.
func (r Reader) Adopting() (bool, error) {
	value, err := r.kv.Get(adoptingKey())
	return value != nil, err
}

// SetAdopting lets the drafts hold, or no more, when there are none left.
func (w Writer) SetAdopting(on bool) error { return w.index(adoptingKey(), on) }

// adopted is a career with the standings that hold.
func (r Reader) adopted(p PersonID, c Career) (Career, error) {
	if on, err := r.Adopting(); err != nil || !on {
		return c, err
	}
	value, err := r.kv.Get(draftKey(p))
	if err != nil || value == nil {
		return c, err
	}
	draft, err := decodeDraft(value)
	c.Standings = draft.Standings
	return c, err
}

// draftOf is the draft that there is of a person's standings, and the one that there is to
// be: nil for none, where the career says the same.
func (r Reader) draftOf(p PersonID, c Career) (is, wanted []byte, err error) {
	wanted = encodeStandings(c.Standings)
	career, err := r.kv.Get(careerKey(p))
	if err != nil {
		return nil, nil, err
	}
	if bytes.HasPrefix(career, wanted) { // which begins with the standings
		wanted = nil
	}
	is, err = r.kv.Get(draftKey(p))
	return is, wanted, err
}

// IsDrafted reports whether PutDraft would do nothing.
func (r Reader) IsDrafted(p PersonID, c Career) (bool, error) {
	is, wanted, err := r.draftOf(p, c)
	return bytes.Equal(is, wanted), err
}

// PutDraft writes the standings of a career as a draft, if the person has others.
func (w Writer) PutDraft(p PersonID, c Career) error {
	_, wanted, err := w.draftOf(p, c)
	switch {
	case err != nil:
		return err
	case wanted == nil:
		return w.out.Delete(draftKey(p))
	}
	return w.out.Put(draftKey(p), wanted)
}

// Drafted are people of whom there are drafts, at most so many. Drafts that are what the
// careers say are removed.
func (w Writer) Drafted(limit int) ([]PersonID, error) {
	const most = 8 // times as many are looked at
	keys, err := w.first(key("draft/"), most*limit)
	if err != nil {
		return nil, err
	}
	var people []PersonID
	for _, k := range keys {
		p, _ := lastNumber[PersonID](k)
		draft, err := w.kv.Get(k)
		if err != nil {
			return nil, err
		}
		career, err := w.kv.Get(careerKey(p))
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(career, draft) { // which begins with the standings
			if err := w.out.Delete(k); err != nil {
				return nil, err
			}
			continue
		}
		if len(people) < limit {
			people = append(people, p)
		}
	}
	return people, nil
}

// ClearDrafts removes at most so many drafts, and returns how many there were of these.
func (w Writer) ClearDrafts(limit int) (int, error) { return w.clear("draft/", limit) }

// ClearFigures is the same of the drafts of figures.
func (w Writer) ClearFigures(limit int) (int, error) { return w.clear("figures/", limit) }

func (w Writer) clear(kind string, limit int) (int, error) {
	old, err := w.first(key(kind), limit)
	if err != nil {
		return 0, err
	}
	for _, k := range old {
		if err := w.out.Delete(k); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}

// first are the first keys with a prefix, at most so many; all for a limit of 0.
func (r Reader) first(prefix []byte, limit int) ([][]byte, error) {
	var keys [][]byte
	start, end := kv.Prefix(prefix)
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		if keys = append(keys, item.Key); len(keys) == limit {
			break
		}
	}
	return keys, nil
}

func figuresKey(id GameID) []byte { return number(key("figures/"), id) }

// DraftedFigures are the figures that a game is to have, or ErrNotFound.
func (r Reader) DraftedFigures(id GameID) (Figures, error) {
	var f Figures
	return f, r.get(figuresKey(id), &f)
}

// DraftFigures writes the figures that a game is to have, if it has others.
func (w Writer) DraftFigures(g *Game, f Figures) error {
	if f == g.Figures {
		return w.out.Delete(figuresKey(g.ID))
	}
	return w.put(figuresKey(g.ID), f)
}

// AreDrafted reports whether DraftFigures would do nothing.
func (r Reader) AreDrafted(g *Game, f Figures) (bool, error) {
	was, err := r.DraftedFigures(g.ID)
	if errors.Is(err, ErrNotFound) {
		return f == g.Figures, nil
	}
	return f != g.Figures && f == was, err
}

// AdoptFigures writes the drafts of figures into their games, at most so many, and
// returns how many there were of these.
func (w Writer) AdoptFigures(limit int) (int, error) {
	keys, err := w.first(key("figures/"), limit)
	if err != nil {
		return 0, err
	}
	for _, k := range keys {
		id, _ := lastNumber[GameID](k)
		g, err := w.Game(id)
		if Lost(err) {
			if err := w.out.Delete(k); err != nil {
				return 0, err
			}
			continue
		}
		if err != nil {
			return 0, err
		}
		was := g
		if g.Figures, err = w.DraftedFigures(g.ID); err != nil {
			return 0, err
		}
		if err := errors.Join(w.PutGame(was, g), w.out.Delete(k)); err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}
