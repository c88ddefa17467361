package storage

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"

	"chimera/storage/kv"
)

// SealSize is how many bytes of what is stored are the checksum of a value.
const SealSize = 4

// damaged begins what is read in the place of a value whose checksum is wrong. No value that is
// written begins so.
const damaged = 0

// Seal is a value as it is stored under a key: with the CRC-32C of both behind it.
func Seal(key, value []byte) []byte {
	sealed := append(make([]byte, 0, len(value)+SealSize), value...)
	return binary.BigEndian.AppendUint32(sealed, sumOf(key, value))
}

// Unseal is the value that Seal was given; false if the checksum is wrong.
func Unseal(key, sealed []byte) (value []byte, sound bool) {
	n := len(sealed) - SealSize
	if n < 0 || binary.BigEndian.Uint32(sealed[n:]) != sumOf(key, sealed[:n]) {
		return nil, false
	}
	return sealed[:n:n], true
}

// FindSealed is a JSON object as it is stored under a key, of which only the beginning is known; nil if no
// end of it is found. The end is a brace: without that, a checksum would be right by chance somewhere.
func FindSealed(key, from []byte) (sealed []byte) {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := sumOf(key, nil)
	for n := range max(0, len(from)-SealSize+1) {
		if n > 0 && from[n-1] == '}' && binary.BigEndian.Uint32(from[n:]) == sum {
			return from[:n+SealSize]
		}
		sum = crc32.Update(sum, table, from[n:n+1])
	}
	return nil
}

// sumOf is the checksum of a value under a key, of which it begins with the length.
func sumOf(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Update(uint32(len(key)), table, key), table, value)
}

// Sealed reads values that a SealedWriter has written. Get returns kv.ErrCorrupt for a damaged one.
// GetAll and Scan return a value in its place that cannot be decoded, and Scan leaves out damaged keys
// without a value.
type Sealed struct{ kv.Reader }

// Get implements [kv.Reader].
func (s Sealed) Get(key []byte) ([]byte, error) {
	sealed, err := s.Reader.Get(key)
	if sealed == nil || err != nil {
		return nil, err
	}
	value, sound := Unseal(key, sealed)
	if !sound {
		return nil, fmt.Errorf("storage: the checksum of %q is wrong: %w", key, kv.ErrCorrupt)
	}
	return value, nil
}

// GetAll implements [kv.Reader].
func (s Sealed) GetAll(keys ...[]byte) ([][]byte, error) {
	values, err := s.Reader.GetAll(keys...)
	for i, sealed := range values {
		if sealed != nil {
			values[i] = valueOf(keys[i], sealed)
		}
	}
	return values, err
}

// Scan implements [kv.Reader].
func (s Sealed) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	return func(yield func(kv.Item, error) bool) {
		for item, err := range s.Reader.Scan(start, end) {
			mark := len(item.Value) == SealSize
			item.Value = valueOf(item.Key, item.Value)
			if err == nil && mark && len(item.Value) > 0 {
				continue
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// valueOf is a value, or what stands in the place of one that is damaged.
func valueOf(key, sealed []byte) []byte {
	if value, sound := Unseal(key, sealed); sound {
		return value
	}
	return []byte{damaged}
}

// SealedWriter writes values with their checksums.
type SealedWriter struct {
	Sealed
	out   kv.Writer
	wrote bool
}

// SealTo is a SealedWriter over a transaction.
func SealTo(w kv.Writer) *SealedWriter { return &SealedWriter{Sealed: Sealed{w}, out: w} }

// Put implements [kv.Writer].
func (w *SealedWriter) Put(key, value []byte) error {
	w.wrote = true
	return w.out.Put(key, Seal(key, value))
}

// Delete implements [kv.Writer].
func (w *SealedWriter) Delete(key []byte) error {
	w.wrote = true
	return w.out.Delete(key)
}
