package review

import "chimera/rules"

// Key is the move to remember a game by that was not reviewed, counted from 0: one of the sides that are
// looked at, which made the largest piece or won most for good, the last of several such. It is never the
// last move, whose position is seen anyway. False where nothing happened.
func Key(games []rules.Game, moves []rules.Move, of [2]bool) (ply int, ok bool) {
	gains := make([]int, len(moves))
	for i, m := range moves {
		gains[i] = wins(games[i].Position, m)
	}
	most := 1 // what a pawn is worth
	for i := range max(0, len(moves)-1) {
		pos, gain := games[i].Position, gains[i]-gains[i+1]
		if i > 0 {
			gain -= gains[i-1] // of what may only have been taken back
		}
		if !of[pos.Turn()] {
			continue
		}
		for _, e := range rules.Made(moves[i], pos.Effects(moves[i])) {
			if size := parts(pos, e.Into); size > most {
				ply, most, ok = i, size, true
			}
		}
		if gain > 1 && gain >= most {
			ply, most, ok = i, gain, true
		}
	}
	return ply, ok
}

// wins is what a move takes from the other side beyond what it takes from its own, in pawns: about three
// for each simple piece, of which nobody here knows more.
func wins(pos *rules.Position, m rules.Move) (pawns int) {
	const piece = 3
	for _, e := range pos.Effects(m) {
		worth := piece * parts(pos, e.Piece)
		switch {
		case !removes(e.Kind), e.Piece.Shared():
			continue
		case isPawn(pos, e.Piece):
			worth = 1
		}
		if e.Piece.Half(pos.Turn()) != rules.NoRole {
			worth = -worth
		}
		pawns += worth
	}
	return pawns
}

// parts is of how many simple pieces a piece is made.
func parts(pos *rules.Position, p rules.Piece) int {
	t := pos.Variant().Table
	return len(t.Simple(p.White)) + len(t.Simple(p.Black))
}

// Turning is the moment of a review that changed most, nil where none did much.
func (s *Story) Turning() *Moment {
	var most *Moment
	for i := range s.Moments {
		if m := &s.Moments[i]; most == nil || m.Could-m.Became > most.Could-most.Became {
			most = m
		}
	}
	return most
}
