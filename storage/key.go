package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/go-json-experiment/json/v1" // the next encoding/json, which reads in half the time

	"chimera/storage/kv"
)

// Numbers of what is stored, from 1; 0 is none.
type (
	// PersonID is the number of somebody who plays, or has been challenged.
	PersonID uint64
	// PlaceID is the number of a room in which games are played.
	PlaceID uint64
	// ServerID is the number of a community.
	ServerID uint64
	// GameID is the number of a game, and before that of the challenge it came from; people write it "#12".
	GameID uint64
)

// Key is the key of a record or an index entry: its prefix, then its parts in order. Numbers are
// eight bytes, big end first, so that keys stand in order; texts end with a zero byte, so that no
// other text's keys share their prefix; bytes stand as they are.
func Key(prefix string, parts ...any) []byte {
	key := append(make([]byte, 0, 64), prefix...)
	for _, part := range parts {
		switch part := part.(type) {
		case uint64:
			key = binary.BigEndian.AppendUint64(key, part)
		case GameID:
			key = binary.BigEndian.AppendUint64(key, uint64(part))
		case PersonID:
			key = binary.BigEndian.AppendUint64(key, uint64(part))
		case PlaceID:
			key = binary.BigEndian.AppendUint64(key, uint64(part))
		case LeagueID:
			key = binary.BigEndian.AppendUint64(key, uint64(part))
		case SeasonID:
			key = binary.BigEndian.AppendUint64(key, uint64(part))
		case ServerID:
			key = binary.BigEndian.AppendUint64(key, uint64(part))
		case string:
			key = append(append(key, part...), 0)
		case []byte:
			key = append(key, part...)
		case interface{ parts() []any }:
			key = append(key, Key("", part.parts()...)...)
		default:
			panic(fmt.Sprintf("storage: a %T in a key", part))
		}
	}
	return key
}

// NumberSize is how many bytes of a key a number fills.
const NumberSize = 8

// Number is a number as it stands in keys and in values.
func Number[N ~uint64](n N) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// End is the number at the end of a key or a value, 0 if that is too short to have one.
func End(b []byte) uint64 {
	if len(b) < NumberSize {
		return 0
	}
	return binary.BigEndian.Uint64(b[len(b)-NumberSize:])
}

// lastNumber is the number at the end of a pair's key; false if there is none, which is damage.
func lastNumber[N ~uint64](item kv.Item) (N, bool) {
	n := N(End(item.Key))
	return n, n != 0
}

// numbersIn reads the numbers that follow a prefix in a key; nil if the key is damaged, which Check
// reports.
func numbersIn(key []byte, prefix string, n int) []uint64 {
	rest := key[min(len(prefix), len(key)):]
	if len(rest) != n*NumberSize {
		return nil
	}
	all := make([]uint64, n)
	for i := range all {
		all[i] = binary.BigEndian.Uint64(rest[i*NumberSize:])
	}
	return all
}

// numbers are the last numbers of the keys with a prefix, in rising order.
func numbers[N ~uint64](r Reader, prefix []byte) ([]N, error) {
	return collect(r.kv.Scan(kv.Prefix(prefix)), 0, lastNumber[N])
}

// collect is what find makes of items, in their order, without those of which it makes nothing; at
// most limit, unless that is 0.
func collect[E, T any](items iter.Seq2[E, error], limit int, find func(E) (T, bool)) (all []T, err error) {
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

// next gives the next number of a kind, from 1.
func (w Writer) next(kind string) (uint64, error) {
	seq := Key("seq/" + kind)
	last, err := w.kv.Get(seq)
	if err != nil {
		return 0, err
	}
	n := End(last) + 1
	return n, w.out.Put(seq, Number(n))
}

// encoding begins the values that are JSON.
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

// Missing reports whether an error means that a record does not exist, or is corrupt.
func Missing(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, kv.ErrCorrupt) }

// Get reads the record of a key into v, or returns ErrNotFound.
func get(r kv.Reader, key []byte, v any) error {
	value, err := r.Get(key)
	switch {
	case err != nil:
		return err
	case value == nil:
		return ErrNotFound
	}
	return Decode(value, v)
}

// Put writes a record that has no indexes.
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
