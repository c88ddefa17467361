package combination

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

// powers are the pieces of one side by what they can do, both by themselves and by borrowing. Own moves of pawns and
// kings are not included.
type powers struct {
	orthogonal rules.Set // slide as a rook
	diagonal   rules.Set // slide as a bishop
	knight     rules.Set // leap as a knight
	leap       rules.Set // leap as an amplifier or isolator
}

// powers finds what c's pieces can do. "Any friendly pieces that are in that zone
// acquire the movement and capture abilities of the influencing piece", its own
// ones: "it does not absorb abilities that were in turn absorbed".
func (s *State) powers(c rules.Color) powers {
	us := c & 1
	own := s.Sides[us]
	heard := ^near(s.Pieces[Isolator] & s.Sides[us^1]) // "any opposing piece under its influence has no influence"
	leapers := (s.Pieces[Amplifier] | s.Pieces[Isolator]) & own
	loud := near(s.Pieces[Amplifier]&own) & heard // "it also gives that piece its influence zone"
	rooks, bishops, knights := s.Pieces[Rook]&own, s.Pieces[Bishop]&own, s.Pieces[Knight]&own
	return powers{
		orthogonal: rooks | (aslant(rooks&heard)|near(rooks&loud))&own,
		diagonal:   bishops | (straight(bishops&heard)|near(bishops&loud))&own,
		knight:     knights | (far(knights&heard)|near(knights&loud))&own,
		leap:       near(leapers) & own,
	}
}

// reach is the squares to which the powers of the piece on a square lead it, on a board with the given occupied
// squares, including the first piece on each line, but not a pawn's or king's own moves.
func (p *powers) reach(from rules.Square, occupied rules.Set) rules.Set {
	return p.lines(from, occupied) | p.leaps(from)
}

func (p *powers) lines(from rules.Square, occupied rules.Set) (to rules.Set) {
	if p.orthogonal.Has(from) {
		to = rays.Rook(from, occupied)
	}
	if p.diagonal.Has(from) {
		to |= rays.Bishop(from, occupied)
	}
	return to
}

func (p *powers) leaps(from rules.Square) (to rules.Set) {
	if p.knight.Has(from) {
		to = knights[from&63]
	}
	if p.leap.Has(from) {
		to |= leaps[from&63]
	}
	return to
}

// fullZone is where the piece on sq would lend its move without isolators; empty for pawns and kings.
func (s *State) fullZone(sq rules.Square) rules.Set {
	var zone rules.Set
	switch s.Role(sq) {
	case Bishop:
		zone = straight(sq.Set())
	case Rook:
		zone = aslant(sq.Set())
	case Knight:
		zone = leaps[sq]
	case Amplifier, Isolator:
		return around[sq]
	default:
		return 0
	}
	if s.amplifiers(sq) != 0 {
		zone |= around[sq]
	}
	return zone & board.Squares
}

// zone is where the piece on sq lends its move.
func (s *State) zone(sq rules.Square) rules.Set {
	if s.isolators(sq) != 0 {
		return 0
	}
	return s.fullZone(sq)
}

// amplifiers are the ones that widen the zone of the piece on sq.
func (s *State) amplifiers(sq rules.Square) rules.Set { return s.swaying(sq, s.Owner(sq), Amplifier) }

// isolators are the ones that deprive the piece on sq of its zone.
func (s *State) isolators(sq rules.Square) rules.Set { return s.swaying(sq, s.Owner(sq)^1, Isolator) }

// isolates are the pieces that the one on sq deprives of their zones.
func (s *State) isolates(sq rules.Square) rules.Set {
	return s.Sides[s.Owner(sq)^1].Where(func(from rules.Square) bool { return s.isolators(from).Has(sq) })
}

