package stealth

import (
	"fmt"
	"strings"

	"chimera/rules"
	"chimera/rules/fide"
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

func refusal(reason rules.Reason, squares []rules.Square, format string, args ...any) *rules.Illegal {
	return &rules.Illegal{Reason: reason, Squares: squares, Sentence: fmt.Sprintf(format, args...)}
}

func at(sq rules.Square) string { return fide.Shape().Name(sq) }

func (s *State) name(sq rules.Square) string { return roster.table[s.pieces[sq]].Name }

// the is "the rook on a1".
func (s *State) the(sq rules.Square) string { return "the " + s.name(sq) + " on " + at(sq) }

// list is "the rook on a1 and the pawn on a2", in the order in which m comes to
// them.
func (s *State) list(m rules.Move, set rules.Set) string {
	var all []string
	for set != 0 {
		sq := nearest(m, set)
		set &^= sq.Set()
		all = append(all, s.the(sq))
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	from, both := []rules.Square{m.From}, []rules.Square{m.From, m.To}
	home := fide.HomeKing(us)
	castles := m.From == home && (m.To == m.From+2 || m.To == m.From-2)
	switch {
	case !s.Occupied().Has(m.From):
		return refusal(rules.NoSuchPiece, from, "There is no piece on %s.", at(m.From))
	case !s.Sides[us].Has(m.From):
		return refusal(rules.NotYours, from, "The %s on %s is your opponent's.", s.name(m.From), at(m.From))
	case m.Act == rules.Merge, m.Act == rules.Rally, m.Act == rules.Split:
		return refusal(OnlyByCapture, both, "The %s on %s can't do that: in this game pieces join only by capturing the opponent's.", s.name(m.From), at(m.From))
	case m.Act == rules.Castle && m.From != home:
		return refusal(rules.CannotCastle, from, "Your king cannot castle from %s.", at(m.From))
	case m.From == m.To && m.Kills != 0:
		return s.refuseShot(m)
	case m.From == m.To:
		return refusal(rules.CannotReach, from, "The %s already stands on %s.", s.name(m.From), at(m.To))
	case s.Kings.Has(m.From) && castles:
		return s.refuseCastling(m)
	case s.Sides[us].Has(m.To):
		return refusal(rules.OwnPiece, both[1:], "Your own %s stands on %s.", s.name(m.To), at(m.To))
	}
	var no *rules.Illegal
	switch s.pieces[m.From] {
	case fide.Pawn:
		no = s.refusePawn(m)
	case fide.King:
		if !fide.KingSteps(m.From).Has(m.To) {
			no = s.cannotReach(m)
		}
	case Captain:
		no = s.refuseCaptain(m)
	default:
		no = s.refusePiece(m)
	}
	if no == nil {
		no = s.refuseRest(m)
	}
	if no == nil {
		no = s.refuseCheck(m)
	}
	return no
}

func (s *State) cannotReach(m rules.Move) *rules.Illegal {
	return refusal(rules.CannotReach, []rules.Square{m.From, m.To}, "The %s on %s can't reach %s.", s.name(m.From), at(m.From), at(m.To))
}

func (s *State) refuseCastling(m rules.Move) *rules.Illegal {
	rook, _ := fide.CastlingRook(m.To)
	squares := []rules.Square{m.From, rook}
	if !s.Castling.Has(rook) {
		return refusal(rules.CannotCastle, squares, "You can't castle: king or rook has moved before, or the rook is gone.")
	}
	if fault := s.castlingFault(rook); fault != "" {
		return refusal(rules.CannotCastle, squares, "You can't castle: %s.", fault)
	}
	return refusal(rules.NotPossible, squares, "Castling is written O-O or O-O-O, or as the king's move alone.")
}

// refusePawn is about a pawn's way and what it becomes.
func (s *State) refusePawn(m rules.Move) *rules.Illegal {
	us := s.Turn & 1
	to := m.To.Set()
	steps := fide.Forward(us, m.From.Set())
	if fide.Forward(us, fide.HomeRank(us)).Has(m.From) {
		steps |= fide.Forward(us, steps)
	}
	captures := fide.PawnCaptures(us, m.From).Has(m.To)
	switch {
	case captures && s.prey(m) == 0:
		return refusal(rules.NothingToTake, []rules.Square{m.To}, "There is nothing for the pawn on %s to capture on %s.", at(m.From), at(m.To))
	case !captures && steps&to == 0:
		return s.cannotReach(m)
	case !captures && s.PawnSteps(m.From)&to == 0:
		return s.refuseWay(m, (fide.Between(m.From, m.To)|to)&s.Occupied())
	case captures && m.Role != rules.NoRole:
		return refusal(BecomesItsPrey, []rules.Square{m.From, m.To}, "A pawn that captures becomes what it captures, so on %s there is nothing to choose.", at(m.To))
	}
	want := s.promotion(m.To)
	switch {
	case captures, m.Role == want, m.Role == fide.Pawn && roster.table[want].Short == "P":
		return nil
	case want == rules.NoRole:
		return refusal(rules.NoPromotion, []rules.Square{m.From, m.To}, "A pawn doesn't promote on %s.", at(m.To))
	}
	return refusal(rules.NoPromotion, []rules.Square{m.From, m.To}, "On %s a pawn becomes a %s and nothing else.", at(m.To), roster.table[want].Name)
}

func (s *State) refuseWay(m rules.Move, way rules.Set) *rules.Illegal {
	return refusal(rules.BlockedWay, []rules.Square{nearest(m, way)}, "The way of the %s from %s to %s is blocked by %s.",
		s.name(m.From), at(m.From), at(m.To), s.the(nearest(m, way)))
}

func (s *State) refuseCaptain(m rules.Move) *rules.Illegal {
	enemy := s.Sides[s.Turn&1^1].Has(m.To)
	squares := []rules.Square{m.From, m.To}
	switch {
	case wazirSteps[m.From].Has(m.To) && enemy:
		return refusal(CaptainCaptures, squares, "A captain captures diagonally only, so the one on %s can't take %s.", at(m.From), s.the(m.To))
	case ferzSteps[m.From].Has(m.To) && !enemy:
		return refusal(rules.NothingToTake, squares, "A captain goes diagonally only to capture, and there is nothing on %s.", at(m.To))
	case !(wazirSteps[m.From] | ferzSteps[m.From]).Has(m.To):
		return s.cannotReach(m)
	case m.Role != rules.NoRole:
		return refusal(CaptainStays, squares, "A captain never promotes.")
	}
	return nil
}

// refusePiece is about the way of a piece, and what it captures on it.
func (s *State) refusePiece(m rules.Move) *rules.Illegal {
	squares := []rules.Square{m.From, m.To}
	way := fide.Between(m.From, m.To) & s.Occupied()
	prey := way &^ s.Sides[s.Turn&1]
	runs := s.bomberLines(m.From).Has(m.To)
	reach := s.reach(m.From).Has(m.To)
	switch {
	case m.Kills != 0 && !runs:
		return refusal(NoRun, squares, "The %s on %s captures nothing on its way to %s: only a bomber on its line does.", s.name(m.From), at(m.From), at(m.To))
	case m.Kills != 0 && prey == 0:
		return refusal(rules.NothingToTake, squares, "There is nothing for the %s to capture between %s and %s.", s.name(m.From), at(m.From), at(m.To))
	case m.Kills != 0 && m.Kills != prey, !reach && runs && m.Kills != prey:
		return refusal(rules.MissingCapture, squares, "A run from %s to %s captures exactly %s: write %s.",
			at(m.From), at(m.To), s.list(m, prey), stars(prey))
	case reach, runs:
		return nil
	case s.stealthLines(m.From).Has(m.To):
		return refusal(OneLeap, squares, "The %s on %s leaps one piece only, and %s stand on its way to %s.", s.name(m.From), at(m.From), s.list(m, way), at(m.To))
	case s.Slides(m.From, 0).Has(m.To):
		return s.refuseWay(m, way)
	}
	return s.cannotReach(m)
}

// stealthLines are the whole lines along which the piece on sq can leap.
func (s *State) stealthLines(sq rules.Square) rules.Set {
	var set rules.Set
	if s.extra[stealthRooks].Has(sq) {
		set = fide.RookSlides(sq, 0)
	}
	if s.extra[stealthBishops].Has(sq) {
		set |= fide.BishopSlides(sq, 0)
	}
	return set
}

// stars is a set of squares as move text has it, "*a4*a6".
func stars(set rules.Set) string {
	var text string
	for _, sq := range fide.Shape().ByFile(set) {
		text += "*" + at(sq)
	}
	return text
}

// refuseShot is for captures without a square to end on.
func (s *State) refuseShot(m rules.Move) *rules.Illegal {
	if s.extra[bomberRooks].Has(m.From) || s.extra[bomberBishops].Has(m.From) {
		return refusal(NoRun, []rules.Square{m.From}, "A run ends on another square: name it before the first *.")
	}
	return refusal(NoRun, []rules.Square{m.From}, "The %s on %s captures only where it lands: it can't shoot.", s.name(m.From), at(m.From))
}

// refuseRest is for a way that is right with something about it that is not.
func (s *State) refuseRest(m rules.Move) *rules.Illegal {
	pawn, powered := s.Pawns.Has(m.From), roster.isPowered(s.pieces[m.From])
	switch {
	case m.Kills != 0 && !powered:
		return refusal(NoRun, []rules.Square{m.From}, "The %s on %s captures nothing on its way: only a bomber on its line does.", s.name(m.From), at(m.From))
	case m.Role != rules.NoRole && !pawn:
		return refusal(rules.NoPromotion, []rules.Square{m.From}, "Only pawns promote, not %s.", s.the(m.From))
	case m.With != 0:
		return refusal(rules.NotPossible, []rules.Square{m.From}, "The %s on %s can't do that.", s.name(m.From), at(m.From))
	}
	return nil
}

// refuseCheck is for a move that is right but for the king's safety.
func (s *State) refuseCheck(m rules.Move) *rules.Illegal {
	us, king := s.Turn&1, s.KingOf(s.Turn)
	gone := m.From.Set() | s.prey(m)
	if m.From == king {
		king = m.To
	}
	occupied := s.Occupied()&^gone | m.To.Set()
	checkers := s.Attackers(king, us, occupied) & s.Sides[us^1] &^ gone
	if checkers == 0 {
		return refusal(rules.NotPossible, []rules.Square{m.From, m.To}, "The %s on %s can't do that.", s.name(m.From), at(m.From))
	}
	checker := checkers.First()
	who := s.the(checker)
	if s.stealthLines(checker).Has(king) && fide.Between(king, checker)&occupied != 0 {
		who += ", which flies over what stands between"
	}
	squares := []rules.Square{checker, king}
	if m.From == s.KingOf(s.Turn) {
		return refusal(rules.LeavesCheck, squares, "Your king would be in check on %s from %s.", at(king), who)
	}
	return refusal(rules.LeavesCheck, squares, "That leaves your king in check from %s.", who)
}
