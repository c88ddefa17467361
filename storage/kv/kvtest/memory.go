package kvtest

import (
	"bytes"
	"context"
	"iter"
	"sync"

	"github.com/tidwall/btree"

	"chimera/storage/kv"
)

// Disk keeps databases in memory, for tests with too many commits for a disk: a database that is closed and opened
// again holds what it held. An Update is limited to what every engine accepts. A Disk is safe for concurrent use.
type Disk struct {
	mu    sync.Mutex
	files map[string]*btree.Map[string, []byte]
}

// Open opens the database at a path, or makes it: from the file there, if a copy was written to it, or empty.
func (d *Disk) Open(path string) kv.DB {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = map[string]*btree.Map[string, []byte]{}
	}
	if d.files[path] == nil {
		d.files[path] = load(path)
	}
	m := &memory{disk: d, path: path, tree: d.files[path]}
	m.idle.L = &m.mu
	return m
}

// memory is an open database: a tree that is replaced by each Update.
type memory struct {
	disk  *Disk
	path  string
	write sync.Mutex // held by the one Update that runs

	mu     sync.Mutex
	idle   sync.Cond // signalled when running gets 0
	tree   *btree.Map[string, []byte]
	closed bool
	calls  int // View, Update and Copy calls under way
}

// enter begins a call; leave ends it.
func (m *memory) enter(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return kv.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.calls++
	return nil
}

func (m *memory) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls--; m.calls == 0 {
		m.idle.Broadcast()
	}
}

// snapshot is a copy that shares what does not change.
func (m *memory) snapshot() *btree.Map[string, []byte] {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tree.Copy()
}

func (m *memory) View(ctx context.Context, fn func(kv.Reader) error) error {
	if err := m.enter(ctx); err != nil {
		return err
	}
	defer m.leave()
	tx := &memoryTx{tree: m.snapshot()}
	defer func() { tx.over = true }()
	return fn(tx)
}

func (m *memory) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if err := m.enter(ctx); err != nil {
		return err
	}
	defer m.leave()
	m.write.Lock()
	defer m.write.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	tx := &memoryTx{tree: m.snapshot()}
	defer func() { tx.over = true }()
	if err := bounded(fn)(tx); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tree = tx.tree
	return nil
}

func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	for m.calls > 0 {
		m.idle.Wait()
	}
	m.disk.mu.Lock()
	defer m.disk.mu.Unlock()
	m.disk.files[m.path] = m.tree
	return nil
}

type memoryTx struct {
	tree *btree.Map[string, []byte]
	over bool
}

func (tx *memoryTx) Get(key []byte) ([]byte, error) {
	if err := kv.Check(tx.over, key, nil); err != nil {
		return nil, err
	}
	value, ok := tx.tree.Get(string(key))
	if !ok {
		return nil, nil
	}
	return append([]byte{}, value...), nil
}

func (tx *memoryTx) GetAll(keys ...[]byte) ([][]byte, error) { return kv.GetEach(tx.Get, keys) }

func (tx *memoryTx) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	from, to, bounded := string(start), string(end), end != nil
	return func(yield func(kv.Item, error) bool) {
		if tx.over {
			yield(kv.Item{}, kv.ErrOver)
			return
		}
		tx.tree.Copy().Ascend(from, func(key string, value []byte) bool {
			if tx.over {
				yield(kv.Item{}, kv.ErrOver)
				return false
			}
			if bounded && key >= to {
				return false
			}
			return yield(kv.Item{Key: []byte(key), Value: append([]byte{}, value...)}, nil)
		})
	}
}

func (tx *memoryTx) Put(key, value []byte) error {
	if err := kv.Check(tx.over, key, value); err != nil {
		return err
	}
	tx.tree.Set(string(key), bytes.Clone(value))
	return nil
}

func (tx *memoryTx) Delete(key []byte) error {
	if err := kv.Check(tx.over, key, nil); err != nil {
		return err
	}
	tx.tree.Delete(string(key))
	return nil
}
