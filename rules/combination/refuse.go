package combination

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	Isolated    rules.Reason = "isolated lender"    // the move would be borrowed from a piece that an isolator keeps from lending
	SecondHand  rules.Reason = "second hand"        // a piece lends its own move only, not what it borrows
	CrossesFire rules.Reason = "crosses fire"       // the king crosses a threatened square on a borrowed line
	KingBlasted rules.Reason = "annihilates a king" // the mover's own king would be annihilated
)

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	switch {
	case m.Act == rules.Castle:
		return rules.NewIllegal(rules.CannotCastle, book.Say("refused.no-castling"))
	case m.Act != rules.Step, m.With != 0:
		return rules.NewIllegal(rules.NotPossible, book.Say("refused.no-merging"))
	case !s.Occupied().Has(m.From):
		return rules.NewIllegal(rules.NoSuchPiece, rules.Book().Say("refused.no-piece", "square", at(m.From)))
	case !s.Sides[us].Has(m.From):
		return rules.NewIllegal(rules.NotYours, rules.Book().Say("refused.not-yours", "piece", s.noun(m.From), "square", at(m.From)))
	case m.Kills != 0:
		return rules.NewIllegal(rules.NotPossible, book.Say("refused.final-square-only"))
	case m.From == m.To:
		return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.already-there", "piece", s.noun(m.From), "square", at(m.To)))
	case s.Sides[us].Has(m.To):
		return rules.NewIllegal(rules.OwnPiece, rules.Book().Say("refused.own-piece", "piece", s.noun(m.To), "square", at(m.To)))
	case m.Role != rules.NoRole:
		return rules.NewIllegal(rules.NoPromotion, book.Say("refused.no-promotion", "piece", s.noun(m.From), "square", at(m.From)))
	}
	own := s.powers(us)
	to := own.reach(m.From, s.Occupied())
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
	us := s.Turn & 1
	pawn := s.Pieces[Pawn].Has(m.From)
	if pawn && ahead[us][m.From].Has(m.To) {
		return rules.NewIllegal(rules.BlockedWay, rules.Book().Say("refused.blocked", "from", at(m.From), "to", at(m.To), "piece", s.noun(m.To), "square", at(m.To)))
	}
	if own.reach(m.From, 0).Has(m.To) {
		in := s.firstOn(m, s.Occupied())
		return rules.NewIllegal(rules.BlockedWay, rules.Book().Say("refused.blocked", "from", at(m.From), "to", at(m.To), "piece", s.noun(in), "square", at(in)))
	}
	if no := s.refuseLoan(m); no != nil {
		return no
	}
	switch {
	case pawn && takes[us][m.From].Has(m.To):
		return rules.NewIllegal(rules.NothingToTake, rules.Book().Say("refused.nothing-to-take", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	case pawn && ahead[us][ahead[us][m.From].First()&63].Has(m.To):
		return rules.NewIllegal(rules.CannotReach, book.Say("refused.no-double-step", "piece", s.noun(m.From), "square", at(m.From)))
	}
	return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.cannot-reach", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
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
		if borrowed(s.Role(lender), m.From, s.Occupied()).Has(m.To) {
			isolator := s.isolators(lender).First()
			return rules.NewIllegal(Isolated, book.Say("refused.isolated", "piece", s.on(m.From), "lender", s.on(lender), "isolator", s.on(isolator)))
		}
	}
	for lender := range s.lenders(m.From).Squares() {
		for source := range s.lenders(lender).Squares() {
			if source != m.From && borrowed(s.Role(source), m.From, s.Occupied()).Has(m.To) {
				return rules.NewIllegal(SecondHand, book.Say("refused.second-hand", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To), "lender", s.on(lender), "source", s.on(source)))
			}
		}
	}
	return nil
}

// refuseDanger is for what a piece can do but for its king's safety.
func (s *State) refuseDanger(m rules.Move, own *powers) *rules.Illegal {
	us := s.Turn & 1
	enemy := s.powers(us ^ 1)
	if m.From == s.king(us) && s.onLine(m, own) && !s.kingLines(us, own, &enemy).Has(m.To) {
		return s.refuseCrossing(m, &enemy)
	}
	if blast := s.blast(m); blast.Has(s.king(us)) {
		return rules.NewIllegal(KingBlasted, book.Say("refused.own-king", "to", at(m.To), "piece", s.on(m.From), "other", s.on((around[m.To]&s.counterparts(m.From)).First())))
	}
	var next State
	s.Play(m, &next)
	checkers := next.checkers(us)
	if checkers == 0 {
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", s.noun(m.From), "square", at(m.From)))
	}
	king, checker := next.king(us), checkers.First()
	if m.From == s.king(us) {
		return rules.NewIllegal(rules.LeavesCheck, book.Say("refused.checked-on", "square", at(king), "attacker", next.threat(checker, king)))
	}
	return rules.NewIllegal(rules.LeavesCheck, book.Say("refused.leaves-check", "square", at(king), "attacker", next.threat(checker, king)))
}

// onLine reports whether the king takes m as a slide only.
func (s *State) onLine(m rules.Move, own *powers) bool {
	leap := around[m.From].Has(m.To) || own.leap.Has(m.From) && leaps[m.From].Has(m.To) ||
		own.knight.Has(m.From) && knights[m.From].Has(m.To)
	return !leap
}

func (s *State) refuseCrossing(m rules.Move, enemy *powers) *rules.Illegal {
	us := s.Turn & 1
	without := s.Occupied() &^ m.From.Set()
	var fire rules.Set
	for sq := range between[m.From][m.To].Squares() {
		if s.attackers(sq, us, enemy, without) != 0 {
			fire |= sq.Set()
		}
	}
	sq := s.firstOn(m, fire)
	attacker := s.attackers(sq, us, enemy, without).First()
	return rules.NewIllegal(CrossesFire, book.Say("refused.crosses-fire", "square", at(sq), "attacker", s.threat(attacker, sq)))
}

// threat names a piece that attacks a square, and who lends it the move to do so if it
// has none of its own.
func (s *State) threat(attacker, sq rules.Square) phrase.Phrase {
	c := s.Owner(attacker)
	role := s.Role(attacker)
	own := borrowed(role, attacker, s.Occupied())
	switch role {
	case Pawn:
		own = takes[c][attacker]
	case King:
		own = around[attacker]
	default:
	}
	if own.Has(sq) {
		return s.on(attacker)
	}
	for lender := range s.lenders(attacker).Squares() {
		if borrowed(s.Role(lender), attacker, s.Occupied()).Has(sq) {
			return book.Say("moving-as", "piece", s.on(attacker), "lender", s.on(lender))
		}
	}
	return s.on(attacker)
}
