package bot

import (
	"context"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/storage"
)

// Share shows a game as a picture to pass on, which says of itself all that there is to say: the board
// as it is now, who plays, and the move to remember.
func Share(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	bottom := rules.White
	if side, won := words.Winner(sight); won {
		bottom = side
	}
	key, scene, err := keyOf(ctx, b, sight, bottom)
	if err != nil {
		return nil, err
	}
	shown := boardOf(sight, Viewer{})
	shown.Board.Bottom = bottom
	said := message.Message{To: r.Me.ID, Text: words.Share(sight, key), Players: shown.Players}
	said.Chart = words.ShareChart(sight, *shown.Board, scene, key, r.Location())
	return &said, nil
}

// keyOf is the move to remember a game by, and the diagram of what it led to, seen from a side; nil where
// there is none but the last. What a review has found is told of games that have ended alone.
func keyOf(ctx context.Context, b *Bot, s *match.GameView, bottom rules.Color) (key *words.Key, scene diagram.Diagram, err error) {
	line, err := b.Games.Replay(&s.Game)
	if err != nil {
		return nil, scene, err
	}
	var found *computer.TurningPoint
	if s.Game.Over() {
		if found, err = turning(ctx, b, s.Game.ID, line); err != nil {
			return nil, scene, err
		}
	}
	of := [2]bool{true, true}
	if side, won := words.Winner(s); won {
		of[side.Other()] = false
	}
	ply, ok := computer.Key(line.Games, line.Moves, of)
	if found != nil {
		ply, ok = found.Ply, true
	}
	if !ok {
		return nil, scene, nil
	}
	before, m := line.Games[ply].Position, line.Moves[ply]
	scene = diagram.Of(line.Games[ply+1].Position, before.Effects(m), bottom)
	return &words.Key{Ply: ply, Before: before, Move: m, Moment: found}, scene, nil
}

// turning is what changed most in a game by its review, nil where nobody has asked for one yet.
func turning(ctx context.Context, b *Bot, id storage.GameID, line *match.Replayed) (*computer.TurningPoint, error) {
	found, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Review, error) { return r.Reviews().Get(id) })
	switch {
	case storage.Missing(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	story, err := computer.Tell(found, line.Games, line.Moves)
	if err != nil {
		return nil, err
	}
	return story.Turning(), nil
}
