package bot

import (
	"context"
	"fmt"
	"time"

	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules"
)

// ReplayStep is for how long a replay shows a position.
const ReplayStep = 900 * time.Millisecond

// replay shows a game as a moving picture, from the asker's side.
func (b *Bot) replay(ctx context.Context, r request) ([]Note, error) {
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	if wait := b.studio.wait(r.me.ID); wait > 0 {
		return r.answer(words.TooManyReplays(wait)), nil
	}
	bottom := rules.White
	if side, ok := sight.Game.SideOf(r.me.ID); ok {
		bottom = rules.Color(side)
	}
	line, err := b.games.Line(&sight.Game)
	if err != nil {
		return nil, err
	}
	note := Note{To: r.me.ID, Text: words.Replay(sight), film: fmt.Sprint(sight.Game.ID, sight.Game.Moves)}
	for i, now := range line {
		var last []rules.Effect
		if i > 0 {
			last = line[i-1].Effects
		}
		note.Replay = append(note.Replay, render.Of(now.Position, last, bottom))
	}
	return []Note{note}, nil
}
