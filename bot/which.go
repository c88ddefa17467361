package bot

import (
	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
	"context"
	"slices"
)

// candidates are the games that could be meant, the most urgent first; none if they cannot be told.
func (b *Bot) candidates(ctx context.Context, several *errAsk) []match.Item {
	agenda, _, err := b.Games.Agenda(ctx, inbox.By{Person: several.me.ID}, several.me.ID, limit.Games, nil)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(several.games, func(g storage.Game) bool { return g.ID == it.Game.ID })
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
func (b *Bot) whichGame(ctx context.Context, several *errAsk) words.Text {
	wanted := b.candidates(ctx, several)
	if len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	return words.WhichGame(shown, len(wanted)-len(shown), several.me)
}
