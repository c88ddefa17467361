package main

import (
	"context"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/puzzle"
)

// keyOf is the same for positions that are mirror images, of wings or colors, regardless of counters and
// rights. Other positions have other keys.
func keyOf(pos *rules.Position) string {
	shape, board := pos.Variant().Shape, pos.Board()
	flip := pos.Turn() == rules.Black
	one := image(shape, &board, flip, false)
	other := image(shape, &board, flip, true)
	if one == "" {
		one = pos.FEN() // the board looks different from Black's side
	}
	if other != "" && other < one {
		return other
	}
	return one
}

// image is a board with its ranks and colors flipped, its files mirrored, or both; "" if the
// shape is another then.
func image(shape *rules.Shape, board *rules.Board, flip, mirror bool) string {
	var text [2 * len(rules.Board{})]byte
	for sq := range shape.Squares.Squares() {
		file, rank, piece := shape.File(sq), shape.Rank(sq), board[sq]
		if mirror {
			file = shape.Files - 1 - file
		}
		if flip {
			rank = shape.Ranks - 1 - rank
			piece.White, piece.Black = piece.Black, piece.White
		}
		to := shape.At(file, rank)
		if to == rules.NoSquare {
			return ""
		}
		text[2*to], text[2*to+1] = byte(piece.White), byte(piece.Black)
	}
	return string(text[:])
}

// themesOf are what a solution is about, in the order of all themes.
func themesOf(steps []puzzle.Step) []puzzle.Theme {
	is := map[puzzle.Theme]bool{}
	for i := 0; i < len(steps); i += 2 {
		s := &steps[i]
		for _, e := range s.Before.Effects(s.Move) {
			if t := told(s.Move, &e); t != "" {
				is[t] = true
			}
		}
		if i+2 < len(steps) && forks(s, &steps[i+2]) {
			is[puzzle.Fork] = true
		}
	}
	last := &steps[len(steps)-1]
	is[puzzle.Mate] = puzzle.Mates(last.After())
	is[puzzle.Gain] = !is[puzzle.Mate]
	var themes []puzzle.Theme
	for _, t := range puzzle.Themes() {
		if is[t] {
			themes = append(themes, t)
		}
	}
	return themes
}

// told is the theme of one effect of a move; "" if it has none.
func told(m rules.Move, e *rules.Effect) puzzle.Theme {
	if (e.Kind == rules.Captured || e.Kind == rules.Absorbed) && m.Kills.Has(e.To) {
		return puzzle.Run
	}
	return map[rules.EffectKind]puzzle.Theme{
		rules.Merged: puzzle.Merge, rules.Parted: puzzle.Split, rules.Born: puzzle.Birth, rules.Shot: puzzle.Shot, rules.Annihilated: puzzle.Annihilation, rules.Promoted: puzzle.Promotion,
	}[e.Kind]
}

// forks reports whether the piece that made a move then attacks two pieces, of which the king
// may be one and none is a pawn, and takes one of them by the next.
func forks(s, next *puzzle.Step) bool {
	if next.Move.From != s.Move.To {
		return false
	}
	after := s.After()
	us, board, table := s.Before.Turn(), after.Board(), after.Variant().Table
	prey := rules.Set(0)
	for _, r := range after.Moves() {
		answered, err := after.Play(r)
		if err != nil {
			continue
		}
		stays := answered.Board()
		for _, m := range answered.Moves() {
			if m.From != s.Move.To {
				continue
			}
			for sq := range (m.To.Set() | m.Kills).Squares() {
				role := board[sq].Half(us.Other())
				if role != rules.NoRole && !table[role].Pawn && !table[role].Royal && stays[sq] == board[sq] {
					prey |= sq.Set()
				}
			}
		}
	}
	taken := prey & (next.Move.To.Set() | next.Move.Kills)
	return taken != 0 && (prey|after.Checked()).Len() >= 2
}

// A bar says which scores of a search count as a win, in centipawns: at least Won, or a mate. At most
// Lost is no win; between the two it is open.
type bar struct{ Won, Lost int }

// strict is the bar for a puzzle to be found.
var strict = bar{200, 130} //nolint:gochecknoglobals // never written

// wins reports whether a score is a win.
func (b bar) wins(s engine.Score) bool { return s.Mate > 0 || s.Mate == 0 && s.Centipawns >= b.Won }

// fails reports whether a score is none.
func (b bar) fails(s engine.Score) bool {
	return s.Mate < 0 || s.Mate == 0 && s.Centipawns <= b.Lost
}

// wonAlone is the move that alone wins, as a search of that many nodes sees it, with its score; false
// if there is none, or another may win too. The error is that of [engine.Engine.Search].
func wonAlone(ctx context.Context, e *engine.Engine, pos *rules.Position, nodes int, least bar) (engine.Line, bool, error) {
	found, err := e.Search(ctx, rules.NewGame(pos), engine.Limits{Nodes: nodes, Lines: 2})
	if err != nil {
		return engine.Line{}, false, err
	}
	alone := len(found.Lines) > 1 && least.fails(found.Lines[1].Score) || len(pos.Moves()) == 1
	return found.Line, alone && least.wins(found.Score), ctx.Err()
}