// swaying are c's pieces of a role that affect the zone of the piece on sq, which must be a bishop, rook or knight.
func (s *State) swaying(sq rules.Square, c rules.Color, r rules.Role) rules.Set {
	if !(s.Pieces[Bishop] | s.Pieces[Rook] | s.Pieces[Knight]).Has(sq) {
		return 0
	}
	return around[sq] & s.Of(c, r)
}

// lenders are the friends that lend to the piece on sq, and those that would lend to it if they were not isolated.
func (s *State) lenders(sq rules.Square) (lenders, silenced rules.Set) {
	all := s.Sides[s.Owner(sq)].Where(func(from rules.Square) bool { return s.fullZone(from).Has(sq) })
	silenced = all.Where(func(from rules.Square) bool { return s.isolators(from) != 0 })
	return all &^ silenced, silenced
}

// lender is a piece that lends the one on a square its way to another; NoSquare if its own leads there. That of a pawn
// leads to the given squares.
func (s *State) lender(from, to rules.Square, pawn rules.Set) rules.Square {
	own := borrowed(s.Role(from), from, s.Occupied())
	switch s.Role(from) {
	case Pawn:
		own = pawn
	case King:
		own = around[from]
	default:
	}
	if own.Has(to) {
		return rules.NoSquare
	}
	all, _ := s.lenders(from)
	return all.Where(func(sq rules.Square) bool { return borrowed(s.Role(sq), from, s.Occupied()).Has(to) }).First()
}

// Influences are the zones of all pieces that lend now, including empty squares.
func (s *State) Influences() (all []rules.Influence) {
	for from := range s.Occupied().Squares() {
		if zone := s.zone(from); zone != 0 {
			all = append(all, rules.Influence{From: from, On: zone})
		}
	}
	return all
}

// borrowed is where a move borrowed from pieces of a role leads from sq, including the first piece on each line.
func borrowed(r rules.Role, sq rules.Square, occupied rules.Set) rules.Set {
	switch r {
	case Bishop:
		return rays.Bishop(sq, occupied)
	case Rook:
		return rays.Rook(sq, occupied)
	case Knight:
		return knights[sq]
	case Amplifier, Isolator:
		return leaps[sq]
	default:
		return 0
	}
}

// Moves appends the legal moves.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	if !s.bothKings() {
		return buf
	}
	g := generator{s: s, us: s.Turn & 1, occupied: s.Occupied(), king: s.king(s.Turn), buf: buf}
	g.own, g.foes = s.Sides[g.us], s.Sides[g.us^1]
	g.powers, g.enemy = s.powers(g.us), s.powers(g.us^1)
	g.findDanger()
	g.kingMoves()
	for pieces := g.own &^ s.Pieces[King]; pieces != 0; pieces = pieces.Rest() {
		g.pieceMoves(pieces.First())
	}
	return g.buf
}

// generator is the generation of one position's moves.
type generator struct {
	s         *State
	us        rules.Color
	own, foes rules.Set
	occupied  rules.Set
	king      rules.Square
	powers    powers    // the mover's
	enemy     powers    // the opponent's
	targets   rules.Set // what ends the only check; everything if there is none
	pinned    rules.Set // own pieces that are alone between the king and an enemy's line
	snipers   rules.Set // enemies at the other end of those lines, and some others
	buf       []rules.Move
}

// findDanger finds checks and pins, as in chess: moves that respect them are legal unless they give an enemy new
// powers, which only an isolator that goes away does.
func (g *generator) findDanger() {
	leapers := g.s.leapers(g.king, g.us, &g.enemy)
	checkers := leapers | rays.Rook(g.king, g.occupied)&g.enemy.orthogonal | rays.Bishop(g.king, g.occupied)&g.enemy.diagonal
	switch {
	case checkers == 0:
		g.targets = ^rules.Set(0)
	case checkers.Rest() != 0:
		g.targets = 0
	case leapers != 0: // perhaps along a line as well
		g.targets = checkers
	default:
		g.targets = between[g.king&63][checkers.First()&63] | checkers
	}
	g.snipers = rays.Rook(g.king, g.foes)&g.enemy.orthogonal | rays.Bishop(g.king, g.foes)&g.enemy.diagonal
	for snipers := g.snipers; snipers != 0; snipers = snipers.Rest() {
		if shield := between[g.king&63][snipers.First()&63] & g.own; shield != 0 && shield.Rest() == 0 {
			g.pinned |= shield
		}
	}
}

