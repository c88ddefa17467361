package main

import (
	"context"
	"math"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/puzzle"
)

// keyOf is equal for positions that are mirror images, by wings or colors, regardless of counters and rights, and
// differs for others.
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

// image is a board with its ranks and colors flipped, its files mirrored, or both; "" if that changes its shape.
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

// themesOf are the themes of a solution, in the order of all themes.
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

// told is the theme of an effect of a move; "" if it has none.
func told(m rules.Move, e *rules.Effect) puzzle.Theme {
	if (e.Kind == rules.Captured || e.Kind == rules.Absorbed) && m.Kills.Has(e.To) {
		return puzzle.Run
	}
	return map[rules.EffectKind]puzzle.Theme{
		rules.Merged: puzzle.Merge, rules.Parted: puzzle.Split, rules.Born: puzzle.Birth, rules.Shot: puzzle.Shot, rules.Annihilated: puzzle.Annihilation, rules.Promoted: puzzle.Promotion,
	}[e.Kind]
}

// forks reports whether a move's piece then attacks two pieces, kings included but not pawns, and captures one of them
// with the next move.
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

// A bar says when only one move wins: its score is at least Won, in centipawns, or a mate, and its expected points
// exceed the next best move's by at least Ahead.
type bar struct {
	Won   int
	Ahead float64
}

// strict is the bar for the final check of a puzzle.
var strict = bar{200, 0.3} //nolint:gochecknoglobals // never written

// wonAlone is the only winning move according to a search of that many nodes, with its score; false if there is none,
// or another may win too. The error is that of [engine.Engine.Search].
func wonAlone(ctx context.Context, e *engine.Engine, pos *rules.Position, nodes int, least bar) (engine.Line, bool, error) {
	n, err := engine.NumbersOf(pos.Variant())
	if err != nil {
		return engine.Line{}, false, err
	}
	found, err := e.Search(ctx, rules.NewGame(pos), engine.Limits{Nodes: nodes, Lines: 2})
	if err != nil {
		return engine.Line{}, false, err
	}
	best := found.Score
	alone := len(found.Lines) > 1 && expected(best, n.Scale)-expected(found.Lines[1].Score, n.Scale) >= least.Ahead || len(pos.Moves()) == 1
	return found.Line, alone && (best.Mate > 0 || best.Mate == 0 && best.Centipawns >= least.Won), ctx.Err()
}

// expected are the expected points for a score, if scale centipawns multiply the odds by e.
func expected(s engine.Score, scale int32) float64 {
	switch {
	case s.Mate > 0:
		return 1
	case s.Mate < 0:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s.Centipawns)/float64(scale)))
}
