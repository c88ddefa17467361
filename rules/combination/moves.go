package combination

import "chimera/rules"

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
	targets   rules.Set // what ends the only check there is; everything if there is none
	pinned    rules.Set // own pieces that alone stand between the king and an enemy's line
	snipers   rules.Set // the enemies at the other end of those lines, and some more
	buf       []rules.Move
}

// findDanger finds checks and pins, as in chess: what they leave is sure to be
// legal unless the move gives an enemy new powers, and only an isolator that goes
// away does that.
func (g *generator) findDanger() {
	leapers := g.s.leapers(g.king, g.us, &g.enemy)
	checkers := leapers | rays.Rook(g.king, g.occupied)&g.enemy.orthogonal | rays.Bishop(g.king, g.occupied)&g.enemy.diagonal
	switch {
	case checkers == 0:
		g.targets = ^rules.Set(0)
	case checkers.Rest() != 0:
		g.targets = 0
	case leapers != 0: // maybe along a line as well
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
	// To capture a lender may take from others the power to give check.
	doubtful := to &^ sure & g.foes &^ g.s.Pieces[Pawn]
	if (g.s.Pieces[Amplifier]|g.s.Pieces[Isolator])&piece != 0 {
		blasts := to & near(g.s.counterparts(from))
		sure, doubtful = sure&^blasts, doubtful|blasts
	}
	if g.s.Pieces[Isolator]&piece != 0 {
		if g.frees(from) {
			sure = 0
		}
		doubtful = to &^ sure // it may isolate a lender, and so end a check
	}
	g.buf = rules.AppendSteps(g.buf, from, sure, 0)
	for ; doubtful != 0; doubtful = doubtful.Rest() {
		g.try(rules.Move{From: from, To: doubtful.First()})
	}
}

// shielding are the squares on which a pinned piece still shields its king. A leap may
// carry it along the line and past either end.
func (g *generator) shielding(from rules.Square) rules.Set {
	for snipers := g.snipers; snipers != 0; snipers = snipers.Rest() {
		if way := between[g.king&63][snipers.First()&63]; way.Has(from) {
			return way | snipers&-snipers
		}
	}
	return 0
}

func (g *generator) try(m rules.Move) {
	if g.s.safe(m) {
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

// kingMoves appends the king's, borrowed ones too.
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

// kingLines is where borrowed lines lead c's king, the first piece or threatened square
// on each included. "The King may never move through a square that is threatened by
// an opposing piece."
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
