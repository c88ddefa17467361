package bot

import (
	"context"
	"slices"
	"strings"

	"chimera/bot/match"
)

// IsMove reports whether a text that is not addressed to the bot is a move all the same:
// its author is to move at that place, and it is exactly one legal move of that game.
// Nothing is stored of those who only talk; of a text that looks like a move and is none,
// that it was heard, so that it is none either when it comes again.
func (b *Bot) IsMove(ctx context.Context, m Message) bool {
	r := request{msg: m, heard: true}
	name, fault := r.parse(m.Text)
	if name != "" || fault != nil || r.line == "" {
		return false
	}
	again, _, err := b.match.Again(ctx, r.by())
	if err != nil || again != nil && again.What == match.Refused {
		return false
	}
	err = b.legalHere(ctx, r)
	if err != nil && looksLikeMove.MatchString(strings.Join(r.args, "")) {
		if err := b.match.Refused(ctx, r.by(), ""); err != nil {
			b.log.ErrorContext(ctx, "what was heard is not remembered", "platform", m.Place.Platform, "err", err)
		}
	}
	return err == nil
}

// legalHere is why a request is no legal move of a game here in which its author is to move,
// nil if it is one.
func (b *Bot) legalHere(ctx context.Context, r request) (err error) {
	if r.me, r.here, r.server, err = b.match.Known(ctx, r.msg.From.Address, r.msg.Place); err != nil {
		return err
	}
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return err
	}
	sight, err := b.match.Look(ctx, id, match.Latest)
	if err != nil {
		return err
	}
	if sight.ToMove() != r.me.ID {
		return errNoneWaits
	}
	_, err = sight.Now.Position.Parse(r.line)
	return err
}

// Command is one that people can give, for platforms that list them.
type Command struct {
	Name, Args, Help string
	Private          bool // concerns nobody but the asker
}

// Commands are all there are, in the order in which help shows them.
func Commands() []Command {
	var all []Command
	for _, c := range commands() {
		private := false
		switch c.name {
		case "link", "unlink", "mydata", "forgetme", "privacy", "if":
			private = true
		}
		all = append(all, Command{c.name, c.args, c.help, private})
	}
	return all
}

// IsCommand reports whether a word is the name of a command.
func IsCommand(word string) bool {
	_, ok := findCommand(word)
	return ok
}

// Understands reports whether a text is a command, or meant as a move.
func (b *Bot) Understands(text string) bool {
	var r request
	name, fault := r.parse(text)
	return name != "" || fault != nil || len(text) <= maxText && looksLikeMove.MatchString(strings.Join(r.args, ""))
}

// CommandIn is the name of the command in a text, "" if there is none.
func CommandIn(text string) string {
	var r request
	name, _ := r.parse(text)
	return name
}

// IsForManagers reports whether a text is a command of which some is for those alone who
// manage the server.
func IsForManagers(text string) bool {
	var r request
	name, _ := r.parse(text)
	return name == "settings" && len(r.args) > 0 && strings.EqualFold(r.args[0], "here")
}

// IsPrivate reports whether a text is a command that concerns nobody but the asker.
func IsPrivate(text string) bool {
	name := CommandIn(text)
	return slices.ContainsFunc(Commands(), func(c Command) bool { return c.Private && c.Name == name })
}
