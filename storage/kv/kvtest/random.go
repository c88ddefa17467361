package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"chimera/storage/kv"
)

// randomHistory applies the same random operations to a database and to a map,
// and compares what can be read after each of them.
func randomHistory(t *testing.T, open Opener) {
	h := &history{t: t, rng: Random(t), stored: make(map[string]string)}
	path := filepath.Join(t.TempDir(), "db")
	for range 4 {
		db := open(t, path)
		for range 50 {
			h.transaction(db)
		}
		equals(t, db, h.stored)
		closeDB(t, db)
	}
}

type history struct {
	t      *testing.T
	rng    *rand.Rand
	stored map[string]string // the model: what is committed
}

// transaction is an update of random operations that one time in four fails.
func (h *history) transaction(db kv.DB) {
	refusal := errors.New("refused")
	refuse := h.rng.IntN(4) == 0
	var pending map[string]string
	err := db.Update(h.t.Context(), func(w kv.Writer) error {
		pending = maps.Clone(h.stored)
		for range h.rng.IntN(30) {
			if err := h.operation(w, pending); err != nil {
				return err
			}
		}
		if refuse {
			return refusal
		}
		return nil
	})
	switch {
	case refuse:
		wantErr(h.t, "Update", err, refusal)
	case err != nil:
		h.t.Errorf("Update: %v", err)
	default:
		h.stored = pending
	}
	view(h.t, db, func(r kv.Reader) error { return h.read(r, h.stored) })
}

func (h *history) operation(w kv.Writer, model map[string]string) error {
	key := h.key()
	switch h.rng.IntN(4) {
	case 0, 1:
		value := h.value()
		model[string(key)] = string(value)
		return w.Put(key, value)
	case 2:
		delete(model, string(key))
		return w.Delete(key)
	}
	return h.read(w, model)
}

// read compares a key and a range with the model.
func (h *history) read(r kv.Reader, model map[string]string) error {
	key := h.key()
	value, err := r.Get(key)
	if err != nil {
		return err
	}
	if want, ok := model[string(key)]; (value != nil) != ok || string(value) != want {
		return fmt.Errorf("%q is %q; want %q", key, value, want)
	}

	start, end := h.key(), h.key()
	switch h.rng.IntN(4) {
	case 0:
		start = nil
	case 1:
		end = nil
	case 2:
		start, end = kv.Prefix(start)
	}
	var want []string
	for _, key := range slices.Sorted(maps.Keys(model)) {
		if key >= string(start) && (end == nil || key < string(end)) {
			want = append(want, key)
		}
	}
	var got []string
	for item, err := range r.Scan(start, end) {
		if err != nil {
			return err
		}
		if model[string(item.Key)] != string(item.Value) {
			return fmt.Errorf("%q is %q in a scan; want %q", item.Key, item.Value, model[string(item.Key)])
		}
		got = append(got, string(item.Key))
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("scan from %q to %q saw %q; want %q", start, end, got, want)
	}
	return nil
}

// key is one of few, so that they meet, with bytes from both ends of the order.
func (h *history) key() []byte {
	letters := []byte{0, 'a', 'b', 0xff}
	key := make([]byte, 1+h.rng.IntN(4))
	for i := range key {
		key[i] = letters[h.rng.IntN(len(letters))]
	}
	return key
}

// value is mostly short, and at times longer than a page of any engine.
func (h *history) value() []byte {
	n := h.rng.IntN(20)
	if h.rng.IntN(16) == 0 {
		n = h.rng.IntN(20_000)
	}
	return bytes.Repeat([]byte{byte(h.rng.Uint32())}, n)
}
