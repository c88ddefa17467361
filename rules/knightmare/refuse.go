package knightmare

import (
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	Frozen     rules.Reason = "frozen"      // the knightmare was formed or moved in the last ply
	KeepsCheck rules.Reason = "keeps check" // joining the piece that checks or pins does not end its check
	OwnCheck   rules.Reason = "own check"   // the knightmare's enemy part would give check to the mover
)

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

func nounOf(r rules.Role) phrase.Phrase { return fide.Pieces()[r].Noun }

// noun is what stands on sq.
func (s *State) noun(sq rules.Square) phrase.Phrase {
	if s.shared.Has(sq) {
		return book.Say("knightmare")
	}
	return nounOf(s.Role(sq))
}

// Refuse says why a move is not legal.
func (s *State) Refuse(r *rules.Refuser) *rules.Illegal {
	r.Noun = s.noun
	switch {
	case r.Act == rules.Merge:
		return s.refuseMerge(r)
	case r.Act == rules.Rally:
		return r.No(rules.CannotMerge, "refused.own-merge")
	case r.Act == rules.Split:
		return r.No(rules.CannotSplit, "refused.split")
	case s.shared.Has(r.From):
		return s.refuseShared(r)
	}
	if no := s.State.Refuse(r); no.Reason != rules.LeavesCheck || !s.onlyKeepsCheck(r.Move) {
		return no
	}
	return r.No(KeepsCheck, "refused.keeps-check", "king", at(s.KingOf(s.Turn)))
}

// refuseMerge is for the sign of a birth before a square with a piece of the mover's own, or with their part of one.
func (s *State) refuseMerge(r *rules.Refuser) *rules.Illegal {
	own := s.Sides[s.Turn&1]
	step := rules.Move{From: r.From, To: r.To}
	legal := slices.Contains(s.Moves(nil), step)
	if no := r.First(
		rules.If(own.Has(r.From) && own.Has(r.To), rules.CannotMerge, "refused.own-target"),
		rules.If(legal && s.shared.Has(r.To), rules.CannotMerge, "refused.merged-already"),
		rules.If(legal, rules.CannotMerge, "refused.no-merge"),
	); no != nil {
		return no
	}
	return r.Instead(step)
}

// onlyKeepsCheck reports whether a move is a birth that would be legal as an ordinary capture.
func (s *State) onlyKeepsCheck(m rules.Move) bool {
	d := s.Danger()
	onLine := !d.Pinned.Has(m.From) || fide.Through(d.King, m.From).Has(m.To)
	return s.keepsCheck(&d, m.From, m.To) && onLine && d.Checkers&^m.To.Set() == 0
}

// Warning explains a mate by a piece that can be reached: joining it would not end its check.
func (s *State) Warning() phrase.Phrase {
	d := s.Danger()
	if d.Checkers.Len() != 1 || len(s.Moves(nil)) > 0 {
		return phrase.Phrase{}
	}
	to := d.Checkers.First()
	for from := range (s.Attackers(to, s.Turn^1, s.Occupied()) & s.Sides[s.Turn&1]).Squares() {
		if s.onlyKeepsCheck(rules.Move{From: from, To: to}) {
			return book.Say("refused.keeps-check", "other", s.noun(to), "to", at(to), "king", at(d.King))
		}
	}
	return phrase.Phrase{}
}

// refuseShared is for moves of a knightmare.
func (s *State) refuseShared(r *rules.Refuser) *rules.Illegal {
	mine, way, king := s.own.Regular(r.From), fide.Between(r.From, r.To)&s.Occupied(), s.KingOf(s.Turn)
	lifted, both := s.Occupied()&^r.From.Set()|r.To.Set(), r.From.Set()|r.To.Set()
	checker := (s.Attackers(king, s.Turn, lifted) & s.Sides[s.Turn&1^1] &^ both).First()
	return r.First(
		rules.If(r.Kills != 0, rules.NotPossible, "refused.no-shooting"),
		rules.If(r.Act == rules.Step && r.Role != rules.NoRole, rules.NoPromotion, "refused.only-pawns"),
		rules.If(r.From == r.To, rules.CannotReach, "refused.already-there"),
		rules.If(r.Act != rules.Step || r.With != 0, rules.NotPossible, "refused.cannot-do"),
		rules.If(!s.own.Slides(r.From, r.From, 0).Has(r.To), rules.CannotReach, "refused.part-cannot-reach", "part", nounOf(mine)),
		rules.If(s.frozen == r.From, Frozen, "refused.frozen"),
		rules.If(s.Sides[s.Turn&1].Has(r.To), rules.OwnPiece, "refused.own-piece"),
		rules.If(!s.ownReach(r.From).Has(r.To), rules.BlockedWay, "refused.blocked", r.On(r.Nearest(way))...),
		rules.If(s.enemyReach(king, r.From).Has(r.To), OwnCheck, "refused.own-check", "part", nounOf(s.Role(r.From)), "king", at(king)),
		rules.If(true, rules.LeavesCheck, "refused.leaves-check", r.On(checker)...),
	)
}

// How says what the piece on sq may do now, if that differs from orthodox chess.
func (s *State) How(sq rules.Square, _ phrase.Phrase) []phrase.Phrase {
	switch {
	case s.shared.Has(sq):
		return s.howShared(sq)
	case s.regulars().Has(sq):
		return s.howRegular(sq)
	}
	return nil
}

func (s *State) howShared(sq rules.Square) []phrase.Phrase {
	piece := s.Setup().Board[sq]
	how := "how.knightmare"
	if piece.White == piece.Black {
		how = "how.alike"
	}
	all := []phrase.Phrase{book.Say(how, "square", at(sq), "white", nounOf(piece.White), "black", nounOf(piece.Black))}
	movable := func(m rules.Move) bool { return m.From == sq }
	switch {
	case sq == s.frozen:
		return append(all, book.Say("how.frozen", "side", s.Turn))
	case slices.ContainsFunc(s.Moves(nil), movable):
		return append(all, book.Say("how.free", "side", s.Turn))
	}
	return append(all, book.Say("how.stuck", "side", s.Turn))
}

func (s *State) howRegular(sq rules.Square) []phrase.Phrase {
	all := []phrase.Phrase{book.Say("how.regular", "piece", s.noun(sq), "square", at(sq))}
	if !s.Sides[s.Turn&1].Has(sq) {
		return all
	}
	d := s.Danger()
	for to := range s.Slides(sq, sq, s.Occupied()).Squares() {
		if s.keepsCheck(&d, sq, to) {
			all = append(all, book.Say("how.keeps-check", "piece", s.noun(sq), "other", s.noun(to), "square", at(to)))
		}
	}
	return all
}
