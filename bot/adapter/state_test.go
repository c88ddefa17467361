package adapter_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"chimera/bot/adapter"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestMuchThatIsPutSoonIsStoredALittleAtATime puts as much as can be under each name.
func TestMuchThatIsPutSoonIsStoredALittleAtATime(t *testing.T) {
	const many = 40
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", storage.MaxState)
	m := adapter.NewState(store, "test", slog.New(slog.DiscardHandler))
	for n := range many {
		m.PutSoon(fmt.Sprint("thing/", n), []byte(large))
	}
	if err := m.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	after := adapter.NewState(store, "test", slog.New(slog.DiscardHandler)) // when the program begins again
	for n := range many {
		if found, err := after.Load(t.Context(), fmt.Sprint("thing/", n)); string(found) != large || err != nil {
			t.Errorf("thing %d has %d bytes: %v", n, len(found), err)
		}
	}
}

// TestWhatWaitsIsNotStoredOverWhatCameAfterIt stores values elsewhere, one before what was put soon
// before it is stored, the other without anything before it.
func TestWhatWaitsIsNotStoredOverWhatCameAfterIt(t *testing.T) {
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	m := adapter.NewState(store, "test", slog.New(slog.DiscardHandler))
	m.PutSoon("thing/1", []byte("old"))
	newer := map[string][]byte{"thing/1": []byte("new"), "thing/2": []byte("new")}
	m.Overtake(newer)
	err = store.Update(t.Context(), func(w storage.Writer) error {
		for name, value := range newer {
			if err := w.PutState(storage.State{Platform: "test", Name: name, Value: value}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	for name := range newer {
		if found, err := m.Load(t.Context(), name); string(found) != "new" || err != nil {
			t.Errorf("%s is %q: %v", name, found, err)
		}
	}
}
