package combination

import (
	"cmp"
	"strings"

	"chimera/rules"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	Isolated    rules.Reason = "isolated lender"    // the lender is isolated
	SecondHand  rules.Reason = "second hand"        // a piece lends its own move only, not what it borrows
	CrossesFire rules.Reason = "crosses fire"       // the king crosses a threatened square on a borrowed line
	KingBlasted rules.Reason = "annihilates a king" // the mover's own king would be annihilated
)

// Refuse says why a move is not legal.
func (s *State) Refuse(r *rules.Refuser) *rules.Illegal {
	us := s.Turn & 1
	if no := r.First(
		rules.If(r.Act == rules.Castle, rules.CannotCastle, "refused.no-castling"),
		rules.If(r.Act != rules.Step || r.With != 0, rules.NotPossible, "refused.no-merging"),
		rules.If(r.Kills != 0, rules.NotPossible, "refused.final-square-only"),
		rules.If(r.From == r.To, rules.CannotReach, "refused.already-there"),
		rules.If(s.Sides[us].Has(r.To), rules.OwnPiece, "refused.own-piece"),
		rules.If(r.Role != rules.NoRole, rules.NoPromotion, "refused.no-promotion"),
	); no != nil {
		return no
	}
	own := s.powers(us)
	to := own.reach(r.From, s.Occupied())
	switch s.Role(r.From) {
	case Pawn:
		to |= s.pawnMoves(us, r.From)
	case King:
		to |= around[r.From]
	default:
	}
	if !to.Has(r.To) {
		return s.refuseReach(r, &own)
	}
	return s.refuseDanger(r, &own)
}

// refuseReach is for a piece that cannot go there at all.
func (s *State) refuseReach(r *rules.Refuser, own *powers) *rules.Illegal {
	us := s.Turn & 1
	pawn := s.Pieces[Pawn].Has(r.From)
	one := ahead[us][r.From]
	return cmp.Or(r.First(
		rules.If(pawn && one.Has(r.To), rules.BlockedWay, "refused.blocked", r.On(r.To)...),
		rules.If(own.reach(r.From, 0).Has(r.To), rules.BlockedWay, "refused.blocked", r.On(r.Nearest(between[r.From][r.To]&s.Occupied()))...),
	), s.refuseLoan(r), r.First(
		rules.If(pawn && takes[us][r.From].Has(r.To), rules.NothingToTake, "refused.nothing-to-take"),
		rules.If(pawn && ahead[us][one.First()&63].Has(r.To), rules.CannotReach, "refused.no-double-step"),
		rules.If(true, rules.CannotReach, "refused.cannot-reach"),
	))
}

// refuseLoan is for a move that friends would lend if they were not isolated, or if it were their own.
func (s *State) refuseLoan(r *rules.Refuser) *rules.Illegal {
	goes := func(as rules.Square) bool { return borrowed(s.Role(as), r.From, s.Occupied()).Has(r.To) }
	lenders, silenced := s.lenders(r.From)
	for lender := range silenced.Squares() {
		if goes(lender) {
			isolator := s.isolators(lender).First()
			return r.No(Isolated, "refused.isolated", "piece", s.on(r.From), "lender", s.on(lender), "isolator", s.on(isolator))
		}
	}
	for lender := range lenders.Squares() {
		sources, _ := s.lenders(lender)
		for source := range sources.Squares() {
			if source != r.From && goes(source) {
				return r.No(SecondHand, "refused.second-hand", "lender", s.on(lender), "source", s.on(source))
			}
		}
	}
	return nil
}

// refuseDanger is for a move that is possible except for the king's safety.
func (s *State) refuseDanger(r *rules.Refuser, own *powers) *rules.Illegal {
	us := s.Turn & 1
	enemy := s.powers(us ^ 1)
	moves := r.From == s.king(us)
	slides := !(around[r.From] | own.leaps(r.From)).Has(r.To)
	if moves && slides && !s.kingLines(us, own, &enemy).Has(r.To) {
		return s.refuseCrossing(r, &enemy)
	}
	if s.blast(r.Move).Has(s.king(us)) {
		return r.No(KingBlasted, "refused.own-king", "piece", s.on(r.From), "other", s.on((around[r.To] & s.counterparts(r.From)).First()))
	}
	var next State
	s.Play(r.Move, &next)
	checkers, key := next.checkers(us), "refused.leaves-check"
	if checkers == 0 {
		return r.CannotDo()
	}
	if moves {
		key = "refused.checked-on"
	}
	king := next.king(us)
	return r.No(rules.LeavesCheck, key, "square", at(king), "attacker", next.threat(checkers.First(), king))
}

