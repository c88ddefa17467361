package careers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"chimera/storage/id"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// Reader reads careers within a transaction.
type Reader struct{ KV kv.Reader }

// Writer writes them within a transaction.
type Writer struct{ KV kv.Writer }

// A person has two careers: the one that holds, and the draft of another as a Recount comes
// to it, or what held before. Which is which changes for all people at once.

// rated follows the number of a person in the keys of their careers. They stand beside their games,
// so that the end of a game, which changes all of it, touches one page for each player.
const rated = "rated"

func careerKey(p id.Person, which byte) []byte {
	return append(append(record.Number(record.Key("player/"), p), rated...), which)
}

// At is whose career stands at a key, and which; false if none does.
func At(key []byte) (p id.Person, which byte, ok bool) {
	before := len(record.Number(record.Key("player/"), p))
	if len(key) != len(careerKey(0, 0)) || !bytes.HasPrefix(key, []byte("player/")) || !bytes.HasPrefix(key[before:], []byte(rated)) {
		return 0, 0, false
	}
	return id.Person(record.End(key[:before])), key[len(key)-1], true
}

func holdsKey() []byte { return []byte("meta/careers") }

// HoldingCareers is which careers hold, and which are drafts.
func (r Reader) HoldingCareers() (holds, drafts byte, err error) {
	value, err := r.KV.Get(holdsKey())
	if len(value) == 1 && value[0] == 'b' {
		return 'b', 'a', err
	}
	return 'a', 'b', err
}

// Career is what rated games have made of a person.
func (r Reader) Career(p id.Person) (Career, error) {
	all, err := r.CareersOf([]id.Person{p})
	if err != nil {
		return Career{}, err
	}
	return all[0], nil
}

// CareersOf are those of some people, in their order.
func (r Reader) CareersOf(people []id.Person) ([]Career, error) {
	values, err := r.holding(people)
	if err != nil {
		return nil, err
	}
	all := make([]Career, len(people))
	for i, value := range values {
		if value == nil {
			continue
		}
		if all[i], err = Decode(value); err != nil {
			return nil, fmt.Errorf("person %d: %w", people[i], err)
		}
	}
	return all, nil
}

// holding is what is stored of the careers of some people that hold.
func (r Reader) holding(people []id.Person) ([][]byte, error) {
	holds, _, err := r.HoldingCareers()
	if err != nil {
		return nil, err
	}
	keys := make([][]byte, len(people))
	for i, p := range people {
		keys[i] = careerKey(p, holds)
	}
	return r.KV.GetAll(keys...)
}

// readAtOnce is how many careers are asked for together.
const readAtOnce = 256

// Careers calls each for those of some people who have played rated games, but whose careers cannot
// be read.
func (r Reader) Careers(people []id.Person, each func(id.Person, Career) error) error {
	for some := range slices.Chunk(people, readAtOnce) {
		values, err := r.holding(some)
		if err != nil {
			return err
		}
		for i, value := range values {
			if value == nil {
				continue
			}
			c, err := Decode(value)
			if record.Lost(err) {
				continue
			}
			if err == nil && len(c.Standings) > 0 {
				err = each(some[i], c)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// PutCareer writes what rated games have made of a person.
func (w Writer) PutCareer(p id.Person, c Career) error {
	holds, _, err := Reader{w.KV}.HoldingCareers()
	if err != nil {
		return err
	}
	return w.KV.Put(careerKey(p, holds), encode(c))
}

// IsDraft reports whether a career is a person's draft.
func (r Reader) IsDraft(p id.Person, c Career) (bool, error) {
	_, drafts, err := r.HoldingCareers()
	if err != nil {
		return false, err
	}
	value, err := r.KV.Get(careerKey(p, drafts))
	switch {
	case record.Lost(err):
		return false, nil
	case value == nil:
		return c.empty(), err
	}
	return bytes.Equal(value, encode(c)), err
}

// PutDraft writes a person's draft.
func (w Writer) PutDraft(p id.Person, c Career) error {
	_, drafts, err := Reader{w.KV}.HoldingCareers()
	if err != nil {
		return err
	}
	if c.empty() {
		return w.KV.Delete(careerKey(p, drafts))
	}
	return w.KV.Put(careerKey(p, drafts), encode(c))
}

// Switch lets all drafts hold, and what held be drafts.
func (w Writer) Switch() error {
	_, drafts, err := Reader{w.KV}.HoldingCareers()
	return errors.Join(err, w.KV.Put(holdsKey(), []byte{drafts}), w.RemakeBoards())
}

func editionKey() []byte { return []byte("meta/boards") }

// Edition is another when leaderboards must be made anew: when anything has changed of
// which they are made but that careers have changed with a new result.
func (r Reader) Edition() (uint64, error) {
	n, err := r.KV.Get(editionKey())
	return record.End(n), err
}

// RemakeBoards lets leaderboards be made anew.
func (w Writer) RemakeBoards() error {
	n, err := Reader{w.KV}.Edition()
	return errors.Join(err, w.KV.Put(editionKey(), record.Number(nil, n+1)))
}
