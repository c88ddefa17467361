package combination

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// State is a position.
type State struct{ fide.Roles }

// king is the square of c's king, NoSquare if it has been annihilated.
func (s *State) king(c rules.Color) rules.Square { return s.Of(c, King).First() }

// bothKings reports whether no king has been annihilated.
func (s *State) bothKings() bool { return s.Pieces[King].Len() == 2 }

// load reads a Setup into an empty State. Errors are [*rules.BadFEN].
func (s *State) load(setup rules.Setup) error {
	if err := s.Load(setup, King, "There is no castling here, so the castling field of a FEN is always -."); err != nil {
		return err
	}
	return s.validate()
}

// validate refuses what no game leads to and no rule knows how to go on from. A king
// may be missing: it was annihilated, and then the other may stand in check.
func (s *State) validate() error {
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		for amplifier := range s.Of(c, Amplifier).Squares() {
			if isolators := around[amplifier] & s.Of(c.Other(), Isolator); isolators != 0 {
				return rules.BadFENf("The amplifier on %s cannot stand beside the enemy isolator on %s: they would have annihilated each other.",
					at(amplifier), at(isolators.First()))
			}
		}
	}
	other := s.Turn.Other()
	if checkers := s.checkers(other); checkers != 0 {
		return rules.BadFENf("%s is to move, so %s may not be in check, but the %s gives it.", s.Turn, other, s.on(checkers.First()))
	}
	return nil
}

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	*next = *s
	next.Roles.Play(m, s.Sides[s.Turn&1^1]&m.To.Set())
	if blast := s.blast(m); blast != 0 {
		next.annihilate(blast)
	}
}

// Final reports whether m removes anything: a pawn can come back by what it borrows.
func (s *State) Final(m rules.Move) bool {
	return s.Sides[s.Turn&1^1]&m.To.Set() != 0 || s.blast(m) != 0
}

// Status is the position's, given the number of its legal moves. A lone knight, bishop,
// amplifier or isolator can mate here with what it lends its king, so few pieces means
// two bare kings.
func (s *State) Status(moves int) rules.Status {
	if !s.bothKings() {
		return rules.KingTaken
	}
	return rules.StatusOf(moves, s.Occupied() == s.Pieces[King], s.Checkers)
}
