package bot

import (
	"context"
	"strconv"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
)

// pick shows the next choice: a piece, a target, or one of the moves to it.
func pick(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	shape, pos := r.View.Variant.Shape, r.View.Now.Position
	piece, target := shape.Parse(r.Args[0]), shape.Parse(r.Args[1])
	page, _ := strconv.Atoi(r.Args[2])
	said := message.Message{To: r.Me.ID, Text: words.Pick(r.View, piece, target), Step: true, Buttons: message.PickerOf(r.View).Page(piece, target, page)}
	if piece != rules.NoSquare {
		Picture(&said, r.View, diagram.Of(pos, r.View.Effects, pos.Turn()).ShowMoves(piece, pos.Moves()).ShowZones(pos.Influences()))
	}
	return &said, nil
}

// preview shows the position after a move, and asks whether it is meant.
func preview(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	sight, coordinate := r.View, r.Args[0]
	pos := sight.Now.Position
	m, err := pos.ParseCoordinate(coordinate)
	if err != nil {
		return nil, err
	}
	after, err := pos.Play(m)
	if err != nil {
		return nil, err
	}
	said := message.Message{
		To: r.Me.ID, Text: words.Preview(pos, m), Step: true,
		Buttons: []message.Button{
			message.NewButton(words.Label("confirm"), "play", sight.Game.ID, strconv.Itoa(sight.Ply), coordinate),
			message.PickerOf(sight).Before(m),
		},
	}
	Picture(&said, sight, diagram.Of(after, pos.Effects(m), pos.Turn()))
	return &said, nil
}
