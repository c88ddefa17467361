package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
)

// Board shows a position of a game, from either side, with the squares to which pieces lend their
// powers if that is asked for.
func showBoard(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	ply := match.Latest
	if n, err := strconv.Atoi(r.Said["ply"]); err == nil {
		ply = n
	}
	sight, err := b.Shown(ctx, r, ply)
	switch {
	case errors.Is(err, match.ErrNoPly):
		return r.Answer(words.Say("show.no-such-ply", "ply", ply)), nil
	case err != nil:
		return nil, err
	}
	said := boardOf(sight, viewer(r))
	said.Text = append(said.Text, words.Waits(b.Thinker.Backlog(sight.Game.ID))...)
	if r.Said["flip"] != "" {
		said.Board.Bottom = said.Board.Bottom.Other()
		said.FlipBack()
	}
	if r.Said["zones"] != "" && !showZones(&said, sight) {
		return r.Answer(words.Say("show.no-zones", "kind", sight.Variant.Name)), nil
	}
	return &said, nil
}

// viewer is who sees the answer to a request.
func viewer(r Request) Viewer {
	return Viewer{Alone: r.Alone(), Turns: r.Server.Settings.Turning}
}

// showZones marks on a note's board the squares to which pieces lend their powers; false
// if there are none.
func showZones(said *message.Message, s *match.GameView) bool {
	zones := s.Now.Position.Influences()
	if len(zones) == 0 {
		return false
	}
	d := said.Board.ShowZones(zones)
	said.Board, said.Legend = &d, append(said.Legend, words.ZoneLegend(d)...)
	return true
}

// Moves lists legal moves by the pieces that have them, or lets one be picked in a lesson or puzzle.
func Moves(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	study, err := b.OpenStudy(ctx, r)
	if err != nil {
		return nil, err
	}
	if study != nil && len(r.Args) == 0 {
		return one(study.Pick(message.None, message.None, "0"), nil)
	}
	sight, err := goingOn(ctx, b, r)
	if err != nil {
		return nil, err
	}
	pos := sight.Now.Position
	from := rules.NoSquare
	if len(r.Args) == 1 {
		if from = sight.Variant.Shape.Parse(strings.ToLower(r.Args[0])); from == rules.NoSquare {
			return r.Answer(words.Say("show.no-square", "word", words.Clip(r.Args[0]))), nil
		}
	}
	return r.Answer(words.Moves(sight, from, legalByPiece(pos, from))), nil
}

// goingOn is the game meant by a request to see something of one that is not over.
func goingOn(ctx context.Context, b *Bot, r Request) (*match.GameView, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err == nil && sight.Game.Over() {
		err = &event.Refusal{Why: event.Over, Game: sight.Game.ID}
	}
	return sight, err
}

// legalByPiece are the legal moves of the piece on a square, or of all for rules.NoSquare, by
// the kind of piece that moves.
func legalByPiece(pos *rules.Position, from rules.Square) (all []words.MovesOf) {
	board, moves := pos.Board(), pos.Moves()
	for i, text := range pos.ChatTexts() {
		m := moves[i]
		if from != rules.NoSquare && m.From != from && (m.Act != rules.Rally || m.With != from) {
			continue
		}
		n := slices.IndexFunc(all, func(of words.MovesOf) bool { return of.Piece == board[m.From] })
		if n < 0 {
			n, all = len(all), append(all, words.MovesOf{Piece: board[m.From]})
		}
		all[n].Texts = append(all[n].Texts, text)
	}
	return all
}

// legal are the chat texts of the legal moves of the piece on a square.
func legal(pos *rules.Position, from rules.Square) (texts []string) {
	for _, of := range legalByPiece(pos, from) {
		texts = append(texts, of.Texts...)
	}
	return texts
}
