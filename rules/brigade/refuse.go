package brigade

import (
	"cmp"
	"slices"
	"strings"

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

// names lists the squares of a set: "b2, c2 and c3".
func names(set rules.Set) phrase.List {
	return phrase.And(strings.Fields(board.Names(set)))
}

// Refuse says why a move is not legal.
func (s *State) Refuse(r *rules.Refuser) *rules.Illegal {
	own := s.Sides[s.Turn&1]
	joins := r.Act != rules.Step && r.Act != rules.Castle || r.With != 0
	if s.castles(r.Move) && !joins {
		return s.refuseCastling(r)
	}
	if no := r.First(
		rules.If(joins, rules.NotPossible, "refused.no-merging"),
		rules.If(r.From != r.To && own.Has(r.To), rules.OwnPiece, "refused.own-piece"),
	); no != nil {
		return no
	}
	if slices.Contains(s.pseudoLegal(), r.Move) {
		return s.refuseCheck(r)
	}
	if r.From == r.To && r.Kills == 0 {
		return r.No(NothingDone, "refused.nothing-done")
	}
	return cmp.Or(s.refuseKills(r), s.refuseRole(r), s.refusePiece(r), r.CannotDo())
}

// castles reports whether m is meant as castling: so written, or two squares
// sideways by a king at home.
func (s *State) castles(m rules.Move) bool {
	home := fide.HomeKing(s.Turn)
	far := m.From == home && s.Pieces[fide.King].Has(home) && (m.To == home+2 || m.To == home-2)
	return (m.Act == rules.Castle || far) && m.Role == rules.NoRole && m.Kills == 0
}

func (s *State) refuseCastling(r *rules.Refuser) *rules.Illegal {
	home := fide.HomeKing(s.Turn)
	if r.From != home || !s.Of(s.Turn, fide.King).Has(home) || r.To != home+2 && r.To != home-2 {
		return r.No(rules.CannotCastle, "refused.not-home", "square", at(home))
	}
	fault := s.castlingFault(home, r.To, func() bool { return s.Checkers() != 0 })
	m := r.Move
	m.Act = rules.Castle
	return r.First(
		rules.If(fault != "", rules.CannotCastle, "castling."+fault),
		rules.If(s.safe(m), rules.CannotReach, "refused.two-squares"),
		rules.If(true, rules.CannotCastle, "castling.into-check", "square", at(r.To)),
	)
}

// refuseCheck is for what a piece can do but for the king's safety.
func (s *State) refuseCheck(r *rules.Refuser) *rules.Illegal {
	var next State
	s.Play(r.Move, &next)
	king, attacker := next.Of(s.Turn, fide.King).First(), next.attackers(s.Turn).First()
	key := "refused.leaves-check-on"
	if r.From == king || r.To == king {
		key = "refused.checked-on"
	}
	return r.No(rules.LeavesCheck, key, append(r.On(attacker), "king", at(king))...)
}

// refuseKills is about kills other than on the final square.
func (s *State) refuseKills(r *rules.Refuser) *rules.Illegal {
	for sq := range r.Kills.Squares() {
		if no := r.First(
			rules.If(!s.Occupied().Has(sq), rules.NothingToTake, "refused.nothing-to-kill", r.On(sq)...),
			rules.If(s.Sides[s.Turn&1].Has(sq), rules.OwnPiece, "refused.own-kill", r.On(sq)...),
			rules.If(s.Pieces[fide.King].Has(sq), KingNotShot, "refused.king-not-shot", r.On(sq)...),
			rules.If(sq == r.To, rules.NotPossible, "refused.named-twice", r.On(sq)...),
		); no != nil {
			return no
		}
	}
	return nil
}

func (s *State) refuseRole(r *rules.Refuser) *rules.Illegal {
	last := s.Pieces[fide.Pawn].Has(r.From) && fide.HomeRank(s.Turn^1).Has(r.To)
	choice := r.Role >= fide.Knight && r.Role <= fide.Queen
	return r.First(
		rules.If(!last && r.Role != rules.NoRole, rules.NoPromotion, "refused.no-promotion"),
		rules.If(last && s.pawnSteps(r.From).Has(r.To) && !choice, rules.NoPromotion, "refused.promotion"),
	)
}

// refusePiece is about what this kind of piece cannot do.
func (s *State) refusePiece(r *rules.Refuser) *rules.Illegal {
	switch s.Role(r.From) {
	case fide.Pawn, fide.King:
		return s.refuseStep(r)
	case fide.Knight:
		return s.refuseKnight(r)
	case fide.Bishop:
		return s.refuseBishop(r)
	case fide.Rook:
		return s.refuseRook(r)
	default:
		return s.refuseQueen(r)
	}
}

func (s *State) refuseStep(r *rules.Refuser) *rules.Illegal {
	us := s.Turn & 1
	second := s.Pieces[fide.Pawn] & fide.Forward(us, fide.HomeRank(us))
	two := second.Has(r.From) && fide.Forward(us, fide.Forward(us, r.From.Set())).Has(r.To)
	return r.First(
		rules.If(r.Kills != 0, CannotFire, "refused.kills-where-it-goes"),
		rules.If(two, rules.BlockedWay, "refused.blocked", blocker(r, s.Occupied())...),
		rules.If(true, rules.CannotReach, "refused.cannot-reach"),
	)
}

// blocker is the first occupied square on the way of a move.
func blocker(r *rules.Refuser, occupied rules.Set) []any {
	return r.On(r.Nearest((fide.Between(r.From, r.To) | r.To.Set()) & occupied))
}

func (s *State) refuseKnight(r *rules.Refuser) *rules.Illegal {
	far := rules.If(!marches[r.From&63].Has(r.To), rules.CannotReach, "refused.not-in-three-steps")
	return cmp.Or(r.First(far), s.refuseKillsOf(r), r.No(rules.BlockedWay, "refused.three-steps-blocked"))
}

// refuseKillsOf is for a piece that can end there, but by killing other pieces.
func (s *State) refuseKillsOf(r *rules.Refuser) *rules.Illegal {
	ends := slices.ContainsFunc(s.pseudoLegal(), func(other rules.Move) bool {
		return other.From == r.From && other.To == r.To && other.Act == r.Act
	})
	return r.First(
		rules.If(ends && r.Kills == 0, rules.MissingCapture, "refused.kills-missing"),
		rules.If(ends, rules.MissingCapture, "refused.kills-wrong"),
	)
}

// refuseArtillery is for bishops and rooks alike.
func (s *State) refuseArtillery(r *rules.Refuser) *rules.Illegal {
	return r.First(
		rules.If(r.Kills.Len() > 1, OneShot, "refused.one-shot"),
		rules.If(s.Pieces[fide.King].Has(r.To), KingNotShot, "refused.king-not-taken"),
	)
}

func (s *State) refuseBishop(r *rules.Refuser) *rules.Illegal {
	enemy, moves := s.Sides[s.Turn&1^1].Has(r.To), r.From != r.To
	occupied := s.Occupied() &^ (r.Kills & light[r.From&63]) // the shot may open the way
	open := fide.BishopSlides(r.From, occupied).Has(r.To)
	return cmp.Or(s.refuseArtillery(r), r.First(
		rules.If(enemy && r.Kills != 0, OneShot, "refused.one-shot-not-two"),
		rules.If(enemy && !light[r.From&63].Has(r.To), OutOfRange, "refused.bishop-too-far"),
		rules.If(enemy && !open, EmptyOnly, "refused.can-shoot"),
		rules.If(moves && !fide.BishopSlides(r.From, 0).Has(r.To), rules.CannotReach, "refused.cannot-reach"),
		rules.If(moves && !open, rules.BlockedWay, "refused.blocked", blocker(r, occupied)...),
		rules.If(r.Kills != 0 && !moves, OutOfRange, "refused.bishop-range"),
		rules.If(r.Kills != 0, OutOfRange, "refused.bishop-range-of-both"),
	))
}

func (s *State) refuseRook(r *rules.Refuser) *rules.Illegal {
	enemy := s.Sides[s.Turn&1^1].Has(r.To)
	return cmp.Or(s.refuseArtillery(r), r.First(
		rules.If(r.Kills != 0 && r.From != r.To, MoveOrFire, "refused.move-or-fire"),
		rules.If(r.Kills != 0, OutOfRange, "refused.rook-range"),
		rules.If(enemy && !heavy[r.From&63].Has(r.To), OutOfRange, "refused.rook-too-far"),
		rules.If(enemy, EmptyOnly, "refused.can-shoot"),
		rules.If(!fide.RookSlides(r.From, 0).Has(r.To), rules.CannotReach, "refused.cannot-reach"),
		rules.If(true, rules.BlockedWay, "refused.blocked", blocker(r, s.Occupied())...),
	))
}

func (s *State) refuseQueen(r *rules.Refuser) *rules.Illegal {
	raid := s.flight(s.Turn)
	moves, one, target := r.From != r.To, r.Kills.Len() == 1, r.Kills.First()&63
	gun := s.guns(r.To, s.Turn^1, r.Kills).First()
	return cmp.Or(r.First(
		rules.If(!moves && one && !light[r.From&63].Has(target), OutOfRange, "refused.queen-range"),
		rules.If(moves && raid.danger(r.Kills).Has(r.To), UnderFire, "refused.covered", "gun", r.Noun(gun&63), "square", at(gun)),
		rules.If(moves && one && !light[r.To&63].Has(target), OutOfRange, "refused.queen-range", "from", at(r.To)),
	), s.refuseKillsOf(r), r.First(
		rules.If(r.Kills == 0 && s.Sides[s.Turn&1^1].Has(r.To), UnderFire, "refused.no-way-in"),
		rules.If(true, rules.MissingCapture, "refused.kills-wrong"),
	))
}

// guns are the artillery of c that covers a square, with the given pieces dead.
func (s *State) guns(sq rules.Square, c rules.Color, dead rules.Set) rules.Set {
	return (light[sq&63]&s.Pieces[fide.Bishop] | heavy[sq&63]&s.Pieces[fide.Rook]) & s.Sides[c&1] &^ dead
}

// How says what the piece on sq may do now, and why.
func (s *State) How(sq rules.Square, does phrase.Phrase) []phrase.Phrase {
	c := s.Owner(sq)
	foes := s.Sides[c&1^1] &^ s.Pieces[fide.King]
	all := []phrase.Phrase{does}
	switch s.Role(sq) {
	case fide.Bishop:
		all = append(all, fire(light[sq]&foes))
		var then rules.Set
		for to := range (fide.BishopSlides(sq, s.Occupied()) &^ s.Occupied()).Squares() {
			then |= (light[to] & foes &^ light[sq]).Where(func(target rules.Square) bool {
				return c != s.Turn || s.safe(rules.Move{From: sq, To: to, Kills: target.Set()})
			})
		}
		if then != 0 {
			all = append(all, book.Say("how.then-targets", "squares", names(then)))
		}
	case fide.Rook:
		all = append(all, fire(heavy[sq]&foes))
	case fide.Queen:
		r := s.flight(c)
		if forbidden := r.covered &^ s.Sides[c&1]; forbidden == 0 {
			all = append(all, book.Say("how.free-flight"))
		} else {
			all = append(all, book.Say("how.under-fire", "squares", names(forbidden), "n", forbidden.Len(), "many", forbidden.Len() > 8))
		}
	case fide.King:
		if guns := s.guns(sq, c, 0); guns != 0 {
			all = append(all, book.Say("how.guarded-king", "squares", names(guns)))
		}
	default:
	}
	return all
}

func fire(targets rules.Set) phrase.Phrase {
	if targets == 0 {
		return book.Say("how.no-target")
	}
	return book.Say("how.targets", "squares", names(targets))
}
