package bot

import (
	"chimera/bot/course"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/storage"
	"context"
	"errors"
	"fmt"
	"slices"
)

// errAsk is a request that could mean several games.
type errAsk struct {
	games []storage.Game
	me    storage.Person
}

func (e *errAsk) Error() string { return fmt.Sprintf("bot: %d games could be meant", len(e.games)) }

// errNoGame is a request that means a game where there is none.
var errNoGame = errors.New("bot: no game is meant")

// meant is the game in progress that a request is about: the one named, the one
// whose message was answered, or the only one here that is wanted.
func (desk *Desk) meant(ctx context.Context, r request, wanted func(*storage.Game) bool) (storage.GameID, error) {
	switch {
	case r.game != 0:
		return r.game, nil
	case r.msg.ReplyTo != 0:
		return r.msg.ReplyTo, nil
	}
	playing, err := desk.Games.Playing(ctx, r.me.ID)
	if err != nil {
		return 0, err
	}
	here := slices.DeleteFunc(slices.Clone(playing), func(g storage.Game) bool { return !slices.Contains(g.Places(), r.here.ID) })
	if len(here) == 0 {
		here = playing // where there are none, all can be meant
	}
	var found []storage.Game
	for _, g := range here {
		if wanted(&g) {
			found = append(found, g)
		}
	}
	found = desk.fitting(r, found)
	switch {
	case len(found) == 1:
		return found[0].ID, nil
	case len(found) > 1:
		return 0, &errAsk{found, r.me}
	case len(here) == 1:
		return here[0].ID, nil // that game tells why it is not the one
	case len(here) > 1:
		return 0, &errWords{text: words.Say("request.none-waits")}
	}
	return 0, errNoGame
}

// fitting is, of several games that could be meant, the only one in which a request makes sense;
// all of them if there is no such.
func (desk *Desk) fitting(r request, games []storage.Game) []storage.Game {
	c := r.command
	if c == nil {
		c = desk.commands.find("move")
	}
	if len(games) < 2 || c.fits == nil {
		return games
	}
	fit := slices.DeleteFunc(slices.Clone(games), func(g storage.Game) bool { return !c.fits(desk, r, &g) })
	if len(fit) == 1 {
		return fit
	}
	return games
}

// ended is the game meant by a request about one that has ended.
func (desk *Desk) ended(ctx context.Context, r request) (storage.GameID, error) {
	switch {
	case r.game != 0:
		return r.game, nil
	case r.msg.ReplyTo != 0:
		return r.msg.ReplyTo, nil
	}
	id, err := desk.lastPlayed(ctx, r)
	if errors.Is(err, errNoGame) {
		err = &errWords{text: words.Say("request.none-ended")}
	}
	return id, err
}

// shown is the game meant by a request to see something: also the last one that
// ended, where none goes on.
func (desk *Desk) shown(ctx context.Context, r request, ply int) (*match.Sight, error) {
	id, err := desk.meant(ctx, r, anyGame)
	if errors.Is(err, errNoGame) {
		id, err = desk.lastPlayed(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	if r.sight != nil && ply == match.Latest {
		return r.sight, nil
	}
	return desk.Games.See(ctx, r.by(), id, ply)
}

// lastPlayed is the person's last game that ended here.
func (desk *Desk) lastPlayed(ctx context.Context, r request) (storage.GameID, error) {
	var last storage.GameID
	err := desk.Store.View(ctx, func(s storage.Reader) error {
		ids, err := s.Played(r.me.ID)
		if err != nil {
			return err
		}
		newest := slices.Clone(ids)
		slices.Reverse(newest)
		for g, err := range s.Read(newest) {
			if err != nil {
				return err
			}
			if g.Aside == "" && slices.Contains(g.Places(), r.here.ID) {
				last = g.ID
				return nil
			}
		}
		if r.msg.Private && len(ids) > 0 {
			last = ids[len(ids)-1]
			return nil
		}
		return errNoGame
	})
	return last, err
}

// orOver is why no game in progress is meant: the one that was played here last is over.
func (desk *Desk) orOver(ctx context.Context, r request, err error) error {
	if !errors.Is(err, errNoGame) {
		return err
	}
	if last, none := desk.lastPlayed(ctx, r); none == nil {
		return &inbox.Refusal{Why: inbox.Over, Game: last}
	}
	return err
}

func anyGame(*storage.Game) bool { return true }

// myTurn wants games in which the person is to move.
func myTurn(r request) func(*storage.Game) bool {
	return func(g *storage.Game) bool { return match.ToMove(g) == r.me.ID }
}

// toMoveIn is the game that a request for a move is about, or why there is none.
func (desk *Desk) toMoveIn(ctx context.Context, r request) (*match.Sight, error) {
	id, err := desk.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, err
	}
	if r.sight, err = desk.Games.See(ctx, r.by(), id, match.Latest); err != nil {
		return nil, err
	}
	return r.sight, r.may(mover)
}

// openLesson is the lesson that a request which names no game is about: the one that the author
// has before them, unless a game that is played there has come to be their turn since, and the
// text fits that alone, or the lesson is done. Games elsewhere are none of its business. Nil is
// none.
func (desk *Desk) openLesson(ctx context.Context, r request) (*course.Lesson, error) {
	l := desk.Courses.Open(r.seat())
	if l == nil || r.game != 0 || r.msg.ReplyTo != 0 || r.msg.Press != "" || r.msg.heard != nil {
		return nil, nil
	}
	if !r.me.Studies.Solved && l.Legal(r.text) {
		return l, nil
	}
	games, err := desk.Games.Playing(ctx, r.me.ID)
	newer := slices.ContainsFunc(games, func(g storage.Game) bool {
		return slices.Contains(g.Places(), r.here.ID) && match.ToMove(&g) == r.me.ID && g.Changed.After(r.me.Studies.At)
	})
	if newer || err != nil {
		return nil, err
	}
	return l, nil
}