// pieceMoves appends the moves of a piece that is not the king.
func (g *generator) pieceMoves(from rules.Square) {
	piece := from.Set()
	to := g.powers.reach(from, g.occupied)
	if g.s.Pieces[Pawn]&piece != 0 {
		to |= g.s.pawnMoves(g.us, from)
	}
	to &^= g.own
	sure := to & g.targets
	if g.pinned&piece != 0 {
		sure &= g.shielding(from)
	}
	// Capturing a lender may take from others the power to give check.
	doubtful := to &^ sure & g.foes &^ g.s.Pieces[Pawn]
	if (g.s.Pieces[Amplifier]|g.s.Pieces[Isolator])&piece != 0 {
		blasts := to & near(g.s.counterparts(from))
		sure, doubtful = sure&^blasts, doubtful|blasts
	}
	if g.s.Pieces[Isolator]&piece != 0 {
		if g.frees(from) {
			sure = 0
		}
		doubtful = to &^ sure // it may isolate a lender, and thereby end a check
	}
	g.buf = rules.AppendSteps(g.buf, from, sure, 0)
	for ; doubtful != 0; doubtful = doubtful.Rest() {
		g.try(rules.Move{From: from, To: doubtful.First()})
	}
}

// shielding are the squares on which a pinned piece still shields its king. A leap may carry it along the line, past
// either end.
func (g *generator) shielding(from rules.Square) rules.Set {
	for snipers := g.snipers; snipers != 0; snipers = snipers.Rest() {
		if way := between[g.king&63][snipers.First()&63]; way.Has(from) {
			return way | snipers&-snipers
		}
	}
	return 0
}

// try appends a move that is possible for its piece if it leaves the mover's king alive and not in check. Annihilating
// the enemy's king wins at once, whether or not the mover is in check then.
func (g *generator) try(m rules.Move) {
	var next State
	g.s.Play(m, &next)
	if next.Pieces[King]&next.Sides[g.us] != 0 && next.checkers(g.us) == 0 {
		g.buf = append(g.buf, m)
	}
}

// frees reports whether an enemy lender gets its zone back when the isolator on
// that square goes away.
func (g *generator) frees(isolator rules.Square) bool {
	lenders := g.foes & (g.s.Pieces[Bishop] | g.s.Pieces[Rook] | g.s.Pieces[Knight]) & around[isolator&63]
	return lenders != 0 && lenders&^near(g.s.Of(g.us, Isolator)&^isolator.Set()) != 0
}

// pawnMoves are a pawn's own: "one step forward", and captures one step diagonally
// forward.
func (s *State) pawnMoves(c rules.Color, from rules.Square) rules.Set {
	return ahead[c&1][from&63]&^s.Occupied() | takes[c&1][from&63]&s.Sides[c&1^1]
}

// kingMoves appends the king's moves, including borrowed ones.
func (g *generator) kingMoves() {
	to := around[g.king&63] | g.powers.leaps(g.king) | g.s.kingLines(g.us, &g.powers, &g.enemy)
	for to &^= g.own; to != 0; to = to.Rest() {
		if m := (rules.Move{From: g.king, To: to.First()}); g.foes.Has(m.To) {
			g.try(m)
		} else if g.s.attackers(m.To, g.us, &g.enemy, g.occupied&^g.king.Set()) == 0 {
			g.buf = append(g.buf, m)
		}
	}
}

