package brigade

import (
	"fmt"
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
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

func refusal(reason rules.Reason, squares []rules.Square, format string, args ...any) *rules.Illegal {
	return &rules.Illegal{Reason: reason, Squares: squares, Sentence: fmt.Sprintf(format, args...)}
}

// name is "the knight on b1", or "b1" where nothing stands.
func (s *State) name(sq rules.Square) string {
	if role := s.Role(sq); role != rules.NoRole {
		return "the " + roleName(role) + " on " + at(sq)
	}
	return at(sq)
}

// title is name at the beginning of a sentence.
func (s *State) title(sq rules.Square) string { return "T" + s.name(sq)[1:] }

func roleName(r rules.Role) string { return table[r].Name }

// names lists the squares of a set: "b2, c2 and c3".
func names(set rules.Set) string {
	list := board.ByFile(set)
	text := ""
	for i, sq := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			text += " and "
		default:
			text += ", "
		}
		text += at(sq)
	}
	return text
}

// Refuse says why m is not legal.
func (s *State) Refuse(m rules.Move) *rules.Illegal {
	us := s.turn & 1
	own, foes := s.sides[us], s.sides[us^1]
	from, to := []rules.Square{m.From}, []rules.Square{m.To}
	switch {
	case m.Act != rules.Step && m.Act != rules.Castle, m.With != 0:
		return refusal(rules.NotPossible, []rules.Square{m.From, m.To}, "Pieces neither merge nor split in this game.")
	case !s.occupied().Has(m.From):
		return refusal(rules.NoSuchPiece, from, "There is no piece on %s.", at(m.From))
	case foes.Has(m.From):
		return refusal(rules.NotYours, from, "%s is your opponent's.", s.title(m.From))
	case s.castles(m):
		return s.refuseCastling(m)
	case m.From != m.To && own.Has(m.To):
		return refusal(rules.OwnPiece, to, "Your own %s stands on %s.", roleName(s.Role(m.To)), at(m.To))
	case slices.Contains(s.pseudoLegal(), m):
		return s.refuseCheck(m)
	case m.From == m.To && m.Kills == 0:
		return refusal(NothingDone, from, "%s must move or kill something.", s.title(m.From))
	}
	for _, refuse := range [...]func(rules.Move) *rules.Illegal{s.refuseKills, s.refuseRole, s.refusePiece} {
		if no := refuse(m); no != nil {
			return no
		}
	}
	return refusal(rules.NotPossible, []rules.Square{m.From, m.To}, "%s can't do that.", s.title(m.From))
}

// castles reports whether m is meant as castling: so written, or two squares
// sideways by a king at home.
func (s *State) castles(m rules.Move) bool {
	home := fide.HomeKing(s.turn)
	far := m.From == home && s.pieces[fide.King].Has(home) && (m.To == home+2 || m.To == home-2)
	return (m.Act == rules.Castle || far) && m.Role == rules.NoRole && m.Kills == 0
}

func (s *State) refuseCastling(m rules.Move) *rules.Illegal {
	home := fide.HomeKing(s.turn)
	if m.From != home || !s.of(s.turn, fide.King).Has(home) || m.To != home+2 && m.To != home-2 {
		return refusal(rules.CannotCastle, []rules.Square{m.From}, "You can't castle: your king isn't on %s.", at(home))
	}
	rook, _ := fide.CastlingRook(m.To)
	fault := s.castlingFault(home, m.To, s.Checked() != 0)
	if m.Act = rules.Castle; fault == "" && s.safe(m) {
		return refusal(rules.CannotReach, []rules.Square{home, m.To}, "A king goes two squares by castling only.")
	}
	if fault == "" {
		fault = "the king would be in check on " + at(m.To)
	}
	return refusal(rules.CannotCastle, []rules.Square{home, rook}, "You can't castle towards %s: %s.", at(rook), fault)
}

// refuseCheck is for what a piece can do but for the king's safety.
func (s *State) refuseCheck(m rules.Move) *rules.Illegal {
	var next State
	s.Play(m, &next)
	king := next.of(s.turn, fide.King).First()
	attacker := next.attackers(s.turn).First()
	squares := []rules.Square{attacker, king}
	if m.From == king || m.To == king {
		return refusal(rules.LeavesCheck, squares, "Your king would be in check on %s from %s.", at(king), next.name(attacker))
	}
	return refusal(rules.LeavesCheck, squares, "That leaves your king on %s in check from %s.", at(king), next.name(attacker))
}

