package match

import (
	"slices"

	"chimera/rules"
)

// kind is a kind of piece, whoever owns it, and of a piece of both sides whoever owns which half.
type kind struct{ one, other rules.Role }

func kindOf(p rules.Piece) kind { return kind{min(p.White, p.Black), max(p.White, p.Black)} }

// stands reports whether a piece of a kind stands on a board.
func (k kind) stands(pos *rules.Position) bool {
	board := pos.Board()
	return slices.ContainsFunc(board[:], func(p rules.Piece) bool { return kindOf(p) == k })
}

// findNew finds the kinds of pieces that the last move has made and that have never stood on the
// board before, which mostly need not be asked of the game's past. Where that cannot be read, none
// is known to be new: the game may still be played.
func (s *Games) findNew(sight *GameView) {
	if sight.Start == nil {
		return
	}
	var made []rules.Piece
	board := sight.Now.Position.Board()
	for _, e := range sight.Effects {
		p := board[e.To]
		known := func(other rules.Piece) bool { return kindOf(other) == kindOf(p) }
		if e.Into == p && p != (rules.Piece{}) && !kindOf(p).stands(sight.Start) && !slices.ContainsFunc(made, known) {
			made = append(made, p)
		}
	}
	now := sight.Start
	for _, text := range sight.Game.Moves[:max(sight.Ply-1, 0)] {
		if len(made) == 0 {
			return
		}
		m, err := now.ParseCoordinate(text)
		if err == nil {
			now, err = now.Play(m)
		}
		if err != nil {
			return
		}
		made = slices.DeleteFunc(made, func(p rules.Piece) bool { return kindOf(p).stands(now) })
	}
	sight.New = made
}
