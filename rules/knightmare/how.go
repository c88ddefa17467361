package knightmare

import (
	"fmt"
	"slices"

	"chimera/rules"
)

// How says what the piece on sq may do now, where orthodox chess does not say it.
func (s *State) How(sq rules.Square) string {
	switch {
	case s.shared.Has(sq):
		return s.howShared(sq)
	case s.regulars().Has(sq):
		return s.howRegular(sq)
	}
	return ""
}

func (s *State) howShared(sq rules.Square) string {
	piece := s.Setup().Board[sq]
	white, black := roleName(piece.White), roleName(piece.Black)
	text := fmt.Sprintf("The knightmare on %s belongs to both sides: White moves it as a %s, Black as a %s. It removes what it captures. With the %s it can give check to White, with the %s to Black.",
		at(sq), white, black, black, white)
	movable := func(m rules.Move) bool { return m.From == sq }
	switch {
	case sq == s.frozen:
		return text + fmt.Sprintf(" It is frozen: it was formed or moved in the last turn, so %s may not move it in this one. It still gives check, and can be captured.", s.Turn)
	case slices.ContainsFunc(s.Moves(nil), movable):
		return text + fmt.Sprintf(" %s may move it now.", s.Turn)
	}
	return text + fmt.Sprintf(" %s has no legal move with it now.", s.Turn)
}

func (s *State) howRegular(sq rules.Square) string {
	text := fmt.Sprintf("The %s on %s is a regular piece: it becomes one knightmare with the enemy knight, bishop, rook or queen that it captures, and removes what else it captures.", s.name(sq), at(sq))
	if !s.Sides[s.Turn&1].Has(sq) {
		return text
	}
	d := s.Danger()
	for to := range s.Slides(sq, s.Occupied()).Squares() {
		if s.keepsCheck(&d, sq, to) {
			text += fmt.Sprintf(" It may not join the %s on %s now: that would leave your king in check.", s.name(to), at(to))
		}
	}
	return text
}

var (
	_ rules.Teller  = (*State)(nil)
	_ rules.Freezer = (*State)(nil)
)
