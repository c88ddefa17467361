// Package memory keeps what adapters must remember beyond their process.
package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chimera/storage"
	"chimera/storage/memories"
)

// Memory is what an adapter must remember beyond its process, such as the messages it sent and
// the last one it saw. Each kind of that has its end, which stands in limit.Ends. It is safe for
// concurrent use.
type Memory struct {
	store    *storage.Store
	platform string

	writing sync.RWMutex // held by whoever stores what was to be put soon
	mu      sync.Mutex
	soon    map[string][]byte // what is to be put
	now     map[string][]byte // what is being put of that
}

// New is the memory of a platform's adapter.
func New(store *storage.Store, platform string) *Memory {
	return &Memory{store: store, platform: platform, soon: map[string][]byte{}}
}

// Get is what was put under a name, nil if nothing.
func (m *Memory) Get(ctx context.Context, name string) ([]byte, error) {
	m.mu.Lock()
	found, known := m.soon[name]
	if !known {
		found, known = m.now[name]
	}
	m.mu.Unlock()
	if known {
		return found, nil
	}
	return storage.Read(ctx, m.store, func(r storage.Reader) ([]byte, error) { return r.Memory(m.platform, name) })
}

// Names are the names with a prefix under which something was put, in order.
func (m *Memory) Names(ctx context.Context, prefix string) ([]string, error) {
	return storage.Read(ctx, m.store, func(r storage.Reader) ([]string, error) { return r.Memories(m.platform, prefix) })
}

// Put remembers bytes under a name, at most memories.Max; nil forgets them.
func (m *Memory) Put(ctx context.Context, name string, value []byte) error {
	return m.PutAll(ctx, map[string][]byte{name: value})
}

// PutAll puts several, all or none. It is also how something that is used again is kept
// from coming to its end; where that is far, it only reads.
func (m *Memory) PutAll(ctx context.Context, values map[string][]byte) error {
	m.writing.RLock()
	defer m.writing.RUnlock()
	m.mu.Lock()
	for name := range values {
		delete(m.soon, name)
	}
	m.mu.Unlock()
	return m.putAll(ctx, values)
}

func (m *Memory) putAll(ctx context.Context, values map[string][]byte) error {
	known := true
	err := m.store.View(ctx, func(r storage.Reader) error {
		for name, value := range values {
			same, err := r.Remembers(memories.Memory{Platform: m.platform, Name: name, Value: value})
			if known = known && same; err != nil || !known {
				return err
			}
		}
		return nil
	})
	if known || err != nil {
		return err
	}
	return m.store.Update(ctx, func(w storage.Writer) error {
		for name, value := range values {
			if err := w.PutMemory(m.platform, name, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// putSoon is within what time something is stored that is put soon.
const putSoon = 3 * time.Second

// PutSoon is Put of what may be lost if the program is killed within some seconds: it is
// stored together with what else is put so meanwhile.
func (m *Memory) PutSoon(name string, value []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.putSoon(name, value)
}

func (m *Memory) putSoon(name string, value []byte) {
	if len(m.soon) == 0 {
		time.AfterFunc(putSoon, func() { _ = m.Flush(context.Background()) }) // what cannot be saved is tried again
	}
	m.soon[name] = value
}

// Overtake takes note of values that somebody else stores: what was put soon before under their
// names is not stored over them.
func (m *Memory) Overtake(values map[string][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, value := range values {
		_, waits := m.soon[name]
		_, leaves := m.now[name]
		if waits || leaves {
			m.putSoon(name, value)
		}
	}
}

// Told tells something that is remembered, unless it is the same as the last time under the
// name.
func (m *Memory) Told(ctx context.Context, name string, thing any, tell func() error) error {
	text, err := json.Marshal(thing)
	if err != nil {
		return err
	}
	now := m.Digest(text)
	before, err := m.Get(ctx, name)
	if err != nil || string(before) == now {
		return err
	}
	if err := tell(); err != nil {
		return err
	}
	return m.Put(ctx, name, []byte(now))
}

// Digest tells things that are remembered apart without keeping them.
func (m *Memory) Digest(thing []byte) string {
	sum := sha256.Sum256(thing)
	return hex.EncodeToString(sum[:])
}

// Flush stores now what was put soon. What cannot be saved is tried again.
func (m *Memory) Flush(ctx context.Context) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	m.mu.Lock()
	values := m.soon
	m.soon, m.now = map[string][]byte{}, values
	m.mu.Unlock()
	const few = 12 // of the longest, a third longer as they are stored
	var err error
	for names := range slices.Chunk(slices.Collect(maps.Keys(values)), few) {
		some := map[string][]byte{}
		for _, name := range names {
			some[name] = values[name]
		}
		err = errors.Join(err, m.putAll(ctx, some))
	}
	m.mu.Lock()
	m.now = nil
	if errors.Is(err, storage.ErrNotSaved) {
		maps.Copy(values, m.soon)
		m.soon = values
		time.AfterFunc(putSoon, func() { _ = m.Flush(context.Background()) })
	}
	m.mu.Unlock()
	return err
}

// PutAbout remembers bytes under a name that are about an account, and go with its person.
// Of an account that nobody has it forgets them.
func (m *Memory) PutAbout(ctx context.Context, account, name string, value []byte) error {
	told := memories.Memory{Platform: m.platform, Name: name, Value: value, About: account}
	known := false
	err := m.store.View(ctx, func(r storage.Reader) error {
		about, err := ofSomebody(r, told)
		if err != nil {
			return err
		}
		known, err = r.Remembers(about)
		return err
	})
	if known || err != nil {
		return err
	}
	return m.store.Update(ctx, func(w storage.Writer) error {
		about, err := ofSomebody(w.Reader, told)
		if err != nil {
			return err
		}
		return w.Remember(about)
	})
}

// ofSomebody is what is to be remembered about an account, nothing if nobody has it.
func ofSomebody(r storage.Reader, m memories.Memory) (memories.Memory, error) {
	_, err := r.PersonAt(storage.Address{Platform: m.Platform, ID: m.About})
	if errors.Is(err, storage.ErrNotFound) {
		m.About, m.Value, err = "", nil, nil
	}
	return m, err
}

// pressKey begins the names of presses that are remembered.
const pressKey = "press/"

// Pack is what a button carries that may carry so many bytes: its press, or under which
// name that is remembered if it is longer.
func (m *Memory) Pack(ctx context.Context, press string, most int) (string, error) {
	if len(press) <= most {
		return press, nil
	}
	name := pressKey + m.Digest([]byte(press))[:32]
	return name, m.Put(ctx, name, []byte(press))
}

// Unpack is the press of what a button carries; if it is not remembered, one of which the
// bot says that the button is too old.
func (m *Memory) Unpack(ctx context.Context, data string) (string, error) {
	if !strings.HasPrefix(data, pressKey) {
		return data, nil
	}
	press, err := m.Get(ctx, data)
	return cmp.Or(string(press), "gone"), err
}
