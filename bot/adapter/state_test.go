package adapter_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestMuchThatIsPutSoonIsStoredALittleAtATime puts as much as can be under each name.
func TestMuchThatIsPutSoonIsStoredALittleAtATime(t *testing.T) {
	const many = 40
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	kvtest.Must(t, err)
	large := strings.Repeat("x", storage.MaxState)
	m := adapter.NewState(store, "test", slog.New(slog.DiscardHandler))
	for n := range many {
		m.PutSoon(fmt.Sprint("thing/", n), []byte(large))
	}
	kvtest.Must(t, m.Flush(t.Context()))
	after := adapter.NewState(store, "test", slog.New(slog.DiscardHandler)) // when the program begins again
	for n := range many {
		if found, err := after.Load(t.Context(), fmt.Sprint("thing/", n)); found != large || err != nil {
			t.Errorf("thing %d has %d bytes: %v", n, len(found), err)
		}
	}
}

// TestWhatWaitsIsNotStoredOverWhatCameAfterIt stores values elsewhere, one before what was put soon
// before it is stored, the other without anything before it.
func TestWhatWaitsIsNotStoredOverWhatCameAfterIt(t *testing.T) {
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	kvtest.Must(t, err)
	m := adapter.NewState(store, "test", slog.New(slog.DiscardHandler))
	m.PutSoon("thing/1", []byte("old"))
	newer := map[string][]byte{"thing/1": []byte("new"), "thing/2": []byte("new")}
	m.Overtake(newer)
	kvtest.Must(t, store.Update(t.Context(), func(w storage.Writer) error {
		for name, value := range newer {
			if err := w.PutState(storage.State{Platform: "test", Name: name, Value: value}); err != nil {
				return err
			}
		}
		return nil
	}))
	kvtest.Must(t, m.Flush(t.Context()))
	for name := range newer {
		if found, err := m.Load(t.Context(), name); found != "new" || err != nil {
			t.Errorf("%s is %q: %v", name, found, err)
		}
	}
}

// TestTheLedgerReadsWhatEarlierVersionsNoted has an offer without what it asks.
func TestTheLedgerReadsWhatEarlierVersionsNoted(t *testing.T) {
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	kvtest.Must(t, err)
	s := adapter.NewState(store, "test", slog.New(slog.DiscardHandler))
	s.SetAll(t.Context(), map[string]string{
		"message/501/7": "12", "board/501/12": "501/7 502/8", "offers/501/12": "501/6",
		"board/-500/3/12": "7 8", "offers/-500/3/12": "9=challenged",
	})
	if game, exercise := s.GameOf(t.Context(), "501", "7"); game != 12 || exercise {
		t.Errorf("the message shows %d, or an exercise: %t", game, exercise)
	}
	for place, want := range map[string][]adapter.Ref{"501": {{"501", "7"}, {"502", "8"}}, "-500/3": {{"", "7"}, {"", "8"}}, "503": nil} {
		if got := s.Boards(t.Context(), place, 12); !slices.Equal(got, want) {
			t.Errorf("at %s there are the boards %v, want %v", place, got, want)
		}
	}
	asked := adapter.Offer{Ref: adapter.Ref{ID: "10"}, About: "draw offered"}
	for place, want := range map[string][]adapter.Offer{
		"501": {{Ref: adapter.Ref{Channel: "501", ID: "6"}}}, "-500/3": {{Ref: adapter.Ref{ID: "9"}, About: "challenged"}}, "503": nil,
	} {
		got := s.Offers(t.Context(), place, 12)
		if !slices.Equal(got, want) {
			t.Errorf("at %s there are the offers %v, want %v", place, got, want)
		}
		receipt := outbox.Receipt{}
		s.SetOffers(receipt, place, 12, append(got, asked))
		s.PutAllSoon(receipt)
		if got := s.Offers(t.Context(), place, 12); !slices.Equal(got, append(want, asked)) {
			t.Errorf("at %s there are the offers %v after one more", place, got)
		}
	}
}
