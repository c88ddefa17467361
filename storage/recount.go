package storage

import (
	"bytes"
	"errors"

	"chimera/storage/kv"
)

// Recount is the work of computing all ratings again without some games. What it has come
// to are drafts of people's standings, which nobody sees before it is done, and of games'
// figures, which are written into the games after that.
type Recount struct {
	Games    []GameID // that are left out; none where only drafts are left to be cleared away
	Waiting  []GameID // that are to be left out by the next one
	Counting bool     // the drafts are of this one; else those of figures hold, and the others are to be cleared away
	Next     uint64   // how many of the games of Rated the drafts know
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

// Draft is a career of which nothing but the standings is known, as a Recount has come to
// them.
func (r Reader) Draft(p PersonID) (Career, error) {
	value, err := r.kv.Get(draftKey(p))
	if err != nil || value == nil {
		return Career{}, err
	}
	return decodeDraft(value)
}

func decodeDraft(value []byte) (Career, error) {
	u := unpack(value)
	var c Career
	c.decodeStandings(&u)
	return c, u.end()
}

// PutDraft writes the standings of a career as a draft.
func (w Writer) PutDraft(p PersonID, c Career) error {
	return w.out.Put(draftKey(p), encodeStandings(c.Standings))
}

// Drafts calls each for every draft that is not what the person's career says.
func (r Reader) Drafts(each func(PersonID, Career)) error {
	start, end := kv.Prefix(key("draft/"))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		p, ok := lastNumber[PersonID](item.Key)
		if !ok {
			continue
		}
		career, err := r.kv.Get(careerKey(p))
		if err != nil {
			return err
		}
		if bytes.HasPrefix(career, item.Value) { // which begins with the standings
			continue
		}
		draft, err := decodeDraft(item.Value)
		if err != nil {
			return err
		}
		each(p, draft)
	}
	return nil
}

// ClearDrafts removes at most so many drafts, and returns how many there were of these.
func (w Writer) ClearDrafts(limit int) (int, error) {
	old, err := w.first(key("draft/"), limit)
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
