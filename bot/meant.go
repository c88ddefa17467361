package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// severalGames is a request that could mean several games.
type severalGames struct{ Games []storage.Game }

func (e *severalGames) Error() string {
	return fmt.Sprintf("bot: %d games could be meant", len(e.Games))
}

// errNoGame means that there is no game that a request could mean.
var errNoGame = errors.New("bot: no game is meant")

// meant is the game in progress that a request is about: the one named, the one whose message was answered, or the only
// suitable one of those played here, or of all if none is played here.
func (b *Bot) meant(ctx context.Context, r Request, wanted func(*storage.Game) bool) (storage.GameID, error) {
	if named := cmp.Or(r.Game, r.Msg.ReplyTo); named != 0 {
		return named, nil
	}
	playing, err := b.playing(ctx, r)
	if err != nil {
		return 0, err
	}
	here := slices.DeleteFunc(slices.Clone(playing), func(g storage.Game) bool { return !slices.Contains(g.Places(), r.Here.ID) })
	here = words.Either(len(here) > 0, here, playing) // if none is played here, any can be meant
	found := slices.DeleteFunc(slices.Clone(here), func(g storage.Game) bool { return !wanted(&g) })
	found = b.fitting(r, found)
	switch {
	case len(found) == 1:
		return found[0].ID, nil
	case len(found) > 1:
		return 0, &severalGames{found}
	case len(here) == 1:
		return here[0].ID, nil // the game itself says why it does not fit
	case len(here) > 1:
		return 0, &wordedRefusal{Text: words.Say("request.none-waits")}
	}
	return 0, errNoGame
}

// fitting are those of several games in which a request makes sense; all of them if there are none.
func (b *Bot) fitting(r Request, games []storage.Game) []storage.Game {
	c := cmp.Or(r.Command, b.Commands.Find("move"))
	if len(games) < 2 || c.Fits == nil {
		return games
	}
	fit := slices.DeleteFunc(slices.Clone(games), func(g storage.Game) bool { return !c.Fits(b, r, &g) })
	return words.Either(len(fit) > 0, fit, games)
}

// ended is the game meant by a request about an ended game.
func (b *Bot) ended(ctx context.Context, r Request) (storage.GameID, error) {
	if named := cmp.Or(r.Game, r.Msg.ReplyTo); named != 0 {
		return named, nil
	}
	id, err := b.lastPlayed(ctx, r)
	if errors.Is(err, errNoGame) {
		err = &wordedRefusal{Text: words.Say("request.none-ended", "command", cmp.Or(r.Name, "rematch"))}
	}
	return id, err
}

// shown is the game meant by a request to see something: the last one that ended, if none is in
// progress.
func (b *Bot) shown(ctx context.Context, r Request, ply int) (*match.GameView, error) {
	id, err := b.meant(ctx, r, anyGame)
	if errors.Is(err, errNoGame) {
		id, err = b.lastPlayed(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	if r.View != nil && ply == match.Latest {
		return r.View, nil
	}
	return b.Games.LoadFor(ctx, r.by(), id, ply)
}

// seeing makes a handler that loads the game meant, as it is now, for another one.
func seeing(run handler) handler {
	return func(ctx context.Context, b *Bot, r Request) (_ *message.Message, err error) {
		if r.View, err = b.shown(ctx, r, match.Latest); err != nil {
			return nil, err
		}
		return run(ctx, b, r)
	}
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
		return 0, errNoGame
	})
}

// orOver explains that no game in progress is meant because the last one played here is over.
func (b *Bot) orOver(ctx context.Context, r Request, err error) error {
	if !errors.Is(err, errNoGame) {
		return err
	}
	if last, none := b.lastPlayed(ctx, r); none == nil {
		return &event.Refusal{Why: event.Over, Game: last}
	}
	return err
}

// anyGame wants all games.
func anyGame(*storage.Game) bool { return true }

// myTurn wants games in which the person is to move.
func myTurn(r Request) func(*storage.Game) bool {
	return func(g *storage.Game) bool { return match.ToMove(g) == r.Me.ID }
}

