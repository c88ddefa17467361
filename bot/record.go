package bot

import (
	"context"
	"fmt"

	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
)

// FEN shows a position as FEN.
func FEN(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Text{{Words: sight.Now.Position.FEN(), Style: words.Code}}), nil
}

// Score shows the moves of a game.
func Score(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	score, err := b.Games.Score(&sight.Game)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Score(sight, sight.Start, score)), nil
}

// Export gives a game as a file in PGN.
func Export(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	text, err := b.Archive.Export(ctx, sight.Game.ID)
	if err != nil {
		return nil, err
	}
	file := &message.File{Name: fmt.Sprintf("chimera-%d.pgn", sight.Game.ID), Content: text}
	return &message.Message{To: r.Me.ID, Text: words.Say("show.exported", "game", words.Hash(sight.Game.ID)), File: file}, nil
}

// Replay shows a game as a moving picture, from the asker's side.
func Replay(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	if wait := b.Pictures.Wait(r.Me.ID); wait > 0 {
		return r.Answer(words.Say("show.too-many-replays", "most", limit.Replays, "seconds", int(wait.Seconds())+1)), nil
	}
	bottom := rules.White
	if side, ok := sight.Game.SideOf(r.Me.ID); ok {
		bottom = rules.Color(side)
	}
	frames := func() ([]diagram.Diagram, error) { return framesOf(b.Games, sight, bottom) }
	return &message.Message{To: r.Me.ID, Text: words.Replay(sight), Players: words.PlayersOf(sight), Replay: frames}, nil
}

// framesOf are a game as a moving picture: who plays and what they have captured, and below it each move.
func framesOf(games *match.Games, sight *match.GameView, bottom rules.Color) (frames []diagram.Diagram, err error) {
	line, err := games.Replay(&sight.Game)
	if err != nil {
		return nil, err
	}
	first := max(0, len(line.Moves)-limit.ReplayPlies)
	for i, now := range line.Games[first:] {
		var last []rules.Effect
		if i += first; i > 0 {
			last = line.Games[i-1].Position.Effects(line.Moves[i-1])
		}
		d := diagram.Of(now.Position, last, bottom)
		d.Caption = words.GameName(sight)
		if i > 0 {
			d.Caption = words.Ply(line.Games[i-1].Position, line.Moves[i-1])
		}
		frames = append(frames, d.ShowTaken(line.Games[0].Position.Board()))
	}
	end := &frames[len(frames)-1]
	if end.Over = sight.Game.Over(); end.Over {
		if winner, won := words.Winner(sight); won {
			*end = end.ShowWinner(winner)
		}
	}
	return frames, nil
}
