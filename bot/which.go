package bot

import (
	"context"
	"slices"

	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// candidates are the games that could be meant, the most urgent first; none if they cannot be told.
func (b *Bot) candidates(ctx context.Context, several *ask.Several) []match.Item {
	agenda, _, err := b.Games.Agenda(ctx, inbox.By{Person: several.Me.ID}, several.Me.ID, limit.Games, nil)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(several.Games, func(g storage.Game) bool { return g.ID == it.Game.ID })
	})
}

// inEach are buttons that do what is requested in one of some games, if a button can do that.
func inEach(r ask.Request, games []match.Item) (buttons []Button) {
	command, args := "move", r.Args
	if r.Command != nil {
		command = r.Name
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
func (b *Bot) whichGame(ctx context.Context, several *ask.Several) words.Text {
	wanted := b.candidates(ctx, several)
	if len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	return words.WhichGame(shown, len(wanted)-len(shown), several.Me)
}
