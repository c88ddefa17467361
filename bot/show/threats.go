package show

import (
	"context"

	"chimera/bot/announce"
	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/rules/probe"
)

// Threats shows what the side to move's opponent threatens.
func Threats(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	if sight.Game.Over() {
		return nil, &inbox.Refusal{Why: inbox.Over, Game: sight.Game.ID}
	}
	found := probe.Find(sight.Now.Position)
	said := announce.Board(sight, viewer(r))
	d := said.Board.ShowThreats(found)
	said.To, said.Board, said.Buttons, said.About = r.Me.ID, &d, nil, sight.Game.ID
	said.Text, said.Legend = words.Threats(sight, found), words.ThreatLegend(sight.Now.Position.Board(), found)
	return []note.Note{said}, nil
}
