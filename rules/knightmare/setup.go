package knightmare

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// load reads a Setup into an empty State. Errors are [*rules.BadFEN].
func (s *State) load(setup rules.Setup) error {
	s.frozen = rules.NoSquare
	if own := setup.Own; own != "" && own != "-" {
		if s.frozen = fide.Shape().Parse(own); s.frozen == rules.NoSquare {
			return rules.BadFENf("The frozen field of a FEN is a square or -, not %q.", own)
		}
	}
	board := setup.Board // a copy, in which the mover's parts are taken out
	for sq := range fide.Shape().Squares.Squares() {
		piece := board[sq]
		if !piece.Shared() {
			continue
		}
		if !regular(piece.White) || !regular(piece.Black) {
			return rules.BadFENf("The piece on %s cannot be a knightmare: only knights, bishops, rooks and queens become one.", at(sq))
		}
		s.shared |= sq.Set()
		s.own.Add(sq, fide.PowersOf(piece.Half(setup.Turn)))
		board[sq] = rules.PieceOf(setup.Turn.Other(), piece.Half(setup.Turn.Other()))
	}
	if s.frozen != rules.NoSquare && !s.shared.Has(s.frozen) {
		return rules.BadFENf("The frozen square %s holds no knightmare.", at(s.frozen))
	}
	if rooks := setup.Castling & s.shared; rooks != 0 {
		return rules.BadFENf("Castling with the rook on %s is over: it is part of a knightmare.", at(rooks.First()))
	}
	setup.Board = board
	if err := s.Load(setup, nil); err != nil {
		return err
	}
	return s.validate()
}

// regular reports whether a piece of that role may become part of a knightmare.
func regular(r rules.Role) bool { return r >= fide.Knight && r <= fide.Queen }

// validate refuses a check by the mover's part of a knightmare to the other
// side's king, which the orthodox State does not see.
func (s *State) validate() error {
	other := s.Turn.Other()
	king := s.KingOf(other).Set()
	for from := range s.shared.Squares() {
		if s.ownReach(from)&king != 0 {
			return rules.BadFENf("%s is to move, so %s may not be in check from the knightmare on %s.", s.Turn, other, at(from))
		}
	}
	return nil
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup {
	setup := s.Unload(s.Role)
	s.unloadShared(&setup)
	return setup
}

// unloadShared adds to an orthodox Setup the mover's parts of the knightmares, and which
// of them is frozen.
func (s *State) unloadShared(setup *rules.Setup) {
	setup.Own = names[s.frozen]
	for shared := s.shared; shared != 0; shared = shared.Rest() {
		sq := shared.First()
		if part := s.own.Regular(sq); s.Turn == rules.White {
			setup.Board[sq].White = part
		} else {
			setup.Board[sq].Black = part
		}
	}
}

// names are the names of the squares, and of none.
var names = squareNames() //nolint:gochecknoglobals // built once, never written

func squareNames() (names [rules.NoSquare + 1]string) {
	for sq := range names {
		names[sq] = fide.Shape().Name(rules.Square(sq))
	}
	return names
}
