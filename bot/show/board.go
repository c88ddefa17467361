package show

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/announce"
	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
)

// Board shows a position of a game, from either side, with the squares to which pieces lend their
// powers if that is asked for.
func Board(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	ply := match.Latest
	if n, err := strconv.Atoi(r.Said["ply"]); err == nil {
		ply = n
	}
	sight, err := desk.Shown(ctx, r, ply)
	switch {
	case errors.Is(err, match.ErrNoPly):
		return r.Answer(words.Say("show.no-such-ply", "ply", ply)), nil
	case err != nil:
		return nil, err
	}
	said := announce.Board(sight, viewer(r))
	said.Text = append(said.Text, words.Waits(desk.Thinker.Backlog(sight.Game.ID))...)
	if r.Said["flip"] != "" {
		said.Board.Bottom = said.Board.Bottom.Other()
		said.FlipBack()
	}
	if r.Said["zones"] != "" && !showZones(&said, sight) {
		return r.Answer(words.Say("show.no-zones", "kind", sight.Variant.Name)), nil
	}
	return []note.Note{said}, nil
}

// viewer is who sees the answer to a request.
func viewer(r ask.Request) announce.Viewer {
	return announce.Viewer{Alone: r.Alone(), Turns: r.Server.Settings.Turning}
}

// showZones marks on a note's board the squares to which pieces lend their powers; false
// if there are none.
func showZones(said *note.Note, s *match.Sight) bool {
	zones := s.Now.Position.Influences()
	if len(zones) == 0 {
		return false
	}
	d := said.Board.ShowZones(zones)
	said.Board, said.Legend = &d, append(said.Legend, words.ZoneLegend(d)...)
	return true
}

// Moves lists legal moves by the pieces that have them, or lets one be picked in a lesson or puzzle.
func Moves(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	study, err := desk.OpenStudy(ctx, r)
	if err != nil {
		return nil, err
	}
	if study != nil && len(r.Args) == 0 {
		return []note.Note{study.Pick(note.None, note.None, "0")}, nil
	}
	sight, err := goingOn(ctx, desk, r)
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
func goingOn(ctx context.Context, desk *ask.Desk, r ask.Request) (*match.Sight, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err == nil && sight.Game.Over() {
		err = &inbox.Refusal{Why: inbox.Over, Game: sight.Game.ID}
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

// FEN shows a position as FEN.
func FEN(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Text{{Words: sight.Now.Position.FEN(), Style: words.Code}}), nil
}

// Score shows the moves of a game.
func Score(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	score, err := desk.Games.Score(&sight.Game)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Score(sight, sight.Start, score)), nil
}

// Export gives a game as a file in PGN.
func Export(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	text, err := desk.Archive.Export(ctx, sight.Game.ID)
	if err != nil {
		return nil, err
	}
	file := &note.File{Name: fmt.Sprintf("chimera-%d.pgn", sight.Game.ID), Content: text}
	return []note.Note{{To: r.Me.ID, Text: words.Say("show.exported", "game", words.Hash(sight.Game.ID)), File: file}}, nil
}

// Replay shows a game as a moving picture, from the asker's side.
func Replay(ctx context.Context, desk *ask.Desk, r ask.Request) ([]note.Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	if wait := desk.Studio.Wait(r.Me.ID); wait > 0 {
		return r.Answer(words.Say("show.too-many-replays", "most", limit.Replays, "seconds", int(wait.Seconds())+1)), nil
	}
	bottom := rules.White
	if side, ok := sight.Game.SideOf(r.Me.ID); ok {
		bottom = rules.Color(side)
	}
	line, err := desk.Games.Replay(&sight.Game)
	if err != nil {
		return nil, err
	}
	said := replayOf(sight, line, bottom)
	said.To = r.Me.ID
	return []note.Note{said}, nil
}

// replayOf is a game as a moving picture: who plays and what they have captured, and below it each move.
func replayOf(sight *match.Sight, line *match.Replayed, bottom rules.Color) note.Note {
	said := note.Note{Text: words.Replay(sight), Players: words.PlayersOf(sight)}
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
		said.Replay = append(said.Replay, d.ShowTaken(line.Games[0].Position.Board()))
	}
	end := &said.Replay[len(said.Replay)-1]
	if end.Over = sight.Game.Over(); end.Over {
		if winner, won := words.Winner(sight); won {
			*end = end.ShowWinner(winner)
		}
	}
	return said
}
