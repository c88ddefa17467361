package brigade

import (
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	UnderFire   rules.Reason = "under fire"    // a queen may not enter a square in range of enemy artillery
	OutOfRange  rules.Reason = "out of range"  // artillery does not fire so near or so far
	EmptyOnly   rules.Reason = "empty only"    // artillery kills by firing, and moves to empty squares
	OneShot     rules.Reason = "one shot"      // artillery kills one piece a turn
	MoveOrFire  rules.Reason = "move or fire"  // a rook does not do both
	CannotFire  rules.Reason = "cannot fire"   // pawns and kings kill only where they go
	KingNotShot rules.Reason = "king not shot" // a king is killed only by a piece that ends its move there
	NothingDone rules.Reason = "nothing done"  // a turn needs some move or kill
)

// noun is what stands on sq.
func (s *State) noun(sq rules.Square) phrase.Phrase { return table[s.Role(sq)].Noun }

// names lists the squares of a set: "b2, c2 and c3".
func names(set rules.Set) phrase.List {
	var all []string
	for _, sq := range board.ByFile(set) {
		all = append(all, at(sq))
	}
	return phrase.And(all)
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	own, foes := s.Sides[us], s.Sides[us^1]
	switch {
	case m.Act != rules.Step && m.Act != rules.Castle, m.With != 0:
		return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.no-merging"))
	case !s.Occupied().Has(m.From):
		return rules.NewIllegal(rules.NoSuchPiece, rules.Book().Say("refused.no-piece", "square", at(m.From)))
	case foes.Has(m.From):
		return rules.NewIllegal(rules.NotYours, rules.Book().Say("refused.not-yours", "piece", s.noun(m.From), "square", at(m.From)))
	case s.castles(m):
		return s.refuseCastling(m)
	case m.From != m.To && own.Has(m.To):
		return rules.NewIllegal(rules.OwnPiece, rules.Book().Say("refused.own-piece", "piece", s.noun(m.To), "square", at(m.To)))
	case slices.Contains(s.pseudoLegal(), m):
		return s.refuseCheck(m)
	case m.From == m.To && m.Kills == 0:
		return rules.NewIllegal(NothingDone, book.Say("refused.nothing-done", "piece", s.noun(m.From), "square", at(m.From)))
	}
	for _, refuse := range [...]func(rules.Move) *rules.Illegal{s.refuseKills, s.refuseRole, s.refusePiece} {
		if no := refuse(m); no != nil {
			return no
		}
	}
	return rules.NewIllegal(rules.NotPossible, rules.Book().Say("refused.cannot-do", "piece", s.noun(m.From), "square", at(m.From)))
}

// castles reports whether m is meant as castling: so written, or two squares
// sideways by a king at home.
func (s *State) castles(m rules.Move) bool {
	home := fide.HomeKing(s.Turn)
	far := m.From == home && s.Pieces[fide.King].Has(home) && (m.To == home+2 || m.To == home-2)
	return (m.Act == rules.Castle || far) && m.Role == rules.NoRole && m.Kills == 0
}

func (s *State) refuseCastling(m rules.Move) *rules.Illegal {
	home := fide.HomeKing(s.Turn)
	if m.From != home || !s.Of(s.Turn, fide.King).Has(home) || m.To != home+2 && m.To != home-2 {
		return rules.NewIllegal(rules.CannotCastle, book.Say("refused.not-home", "square", at(home)))
	}
	fault := s.castlingFault(home, m.To, func() bool { return s.Checkers() != 0 })
	if m.Act = rules.Castle; fault == "" && s.safe(m) {
		return rules.NewIllegal(rules.CannotReach, book.Say("refused.two-squares"))
	}
	if fault == "" {
		return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling.into-check", "square", at(m.To)))
	}
	return rules.NewIllegal(rules.CannotCastle, rules.Book().Say("castling."+fault))
}

// refuseCheck is for what a piece can do but for the king's safety.
func (s *State) refuseCheck(m rules.Move) *rules.Illegal {
	var next State
	s.Play(m, &next)
	king := next.Of(s.Turn, fide.King).First()
	attacker := next.attackers(s.Turn).First()
	if m.From == king || m.To == king {
		return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.checked-on", "square", at(king), "piece", next.noun(attacker), "from", at(attacker)))
	}
	return rules.NewIllegal(rules.LeavesCheck, rules.Book().Say("refused.leaves-check-on", "square", at(king), "piece", next.noun(attacker), "from", at(attacker)))
}

