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
	Mine     bool          // it is their turn
	Due      time.Time     // as in Sight
	Left     time.Duration // until Due
	Away     time.Time     // as in Sight
}

// Agenda is a person's games in progress, the most urgent first: those in which it is
// their turn before the others, and less time before more. At most limit are told; all
// is how many there are.
func (s *Games) Agenda(ctx context.Context, p storage.PersonID, limit int) (items []Item, all int, err error) {
	games, err := s.Playing(ctx, p)
	if err == nil {
		items, err = s.items(ctx, games, p, limit, everything)
	}
	return items, len(games), err
}

// AgendaFor is the same of the games that the asker may see where they are.
func (s *Games) AgendaFor(ctx context.Context, by inbox.By, p storage.PersonID, limit int) (items []Item, all int, err error) {
	games, err := s.Playing(ctx, p)
	if err == nil {
		games, _, err = s.Seen(ctx, by, games, nil)
	}
	if err == nil {
		items, err = s.items(ctx, games, p, limit, everything)
	}
	return items, len(games), err
}

// AgendaLike is the same of those games alone that are wanted; no more are read than that
// takes.
func (s *Games) AgendaLike(ctx context.Context, p storage.PersonID, limit int, wanted func(*Item) bool) ([]Item, error) {
	games, err := s.Playing(ctx, p)
	if err != nil {
		return nil, err
	}
	return s.items(ctx, games, p, limit, wanted)
}

func everything(*Item) bool { return true }

func (s *Games) items(ctx context.Context, games []storage.Game, p storage.PersonID, limit int, wanted func(*Item) bool) ([]Item, error) {
	byUrgency(games, p)
	return storage.Read(ctx, s.store, func(r storage.Reader) (items []Item, err error) {
		for i := range games {
			side, ok := games[i].SideOf(p)
			if !ok {
				continue
			}
			if len(items) == limit {
				break
			}
			it, err := s.item(r, &games[i], side)
			if err != nil {
				return nil, err
			}
			if wanted(&it) {
				items = append(items, it)
			}
		}
		return items, nil
	})
}

func byUrgency(games []storage.Game, p storage.PersonID) {
	slices.SortFunc(games, func(a, b storage.Game) int {
		return cmp.Or(
			cmp.Compare(btoi(ToMove(&a) != p), btoi(ToMove(&b) != p)),
			cmp.Compare(btoi(!a.Runs()), btoi(!b.Runs())),
			when(&a).Compare(when(&b)),
			cmp.Compare(a.ID, b.ID),
		)
	})
}

// item is a game of a person's, who plays on a side.
func (s *Games) item(r storage.Reader, g *storage.Game, side storage.Side) (Item, error) {
	sight := Sight{Game: *g}
	if err := sight.readTime(r, s.now()); err != nil {
		return Item{}, err
	}
	opponent, err := r.NameOf(g.Players[1-side])
	return Item{*g, s.league.Called(g.Variant), opponent, ToMove(g) == g.Players[side], sight.Due, sight.Left, sight.Away}, err
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
