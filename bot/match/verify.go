package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chimera/rules"
	"chimera/storage"
)

// Verify replays every stored game and compares what was stored for speed with
// what the moves say. It calls report for each fault, and returns how many games
// there are. The error is of the storage itself.
func (s *Service) Verify(ctx context.Context, report func(storage.GameID, error)) (int, error) {
	var ids []storage.GameID
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		ids, err = r.Games()
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		err := s.store.View(ctx, func(r storage.Reader) error {
			g, err := r.Game(id)
			if err != nil {
				return err
			}
			if err := s.verify(r, &g); err != nil {
				report(id, err)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

func (s *Service) verify(r storage.Reader, g *storage.Game) error {
	line, err := s.replay(g)
	if err != nil {
		return err
	}
	last := line[len(line)-1]
	before := ""
	if len(line) > 1 {
		before = line[len(line)-2].Position.FEN()
	}
	switch fen := last.Position.FEN(); {
	case fen != g.FEN:
		return fmt.Errorf("its moves lead to %s, but %s is stored", fen, g.FEN)
	case before != g.Before:
		return fmt.Errorf("its moves come by %s, but %s is stored", before, g.Before)
	case toMove(last.Position) != g.Turn:
		return fmt.Errorf("it is %s's turn, but the other's is stored", last.Position.Turn())
	case !slices.Equal(last.Past, g.Past):
		return fmt.Errorf("its past has %d positions, or others than the %d stored", len(last.Past), len(g.Past))
	}
	if err := verifyEnd(g, last.Outcome()); err != nil {
		return err
	}
	for _, p := range g.Players {
		if _, err := r.Person(p); err != nil {
			return fmt.Errorf("player %d: %w", p, err)
		}
		playing, err := r.Playing(p)
		if err != nil {
			return err
		}
		played, err := r.Played(p)
		if err != nil {
			return err
		}
		if slices.Contains(playing, g.ID) == g.Over() || slices.Contains(played, g.ID) != g.Over() {
			return fmt.Errorf("it is in the wrong list of player %d", p)
		}
	}
	here, err := r.Here(g.Place)
	if err != nil {
		return err
	}
	if slices.Contains(here, g.ID) == g.Over() {
		return fmt.Errorf("it is in the wrong list of place %d", g.Place)
	}
	return verifyDue(r, g)
}

// verifyDue compares when a game wakes with the deadlines that are stored.
func verifyDue(r storage.Reader, g *storage.Game) error {
	if g.Clock.Wake.IsZero() {
		return nil
	}
	found, err := r.HasDue(storage.Deadline{At: g.Clock.Wake, Kind: storage.DueGame, ID: uint64(g.ID)})
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("it wakes at %s, but no deadline is stored", g.Clock.Wake)
	case g.Over() || g.Pace.Move == 0:
		return errors.New("it has a deadline, but no clock that runs")
	}
	return nil
}

// verifyEnd compares the stored end with that of the moves: a game may have ended
// in more ways than by its moves, but not gone on after them.
func verifyEnd(g *storage.Game, o rules.Outcome) error {
	if o.Over() && (g.Result != o.Result.String() || g.Ending != string(o.Ending)) {
		return fmt.Errorf("its moves end it %s by %s, but %s by %q is stored", o.Result, o.Ending, g.Result, g.Ending)
	}
	aborted := g.Ending == string(rules.ByAbort) || g.Ending == string(rules.ByTime) && len(g.Moves) < 2 || g.Ending == Unfinished
	if g.Over() == (g.Result == rules.Unfinished.String()) && !aborted {
		return fmt.Errorf("its result %s does not fit its end %q", g.Result, g.Ending)
	}
	return nil
}
