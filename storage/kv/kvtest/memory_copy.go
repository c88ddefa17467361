package kvtest

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/tidwall/btree"

	"chimera/storage/kv"
)

// Copy writes the pairs as gob does, a page at a time.
func (m *memory) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	if err := m.enter(ctx); err != nil {
		return err
	}
	defer m.leave()
	var pairs []kv.Item
	m.snapshot().Scan(func(key string, value []byte) bool {
		pairs = append(pairs, kv.Item{Key: []byte(key), Value: value})
		return true
	})
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(pairs); err != nil {
		return err
	}
	w, err := begin(int64(file.Len()))
	if err != nil {
		return err
	}
	for page := range slices.Chunk(file.Bytes(), 4096) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(page); err != nil {
			return err
		}
	}
	return nil
}

// load is the tree of a file that Copy wrote, an empty one if there is no file.
func load(path string) *btree.Map[string, []byte] {
	tree := &btree.Map[string, []byte]{}
	file, err := os.ReadFile(path)
	if err != nil {
		return tree
	}
	var pairs []kv.Item
	if err := gob.NewDecoder(bytes.NewReader(file)).Decode(&pairs); err != nil {
		panic(fmt.Sprintf("kvtest: %s is no copy: %v", path, err))
	}
	for _, pair := range pairs {
		tree.Set(string(pair.Key), append([]byte{}, pair.Value...))
	}
	return tree
}
