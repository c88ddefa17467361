package show

import (
	"context"

	"chimera/bot/announce"
	"chimera/bot/ask"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/rules/analysis"
)

// Threats shows what the side to move's opponent threatens.
func Threats(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	sight, err := goingOn(ctx, desk, r)
	if err != nil {
		return nil, err
	}
	found := analysis.Find(sight.Now.Position)
	said := announce.Board(sight, viewer(r))
	d := said.Board.ShowThreats(found)
	said.To, said.Board, said.Buttons, said.About = r.Me.ID, &d, nil, sight.Game.ID
	said.Text, said.Legend = words.Threats(sight, found), words.ThreatLegend(sight.Now.Position.Board(), found)
	return []note.Note{said}, nil
}
