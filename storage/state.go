package storage

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// MaxState is how many bytes an adapter can remember under one key.
const MaxState = 64 << 10

// ErrStateTooLong is returned where more is to be remembered.
var ErrStateTooLong = errors.New("memories: more than can be remembered under one key")

// State is something that an adapter remembers.
type State struct {
	Platform string `json:"-"`
	Name     string `json:"-"`
	Value    []byte
	About    string    `json:",omitempty"` // id of the account that it is about, with whose person it is forgotten; "" if none
	At       time.Time `json:",omitzero"`  // when it was last put, to the day; zero if that is not known
}

// states begins the keys of all memories.
const states = "memory/"

func stateKey(platform, name string) []byte {
	return append(record.Text(record.Key(states), platform), name...)
}

// statesAbout begins the keys that lead to what is about an account.
const statesAbout = "about/"

func aboutKey(platform, account, name string) []byte {
	return append(record.Text(record.Text(record.Key(statesAbout), platform), account), name...)
}

// At is the memory that is stored so. What cannot be read is nothing, and goes as such.
func stateAt(item kv.Item) (m State) {
	m.Platform, m.Name, _ = strings.Cut(string(item.Key[len(states):]), "\x00")
	_ = record.Decode(item.Value, &m)
	return m
}

// Place is where it stands in the order of all memories.
func (m *State) Place() string { return string(stateKey(m.Platform, m.Name)[len(states):]) }

// stateLedTo is the key of the memory to which a key of statesAbout leads, nil if that is damaged.
func stateLedTo(lead []byte) []byte {
	parts := strings.SplitN(string(lead[len(statesAbout):]), "\x00", 3)
	if len(parts) < 3 {
		return nil
	}
	return stateKey(parts[0], parts[2])
}

// Index is what leads to a memory.
func (m *State) index() record.Index {
	var x record.Index
	if m.About != "" {
		x.Add(aboutKey(m.Platform, m.About, m.Name))
	}
	return x
}

// State is what an adapter has put under a name of its own, nil if nothing.
func (r Reader) State(platform, name string) ([]byte, error) {
	m, err := r.state(platform, name)
	return m.Value, err
}

func (r Reader) state(platform, name string) (State, error) {
	m := State{Platform: platform, Name: name}
	err := record.Get(r.kv, stateKey(platform, name), &m)
	if record.Lost(err) { // what cannot be read is nothing
		return State{Platform: platform, Name: name}, nil
	}
	return m, err
}

// Memories are the names with a prefix under which an adapter has put something, in order.
func (r Reader) Memories(platform, prefix string) ([]string, error) {
	before := len(stateKey(platform, ""))
	return record.Collect(r.kv.Scan(kv.Prefix(stateKey(platform, prefix))), 0, func(item kv.Item) (string, bool) {
		return string(item.Key[before:]), true
	})
}

// PutMemory remembers bytes that are about no account, as of when the program was last seen
// at work; nil forgets them.
func (w Writer) PutMemory(platform, name string, value []byte) error {
	return w.Remember(State{Platform: platform, Name: name, Value: value})
}

// Remember is PutMemory of what may be about an account.
func (w Writer) Remember(m State) error {
	was, err := w.state(m.Platform, m.Name)
	if err != nil {
		return err
	}
	return w.replace(was, m)
}

// Refresh is Remember, unless that would change nothing.
func (w Writer) Refresh(m State) error {
	was, err := w.state(m.Platform, m.Name)
	if err != nil {
		return err
	}
	if same, err := w.same(was, m); same || err != nil {
		return err
	}
	return w.replace(was, m)
}

// replace writes what is remembered in the place of what was under the same name.
func (w Writer) replace(was, m State) error {
	if len(m.Value) > MaxState {
		return ErrStateTooLong
	}
	if was.About != "" && (was.About != m.About || m.Value == nil) {
		if err := record.Mark(w.out, aboutKey(m.Platform, was.About, m.Name), false); err != nil {
			return err
		}
	}
	if m.Value == nil {
		return w.out.Delete(stateKey(m.Platform, m.Name))
	}
	var err error
	if m.At, err = w.alive(); err != nil {
		return err
	}
	if err := record.Reindex(w.out, nil, m.index()); err != nil {
		return err
	}
	return record.Put(w.out, stateKey(m.Platform, m.Name), m)
}

// ForgetAbout forgets what an adapter remembers about an account or, if it is one of some
// kinds, such as "message/", of the chat that has the same id or another: at most so much of it, and
// reports whether there is more.
func (w Writer) ForgetAbout(platform, account string, kinds []string, limit int) (more bool, err error) {
	prefix := aboutKey(platform, account, "")
	names, err := record.Collect(w.out.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) (string, bool) {
		return string(item.Key[len(prefix):]), true
	})
	if err != nil {
		return false, err
	}
	for _, kind := range kinds {
		inside, err := w.Memories(platform, kind+account+"/")
		if err != nil {
			return false, err
		}
		names = append(names, inside...)
	}
	if more = len(names) > limit; more {
		names = names[:limit]
	} else {
		for _, kind := range kinds {
			names = append(names, kind+account)
		}
	}
	for _, name := range names {
		if err := w.PutMemory(platform, name, nil); err != nil {
			return false, err
		}
	}
	return more, nil
}

// Remembers reports whether to remember something would change nothing: it is there, and
// has been for less than a day.
func (r Reader) Remembers(m State) (bool, error) {
	was, err := r.state(m.Platform, m.Name)
	if err != nil {
		return false, err
	}
	return r.same(was, m)
}

// same is Remembers, where what is there was read.
func (r Reader) same(was, m State) (bool, error) {
	switch {
	case was.Value == nil || m.Value == nil:
		return was.Value == nil && m.Value == nil, nil
	case !bytes.Equal(was.Value, m.Value) || was.About != m.About:
		return false, nil
	}
	alive, err := r.alive()
	return alive.Sub(was.At) < 24*time.Hour, err
}

// AllMemories are what adapters remember after a place in the order of all that, at most
// so many, and the place of the last of them, "" where it ends.
func (r Reader) AllMemories(after string, limit int) (found []State, last string, err error) {
	start, end := kv.Prefix(record.Key(states))
	if after != "" {
		start = []byte(states + after + "\x00")
	}
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, "", err
		}
		if len(found) == limit {
			return found, last, nil
		}
		last = string(item.Key[len(states):])
		found = append(found, stateAt(item))
	}
	return found, "", nil
}
