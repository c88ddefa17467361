package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"chimera/storage/kv"
)

// MaxMemory is how many bytes an adapter can remember under one key.
const MaxMemory = 64 << 10

// ErrMemory is returned where more is to be remembered.
var ErrMemory = errors.New("storage: more than can be remembered under one key")

// Memory is something that an adapter remembers.
type Memory struct {
	Platform, Name string
	Value          []byte
	At             time.Time // when it was last put, to the day; zero if that is not known
}

const memories = "memory/"

func memoryKey(platform, name string) []byte { return append(text(key(memories), platform), name...) }

// dated begins a value of which is known when it was put: the byte, Unix seconds, and the
// value itself. What versions before this one have put is text, and begins with none.
const dated = 1

func packMemory(at time.Time, value []byte) []byte {
	return append(number([]byte{dated}, uint64(max(at.Unix(), 0))), value...)
}

func unpackMemory(packed []byte) (at time.Time, value []byte) {
	if len(packed) <= numberSize || packed[0] != dated {
		return time.Time{}, packed
	}
	if seconds := binary.BigEndian.Uint64(packed[1:]); seconds != 0 {
		at = time.Unix(int64(seconds), 0).UTC()
	}
	return at, packed[1+numberSize:]
}

// Memory is what an adapter has put under a name of its own, nil if nothing.
func (r Reader) Memory(platform, name string) ([]byte, error) {
	packed, err := r.kv.Get(memoryKey(platform, name))
	_, value := unpackMemory(packed)
	return value, err
}

// Memories are the names with a prefix under which an adapter has put something, in order.
func (r Reader) Memories(platform, prefix string) ([]string, error) {
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

// PutMemory remembers bytes, as of when the program was last seen at work; nil forgets
// them.
func (w Writer) PutMemory(platform, name string, value []byte) error {
	switch {
	case value == nil:
		return w.out.Delete(memoryKey(platform, name))
	case len(value) > MaxMemory:
		return ErrMemory
	}
	clocks, err := w.Running()
	if err != nil {
		return err
	}
	return w.out.Put(memoryKey(platform, name), packMemory(clocks.Alive, value))
}

// Remembers reports whether to put bytes under a name would change nothing: they are there,
// and have been for less than a day.
func (r Reader) Remembers(platform, name string, value []byte) (bool, error) {
	packed, err := r.kv.Get(memoryKey(platform, name))
	if err != nil || packed == nil || value == nil {
		return packed == nil && value == nil, err
	}
	clocks, err := r.Running()
	at, found := unpackMemory(packed)
	return bytes.Equal(found, value) && clocks.Alive.Sub(at) < 24*time.Hour, err
}

// AllMemories are what adapters remember after a place in the order of all that, at most
// so many, and the place of the last of them, "" where it ends.
func (r Reader) AllMemories(after string, limit int) (found []Memory, last string, err error) {
	start, end := kv.Prefix(key(memories))
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
		platform, name, _ := strings.Cut(last, "\x00")
		at, value := unpackMemory(item.Value)
		found = append(found, Memory{platform, name, value, at})
	}
	return found, "", nil
}

// Swept is up to which place what adapters remember was looked through for what has come
// to its end; "" if it is looked through from the first.
func (r Reader) Swept() (string, error) {
	place, err := r.kv.Get([]byte("meta/swept"))
	return string(place), err
}

// PutSwept writes that.
func (w Writer) PutSwept(place string) error {
	if place == "" {
		return w.out.Delete([]byte("meta/swept"))
	}
	return w.out.Put([]byte("meta/swept"), []byte(place))
}