// refuseKills is about what is to be killed besides what stands on the final square.
func (s *State) refuseKills(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	for kills := m.Kills; kills != 0; kills = kills.Rest() {
		sq := kills.First()
		switch {
		case !s.Occupied().Has(sq):
			return rules.NewIllegal(rules.NothingToTake, book.Say("refused.nothing-to-kill", "square", at(sq)))
		case s.Sides[us].Has(sq):
			return rules.NewIllegal(rules.OwnPiece, book.Say("refused.own-kill", "piece", s.noun(sq), "square", at(sq)))
		case s.Pieces[fide.King].Has(sq):
			return rules.NewIllegal(KingNotShot, book.Say("refused.king-not-shot", "square", at(sq)))
		case sq == m.To:
			return rules.NewIllegal(rules.NotPossible, book.Say("refused.named-twice", "square", at(sq)))
		}
	}
	return nil
}

func (s *State) refuseRole(m rules.Move) *rules.Illegal {
	last := s.Pieces[fide.Pawn].Has(m.From) && fide.HomeRank(s.Turn^1).Has(m.To)
	if !last && m.Role != rules.NoRole {
		return rules.NewIllegal(rules.NoPromotion, book.Say("refused.no-promotion", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	}
	if last && s.pawnSteps(m.From).Has(m.To) && (m.Role < fide.Knight || m.Role > fide.Queen) {
		return rules.NewIllegal(rules.NoPromotion, rules.Book().Say("refused.promotion", "square", at(m.To)))
	}
	return nil
}

// refusePiece is about what the kind of piece cannot do.
func (s *State) refusePiece(m rules.Move) *rules.Illegal {
	switch s.Role(m.From) {
	case fide.Pawn, fide.King:
		return s.refuseStep(m)
	case fide.Knight:
		return s.refuseKnight(m)
	case fide.Bishop:
		return s.refuseBishop(m)
	case fide.Rook:
		return s.refuseRook(m)
	default:
		return s.refuseQueen(m)
	}
}

func (s *State) refuseStep(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	second := s.Pieces[fide.Pawn] & fide.Forward(us, fide.HomeRank(us))
	switch {
	case m.Kills != 0:
		return rules.NewIllegal(CannotFire, book.Say("refused.kills-where-it-goes", "piece", s.noun(m.From), "square", at(m.From)))
	case second.Has(m.From) && fide.Forward(us, fide.Forward(us, m.From.Set())).Has(m.To):
		return s.refuseWay(m, fide.Between(m.From, m.To)|m.To.Set())
	}
	return s.refuseReach(m)
}

func (s *State) refuseReach(m rules.Move) *rules.Illegal {
	return rules.NewIllegal(rules.CannotReach, rules.Book().Say("refused.cannot-reach", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
}

// refuseWay names the first piece, seen from the mover, on a way that must be empty.
func (s *State) refuseWay(m rules.Move, way rules.Set) *rules.Illegal {
	in := (way & s.Occupied()).First()
	for sq := range (way & s.Occupied()).Squares() {
		if fide.Between(m.From, sq)&s.Occupied() == 0 {
			in = sq
		}
	}
	return rules.NewIllegal(rules.BlockedWay, rules.Book().Say("refused.blocked", "from", at(m.From), "to", at(m.To), "piece", s.noun(in), "square", at(in)))
}

func (s *State) refuseKnight(m rules.Move) *rules.Illegal {
	if three := beside(beside(beside(m.From.Set()))); !three.Has(m.To) {
		return rules.NewIllegal(rules.CannotReach, book.Say("refused.not-in-three-steps", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	}
	if no := s.refuseKillsOf(m); no != nil {
		return no
	}
	return rules.NewIllegal(rules.BlockedWay, book.Say("refused.three-steps-blocked", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
}

// refuseKillsOf is for a piece that can end there, but kills other pieces.
func (s *State) refuseKillsOf(m rules.Move) *rules.Illegal {
	for _, other := range s.pseudoLegal() {
		if other.From != m.From || other.To != m.To || other.Act != m.Act {
			continue
		}
		if m.Kills == 0 {
			return rules.NewIllegal(rules.MissingCapture, book.Say("refused.kills-missing", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
		}
		return rules.NewIllegal(rules.MissingCapture, book.Say("refused.kills-wrong", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	}
	return nil
}

// refuseArtillery is what bishops and rooks have in common.
func (s *State) refuseArtillery(m rules.Move) *rules.Illegal {
	switch {
	case m.Kills.Len() > 1:
		return rules.NewIllegal(OneShot, book.Say("refused.one-shot", "piece", s.noun(m.From), "square", at(m.From)))
	case s.Pieces[fide.King].Has(m.To):
		return rules.NewIllegal(KingNotShot, book.Say("refused.king-not-taken", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	}
	return nil
}

func (s *State) refuseBishop(m rules.Move) *rules.Illegal {
	if no := s.refuseArtillery(m); no != nil {
		return no
	}
	enemy := s.Sides[s.Turn&1^1].Has(m.To)
	occupied := s.Occupied() &^ (m.Kills & light[m.From&63]) // the shot may open the way
	target := m.Kills.First()
	switch {
	case enemy && m.Kills != 0:
		return rules.NewIllegal(OneShot, book.Say("refused.one-shot-not-two", "piece", s.noun(m.From), "from", at(m.From), "target", at(target), "to", at(m.To)))
	case enemy && !light[m.From&63].Has(m.To):
		return rules.NewIllegal(OutOfRange, book.Say("refused.bishop-too-far", "to", at(m.To), "from", at(m.From)))
	case enemy && !fide.BishopSlides(m.From, occupied).Has(m.To):
		return rules.NewIllegal(EmptyOnly, book.Say("refused.can-shoot", "piece", s.noun(m.From), "from", at(m.From), "prey", s.noun(m.To), "to", at(m.To)))
	case m.From != m.To && !fide.BishopSlides(m.From, 0).Has(m.To):
		return s.refuseReach(m)
	case m.From != m.To && !fide.BishopSlides(m.From, occupied).Has(m.To):
		return s.refuseWay(m, fide.Between(m.From, m.To)&occupied)
	case m.Kills == 0:
		return nil
	case m.From == m.To:
		return rules.NewIllegal(OutOfRange, book.Say("refused.bishop-range", "target", at(target), "from", at(m.From)))
	}
	return rules.NewIllegal(OutOfRange, book.Say("refused.bishop-range-of-both", "target", at(target), "from", at(m.From), "to", at(m.To)))
}

func (s *State) refuseRook(m rules.Move) *rules.Illegal {
	if no := s.refuseArtillery(m); no != nil {
		return no
	}
	switch {
	case m.Kills != 0 && m.From != m.To:
		return rules.NewIllegal(MoveOrFire, book.Say("refused.move-or-fire", "piece", s.noun(m.From), "square", at(m.From)))
	case m.Kills != 0:
		target := m.Kills.First()
		return rules.NewIllegal(OutOfRange, book.Say("refused.rook-range", "target", at(target), "from", at(m.From)))
	case s.Sides[s.Turn&1^1].Has(m.To) && !heavy[m.From&63].Has(m.To):
		return rules.NewIllegal(OutOfRange, book.Say("refused.rook-too-far", "to", at(m.To), "from", at(m.From)))
	case s.Sides[s.Turn&1^1].Has(m.To):
		return rules.NewIllegal(EmptyOnly, book.Say("refused.can-shoot", "piece", s.noun(m.From), "from", at(m.From), "prey", s.noun(m.To), "to", at(m.To)))
	case !fide.RookSlides(m.From, 0).Has(m.To):
		return s.refuseReach(m)
	}
	return s.refuseWay(m, fide.Between(m.From, m.To))
}

func (s *State) refuseQueen(m rules.Move) *rules.Illegal {
	r := s.flight(s.Turn)
	if m.From == m.To && m.Kills.Len() == 1 && !light[m.From&63].Has(m.Kills.First()) {
		target := m.Kills.First()
		return rules.NewIllegal(OutOfRange, book.Say("refused.queen-range", "target", at(target), "from", at(m.From)))
	}
	if m.From != m.To && r.danger(m.Kills).Has(m.To) {
		gun := s.gunOn(m.To, s.Turn^1, m.Kills)
		return rules.NewIllegal(UnderFire, book.Say("refused.covered", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To), "gun", s.noun(gun), "square", at(gun)))
	}
	if target := m.Kills.First(); m.From != m.To && m.Kills.Len() == 1 && !light[m.To&63].Has(target) {
		return rules.NewIllegal(OutOfRange, book.Say("refused.queen-range", "target", at(target), "from", at(m.To)))
	}
	if no := s.refuseKillsOf(m); no != nil {
		return no
	}
	if m.Kills == 0 && s.Sides[s.Turn&1^1].Has(m.To) {
		return rules.NewIllegal(UnderFire, book.Say("refused.no-way-in", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
	}
	return rules.NewIllegal(rules.MissingCapture, book.Say("refused.kills-wrong", "piece", s.noun(m.From), "from", at(m.From), "to", at(m.To)))
}

// gunOn is artillery of c that covers a square, with the given pieces dead.
func (s *State) gunOn(sq rules.Square, c rules.Color, dead rules.Set) rules.Square {
	return s.guns(sq, c, dead).First()
}

// guns are the artillery of c that covers a square, with the given pieces dead.
func (s *State) guns(sq rules.Square, c rules.Color, dead rules.Set) rules.Set {
	return (light[sq&63]&s.Pieces[fide.Bishop] | heavy[sq&63]&s.Pieces[fide.Rook]) & s.Sides[c&1] &^ dead
}