// kingLines is where borrowed lines lead c's king, including the first piece or threatened square on each. "The King
// may never move through a square that is threatened by an opposing piece."
func (s *State) kingLines(c rules.Color, own, enemy *powers) rules.Set {
	king, occupied := s.king(c), s.Occupied()
	ways := own.lines(king, occupied)
	stops := occupied
	for empty := ways &^ occupied; empty != 0; empty = empty.Rest() {
		if s.attackers(empty.First(), c, enemy, occupied&^king.Set()) != 0 {
			stops |= empty & -empty
		}
	}
	return own.lines(king, stops)
}

// attackers are c's enemies, with the given powers, that would capture a piece of c on sq, on a board with the given
// occupied squares.
func (s *State) attackers(sq rules.Square, c rules.Color, enemy *powers, occupied rules.Set) rules.Set {
	return s.leapers(sq, c, enemy) | around[sq&63]&s.Of(c^1, King) |
		rays.Rook(sq, occupied)&enemy.orthogonal |
		rays.Bishop(sq, occupied)&enemy.diagonal
}

// leapers are the attackers that cannot be blocked, other than the king.
func (s *State) leapers(sq rules.Square, c rules.Color, enemy *powers) rules.Set {
	return knights[sq&63]&enemy.knight | leaps[sq&63]&enemy.leap | takes[c&1][sq&63]&s.Of(c^1, Pawn)
}

// checkers are the enemies that give check to c's king. If a king is missing, there is no check: the game is over.
func (s *State) checkers(c rules.Color) rules.Set {
	if !s.bothKings() {
		return 0
	}
	enemy := s.powers(c ^ 1)
	return s.attackers(s.king(c), c, &enemy, s.Occupied())
}

// Checkers are the enemy pieces that give check to the mover's king.
func (s *State) Checkers() rules.Set { return s.checkers(s.Turn) }

// blast are the squares that an annihilation by m empties: "all pieces within either
// of the pieces' zones of influence are removed from the board, including the
// amplifier and isolator". Before the move none stand side by side, so the piece that
// moves is one of each pair. It is empty if m annihilates nothing.
func (s *State) blast(m rules.Move) rules.Set {
	met := s.counterparts(m.From) & around[m.To&63]
	if met == 0 {
		return 0
	}
	return near(met | m.To.Set())
}

// counterparts are the enemies beside which the piece on sq would annihilate: isolators for an amplifier, amplifiers
// for an isolator, none for others.
func (s *State) counterparts(sq rules.Square) rules.Set {
	switch foes := s.Sides[s.Owner(sq)^1]; {
	case s.Pieces[Amplifier].Has(sq):
		return s.Pieces[Isolator] & foes
	case s.Pieces[Isolator].Has(sq):
		return s.Pieces[Amplifier] & foes
	}
	return 0
}

// Warning tells the side to move that its opponent could annihilate its king next, which is no check, or else which
// piece gives check by a move that is not its own.
func (s *State) Warning() phrase.Phrase {
	if !s.bothKings() || len(s.Moves(nil)) == 0 {
		return phrase.Phrase{}
	}
	us, them := s.Turn&1, s.Turn&1^1
	powers := s.powers(them)
	for pieces := (s.Pieces[Amplifier] | s.Pieces[Isolator]) & s.Sides[them]; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		targets := powers.reach(from, s.Occupied()) &^ s.Sides[them] &^ s.Pieces[King]
		for ; targets != 0; targets = targets.Rest() {
			blast := s.blast(rules.Move{From: from, To: targets.First()})
			if blast.Has(s.king(us)) && !blast.Has(s.king(them)) {
				return book.Say("warning.annihilation", "side", s.Turn)
			}
		}
	}
	if by := s.checkers(us); by != 0 && s.attackLender(by.First(), s.king(us)) != rules.NoSquare {
		return book.Say("warning.check", "attacker", s.threat(by.First(), s.king(us)))
	}
	return phrase.Phrase{}
}
