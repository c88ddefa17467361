package stealth

import (
	"cmp"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// The reasons of this game.
const (
	OnlyByCapture   rules.Reason = "only by capture"  // pieces join by capturing, not with friends
	OneLeap         rules.Reason = "one leap"         // a stealth line leaps one piece only
	NoRun           rules.Reason = "no run"           // only a bomber captures on its way
	CaptainCaptures rules.Reason = "captain captures" // a captain captures diagonally only
	CaptainStays    rules.Reason = "captain stays"    // a captain never promotes
	BecomesItsPrey  rules.Reason = "becomes its prey" // a pawn that captures is not promoted
)

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

func (s *State) noun(sq rules.Square) phrase.Phrase { return roster.table[s.pieces[sq]].Noun }

// list is "the rook on a1 and the pawn on a2", in the order of m's way.
func (s *State) list(m rules.Move, set rules.Set) phrase.List {
	var all []phrase.Phrase
	for set != 0 {
		sq := m.Nearest(set)
		set &^= sq.Set()
		all = append(all, rules.Book().Say("piece-on", "piece", s.noun(sq), "square", at(sq)))
	}
	return phrase.And(all)
}

// Refuse says why a move is not legal.
func (s *State) Refuse(r *rules.Refuser) *rules.Illegal {
	own, home := s.Sides[s.Turn&1], fide.HomeKing(s.Turn)
	castles := s.Kings.Has(r.From) && r.From == home && (r.To == home+2 || r.To == home-2)
	castling := s.CastlingFault(r.To, s.Attacked)
	bomber := (s.extra[bomberRooks] | s.extra[bomberBishops]).Has(r.From)
	stays := r.From == r.To
	return cmp.Or(r.First(
		rules.If(!s.Occupied().Has(r.From), rules.NoSuchPiece, "refused.no-piece"),
		rules.If(!own.Has(r.From), rules.NotYours, "refused.not-yours"),
		rules.If(r.Act != rules.Step && r.Act != rules.Castle, OnlyByCapture, "refused.only-by-capture"),
		rules.If(r.Act == rules.Castle && r.From != home, rules.CannotCastle, "castling.from"),
		rules.If(stays && r.Kills != 0 && bomber, NoRun, "refused.run-ends"),
		rules.If(stays && r.Kills != 0, NoRun, "refused.no-shot"),
		rules.If(stays, rules.CannotReach, "refused.already-there"),
		rules.If(castles && castling != "", rules.CannotCastle, "castling."+castling),
		rules.If(castles, rules.NotPossible, "refused.castling-form"),
		rules.If(own.Has(r.To), rules.OwnPiece, "refused.own-piece"),
	), s.refuseWay(r), s.refuseRest(r), s.refuseCheck(r))
}

// refuseWay is about a piece's way, its captures, and what it becomes.
func (s *State) refuseWay(r *rules.Refuser) *rules.Illegal {
	switch s.pieces[r.From] {
	case fide.Pawn:
		return s.refusePawn(r)
	case fide.King:
		return r.First(rules.If(!fide.KingSteps(r.From).Has(r.To), rules.CannotReach, "refused.cannot-reach"))
	case Captain:
		return s.refuseCaptain(r)
	default:
		return s.refusePiece(r)
	}
}

func (s *State) refusePawn(r *rules.Refuser) *rules.Illegal {
	captures := fide.PawnCaptures(s.Turn, r.From).Has(r.To)
	if !captures || r.Kills == 0 {
		if no := s.RefusePawnStep(r); no != nil {
			return no
		}
	}
	want := s.promotion(r.To)
	right := captures || r.Role == want || r.Role == fide.Pawn && roster.table[want].Short == "P"
	return r.First(
		rules.If(captures && r.Role != rules.NoRole, BecomesItsPrey, "refused.becomes-its-prey"),
		rules.If(!right && want == rules.NoRole, rules.NoPromotion, "refused.no-promotion"),
		rules.If(!right, rules.NoPromotion, "refused.only-promotion", "into", roster.table[want].Noun),
	)
}

func (s *State) refuseCaptain(r *rules.Refuser) *rules.Illegal {
	enemy, straight, aslant := s.Sides[s.Turn&1^1].Has(r.To), wazirSteps[r.From].Has(r.To), ferzSteps[r.From].Has(r.To)
	return r.First(
		rules.If(straight && enemy, CaptainCaptures, "refused.captain-captures"),
		rules.If(aslant && !enemy, rules.NothingToTake, "refused.captain-moves"),
		rules.If(!straight && !aslant, rules.CannotReach, "refused.cannot-reach"),
		rules.If(r.Role != rules.NoRole, CaptainStays, "refused.captain-stays"),
	)
}

func (s *State) refusePiece(r *rules.Refuser) *rules.Illegal {
	way := fide.Between(r.From, r.To) & s.Occupied()
	prey := way &^ s.Sides[s.Turn&1]
	runs, reach := s.bomberLines(r.From).Has(r.To), s.reach(r.From).Has(r.To)
	wrong := r.Kills != prey && (r.Kills != 0 || !reach && runs)
	goes := reach || runs
	return r.First(
		rules.If(r.Kills != 0 && !runs, NoRun, "refused.no-run-to"),
		rules.If(r.Kills != 0 && prey == 0, rules.NothingToTake, "refused.nothing-between"),
		rules.If(wrong, rules.MissingCapture, "refused.run", "prey", s.list(r.Move, prey), "stars", fide.Shape().Starred(prey)),
		rules.If(!goes && s.stealthLines(r.From).Has(r.To), OneLeap, "refused.one-leap", "others", s.list(r.Move, way)),
		rules.If(!goes && s.Slides(r.From, r.From, 0).Has(r.To), rules.BlockedWay, "refused.blocked", r.On(r.Nearest(way))...),
		rules.If(!goes, rules.CannotReach, "refused.cannot-reach"),
	)
}

// refuseRest is for a correct way with something else wrong.
func (s *State) refuseRest(r *rules.Refuser) *rules.Illegal {
	return r.First(
		rules.If(r.Kills != 0 && !roster.isPowered(s.pieces[r.From]), NoRun, "refused.no-run"),
		rules.If(r.Role != rules.NoRole && !s.Pawns.Has(r.From), rules.NoPromotion, "refused.only-pawns"),
		rules.If(r.With != 0, rules.NotPossible, "refused.cannot-do"),
	)
}

// refuseCheck is for a move that is right except for the king's safety.
func (s *State) refuseCheck(r *rules.Refuser) *rules.Illegal {
	us, king := s.Turn&1, s.KingOf(s.Turn)
	moves := r.From == king
	if moves {
		king = r.To
	}
	gone := r.From.Set() | s.prey(r.Move)
	occupied := s.Occupied()&^gone | r.To.Set()
	checker := (s.Attackers(king, us, occupied) & s.Sides[us^1] &^ gone).First()
	if checker == rules.NoSquare {
		return r.CannotDo()
	}
	over := s.stealthLines(checker).Has(king) && fide.Between(king, checker)&occupied != 0
	key := "refused.leaves-check"
	if moves {
		key = "refused.checked"
	}
	if over {
		key += "-over"
	} else if moves {
		key += "-on"
	}
	return r.No(rules.LeavesCheck, key, append(r.On(checker), "king", at(king))...)
}

// How says what the piece on sq can do, and what its captures would make of it now.
func (s *State) How(sq rules.Square, does phrase.Phrase) []phrase.Phrase {
	c := fide.OwnerOf(&s.Sides, sq)
	sentences := []phrase.Phrase{does}
	if s.Pawns.Has(sq) {
		last := fide.HomeRank(c.Other()).First() + sq&7
		sentences = append(sentences, book.Say("how.promotes", "square", at(last), "into", roster.table[roster.promotion[sq&7]].Noun))
	}
	if c == s.Turn {
		sentences = append(sentences, s.prospects(sq)...)
	}
	return sentences
}

// abilities are what a piece can do by its powers.
func abilities(p powers) (all []phrase.Phrase) {
	both := p.rook == p.bishop
	for _, ability := range [...]struct {
		key   string
		has   bool
		level uint8
	}{
		{"all-lines", both && p.rook > 0, p.rook},
		{"straight-lines", !both && p.rook > 0, p.rook},
		{"diagonals", !both && p.bishop > 0, p.bishop},
		{"knight", p.leaps&knight != 0, 0},
		{"prince", p.leaps&prince == prince, 0},
		{"wazir", p.leaps&prince == wazir, 0},
		{"ferz", p.leaps&prince == ferz, 0},
		{"pegasus", p.leaps&pegasus != 0, 0},
	} {
		if ability.has {
			all = append(all, book.Say("power."+ability.key, "level", ability.level))
		}
	}
	return all
}

// prospects say what the mover's piece on sq becomes by its legal captures; runs with the same result are said once.
func (s *State) prospects(sq rules.Square) (all []phrase.Phrase) {
	type prospect struct {
		prey rules.Set
		into rules.Role
	}
	told := map[prospect]bool{}
	for _, m := range s.Moves(nil) {
		p := prospect{s.prey(m), s.becomes(m)}
		if m.From != sq || p.prey == 0 || p.into == s.pieces[sq] || told[p] {
			continue
		}
		told[p] = true
		all = append(all, book.Say("how.becomes", "prey", s.list(m, p.prey), "piece", s.noun(sq), "into", roster.table[p.into].Noun))
	}
	return all
}
