package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// IsMeant reports whether a text is meant for the bot. What is said to nobody is if its
// author plays a game there in which it is their turn, and it is exactly one legal move of
// that game; or if that game is one against the computer, and it is written like a move or, in
// the thread of the game, like a command. An answer to what the bot has said is if it is a
// command with what that takes, meant as a move, a plain question about the game, or yes or no
// to one: "how did you see that" is talk.
//
// Nothing of talk is stored, except that a player's words were heard which were meant as a move
// in a room of their game and were none. So they are none when they come again either.
func (b *Bot) IsMeant(ctx context.Context, m *message.Incoming, to message.Addressee) bool {
	if to == message.TheBot {
		return true
	}
	said := b.Commands.Read(m.Text)
	if to == message.WhatWasSaid {
		plain, _ := words.Heard(m.Text)
		return said.Fault != nil || said.Command != nil && b.isWhole(m.Text, said) || b.LooksLikeMove(said.Text) ||
			plain.IsQuestion() || b.answers(ctx, m)
	}
	if said.Command != nil && said.Fault == nil && b.isWhole(m.Text, said) && b.isAlone(ctx, m) {
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

// isWhole reports whether a text that begins with a command's name is one, and no sentence
// that begins so by chance: what follows is mostly what commands take.
func (b *Bot) isWhole(text string, said Reading) bool {
	if strings.HasPrefix(strings.TrimSpace(text), "/") || said.Command.Plain {
		return true
	}
	known := 0
	for _, word := range said.Args {
		if b.isArgument(strings.ToLower(word)) {
			known++
		}
	}
	return len(said.Args) == 0 || known > 0 && 2*known >= len(said.Args)
}

// isArgument reports whether a word is one that some command takes.
func (b *Bot) isArgument(word string) bool {
	if strings.ContainsAny(word, "0123456789@") || match.IsCode(word) || b.LooksLikeMove(word) {
		return true
	}
	apart := func(c rune) bool { return !unicode.IsLetter(c) }
	return slices.ContainsFunc(b.Commands, func(c Command) bool { return slices.Contains(strings.FieldsFunc(c.Usage, apart), word) }) ||
		slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool {
			return slices.Contains(strings.FieldsFunc(strings.ToLower(v.Name+" "+v.Key), apart), word) ||
				slices.ContainsFunc(v.Table, func(role rules.RoleInfo) bool { return strings.EqualFold(role.Name, word) })
		})
}

// isHeardMove reports whether a text that is meant as a move is one in a game that its
// author plays where it was said. If there are such games, but it is none, that is
// remembered.
func (b *Bot) isHeardMove(ctx context.Context, m *message.Incoming, said Reading) (bool, error) {
	r, games, err := b.overhearing(ctx, m, said)
	if err != nil || len(games) == 0 {
		return false, err
	}
	if again := m.Author.Again; again != nil {
		return again.Kind != event.Refused || m.Author.Told != "", nil
	}
	games = slices.DeleteFunc(games, func(g storage.Game) bool { return match.ToMove(&g) != r.Me.ID })
	if games = b.Fitting(r, games); len(games) == 1 {
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
	return false, b.Events.Refused(ctx, r.By(), "")
}

// isAlone reports whether a message was written by who plays the computer in the thread of that
// game, where commands are for nobody else.
func (b *Bot) isAlone(ctx context.Context, m *message.Incoming) bool {
	_, games, err := b.overhearing(ctx, m, Reading{})
	if err != nil || len(games) != 1 || m.ReplyTo != games[0].ID {
		return false
	}
	_, level := games[0].Computer()
	return level != 0
}

// isAttempt reports whether a text that is no legal move of a game can only be meant as one:
// against the computer, where nobody else plays, whatever is written like a move is. Two people
// talk of moves in the thread of their game.
func (b *Bot) isAttempt(ctx context.Context, r *Request, g *storage.Game) bool {
	v := b.Games.Variant(g.Variant)
	_, level := g.Computer()
	return level != 0 && v != nil && v.MoveLike(r.Text) && (r.Msg.ReplyTo == g.ID || b.playsAlone(ctx, r))
}

// playsAlone reports whether all the games at the asker's place are theirs, against the computer.
func (b *Bot) playsAlone(ctx context.Context, r *Request) bool {
	return b.Store.View(ctx, func(s storage.Reader) error {
		for g, err := range s.Games().Each(s.Here(r.Here.ID)) {
			if err != nil {
				return err
			}
			_, level := g.Computer()
			if _, own := g.SideOf(r.Me.ID); level == 0 || !own {
				return ErrNoGame
			}
		}
		return nil
	}) == nil
}

// overhearing are the games in progress that a text said to nobody can be about: of those
// that its author plays there, the one it names, or in the thread of a game that game.
// Of people and places that were never heard of there are none.
func (b *Bot) overhearing(ctx context.Context, m *message.Incoming, said Reading) (r Request, games []storage.Game, err error) {
	who, err := b.Users.Overheard(ctx, m.From.Address, m.Place, m.Key())
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return r, nil, nil
	case err != nil:
		return r, nil, err
	}
	m.Author = &who
	r = Request{Msg: *m, Reading: said, Me: who.Person, Here: who.Place, Server: who.Server}
	about := cmp.Or(r.Game, m.ReplyTo)
	return r, slices.DeleteFunc(slices.Clone(who.Playing), func(g storage.Game) bool {
		return about != 0 && g.ID != about || !slices.Contains(g.Places(), r.Here.ID)
	}), nil
}

// BoardPress is what a button of the newest board does, of the game that somebody means
// where they are; false if they mean none, or it has no such button.
func (b *Bot) BoardPress(ctx context.Context, m message.Incoming, label string) (press string, ok bool) {
	r, known := b.Asker(ctx, m)
	if !known {
		return "", false
	}
	id, err := b.Meant(ctx, r, AnyGame)
	if err != nil {
		return "", false
	}
	sight, err := b.Games.LoadFor(ctx, r.By(), id, match.Latest)
	if err != nil || sight.Game.Over() {
		return "", false
	}
	buttons := message.BoardButtons(id, sight.Ply, message.Several, true)
	i := slices.IndexFunc(buttons, func(b message.Button) bool { return b.Label == label })
	if i < 0 {
		return "", false
	}
	return buttons[i].Do, true
}
