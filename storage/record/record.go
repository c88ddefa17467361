// Package record says how records stand in an engine (package storage/kv): what their keys and
// values look like, and what leads to them. It knows no kind of record.
//
// Numbers in keys are eight bytes, big end first, so that keys stand in order; texts in keys
// end with a zero byte. A value is a version byte and JSON, or packed: see Packed. Behind each
// stands a checksum, by which a Sealed reader finds what was damaged. What leads to a record is
// its Index.
package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/go-json-experiment/json/v1" // the next encoding/json, which reads in half the time

	"chimera/storage/kv"
)

// Key begins a key of the given kind.
func Key(kind string) []byte { return append(make([]byte, 0, 64), kind...) }

// Number appends n so that keys sort by it.
func Number[N ~uint64](key []byte, n N) []byte {
	return binary.BigEndian.AppendUint64(key, uint64(n))
}

// Pair is a key of the given kind about two things, by their numbers.
func Pair[A, B ~uint64](kind string, a A, b B) []byte { return Number(Number(Key(kind), a), b) }

// NumberSize is how many bytes of a key a number fills.
const NumberSize = 8

// Text appends a name so that no other name's keys share its prefix.
func Text(key []byte, name string) []byte { return append(append(key, name...), 0) }

// LastNumber is the number at the end of a key; false if the key is too short to have one,
// which is damage.
func LastNumber[N ~uint64](key []byte) (N, bool) {
	if len(key) < NumberSize {
		return 0, false
	}
	return N(binary.BigEndian.Uint64(key[len(key)-NumberSize:])), true
}

// End is the number at the end of a key or a value, 0 if there is none.
func End(b []byte) uint64 {
	n, _ := LastNumber[uint64](b)
	return n
}

// Numbers are the last numbers of the keys with a prefix, in rising order.
func Numbers[N ~uint64](r kv.Reader, prefix []byte) ([]N, error) {
	return Collect(r.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) (N, bool) { return LastNumber[N](item.Key) })
}

// Collect is what find makes of some pairs, in their order, without those of which it makes nothing; at
// most so much, unless limit is 0.
func Collect[T any](items iter.Seq2[kv.Item, error], limit int, find func(kv.Item) (T, bool)) (all []T, err error) {
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if found, ok := find(item); ok {
			all = append(all, found)
		}
		if limit > 0 && len(all) == limit {
			break
		}
	}
	return all, nil
}

// Next gives the next number of a kind, from 1.
func Next(w kv.Writer, kind string) (uint64, error) {
	seq := Key("seq/" + kind)
	last, err := w.Get(seq)
	if err != nil {
		return 0, err
	}
	n := End(last) + 1
	return n, w.Put(seq, Number(nil, n))
}

const encoding = 1

// Encode is the value of a record.
func Encode(v any) ([]byte, error) {
	value, err := json.Marshal(v)
	return append([]byte{encoding}, value...), err
}

// Decode reads a value into v. One that cannot be read is kv.ErrCorrupt.
func Decode(value []byte, v any) error {
	if len(value) > 0 && value[0] == damaged {
		return fmt.Errorf("storage: the checksum of a record is wrong: %w", kv.ErrCorrupt)
	}
	if len(value) == 0 || value[0] != encoding {
		return fmt.Errorf("storage: a record of unknown form: %w", kv.ErrCorrupt)
	}
	if err := json.Unmarshal(value[1:], v); err != nil {
		return fmt.Errorf("storage: a record cannot be read (%w): %w", err, kv.ErrCorrupt)
	}
	return nil
}

// ErrNotFound is returned for a record that does not exist.
var ErrNotFound = errors.New("storage: not found")

// Lost reports whether an error means that a record is not there, or cannot be read.
func Lost(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, kv.ErrCorrupt) }

// Get reads the record of a key into v, or returns ErrNotFound.
func Get(r kv.Reader, key []byte, v any) error {
	value, err := r.Get(key)
	switch {
	case err != nil:
		return err
	case value == nil:
		return ErrNotFound
	}
	return Decode(value, v)
}

// Replace writes a record, and its indexes in the place of those of what it was.
func Replace(w kv.Writer, key []byte, v any, was, now Index) error {
	return errors.Join(Reindex(w, was, now), Put(w, key, v))
}

// Put writes a record.
func Put(w kv.Writer, key []byte, v any) error {
	value, err := Encode(v)
	if err != nil {
		return err
	}
	return w.Put(key, value)
}

// Mark writes a key that says all by being there, or removes it.
func Mark(w kv.Writer, key []byte, wanted bool) error {
	if wanted {
		return w.Put(key, []byte{})
	}
	return w.Delete(key)
}

// Each calls do with each record of a kind that can be read, and unreadable with the
// number of each other.
func Each[T any](r kv.Reader, kind string, unreadable func(id uint64, err error), do func(T)) error {
	start, end := kv.Prefix(Key(kind))
	for item, err := range r.Scan(start, end) {
		if err != nil {
			return err
		}
		var found T
		if err := Decode(item.Value, &found); err != nil {
			unreadable(End(item.Key), err)
			continue
		}
		do(found)
	}
	return nil
}
