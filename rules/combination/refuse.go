package combination

import (
	"fmt"

	"chimera/rules"
)

// The reasons of this game.
const (
	Isolated    rules.Reason = "isolated lender"    // the move would be borrowed from a piece that an isolator keeps from lending
	SecondHand  rules.Reason = "second hand"        // a piece lends its own move only, not what it borrows
	CrossesFire rules.Reason = "crosses fire"       // the king crosses a threatened square on a borrowed line
	KingBlasted rules.Reason = "annihilates a king" // the mover's own king would be annihilated
)

func refusal(reason rules.Reason, squares []rules.Square, format string, args ...any) *rules.Illegal {
	return &rules.Illegal{Reason: reason, Squares: squares, Sentence: fmt.Sprintf(format, args...)}
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	us := s.turn & 1
	from, both := []rules.Square{m.From}, []rules.Square{m.From, m.To}
	switch {
	case m.Act == rules.Castle:
		return refusal(rules.CannotCastle, from, "There is no castling in this game.")
	case m.Act != rules.Step, m.With != 0:
		return refusal(rules.NotPossible, both, "Pieces neither merge nor split in this game: they lend each other their moves.")
	case !s.occupied().Has(m.From):
		return refusal(rules.NoSuchPiece, from, "There is no piece on %s.", at(m.From))
	case !s.sides[us].Has(m.From):
		return refusal(rules.NotYours, from, "%s is your opponent's.", s.title(m.From))
	case m.Kills != 0:
		return refusal(rules.NotPossible, both, "Write the square where the move ends and no others: what else is removed follows from the rules.")
	case m.From == m.To:
		return refusal(rules.CannotReach, from, "%s already stands on %s.", s.title(m.From), at(m.To))
	case s.sides[us].Has(m.To):
		return refusal(rules.OwnPiece, both[1:], "Your own %s stands on %s.", table[s.Role(m.To)].Name, at(m.To))
	case m.Role != rules.NoRole:
		return refusal(rules.NoPromotion, both, "%s doesn't promote: nothing does in this game.", s.title(m.From))
	}
	own := s.powers(us)
	to := own.reach(m.From, s.occupied())
	switch s.Role(m.From) {
	case Pawn:
		to |= s.pawnMoves(us, m.From)
	case King:
		to |= around[m.From]
	default:
	}
	if !to.Has(m.To) {
		return s.refuseReach(m, &own)
	}
	return s.refuseDanger(m, &own)
}

// refuseReach is for a piece that cannot go there at all.
func (s *State) refuseReach(m rules.Move, own *powers) *rules.Illegal {
	us := s.turn & 1
	both := []rules.Square{m.From, m.To}
	pawn := s.pieces[Pawn].Has(m.From)
	if pawn && ahead[us][m.From].Has(m.To) {
		return refusal(rules.BlockedWay, both[1:], "The way from %s to %s is blocked by %s.", at(m.From), at(m.To), s.name(m.To))
	}
	if own.reach(m.From, 0).Has(m.To) {
		in := s.firstOn(m, s.occupied())
		return refusal(rules.BlockedWay, []rules.Square{in}, "The way from %s to %s is blocked by %s.", at(m.From), at(m.To), s.name(in))
	}
	if no := s.refuseLoan(m); no != nil {
		return no
	}
	switch {
	case pawn && takes[us][m.From].Has(m.To):
		return refusal(rules.NothingToTake, both[1:], "There is nothing for the pawn on %s to capture on %s.", at(m.From), at(m.To))
	case pawn && ahead[us][ahead[us][m.From].First()&63].Has(m.To):
		return refusal(rules.CannotReach, both, "%s steps one square only: there is no double step in this game.", s.title(m.From))
	}
	return refusal(rules.CannotReach, both, "%s can't reach %s.", s.title(m.From), at(m.To))
}

// firstOn is the first square of a set on the way from one end of m to the other.
func (s *State) firstOn(m rules.Move, set rules.Set) rules.Square {
	way := between[m.From][m.To] & set
	first := way.First()
	for sq := range way.Squares() {
		if between[m.From][sq]&set == 0 {
			first = sq
		}
	}
	return first
}

