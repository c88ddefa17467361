package storage

import (
	"errors"

	"chimera/storage/kv"
)

// MaxMemory is how many bytes an adapter can remember under one key.
const MaxMemory = 64 << 10

// ErrMemory is returned where more is to be remembered.
var ErrMemory = errors.New("storage: more than can be remembered under one key")

func memoryKey(platform, name string) []byte { return append(text(key("memory/"), platform), name...) }

// Memory is what an adapter has put under a name of its own, nil if nothing.
func (r Reader) Memory(platform, name string) ([]byte, error) {
	return r.kv.Get(memoryKey(platform, name))
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

// PutMemory remembers bytes; nil forgets them.
func (w Writer) PutMemory(platform, name string, value []byte) error {
	switch {
	case value == nil:
		return w.out.Delete(memoryKey(platform, name))
	case len(value) > MaxMemory:
		return ErrMemory
	}
	return w.out.Put(memoryKey(platform, name), value)
}
