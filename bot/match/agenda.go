package match

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/storage"
)

// Item is a game on somebody's agenda.
type Item struct {
	Game     storage.Game
	Variant  string // its name
	Opponent string
	Mine     bool          // it is his turn
	Due      time.Time     // as in Sight
	Left     time.Duration // until Due
	Away     time.Time     // as in Sight
}

// Agenda is a person's games in progress, the most urgent first: those in which it is
// his turn before the others, and less time before more. At most limit are told; all
// is how many there are.
func (s *Games) Agenda(ctx context.Context, p storage.PersonID, limit int) (items []Item, all int, err error) {
	games, err := s.Playing(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	return s.agenda(ctx, games, p, limit)
}

// AgendaFor is the same of the games that the asker may see where they are.
func (s *Games) AgendaFor(ctx context.Context, by inbox.By, p storage.PersonID, limit int) (items []Item, all int, err error) {
	games, err := s.Playing(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	if games, _, err = s.Seen(ctx, by, games, nil); err != nil {
		return nil, 0, err
	}
	return s.agenda(ctx, games, p, limit)
}

func (s *Games) agenda(ctx context.Context, games []storage.Game, p storage.PersonID, limit int) (items []Item, all int, err error) {
	slices.SortFunc(games, func(a, b storage.Game) int {
		return cmp.Or(
			cmp.Compare(btoi(ToMove(&a) != p), btoi(ToMove(&b) != p)),
			cmp.Compare(btoi(!a.Runs()), btoi(!b.Runs())),
			when(&a).Compare(when(&b)),
			cmp.Compare(a.ID, b.ID),
		)
	})
	all = len(games)
	games = games[:min(limit, all)]
	err = s.store.View(ctx, func(r storage.Reader) error {
		items = nil
		for _, g := range games {
			side, ok := g.SideOf(p)
			if !ok {
				continue
			}
			sight := Sight{Game: g}
			if err := sight.readTime(r, s.now()); err != nil {
				return err
			}
			opponent, err := r.NameOf(g.Players[1-side])
			if err != nil {
				return err
			}
			game := g.Variant
			if v := s.Variant(game); v != nil {
				game = v.Name
			}
			items = append(items, Item{g, game, opponent, ToMove(&g) == p, sight.Due, sight.Left, sight.Away})
		}
		return nil
	})
	return items, all, err
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// when orders games: by the end of the time where it runs, else by the last change.
func when(g *storage.Game) time.Time {
	if g.Runs() {
		return g.Due()
	}
	return g.Changed
}