// toMoveIn is the game that a request for a move is about, or why there is none.
func (b *Bot) toMoveIn(ctx context.Context, r Request) (*match.GameView, error) {
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, err
	}
	if r.View, err = b.Games.LoadFor(ctx, r.by(), id, match.Latest); err != nil {
		return nil, err
	}
	return r.View, r.may(mover)
}

// LooksLikeMove reports whether all of a text is written as a move of some game.
func (b *Bot) LooksLikeMove(text string) bool {
	return slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return v.MoveLike(text) })
}

// IsMeant reports whether a text is meant for the bot. Of texts in a room that are not addressed to
// the bot, these are: exactly one legal move of a game that the author plays there and in which it is
// their turn; and anything written like a move in the thread of the game, or in a game against the
// computer. In the thread of a game, commands are too: all those of a player alone with the computer,
// and a few, which are not talk, of two players, also when the game has ended. An answer to something
// that the bot has said is meant for it if it is a complete command, looks like a move, is a plain
// question or wish, or says yes or no to a question: "how did you see that" is talk.
//
// Nothing of talk is stored, except that a text in the room of a game looked like a move but was none: it must not
// become one if it comes again.
func (b *Bot) IsMeant(ctx context.Context, m *message.Incoming, to message.Addressee) bool {
	if to == message.TheBot {
		return true
	}
	said := b.Commands.Read(m.Text)
	if to == message.WhatWasSaid {
		plain, _ := words.Heard(m.Text)
		return said.Fault != nil || said.Command != nil && b.isWhole(m.Text, said) || b.LooksLikeMove(said.Text) ||
			plain != "" && !plain.IsTalk() || b.answers(ctx, m)
	}
	asked, _ := words.Heard(m.Text)
	if (said.Command != nil && said.Fault == nil && b.isWhole(m.Text, said) || asked.IsQuestion()) && b.isTheirs(ctx, m, said) {
		return true
	}
	if said.Command != nil || said.Fault != nil || !b.LooksLikeMove(said.Text) {
		return false
	}
	legal, err := b.isHeardMove(ctx, m, said)
	if err != nil {
		b.Log.ErrorContext(ctx, "no telling whether a message was meant for the bot", "platform", m.Place.Platform, "err", err)
	}
	return legal
}

// isWhole reports whether a text that begins with a command's name is that command, rather than a sentence that happens
// to begin so: at least half of the words that follow are such as commands take.
func (b *Bot) isWhole(text string, said Reading) bool {
	if strings.HasPrefix(strings.TrimSpace(text), "/") || said.Command.Plain {
		return true
	}
	if len(said.Args) == 0 { // "my games" asks for something, and "I can draw" may be talk
		return said.Command.Reads > 0 || said.Game != 0 || !words.IsFiller(strings.Fields(text)[0])
	}
	odd := slices.DeleteFunc(slices.Clone(said.Args), func(word string) bool { return b.isArgument(said.Command, strings.ToLower(word)) })
	return 2*len(odd) <= len(said.Args)
}

// isArgument reports whether a word is one that a command takes.
func (b *Bot) isArgument(c *Command, word string) bool {
	if strings.ContainsAny(word, "0123456789@") || match.IsCode(word) || b.LooksLikeMove(word) {
		return true
	}
	a, _, _ := b.argument(Request{Reading: Reading{Command: c}}, []string{word})
	return a != nil || slices.Contains(strings.FieldsFunc(c.Usage, func(c rune) bool { return !unicode.IsLetter(c) }), word) ||
		slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return v.Named(word) != rules.NoRole })
}

// isHeardMove reports whether a text that looks like a move is one in a game that its author plays where it was said.
// If it is none in any of these games, that is remembered.
func (b *Bot) isHeardMove(ctx context.Context, m *message.Incoming, said Reading) (bool, error) {
	r, games, err := b.overhearing(ctx, m, said)
	if err != nil || len(games) == 0 {
		return false, err
	}
	if again := m.Author.Again; again != nil {
		return again.Kind != event.Refused || again.Words != "", nil
	}
	games = slices.DeleteFunc(games, func(g storage.Game) bool { return match.ToMove(&g) != r.Me.ID })
	if games = b.fitting(r, games); len(games) == 1 {
		g := &games[0]
		now, err := b.Games.Current(g)
		if err != nil {
			return false, err
		}
		if _, illegal := now.Position.Parse(r.Text); illegal == nil || b.isAttempt(ctx, &r, g) {
			m.Heard = g
			return true, nil
		}
	}
	return false, b.Events.Refused(ctx, r.by(), "")
}

