package combination

import "chimera/rules"

// State is a position.
type State struct {
	sides     [2]rules.Set        // by Color
	pieces    [King + 1]rules.Set // by Role, of both sides
	turn      rules.Color
	halfMoves uint32
	fullMove  uint32
}

func (s *State) occupied() rules.Set { return s.sides[0] | s.sides[1] }

// of are the pieces of one role and side.
func (s *State) of(c rules.Color, r rules.Role) rules.Set { return s.pieces[r] & s.sides[c&1] }

// king is the square of c's king, NoSquare if it has been annihilated.
func (s *State) king(c rules.Color) rules.Square { return s.of(c, King).First() }

// bothKings reports whether no king has been annihilated.
func (s *State) bothKings() bool { return s.pieces[King].Len() == 2 }

// Role is what stands on sq, rules.NoRole on an empty square.
func (s *State) Role(sq rules.Square) rules.Role {
	for r := King; r > rules.NoRole; r-- {
		if s.pieces[r].Has(sq) {
			return r
		}
	}
	return rules.NoRole
}

// owner is whose piece stands on a square that is not empty.
func (s *State) owner(sq rules.Square) rules.Color {
	if s.sides[rules.White].Has(sq) {
		return rules.White
	}
	return rules.Black
}

// load reads a Setup into an empty State. Errors are [*rules.BadFEN].
func (s *State) load(setup rules.Setup) error {
	s.turn, s.halfMoves, s.fullMove = setup.Turn, uint32(setup.HalfMoves), uint32(setup.FullMove)
	for sq := range board.Squares.Squares() {
		for _, c := range [...]rules.Color{rules.White, rules.Black} {
			if role := setup.Board[sq].Half(c); role != rules.NoRole {
				s.pieces[role] |= sq.Set()
				s.sides[c] |= sq.Set()
			}
		}
	}
	if setup.Castling != 0 {
		return rules.BadFENf("There is no castling here, so the castling field of a FEN is always -.")
	}
	if setup.EnPassant != rules.NoSquare {
		return rules.BadFENf("There is no en passant here, so the en-passant field of a FEN is always -.")
	}
	return s.validate()
}

// validate refuses what no game leads to and no rule knows how to go on from. A king
// may be missing: it was annihilated, and then the other may stand in check.
func (s *State) validate() error {
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		if n := s.of(c, King).Len(); n > 1 {
			return rules.BadFENf("A side has one king at most; %s has %d.", c, n)
		}
		for amplifier := range s.of(c, Amplifier).Squares() {
			if isolators := around[amplifier] & s.of(c.Other(), Isolator); isolators != 0 {
				return rules.BadFENf("The amplifier on %s cannot stand beside the enemy isolator on %s: they would have annihilated each other.",
					at(amplifier), at(isolators.First()))
			}
		}
	}
	other := s.turn.Other()
	if checkers := s.checkers(other); checkers != 0 {
		return rules.BadFENf("%s is to move, so %s may not be in check, but the %s gives it.", s.turn, other, s.on(checkers.First()))
	}
	return nil
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup {
	setup := rules.Setup{
		Turn: s.turn, EnPassant: rules.NoSquare,
		HalfMoves: int(s.halfMoves), FullMove: int(s.fullMove),
	}
	for r := Pawn; r <= King; r++ {
		for sq := range s.pieces[r].Squares() {
			setup.Board[sq] = rules.PieceOf(s.owner(sq), r)
		}
	}
	return setup
}

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	*next = *s
	us := s.turn & 1
	next.turn = us ^ 1
	next.fullMove += uint32(us)
	next.halfMoves++
	from, to := m.From.Set(), m.To.Set()
	captured := s.sides[us^1] & to
	if captured != 0 || s.pieces[Pawn]&from != 0 {
		next.halfMoves = 0
	}
	both := from | to
	for r := range next.pieces {
		pieces := next.pieces[r] &^ captured
		next.pieces[r] = pieces ^ both&-(pieces>>(m.From&63)&1)
	}
	next.sides[us] ^= both
	next.sides[us^1] &^= captured
	if blast := s.blast(m); blast != 0 {
		next.annihilate(blast)
	}
}

// Final reports whether m removes anything: a pawn can come back by what it borrows.
func (s *State) Final(m rules.Move) bool {
	return s.sides[s.turn&1^1]&m.To.Set() != 0 || s.blast(m) != 0
}

// Status is the position's, which has so many legal moves. A lone knight, bishop,
// amplifier or isolator can mate here with what it lends its king, so few pieces means
// two bare kings.
func (s *State) Status(moves int) rules.Status {
	switch {
	case !s.bothKings():
		return rules.KingTaken
	case moves == 0 && s.Checked() != 0:
		return rules.Checkmate
	case s.occupied() == s.pieces[King]:
		return rules.Insufficient
	case moves == 0:
		return rules.Stalemate
	}
	return rules.Ongoing
}
