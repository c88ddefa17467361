package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// Several is a request that could mean several games.
type Several struct {
	Games []storage.Game
	Me    storage.Person
}

func (e *Several) Error() string { return fmt.Sprintf("ask: %d games could be meant", len(e.Games)) }

// ErrNoGame is a request that means a game where there is none.
var ErrNoGame = errors.New("ask: no game is meant")

// Meant is the game in progress that a request is about: the one named, the one
// whose message was answered, or the only one here that is wanted, or of all
// where none is played here.
func (b *Bot) Meant(ctx context.Context, r Request, wanted func(*storage.Game) bool) (storage.GameID, error) {
	if named := cmp.Or(r.Game, r.Msg.ReplyTo); named != 0 {
		return named, nil
	}
	playing, err := b.playing(ctx, r)
	if err != nil {
		return 0, err
	}
	here := slices.DeleteFunc(slices.Clone(playing), func(g storage.Game) bool { return !slices.Contains(g.Places(), r.Here.ID) })
	if len(here) == 0 {
		here = playing // where there are none, all can be meant
	}
	found := slices.DeleteFunc(slices.Clone(here), func(g storage.Game) bool { return !wanted(&g) })
	found = b.Fitting(r, found)
	switch {
	case len(found) == 1:
		return found[0].ID, nil
	case len(found) > 1:
		return 0, &Several{found, r.Me}
	case len(here) == 1:
		return here[0].ID, nil // that game tells why it is not the one
	case len(here) > 1:
		return 0, &Refused{Text: words.Say("request.none-waits")}
	}
	return 0, ErrNoGame
}

// Fitting is, of several games that could be meant, the only one in which a request makes sense;
// all of them if there is no such.
func (b *Bot) Fitting(r Request, games []storage.Game) []storage.Game {
	c := r.Command
	if c == nil {
		c = b.Commands.Find("move")
	}
	if len(games) < 2 || c.Fits == nil {
		return games
	}
	fit := slices.DeleteFunc(slices.Clone(games), func(g storage.Game) bool { return !c.Fits(b, r, &g) })
	if len(fit) == 1 {
		return fit
	}
	return games
}

// Ended is the game meant by a request about one that has ended.
func (b *Bot) Ended(ctx context.Context, r Request) (storage.GameID, error) {
	if named := cmp.Or(r.Game, r.Msg.ReplyTo); named != 0 {
		return named, nil
	}
	id, err := b.lastPlayed(ctx, r)
	if errors.Is(err, ErrNoGame) {
		err = &Refused{Text: words.Say("request.none-ended", "command", cmp.Or(r.Name, "rematch"))}
	}
	return id, err
}

// Shown is the game meant by a request to see something: also the last one that
// ended, where none goes on.
func (b *Bot) Shown(ctx context.Context, r Request, ply int) (*match.GameView, error) {
	id, err := b.Meant(ctx, r, AnyGame)
	if errors.Is(err, ErrNoGame) {
		id, err = b.lastPlayed(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	if r.View != nil && ply == match.Latest {
		return r.View, nil
	}
	return b.Games.LoadFor(ctx, r.By(), id, ply)
}

// lastPlayed is the person's last game that ended here.
func (b *Bot) lastPlayed(ctx context.Context, r Request) (storage.GameID, error) {
	return storage.Read(ctx, b.Store, func(s storage.Reader) (storage.GameID, error) {
		newest, err := s.Played(r.Me.ID)
		slices.Reverse(newest)
		for g, err := range s.Games().Each(newest, err) {
			if err != nil {
				return 0, err
			}
			if g.Quarantined == "" && slices.Contains(g.Places(), r.Here.ID) {
				return g.ID, nil
			}
		}
		if r.Msg.Private && len(newest) > 0 {
			return newest[0], nil
		}
		return 0, ErrNoGame
	})
}

// OrOver is why no game in progress is meant: the one that was played here last is over.
func (b *Bot) OrOver(ctx context.Context, r Request, err error) error {
	if !errors.Is(err, ErrNoGame) {
		return err
	}
	if last, none := b.lastPlayed(ctx, r); none == nil {
		return &event.Refusal{Why: event.Over, Game: last}
	}
	return err
}

// AnyGame wants all games.
func AnyGame(*storage.Game) bool { return true }

// MyTurn wants games in which the person is to move.
func MyTurn(r Request) func(*storage.Game) bool {
	return func(g *storage.Game) bool { return match.ToMove(g) == r.Me.ID }
}

// ToMoveIn is the game that a request for a move is about, or why there is none.
func (b *Bot) ToMoveIn(ctx context.Context, r Request) (*match.GameView, error) {
	id, err := b.Meant(ctx, r, MyTurn(r))
	if err != nil {
		return nil, err
	}
	if r.View, err = b.Games.LoadFor(ctx, r.By(), id, match.Latest); err != nil {
		return nil, err
	}
	return r.View, r.May(Mover)
}

// LooksLikeMove reports whether all of a text is written as a move of some game.
func (b *Bot) LooksLikeMove(text string) bool {
	return slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return v.MoveLike(text) })
}
