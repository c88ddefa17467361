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

// load reads a Setup into an empty State, and refuses what no game leads to and no rule knows how to go on
// from. A king may be missing: it was annihilated, and then the other may stand in check.
func (s *State) load(setup rules.Setup) error {
	if err := s.Load(setup, King, "There is no castling here, so the castling field of a FEN is always -."); err != nil {
		return err
	}
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

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}

// Blasters are the mover's amplifiers and isolators, where there are those of the other
// side that they could meet.
func (s *State) Blasters() rules.Set {
	us := s.Turn & 1
	var set rules.Set
	if s.Of(us^1, Isolator) != 0 {
		set = s.Of(us, Amplifier)
	}
	if s.Of(us^1, Amplifier) != 0 {
		set |= s.Of(us, Isolator)
	}
	return set
}

// Blasts reports whether m annihilates.
func (s *State) Blasts(m rules.Move) bool { return s.blast(m) != 0 }

// Guarded reports whether the other side could capture on m.To after m, with the powers
// that it has before.
func (s *State) Guarded(m rules.Move) bool {
	us := s.Turn & 1
	enemy := s.powers(us ^ 1)
	return s.attackers(m.To, us, &enemy, s.Occupied()&^m.From.Set()|m.To.Set())&^m.To.Set() != 0
}
