package bot

import (
	"context"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/analysis"
)

// Threats shows what the side to move's opponent threatens.
func Threats(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := goingOn(ctx, b, r)
	if err != nil {
		return nil, err
	}
	found := analysis.Find(sight.Now.Position)
	said := boardOf(sight, viewer(r))
	d := said.Board.ShowThreats(found)
	said.To, said.Board, said.Buttons, said.About = r.Me.ID, &d, nil, sight.Game.ID
	said.Text, said.Legend = words.Threats(sight, found), words.ThreatLegend(sight.Now.Position.Board(), found)
	return &said, nil
}
