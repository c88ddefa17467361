package bot

import (
	"context"
	"errors"
	"strconv"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules/phrase"
)

// hint helps with the lesson or puzzle that is open, or in a game against the computer: first with the piece
// that moves, and with more whenever it is asked for again.
func hint(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	study, err := b.OpenStudy(ctx, r)
	if err != nil {
		return nil, err
	}
	if study != nil {
		return one(study.Help(ctx))
	}
	id, err := b.Meant(ctx, r, MyTurn(r))
	if err != nil {
		return nil, b.OrOver(ctx, r, err)
	}
	if r.View, err = b.Games.LoadFor(ctx, r.By(), id, match.Latest); err != nil {
		return nil, err
	}
	if _, level := r.View.Game.Computer(); level == 0 {
		return nil, &Refused{Text: words.Say("hint.between-people")}
	}
	r.Args = []string{strconv.Itoa(r.View.Game.Hinted)}
	return hintMore(ctx, b, r)
}

// hintMore tells more and more of the move that the computer would play: the piece, the move, and
// what it thinks of that. A game in which it has helped is not won against it alone.
func hintMore(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	s := r.View
	if _, level := s.Game.Computer(); level == 0 {
		return r.Answer(words.Say("request.old-button")), nil
	}
	if err := r.May(Mover); err != nil {
		return nil, err
	}
	found, err := b.Thinker.Advise(ctx, s.Now)
	if errors.Is(err, computer.ErrBusy) {
		return nil, &Refused{Text: words.Say("hint.busy")}
	}
	if err != nil {
		return nil, err
	}
	told, _ := strconv.Atoi(r.Args[0])
	if _, err := b.Match.Help(ctx, r.By(), s.Game.ID, min(told, 2)+1); err != nil {
		return nil, err
	}
	pos, m, ply := s.Now.Position, found.Move(), strconv.Itoa(s.Ply)
	more := func(told string) message.Button {
		return message.NewButton(words.Label("hint"), "hint-on", s.Game.ID, ply, told)
	}
	play := message.NewButton(phrase.As(pos.Chat(m)), "play", s.Game.ID, ply, s.Variant.Coordinate(m))
	said := message.Message{To: r.Me.ID, Step: true}
	Picture(&said, s, diagram.Of(pos, s.Effects, pos.Turn()).ShowMoves(m.From, pos.Moves()).ShowZones(pos.Influences()))
	switch told {
	case 0:
		said.Text, said.Buttons = words.HintPiece(pos, m), []message.Button{message.MoveButton(s.Game.ID, s.Ply), more("1")}
	case 1:
		said.Text, said.Buttons = words.Say("hint.move", "move", pos.Chat(m), "did", pos.Variant().Describe(pos.Effects(m))), []message.Button{play, more("2")}
	default:
		said.Text, said.Buttons = words.HintWhy(s.Now, found), []message.Button{play}
	}
	return &said, nil
}
