package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
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
		c = find(desk.commands, "move")
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

// canMove fits a move to the games in which it is legal.
func canMove(desk *Desk, r request, g *storage.Game) bool {
	now, err := desk.Games.Load(g)
	if err != nil {
		return false
	}
	_, err = now.Position.Parse(r.text)
	return err == nil
}

// canClaim fits a claim to the games in which there is something to claim.
func canClaim(desk *Desk, r request, g *storage.Game) bool {
	now, err := desk.Games.Load(g)
	if err != nil {
		return false
	}
	_, ok := match.Claimable(g, now, r.me.ID)
	return ok
}

// canHint fits a hint to the games against the computer in which it is the asker's turn.
func canHint(_ *Desk, r request, g *storage.Game) bool {
	_, level := g.Computer()
	return level != 0 && match.ToMove(g) == r.me.ID
}

func canAbort(_ *Desk, _ request, g *storage.Game) bool    { return match.CanAbort(g) }
func canAddTime(_ *Desk, _ request, g *storage.Game) bool  { return g.Pace.Move != 0 }
func canSeeMoves(_ *Desk, r request, g *storage.Game) bool { return match.ToMove(g) == r.me.ID }

// canAgree fits an offer to the games in which the other player has made the same.
func canAgree(what match.Offered) func(*Desk, request, *storage.Game) bool {
	return func(_ *Desk, r request, g *storage.Game) bool {
		open := g.Draw
		if what == match.ATakeback {
			open = g.Takeback
		}
		return open != nil && open.By != r.me.ID
	}
}

// candidates are the games that could be meant, the most urgent first; none if they cannot be told.
func (b *Bot) candidates(ctx context.Context, ask *errAsk) []match.Item {
	agenda, _, err := b.Games.Agenda(ctx, inbox.By{Person: ask.me.ID}, ask.me.ID, limit.Games, nil)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(ask.games, func(g storage.Game) bool { return g.ID == it.Game.ID })
	})
}

// inEach are buttons that do what is requested in one of some games, if a button can do that.
func inEach(r request, games []match.Item) (buttons []Button) {
	command, args := "move", r.args
	if r.command != nil {
		command = r.name
	}
	for _, p := range allPresses() {
		if p.command != command || p.words != len(args) || len(p.args) > 0 {
			continue
		}
		for i := range games[:min(len(games), limit.Listed)] {
			label := phrase.As(words.Hash(games[i].Game.ID) + " " + games[i].Variant)
			buttons = append(buttons, note.NewButton(label, p.verb, games[i].Game.ID, note.None, args...))
		}
		break
	}
	return buttons
}

// whichGame asks which of several games is meant; nil if they cannot be told.
func (b *Bot) whichGame(ctx context.Context, ask *errAsk) words.Text {
	wanted := b.candidates(ctx, ask)
	if len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	return words.WhichGame(shown, len(wanted)-len(shown), ask.me)
}

func anyGame(*storage.Game) bool { return true }

// myTurn wants games in which the person is to move.
func myTurn(r request) func(*storage.Game) bool {
	return func(g *storage.Game) bool { return match.ToMove(g) == r.me.ID }
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

// named is the person of a word such as "@bob"; that there is none is refused.
func (desk *Desk) named(ctx context.Context, r request, word string) (storage.Person, error) {
	person, ok := r.msg.People[strings.ToLower(word)]
	if !ok || person.Bot || person.Unmet {
		return storage.Person{}, &errWords{text: words.Nobody(word, r.retyped(word, "@name"))}
	}
	return desk.People.Meet(ctx, person.Address, person.Name)
}

// met is the person of a word such as "@bob", who must have been met before: others have
// done nothing yet that could be shown or answered.
func (desk *Desk) met(ctx context.Context, r request, word string) (storage.Person, error) {
	person, ok := r.msg.People[strings.ToLower(word)]
	if ok && !person.Bot && !person.Unmet {
		switch met, err := desk.People.Met(ctx, person.Address); {
		case err != nil:
			return storage.Person{}, err
		case !met:
			return storage.Person{}, &errWords{text: words.NotMet(person.Name)}
		}
	}
	return desk.named(ctx, r, word)
}

// whose is the person a command is about: the one it names, else who writes it.
func (desk *Desk) whose(ctx context.Context, r request) (storage.Person, error) {
	if len(r.args) == 0 {
		return r.me, nil
	}
	return desk.met(ctx, r, r.args[0])
}
