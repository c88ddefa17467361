package storage

import (
	"bytes"

	"chimera/storage/kv"
)

// An Index is the keys that lead to a record, and what stands there. It is made of the
// record alone, so that writing, checking and repairing can all go by it.
type Index []kv.Item

// Add adds a key that says all by being there.
func (x *Index) Add(key []byte) { *x = append(*x, kv.Item{Key: key, Value: []byte{}}) }

// Point adds a key that has the number of the record.
func (x *Index) Point(key []byte, id uint64) {
	*x = append(*x, kv.Item{Key: key, Value: Number(id)})
}

// reindex replaces what leads to a record by what leads to that which it has become.
func reindex(w kv.Writer, was, now Index) error {
	for _, item := range was {
		if _, stays := now.find(item.Key); !stays {
			if err := w.Delete(item.Key); err != nil {
				return err
			}
		}
	}
	for _, item := range now {
		if before, stood := was.find(item.Key); !stood || !bytes.Equal(before, item.Value) {
			if err := w.Put(item.Key, item.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// find is what stands at a key.
func (x Index) find(key []byte) (value []byte, ok bool) {
	for _, item := range x {
		if bytes.Equal(item.Key, key) {
			return item.Value, true
		}
	}
	return nil, false
}
