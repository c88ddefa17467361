package storage

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// MaxMemory is how many bytes an adapter can remember under one key.
const MaxMemory = 64 << 10

// ErrMemory is returned where more is to be remembered.
var ErrMemory = errors.New("storage: more than can be remembered under one key")

// Memory is something that an adapter remembers.
type Memory struct {
	Platform string `json:"-"`
	Name     string `json:"-"`
	Value    []byte
	About    string    `json:",omitempty"` // id of the account that it is about, with whose person it is forgotten; "" if none
	At       time.Time `json:",omitzero"`  // when it was last put, to the day; zero if that is not known
}

const memories = "memory/"

func memoryKey(platform, name string) []byte {
	return append(record.Text(record.Key(memories), platform), name...)
}

func aboutKey(platform, account, name string) []byte {
	return append(record.Text(record.Text(record.Key("about/"), platform), account), name...)
}

// Memory is what an adapter has put under a name of its own, nil if nothing.
func (r memoryReader) Memory(platform, name string) ([]byte, error) {
	m, err := r.memory(platform, name)
	return m.Value, err
}

func (r *tx) memory(platform, name string) (Memory, error) {
	m := Memory{Platform: platform, Name: name}
	err := r.get(memoryKey(platform, name), &m)
	if Lost(err) { // what cannot be read is nothing
		return m, nil
	}
	return m, err
}

// Memories are the names with a prefix under which an adapter has put something, in order.
func (r memoryReader) Memories(platform, prefix string) ([]string, error) {
	var names []string
	before := len(memoryKey(platform, ""))
	start, end := kv.Prefix(memoryKey(platform, prefix))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		names = append(names, string(item.Key[before:]))
	}
	return names, nil
}

// PutMemory remembers bytes that are about no account, as of when the program was last seen
// at work; nil forgets them.
func (w memoryWriter) PutMemory(platform, name string, value []byte) error {
	return w.Remember(Memory{Platform: platform, Name: name, Value: value})
}

// Remember is PutMemory of what may be about an account.
func (w memoryWriter) Remember(m Memory) error {
	was, err := w.memory(m.Platform, m.Name)
	if err != nil {
		return err
	}
	return w.replace(was, m)
}

// Refresh is Remember, unless that would change nothing.
func (w memoryWriter) Refresh(m Memory) error {
	was, err := w.memory(m.Platform, m.Name)
	if err != nil {
		return err
	}
	if same, err := w.same(was, m); same || err != nil {
		return err
	}
	return w.replace(was, m)
}

// replace writes what is remembered in the place of what was under the same name.
func (w *writer) replace(was, m Memory) error {
	if len(m.Value) > MaxMemory {
		return ErrMemory
	}
	if was.About != "" && (was.About != m.About || m.Value == nil) {
		if err := record.Mark(w.out, aboutKey(m.Platform, was.About, m.Name), false); err != nil {
			return err
		}
	}
	if m.Value == nil {
		return w.out.Delete(memoryKey(m.Platform, m.Name))
	}
	clocks, err := w.Running()
	if err != nil {
		return err
	}
	m.At = clocks.Alive
	return w.remember(m)
}

func (w *writer) remember(m Memory) error {
	if m.About != "" {
		if err := record.Mark(w.out, aboutKey(m.Platform, m.About, m.Name), true); err != nil {
			return err
		}
	}
	return record.Put(w.out, memoryKey(m.Platform, m.Name), m)
}

// ForgetAbout forgets what an adapter remembers about an account or, if it is one of some
// kinds, such as "message/", of the chat that has the same id or another.
func (w memoryWriter) ForgetAbout(a Address, kinds []string) error {
	var names []string
	prefix := aboutKey(a.Platform, a.ID, "")
	start, end := kv.Prefix(prefix)
	for item, err := range w.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		names = append(names, string(item.Key[len(prefix):]))
	}
	for _, kind := range kinds {
		inside, err := w.Memories(a.Platform, kind+a.ID+"/")
		if err != nil {
			return err
		}
		names = append(append(names, kind+a.ID), inside...)
	}
	for _, name := range names {
		if err := w.PutMemory(a.Platform, name, nil); err != nil {
			return err
		}
	}
	return nil
}

// Remembers reports whether to remember something would change nothing: it is there, and
// has been for less than a day.
func (r memoryReader) Remembers(m Memory) (bool, error) {
	was, err := r.memory(m.Platform, m.Name)
	if err != nil {
		return false, err
	}
	return r.same(was, m)
}

// same is Remembers, where what is there was read.
func (r *tx) same(was, m Memory) (bool, error) {
	switch {
	case was.Value == nil || m.Value == nil:
		return was.Value == nil && m.Value == nil, nil
	case !bytes.Equal(was.Value, m.Value) || was.About != m.About:
		return false, nil
	}
	clocks, err := r.all().Running()
	return clocks.Alive.Sub(was.At) < 24*time.Hour, err
}

// AllMemories are what adapters remember after a place in the order of all that, at most
// so many, and the place of the last of them, "" where it ends.
func (r memoryReader) AllMemories(after string, limit int) (found []Memory, last string, err error) {
	start, end := kv.Prefix(record.Key(memories))
	if after != "" {
		start = []byte(memories + after + "\x00")
	}
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, "", err
		}
		if len(found) == limit {
			return found, last, nil
		}
		last = string(item.Key[len(memories):])
		var m Memory
		m.Platform, m.Name, _ = strings.Cut(last, "\x00")
		_ = record.Decode(item.Value, &m) // what cannot be read is nothing, and goes as such
		found = append(found, m)
	}
	return found, "", nil
}

// What is looked through for what has come to its end.
const (
	SweptMemories = memories
	SweptSeen     = seen
)

// Swept is up to which place a kind was looked through for what has come to its end; "" if it
// is looked through from the first.
func (r memoryReader) Swept(kind string) (string, error) {
	place, err := r.kv.Get(append(record.Key("meta/swept/"), kind...))
	return string(place), err
}

// PutSwept writes that.
func (w memoryWriter) PutSwept(kind, place string) error {
	k := append(record.Key("meta/swept/"), kind...)
	if place == "" {
		return w.out.Delete(k)
	}
	return w.out.Put(k, []byte(place))
}