func (s *State) refuseCrossing(r *rules.Refuser, enemy *powers) *rules.Illegal {
	attackers := func(sq rules.Square) rules.Set { return s.attackers(sq, s.Turn, enemy, s.Occupied()&^r.From.Set()) }
	sq := r.Nearest(between[r.From][r.To].Where(func(sq rules.Square) bool { return attackers(sq) != 0 }))
	return r.No(CrossesFire, "refused.crosses-fire", "square", at(sq), "attacker", s.threat(attackers(sq).First(), sq))
}

// threat names a piece that attacks a square, and who lends it the move if that is not its own.
func (s *State) threat(attacker, sq rules.Square) phrase.Phrase {
	if lender := s.attackLender(attacker, sq); lender != rules.NoSquare {
		return book.Say("moving-as", "piece", s.on(attacker), "lender", s.on(lender))
	}
	return s.on(attacker)
}

// attackLender is the lender of an attack.
func (s *State) attackLender(attacker, sq rules.Square) rules.Square {
	return s.lender(attacker, sq, takes[s.Owner(attacker)][attacker])
}

func (s *State) noun(sq rules.Square) phrase.Phrase { return table[s.Role(sq)].Noun }

// on is a piece with its square: "knight on b2".
func (s *State) on(sq rules.Square) phrase.Phrase {
	return rules.Book().Say("piece-on", "piece", s.noun(sq), "square", at(sq))
}

// all lists pieces: "the knight on b2, the rook on c2 and the king on d1".
func (s *State) all(set rules.Set) phrase.List {
	return phrase.And(phrase.Each(board.ByFile(set), s.on))
}

// How says what the piece on sq may do now and who lends it that, and to whom it lends its own move. The first sentence
// about that says "now".
func (s *State) How(sq rules.Square, does phrase.Phrase) []phrase.Phrase {
	role, noun := s.Role(sq), s.noun(sq)
	sentences := []phrase.Phrase{does}
	lenders, silenced := s.lenders(sq)
	if lenders != 0 {
		sentences = append(sentences, book.Say("how.borrows", "piece", noun, "loans", s.loans(lenders)))
	}
	if role == King && lenders&(s.Pieces[Bishop]|s.Pieces[Rook]) != 0 {
		sentences = append(sentences, book.Say("how.king-on-a-line"))
	}
	if isolated := s.isolates(sq); isolated != 0 {
		sentences = append(sentences, book.Say("how.isolates", "piece", noun, "pieces", s.all(isolated)))
	}
	for from := range silenced.Squares() {
		sentences = append(sentences, book.Say("how.isolated-lender", "piece", noun, "lender", s.on(from), "isolators", s.all(s.isolators(from))))
	}
	if role != Pawn && role != King {
		sentences = append(sentences, s.howLends(sq).With("now", lenders == 0))
	}
	return sentences
}

// loans are the pieces like which another can move: "a knight (lent by b2 and d2) or a bishop (lent
// by c2)".
func (s *State) loans(lenders rules.Set) phrase.List {
	var all []phrase.Phrase
	for r := Knight; r <= Isolator; r++ {
		if set := lenders & s.Pieces[r]; set != 0 {
			all = append(all, book.Say("loan", "piece", table[r].Noun, "lenders", squares(set)))
		}
	}
	return phrase.Or(all)
}

// squares lists the squares of pieces: "b2, c2 and d1".
func squares(set rules.Set) phrase.List { return phrase.And(strings.Fields(board.Names(set))) }

// howLends is about the zone of a piece that can have one.
func (s *State) howLends(sq rules.Square) phrase.Phrase {
	noun, friends, amplifiers := s.noun(sq), s.zone(sq)&s.Sides[s.Owner(sq)], s.amplifiers(sq)
	switch isolators := s.isolators(sq); {
	case isolators != 0:
		return book.Say("how.isolated", "piece", noun, "isolators", s.all(isolators))
	case amplifiers == 0 && friends == 0:
		return book.Say("how.lends-to-nobody", "piece", noun)
	case amplifiers == 0:
		return book.Say("how.lends", "piece", noun, "friends", squares(friends))
	case friends == 0:
		return book.Say("how.amplified-to-nobody", "piece", noun, "amplifiers", s.all(amplifiers))
	}
	return book.Say("how.amplified", "piece", noun, "amplifiers", s.all(amplifiers), "friends", squares(friends))
}