// isTheirs reports whether a command in the thread of a game that its author plays or has played is meant for the bot:
// any against the computer, where there is nobody else to talk to, and between people one that is a whole message and no
// talk.
func (b *Bot) isTheirs(ctx context.Context, m *message.Incoming, said Reading) bool {
	r, _, err := b.overhearing(ctx, m, Reading{})
	if err != nil || m.ReplyTo == 0 || r.Me.ID == 0 {
		return false
	}
	g, err := storage.Read(ctx, b.Store, func(s storage.Reader) (storage.Game, error) { return s.Games().Get(m.ReplyTo) })
	if _, plays := g.SideOf(r.Me.ID); err != nil || !plays || !slices.Contains(g.Places(), r.Here.ID) {
		return false
	}
	ended := []string{"help", "review", "rematch", "board", "replay", "score", "fen", "export", "share"}
	known := words.Either(g.Over(), ended, []string{"help", "resign", "draw", "takeback", "hint", "moves", "abort"})
	return g.Practice() || !strings.ContainsAny(strings.TrimSpace(m.Text), " ?!.") && slices.Contains(known, said.Name)
}

// isAttempt reports whether a text that is no legal move must be meant as one: anything written like a move, in the
// thread of the game, or against the computer where nobody else plays.
func (b *Bot) isAttempt(ctx context.Context, r *Request, g *storage.Game) bool {
	v := b.Games.Variant(g.Variant)
	return v != nil && v.MoveLike(r.Text) && (r.Msg.ReplyTo == g.ID || g.Practice() && b.playsAlone(ctx, r))
}

// playsAlone reports whether all games at the asker's place are theirs, against the computer.
func (b *Bot) playsAlone(ctx context.Context, r *Request) bool {
	return b.Store.View(ctx, func(s storage.Reader) error {
		games, err := s.Games().All(s.Here(r.Here.ID))
		for _, g := range games {
			if _, own := g.SideOf(r.Me.ID); !g.Practice() || !own {
				return errNoGame
			}
		}
		return err
	}) == nil
}

// overhearing are the games in progress that a text said to nobody can be about: those that its author plays there, or
// of these only the one that it names, or whose thread it is in. It is none for people and places never met before.
func (b *Bot) overhearing(ctx context.Context, m *message.Incoming, said Reading) (r Request, games []storage.Game, err error) {
	who, err := b.Users.Overheard(ctx, m.From.Address, m.Place, m.Key())
	if err != nil {
		return r, nil, storage.UnlessNew(err)
	}
	m.Author = &who
	r = Request{Msg: *m, Reading: said, Me: who.Person, Here: who.Place, Server: who.Server}
	about := cmp.Or(r.Game, m.ReplyTo)
	return r, slices.DeleteFunc(slices.Clone(who.Playing), func(g storage.Game) bool {
		return about != 0 && g.ID != about || !slices.Contains(g.Places(), r.Here.ID)
	}), nil
}

// BoardPress is the press of a button on the newest board of the game that somebody means where they are; "" if they
// mean none, or it has no such button.
func (b *Bot) BoardPress(ctx context.Context, m message.Incoming, label string) string {
	r, known := b.Asker(ctx, m)
	view, err := b.shown(ctx, r, match.Latest)
	if !known || err != nil || view.Game.Over() {
		return ""
	}
	for _, button := range boardButtons(view, 0, true) {
		if button.Label == label {
			return button.Do
		}
	}
	return ""
}

// openQuestion asks one person whether they mean what they requested: the verb of its buttons, without "-yes", and the
// game that it is about.
type openQuestion struct {
	Verb string
	Game storage.GameID
	At   time.Time
	Args []string
}