// refuseLoan is for a move that friends would lend, were they not isolated, or were
// it theirs.
func (s *State) refuseLoan(m rules.Move) *rules.Illegal {
	for lender := range s.silenced(m.From).Squares() {
		if borrowed(s.Role(lender), m.From, s.occupied()).Has(m.To) {
			isolator := s.isolators(lender).First()
			return refusal(Isolated, []rules.Square{m.From, lender, isolator},
				"%s can't borrow from %s, which %s isolates.", s.title(m.From), s.name(lender), s.name(isolator))
		}
	}
	for lender := range s.lenders(m.From).Squares() {
		for source := range s.lenders(lender).Squares() {
			if source != m.From && borrowed(s.Role(source), m.From, s.occupied()).Has(m.To) {
				return refusal(SecondHand, []rules.Square{m.From, lender, source},
					"%s can't reach %s: %s lends its own move only, not what it borrows from %s.", s.title(m.From), at(m.To), s.name(lender), s.name(source))
			}
		}
	}
	return nil
}

// refuseDanger is for what a piece can do but for its king's safety.
func (s *State) refuseDanger(m rules.Move, own *powers) *rules.Illegal {
	us := s.turn & 1
	enemy := s.powers(us ^ 1)
	if m.From == s.king(us) && s.onLine(m, own) && !s.kingLines(us, own, &enemy).Has(m.To) {
		return s.refuseCrossing(m, &enemy)
	}
	if blast := s.blast(m); blast.Has(s.king(us)) {
		return refusal(KingBlasted, []rules.Square{m.From, m.To, s.king(us)},
			"That annihilates your own king: on %s %s meets %s.", at(m.To), s.name(m.From), s.name((around[m.To] & s.counterparts(m.From)).First()))
	}
	var next State
	s.Play(m, &next)
	checkers := next.checkers(us)
	if checkers == 0 {
		return refusal(rules.NotPossible, []rules.Square{m.From, m.To}, "%s can't do that.", s.title(m.From))
	}
	king, checker := next.king(us), checkers.First()
	squares := []rules.Square{checker, king}
	if m.From == s.king(us) {
		return refusal(rules.LeavesCheck, squares, "Your king would be in check on %s from %s.", at(king), next.threat(checker, king))
	}
	return refusal(rules.LeavesCheck, squares, "That leaves your king on %s in check from %s.", at(king), next.threat(checker, king))
}

// onLine reports whether the king takes m as a slide only.
func (s *State) onLine(m rules.Move, own *powers) bool {
	leap := around[m.From].Has(m.To) || own.leap.Has(m.From) && leaps[m.From].Has(m.To) ||
		own.knight.Has(m.From) && knights[m.From].Has(m.To)
	return !leap
}

func (s *State) refuseCrossing(m rules.Move, enemy *powers) *rules.Illegal {
	us := s.turn & 1
	without := s.occupied() &^ m.From.Set()
	var fire rules.Set
	for sq := range between[m.From][m.To].Squares() {
		if s.attackers(sq, us, enemy, without) != 0 {
			fire |= sq.Set()
		}
	}
	sq := s.firstOn(m, fire)
	attacker := s.attackers(sq, us, enemy, without).First()
	return refusal(CrossesFire, []rules.Square{m.From, sq, attacker},
		"Your king can't cross %s on a borrowed line: %s threatens it.", at(sq), s.threat(attacker, sq))
}

// threat names a piece that attacks a square, and who lends it the move to do so if it
// has none of its own.
func (s *State) threat(attacker, sq rules.Square) string {
	c := s.owner(attacker)
	role := s.Role(attacker)
	own := borrowed(role, attacker, s.occupied())
	switch role {
	case Pawn:
		own = takes[c][attacker]
	case King:
		own = around[attacker]
	default:
	}
	if own.Has(sq) {
		return s.name(attacker)
	}
	for lender := range s.lenders(attacker).Squares() {
		if borrowed(s.Role(lender), attacker, s.occupied()).Has(sq) {
			return s.name(attacker) + " (moving as " + s.name(lender) + ")"
		}
	}
	return s.name(attacker)
}
