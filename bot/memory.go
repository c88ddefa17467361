package bot

import (
	"context"

	"chimera/storage"
)

// Memory is what an adapter must remember beyond its process: the messages it sent,
// the last one it saw, uploaded pictures. It is safe for concurrent use.
type Memory struct {
	store    *storage.Store
	platform string
}

// NewMemory is the memory of a platform's adapter.
func NewMemory(store *storage.Store, platform string) *Memory { return &Memory{store, platform} }

// Get is what was put under a name, nil if nothing.
func (m *Memory) Get(ctx context.Context, name string) ([]byte, error) {
	var found []byte
	err := m.store.View(ctx, func(r storage.Reader) (err error) {
		found, err = r.Memory(m.platform, name)
		return err
	})
	return found, err
}

// Put remembers bytes under a name, at most storage.MaxMemory; nil forgets them.
func (m *Memory) Put(ctx context.Context, name string, value []byte) error {
	return m.PutAll(ctx, map[string][]byte{name: value})
}

// PutAll puts several, all or none.
func (m *Memory) PutAll(ctx context.Context, values map[string][]byte) error {
	return m.store.Update(ctx, func(w storage.Writer) error {
		for name, value := range values {
			if err := w.PutMemory(m.platform, name, value); err != nil {
				return err
			}
		}
		return nil
	})
}
