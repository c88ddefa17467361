package storage

import (
	"bytes"
	"context"
	"strings"

	"chimera/storage/kv"
)

// Usage is how much is stored of a kind.
type Usage struct {
	Kind  string // what its keys begin with
	Count int
	Bytes int64 // of keys, values and checksums
}

// Usage is how much is stored of each kind, in order. It is read in steps, so that no long
// transaction keeps space from being used again: what changes meanwhile is counted once,
// twice or not at all.
func (s *Store) Usage(ctx context.Context) ([]Usage, error) {
	var all []Usage
	for item, err := range inPages(ctx, s.View, nil, func(_ Reader, some []kv.Item) ([]kv.Item, error) { return some, nil }) {
		if err != nil {
			return nil, err
		}
		all = tally(all, item)
	}
	return all, nil
}

func tally(all []Usage, item kv.Item) []Usage {
	kind := kindOf(item.Key)
	if len(all) == 0 || all[len(all)-1].Kind != kind {
		all = append(all, Usage{Kind: kind})
	}
	last := &all[len(all)-1]
	last.Count++
	last.Bytes += int64(len(item.Key) + len(item.Value) + SealSize)
	return all
}

// kindOf is what the keys of a kind begin with. Among what adapters remember, each platform
// has kinds of its own.
func kindOf(k []byte) string {
	kind, rest, _ := bytes.Cut(k, []byte("/"))
	if string(kind)+"/" != states.prefix {
		return string(kind) + "/"
	}
	platform, name, _ := strings.Cut(string(rest), "\x00")
	name, _, _ = strings.Cut(name, "/")
	return states.prefix + platform + "/" + name + "/"
}
