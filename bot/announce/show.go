package announce

import (
	"fmt"

	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Board is what everyone sees of a game at a ply.
func Board(s *match.Sight) note.Note {
	d := render.Of(s.Now.Position, s.Effects, s.Now.Position.Turn())
	if s.Start != nil {
		if shown := d.ShowTaken(s.Start.Board()); len(shown.Taken) > 0 {
			d = shown
		}
	}
	said := note.Note{Text: words.Board(s), Board: &d}
	switch {
	case s.Ply != len(s.Game.Moves):
	case s.Game.Over():
		said.Buttons = []note.Button{
			note.NewButton(words.Label("rematch"), "rematch", s.Game.ID, note.None),
			note.NewButton(words.Label("board"), "board", s.Game.ID, note.None), note.NewButton(words.Label("replay"), "replay", s.Game.ID, note.None),
		}
	default:
		said.Buttons = note.BoardButtons(s.Game.ID, s.Ply)
	}
	return said
}

// Top is a page of a leaderboard, with buttons to those before and after it; of one game, nil
// for all.
func Top(ask league.Asked, found *league.Leaderboard, v *rules.Variant) note.Note {
	said := note.Note{Text: words.Top(ask, found, v), Chart: words.TopChart(ask, found, v)}
	page := func(label phrase.Phrase, from int) {
		said.Buttons = append(said.Buttons,
			note.NewButton(label, "top", 0, note.None, fmt.Sprint(ask.Server), ask.Game, string(ask.Period), fmt.Sprint(from)))
	}
	if found.From > 1 {
		page(words.Label("before"), max(found.From-league.PageSize, 1))
	}
	if found.From+league.PageSize <= found.All+found.Unsure {
		page(words.Label("after"), found.From+league.PageSize)
	}
	return said
}
