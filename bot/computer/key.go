package computer

import "chimera/rules"

// Key is the move to remember a game by that was not reviewed, counted from 0: the one among those of
// the given sides that won most for good or made the most of pieces, the last of several. It is never
// the last move of the game, whose position is shown anyway. False if there is none.
func Key(games []rules.Game, moves []rules.Move, of [2]bool) (ply int, ok bool) {
	gains := make([]int, len(moves))
	for i, m := range moves {
		gains[i] = wins(games[i].Position, m)
	}
	most := 2 // more than what a pawn is worth
	for i := range max(0, len(moves)-1) {
		pos, gain := games[i].Position, gains[i]-gains[i+1]
		if i > 0 {
			gain -= gains[i-1] // of what may only have been taken back
		}
		if gain += makes(pos, moves[i]); of[pos.Turn()] && gain >= most {
			ply, most, ok = i, gain, true
		}
	}
	return ply, ok
}

// wins is what a move takes from the other side beyond what it takes from its own, in pawns.
func wins(pos *rules.Position, m rules.Move) (pawns int) {
	for _, e := range pos.Effects(m) {
		switch {
		case !removes(e.Kind), e.Piece.Shared():
		case e.Piece.Half(pos.Turn()) != rules.NoRole:
			pawns -= worth(pos, e.Piece)
		default:
			pawns += worth(pos, e.Piece)
		}
	}
	return pawns
}

// makes is what pieces become worth more by a move without a capture, in pawns: promoted ones, and those that
// are put together by their lesser parts.
func makes(pos *rules.Position, m rules.Move) (pawns int) {
	effects := pos.Effects(m)
	for _, e := range rules.Made(m, effects) {
		if !removes(e.Kind) {
			part := worth(pos, e.Piece)
			pawns += min(part, worth(pos, e.Into)-part)
		}
	}
	for _, e := range effects {
		if e.Kind == rules.Promoted {
			pawns += worth(pos, e.Into) - worth(pos, e.Piece)
		}
	}
	return pawns
}

// worth is what the simple pieces in a piece are worth, in pawns.
func worth(pos *rules.Position, p rules.Piece) (pawns int) {
	t := pos.Variant().Table
	for _, half := range []rules.Role{p.White, p.Black} {
		for _, part := range t.Simple(half) {
			pawns += t[part].Worth
		}
	}
	return pawns
}

// Turning is the turning point that changed most, nil if there is none.
func (s *Story) Turning() *TurningPoint {
	var most *TurningPoint
	for i := range s.TurningPoints {
		if m := &s.TurningPoints[i]; most == nil || m.Could-m.Became > most.Could-most.Became {
			most = m
		}
	}
	return most
}