// refuseKills is about what is to be killed besides what stands on the final square.
func (s *State) refuseKills(m rules.Move) *rules.Illegal {
	us := s.turn & 1
	for kills := m.Kills; kills != 0; kills = kills.Rest() {
		sq := kills.First()
		squares := []rules.Square{m.From, sq}
		switch {
		case !s.occupied().Has(sq):
			return refusal(rules.NothingToTake, squares, "There is nothing on %s to kill.", at(sq))
		case s.sides[us].Has(sq):
			return refusal(rules.OwnPiece, squares, "%s is your own.", s.title(sq))
		case s.pieces[fide.King].Has(sq):
			return refusal(KingNotShot, squares, "The king on %s is neither shot nor passed through: a piece must end its move there to take it.", at(sq))
		case sq == m.To:
			return refusal(rules.NotPossible, squares, "What stands on %s, where the move ends, is not named as another kill.", at(sq))
		}
	}
	return nil
}

func (s *State) refuseRole(m rules.Move) *rules.Illegal {
	to := []rules.Square{m.To}
	last := s.pieces[fide.Pawn].Has(m.From) && fide.HomeRank(s.turn^1).Has(m.To)
	if !last && m.Role != rules.NoRole {
		return refusal(rules.NoPromotion, to, "%s doesn't promote on %s.", s.title(m.From), at(m.To))
	}
	if last && s.pawnSteps(m.From).Has(m.To) && (m.Role < fide.Knight || m.Role > fide.Queen) {
		return refusal(rules.NoPromotion, to, "On %s the pawn becomes a queen, rook, bishop or knight: say which, as in =Q.", at(m.To))
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
	us := s.turn & 1
	second := s.pieces[fide.Pawn] & fide.Forward(us, fide.HomeRank(us))
	switch {
	case m.Kills != 0:
		return refusal(CannotFire, board.ByFile(m.Kills), "%s kills only where it goes.", s.title(m.From))
	case second.Has(m.From) && fide.Forward(us, fide.Forward(us, m.From.Set())).Has(m.To):
		return s.refuseWay(m, fide.Between(m.From, m.To)|m.To.Set())
	}
	return s.refuseReach(m)
}

func (s *State) refuseReach(m rules.Move) *rules.Illegal {
	return refusal(rules.CannotReach, []rules.Square{m.From, m.To}, "%s can't reach %s.", s.title(m.From), at(m.To))
}

// refuseWay names the first piece, seen from the mover, on a way that must be empty.
func (s *State) refuseWay(m rules.Move, way rules.Set) *rules.Illegal {
	in := (way & s.occupied()).First()
	for sq := range (way & s.occupied()).Squares() {
		if fide.Between(m.From, sq)&s.occupied() == 0 {
			in = sq
		}
	}
	return refusal(rules.BlockedWay, []rules.Square{in}, "The way from %s to %s is blocked by %s.", at(m.From), at(m.To), s.name(in))
}

func (s *State) refuseKnight(m rules.Move) *rules.Illegal {
	if three := beside(beside(beside(m.From.Set()))); !three.Has(m.To) {
		return refusal(rules.CannotReach, []rules.Square{m.From, m.To}, "%s takes exactly three orthogonal steps, so it can't end on %s.", s.title(m.From), at(m.To))
	}
	if no := s.refuseKillsOf(m); no != nil {
		return no
	}
	return refusal(rules.BlockedWay, []rules.Square{m.From, m.To}, "Every way of three steps from %s to %s is blocked for the knight.", at(m.From), at(m.To))
}

// refuseKillsOf is for a piece that can end there, but kills other pieces.
func (s *State) refuseKillsOf(m rules.Move) *rules.Illegal {
	for _, other := range s.pseudoLegal() {
		if other.From != m.From || other.To != m.To || other.Act != m.Act {
			continue
		}
		if m.Kills == 0 {
			return refusal(rules.MissingCapture, append([]rules.Square{m.From, m.To}, board.ByFile(other.Kills)...),
				"%s can't end on %s without killing on the way: name each square where it kills after a *.", s.title(m.From), at(m.To))
		}
		return refusal(rules.MissingCapture, append([]rules.Square{m.From, m.To}, board.ByFile(m.Kills)...),
			"%s can't end on %s with exactly those kills.", s.title(m.From), at(m.To))
	}
	return nil
}

// refuseArtillery is what bishops and rooks have in common.
func (s *State) refuseArtillery(m rules.Move) *rules.Illegal {
	switch {
	case m.Kills.Len() > 1:
		return refusal(OneShot, board.ByFile(m.Kills), "%s has one shot a turn.", s.title(m.From))
	case s.pieces[fide.King].Has(m.To):
		return refusal(KingNotShot, []rules.Square{m.From, m.To}, "%s can't take the king on %s: artillery never does.", s.title(m.From), at(m.To))
	}
	return nil
}

func (s *State) refuseBishop(m rules.Move) *rules.Illegal {
	if no := s.refuseArtillery(m); no != nil {
		return no
	}
	squares := []rules.Square{m.From, m.To}
	enemy := s.sides[s.turn&1^1].Has(m.To)
	occupied := s.occupied() &^ (m.Kills & light[m.From&63]) // the shot may open the way
	target := m.Kills.First()
	switch {
	case enemy && m.Kills != 0:
		return refusal(OneShot, squares, "%s has one shot a turn, so not both %s and %s.", s.title(m.From), at(target), at(m.To))
	case enemy && !light[m.From&63].Has(m.To):
		return refusal(OutOfRange, squares, "Bishops capture only by shooting (range 1–2): %s is out of range from %s.", at(m.To), at(m.From))
	case enemy && !fide.BishopSlides(m.From, occupied).Has(m.To):
		return refusal(EmptyOnly, squares, "%s can shoot %s, but can't move there.", s.title(m.From), s.name(m.To))
	case m.From != m.To && !fide.BishopSlides(m.From, 0).Has(m.To):
		return s.refuseReach(m)
	case m.From != m.To && !fide.BishopSlides(m.From, occupied).Has(m.To):
		return s.refuseWay(m, fide.Between(m.From, m.To)&occupied)
	case m.Kills == 0:
		return nil
	case m.From == m.To:
		return refusal(OutOfRange, append(squares, target), "%s is out of range for a shot from %s: bishops shoot 1–2 squares along the queen's lines.", at(target), at(m.From))
	}
	return refusal(OutOfRange, append(squares, target), "%s is out of range for a shot from %s and from %s: bishops shoot 1–2 squares along the queen's lines.", at(target), at(m.From), at(m.To))
}

func (s *State) refuseRook(m rules.Move) *rules.Illegal {
	if no := s.refuseArtillery(m); no != nil {
		return no
	}
	squares := []rules.Square{m.From, m.To}
	switch {
	case m.Kills != 0 && m.From != m.To:
		return refusal(MoveOrFire, squares, "%s can't move and shoot in one turn.", s.title(m.From))
	case m.Kills != 0:
		target := m.Kills.First()
		return refusal(OutOfRange, []rules.Square{m.From, target}, "%s is out of range for a shot from %s: rooks shoot 3–4 squares along the queen's lines.", at(target), at(m.From))
	case s.sides[s.turn&1^1].Has(m.To) && !heavy[m.From&63].Has(m.To):
		return refusal(OutOfRange, squares, "Rooks capture only by shooting (range 3–4): %s is out of range from %s.", at(m.To), at(m.From))
	case s.sides[s.turn&1^1].Has(m.To):
		return refusal(EmptyOnly, squares, "%s can shoot %s, but can't move there.", s.title(m.From), s.name(m.To))
	case !fide.RookSlides(m.From, 0).Has(m.To):
		return s.refuseReach(m)
	}
	return s.refuseWay(m, fide.Between(m.From, m.To))
}

func (s *State) refuseQueen(m rules.Move) *rules.Illegal {
	r := s.flight(s.turn)
	if m.From == m.To && m.Kills.Len() == 1 && !light[m.From&63].Has(m.Kills.First()) {
		target := m.Kills.First()
		return refusal(OutOfRange, []rules.Square{m.From, target}, "%s is out of range for a shot from %s: queens shoot 1–2 squares along their lines.", at(target), at(m.From))
	}
	if m.From != m.To && r.danger(m.Kills).Has(m.To) {
		gun := s.gunOn(m.To, s.turn^1, m.Kills)
		return refusal(UnderFire, []rules.Square{gun, m.To}, "The queen on %s can't enter %s: %s covers it.", at(m.From), at(m.To), s.name(gun))
	}
	if target := m.Kills.First(); m.From != m.To && m.Kills.Len() == 1 && !light[m.To&63].Has(target) {
		return refusal(OutOfRange, []rules.Square{m.To, target}, "%s is out of range for a shot from %s: queens shoot 1–2 squares along their lines.", at(target), at(m.To))
	}
	if no := s.refuseKillsOf(m); no != nil {
		return no
	}
	if m.Kills == 0 && s.sides[s.turn&1^1].Has(m.To) {
		return refusal(UnderFire, []rules.Square{m.To}, "The queen on %s has no square from which to take on %s: each is occupied or under fire.", at(m.From), at(m.To))
	}
	return refusal(rules.MissingCapture, []rules.Square{m.From, m.To}, "%s can't end on %s with exactly those kills.", s.title(m.From), at(m.To))
}

// gunOn is artillery of c that covers a square, with the given pieces dead.
func (s *State) gunOn(sq rules.Square, c rules.Color, dead rules.Set) rules.Square {
	return s.guns(sq, c, dead).First()
}

// guns are the artillery of c that covers a square, with the given pieces dead.
func (s *State) guns(sq rules.Square, c rules.Color, dead rules.Set) rules.Set {
	return (light[sq&63]&s.pieces[fide.Bishop] | heavy[sq&63]&s.pieces[fide.Rook]) & s.sides[c&1] &^ dead
}