// asked is the newest question that is open to somebody; none if its verb is "".
func (b *Bot) asked(ctx context.Context, r Request) (newest openQuestion, err error) {
	open := func(q openQuestion) {
		if q.At.After(newest.At) {
			newest = q
		}
	}
	forget := storage.Offer{By: r.Me.ID, At: r.Me.Forget}
	if b.Events.Second(&forget, r.by()) && r.Game == 0 {
		open(openQuestion{Verb: "forget", At: forget.At})
	}
	playing, err := b.playing(ctx, r)
	for i := range playing {
		g := &playing[i]
		if r.Game != 0 && g.ID != r.Game {
			continue
		}
		for verb, first := range firstWords(g) {
			if b.Events.Second(first, r.by()) {
				open(openQuestion{Verb: verb, Game: g.ID, At: first.At})
			}
		}
	}
	if newest.Verb != "" || r.Game != 0 || err != nil {
		return newest, err
	}
	merge, linking, err := b.Users.AgreedLink(ctx, r.Me.Link)
	if linking {
		newest = openQuestion{Verb: "give", Args: []string{merge.Code}}
	}
	return newest, err
}

// firstWords are the requests stored in a game that need a second one, by the verbs of their questions.
func firstWords(g *storage.Game) map[string]*storage.Offer {
	return map[string]*storage.Offer{"resign": g.Resign, "abort": g.Abort, "draw": g.DrawAsk, "annul": g.Strike}
}

// isOpen reports whether a question about a game is still open to anybody.
func (b *Bot) isOpen(ctx context.Context, q openQuestion) bool {
	g, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(q.Game) })
	first := firstWords(&g)[q.Verb]
	return err == nil && first != nil && b.Events.Second(first, event.By{Person: first.By})
}

// answers reports whether a text is yes or no to an open question in the game of the message that it replies to.
func (b *Bot) answers(ctx context.Context, m *message.Incoming) bool {
	yes, ok := words.YesOrNo(m.Text)
	if !ok || m.ReplyTo == 0 {
		return false
	}
	r, _ := b.Asker(ctx, *m) // people who were never met have no open questions
	r.Game = m.ReplyTo
	if q, err := b.asked(ctx, r); err != nil || q.Verb != "" {
		return err == nil
	}
	how := words.Either(yes, match.Accept, match.Decline)
	open, err := b.Match.HasOffer(ctx, event.By{Person: r.Me.ID, Place: r.Here.ID}, how, match.Meant{Game: m.ReplyTo}, time.Time{})
	return err == nil && open
}

// settled reports whether a press, carried out or not, leaves a question that nobody can answer any more. One about no
// game stays open where others than whoever pressed can answer it.
func (b *Bot) settled(ctx context.Context, m message.Incoming, done bool) bool {
	p, game, _, _, ok := pressed(m.Press)
	verb, yes := strings.CutSuffix(p.verb, "-yes")
	verb, no := strings.CutSuffix(verb, "-no")
	open := game != 0 && b.isOpen(ctx, openQuestion{Verb: verb, Game: game})
	return ok && (yes || no) && !open && (game != 0 || done || m.Private)
}

// sayYesOrNo answers the open question whether the asker means something, unless somebody has offered them something
// since. If there is neither, it is talk.
func sayYesOrNo(ctx context.Context, b *Bot, r Request, yes bool) (*message.Message, error) {
	q, err := b.asked(ctx, r)
	if err != nil {
		return nil, err
	}
	how := words.Either(yes, match.Accept, match.Decline)
	offered, err := b.Match.HasOffer(ctx, r.by(), how, match.Meant{Game: r.Game}, q.At)
	if err != nil {
		return nil, err
	}
	if !offered && q.Verb == "" { // perhaps it answers the opponent
		if said, err := b.talk(ctx, r); said != nil || err != nil {
			return said, err
		}
	}
	if offered || q.Verb == "" {
		r.Args = nil
		r.Command = b.Commands.Find(words.Either(yes, "accept", "decline"))
		r.Name = r.Command.Name
		return r.Command.Run(ctx, b, r)
	}
	r.Game, r.Args = q.Game, q.Args
	return presses[q.Verb+words.Either(yes, "-yes", "-no")].run(ctx, b, r)
}
