package kvtest

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"chimera/storage/kv"
)

// ErrKilled is returned by the updates of a Frail engine after its program was killed.
var ErrKilled = errors.New("killed")

// Frail is an engine whose program is killed after a number of updates; never if that is negative.
type Frail struct {
	kv.DB
	Left int
}

// Update fails once the program was killed.
func (f *Frail) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if f.Left == 0 {
		return ErrKilled
	}
	f.Left--
	return f.DB.Update(ctx, fn)
}

// Found are the keys whose stored pairs contain a word.
func Found(t testing.TB, db kv.DB, word string) (keys []string) {
	t.Helper()
	err := db.View(t.Context(), func(r kv.Reader) error {
		for item, err := range r.Scan(nil, nil) {
			if err != nil {
				return err
			}
			if bytes.Contains(item.Key, []byte(word)) || bytes.Contains(item.Value, []byte(word)) {
				keys = append(keys, string(item.Key))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
