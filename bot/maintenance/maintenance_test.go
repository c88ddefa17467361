package maintenance

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"chimera/storage"
)

// TestAFailureFromBeforeIsNoNews lets transactions end in another order than they began in: what a full disk
// refused is heard of only after room was made.
func TestAFailureFromBeforeIsNoNews(t *testing.T) {
	var logged strings.Builder
	log := slog.New(slog.NewTextHandler(&logged, nil))
	s := new(Keeper)
	early, late, fine := s.Saving(t.Context(), log), s.Saving(t.Context(), log), s.Saving(t.Context(), log)
	early(storage.ErrNotSaved)
	fine(nil)
	early(storage.ErrNotSaved)
	again := s.Saving(t.Context(), log)
	again(errors.New("another fault"))
	again(nil)
	late(storage.ErrNotSaved)
	if got := logged.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "nothing can be saved") ||
		!strings.HasSuffix(got, "msg=\"everything can be saved again\"\n") {
		t.Errorf("logged:\n%s", got)
	}
}
