package message

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"
)

// TestWhatIsKeptIsPaintedOnce lets many ask for one picture at once, and again.
func TestWhatIsKeptIsPaintedOnce(t *testing.T) {
	s := NewCache(nil)
	var painted atomic.Int32
	paint := func(w io.Writer) error {
		painted.Add(1)
		_, err := io.WriteString(w, "picture")
		return err
	}
	if _, kept := s.Kept("a"); kept {
		t.Error("it is kept before it was painted")
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, err := s.Keep(t.Context(), "card", "a", paint); err != nil || string(got) != "picture" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	all.Wait()
	if got, kept := s.Kept("a"); !kept || string(got) != "picture" || painted.Load() != 1 {
		t.Errorf("painted %d times, kept %t: %q", painted.Load(), kept, got)
	}
}

func TestWhatCannotBePaintedIsNotKept(t *testing.T) {
	s := NewCache(nil)
	wrong := errors.New("no paint")
	if _, err := s.Keep(t.Context(), "card", "a", func(io.Writer) error { return wrong }); !errors.Is(err, wrong) {
		t.Error(err)
	}
	if _, kept := s.Kept("a"); kept {
		t.Error("it is kept")
	}
}
