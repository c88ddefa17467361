package match

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Item is a game on somebody's agenda.
type Item struct {
	Game     storage.Game
	Variant  string // its name
	Opponent string
	Mine     bool          // it is their turn
	Due      time.Time     // as in GameView
	Left     time.Duration // until Due
	Away     time.Time     // as in GameView
}

// Agenda is a person's games in progress that the asker may see where they are, the most
// urgent first: those in which it is the person's turn before the others, and less time before
// more. At most that number is told, of those that are wanted, nil for all; all is how many
// there are.
func (s *Games) Agenda(ctx context.Context, by event.By, p storage.PersonID, most int, wanted func(*Item) bool) (items []Item, all int, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		items, all = nil, 0
		allowed, err := event.NewPermissions(r, by)
		games, err2 := r.Games().All(r.Playing(p))
		if err := cmp.Or(err, err2); err != nil {
			return err
		}
		slices.SortFunc(games, func(a, b storage.Game) int {
			return cmp.Or(first(ToMove(&a) == p, ToMove(&b) == p), first(a.Runs(), b.Runs()), when(&a).Compare(when(&b)), cmp.Compare(a.ID, b.ID))
		})
		for i := range games {
			g := &games[i]
			side, plays := g.SideOf(p)
			sees, err := allowed.Sees(g)
			switch {
			case err != nil:
				return err
			case !plays || !sees:
				continue
			}
			if all++; len(items) == most {
				continue
			}
			view := GameView{Game: *g}
			if err := view.readPlayers(r, s.now()); err != nil {
				return err
			}
			it := Item{*g, s.ratings.Called(g.Variant), view.Names[1-side], ToMove(g) == p, view.Due, view.Left, view.Away}
			if wanted == nil || wanted(&it) {
				items = append(items, it)
			}
		}
		return nil
	})
	return items, all, err
}

// first orders by what is true of one and not of the other: that one comes first.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// when orders games: by the end of the time where it runs, else by the last change.
func when(g *storage.Game) time.Time {
	if g.Runs() {
		return g.Due()
	}
	return g.Changed
}
