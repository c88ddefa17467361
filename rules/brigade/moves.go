package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Moves appends the legal moves. A side in check that has none may play anything
// its pieces can do.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	if !s.bothKings() {
		return buf
	}
	g := s.generator(buf)
	g.run()
	if len(g.buf) == len(buf) && g.checked() {
		g.anything = true
		g.run()
	}
	return g.buf
}

// pseudoLegal are all moves of the pieces, whether or not they leave their king in
// check.
func (s *State) pseudoLegal() []rules.Move {
	g := s.generator(nil)
	g.anything = true
	g.run()
	return g.buf
}

// generator is the generation of one position's moves.
type generator struct {
	s         *State
	us        rules.Color
	own, foes rules.Set
	empty     rules.Set
	target    rules.Set    // the enemy king
	king      rules.Square // our own
	queens    rules.Set    // the enemy's
	shield    rules.Set    // our artillery behind which the king is safe from them
	covered   rules.Set    // what our artillery covers
	stormed   bool         // the king is in check from the ground
	armored   bool         // enemy armor is so near that a kill may open its way to the king
	anything  bool         // check does not matter
	buf       []rules.Move
}

func (s *State) generator(buf []rules.Move) generator {
	us := s.Turn & 1
	g := generator{
		s: s, us: us, own: s.Sides[us], foes: s.Sides[us^1], empty: ^s.Occupied(),
		target: s.Of(us^1, fide.King), king: s.Of(us, fide.King).First(),
		queens: s.Of(us^1, fide.Queen), buf: buf,
	}
	if g.queens != 0 {
		g.covered = cover(s.Of(us, fide.Bishop), s.Of(us, fide.Rook))
	}
	g.shield = s.shield(g.king, us)
	g.stormed = s.onGround(g.king, g.foes) != 0
	g.armored = marches[g.king&63]&g.foes&s.Pieces[fide.Knight] != 0
	return g
}

// checked reports whether the mover's king is in check; not many moves ask that.
func (g *generator) checked() bool { return g.stormed || g.s.inAir(g.king, g.us) != 0 }

func (g *generator) run() {
	g.pawns()
	for pieces := g.own & g.s.Pieces[fide.Knight]; pieces != 0; pieces = pieces.Rest() {
		g.knight(pieces.First())
	}
	for pieces := g.own & g.s.Pieces[fide.Bishop]; pieces != 0; pieces = pieces.Rest() {
		g.bishop(pieces.First())
	}
	for pieces := g.own & g.s.Pieces[fide.Rook]; pieces != 0; pieces = pieces.Rest() {
		g.rook(pieces.First())
	}
	if queens := g.own & g.s.Pieces[fide.Queen]; queens != 0 {
		r := g.s.flight(g.us)
		for ; queens != 0; queens = queens.Rest() {
			r.standOn(queens & -queens)
			g.queen(&r, queens.First())
		}
	}
	g.add(g.king, fide.KingSteps(g.king)&^g.own, 0)
	g.castling()
}

// add appends the moves of one piece to the given squares, killing what is there and
// the pieces in kills.
func (g *generator) add(from rules.Square, to, kills rules.Set) {
	if quiet := to &^ g.foes; quiet != 0 {
		g.group(from, quiet, kills, kills)
	}
	for takes := to & g.foes; takes != 0; takes = takes.Rest() {
		g.group(from, takes&-takes, kills, kills|takes&-takes)
	}
}

// group appends moves of one piece that kill the same pieces, those of dead.
func (g *generator) group(from rules.Square, to, kills, dead rules.Set) {
	v := g.verdict(from, dead)
	if v == illegal {
		return
	}
	if v == legal {
		g.buf = rules.AppendSteps(g.buf, from, to, kills)
		return
	}
	for to &= g.hopes(from, dead); to != 0; to = to.Rest() {
		if m := (rules.Move{From: from, To: to.First(), Kills: kills}); from == g.king && g.kingSafe(m) || from != g.king && g.s.safe(m) {
			g.buf = append(g.buf, m)
		}
	}
}

// kingSafe is State.safe for a step of the king, which mostly need not be played for that.
func (g *generator) kingSafe(m rules.Move) bool {
	dead := m.To.Set()
	switch {
	case g.s.onGround(m.To, g.foes&^dead) != 0:
		return false
	case g.queens&^dead == 0 || g.s.shield(m.To, g.us) != 0:
		return true
	}
	return g.s.safe(m)
}

type verdict uint8

const (
	illegal verdict = iota
	legal
	unknown
)

// verdict is what can be said of all moves of one piece that kill the same pieces,
// without playing them. Taking the king ends the game, so it is always legal.
func (g *generator) verdict(from rules.Square, dead rules.Set) verdict {
	switch {
	case g.anything || dead&g.target != 0:
		return legal
	case from == g.king:
		return unknown
	case g.stormedAfter(dead):
		return illegal
	case g.queens&^dead == 0 || g.shield&^from.Set() != 0:
		return legal
	}
	return unknown
}

// stormedAfter reports whether the king is in check from the ground once the given pieces are
// dead, wherever its own stand.
func (g *generator) stormedAfter(dead rules.Set) bool {
	if dead == 0 || !g.stormed && !g.armored {
		return g.stormed
	}
	return g.s.onGround(g.king, g.foes&^dead) != 0
}

// hopes are the squares outside of which a move that kills the given pieces leaves the
// king to a queen. Where its square is not covered, any queen can fly to a safe
// square beside it; a piece that is no artillery can hold one such square at most.
func (g *generator) hopes(from rules.Square, dead rules.Set) rules.Set {
	guns := g.s.Pieces[fide.Bishop] | g.s.Pieces[fide.Rook]
	if from == g.king || guns.Has(from) || g.covered.Has(g.king) {
		return ^rules.Set(0)
	}
	around := fide.KingSteps(g.king)
	landings := around & (g.empty | from.Set() | dead) &^ g.covered
	switch {
	case around&g.queens&^dead != 0, landings.Rest() != 0:
		return 0
	case landings == 0:
		return ^rules.Set(0)
	}
	return landings
}

// pawns append infantry's moves: "1 square in any direction (including backwards)",
// and "2 squares ahead from the 2nd rank even if they've already moved".
func (g *generator) pawns() {
	last := fide.HomeRank(g.us ^ 1)
	for pieces := g.own & g.s.Pieces[fide.Pawn]; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		to := g.s.pawnSteps(from) &^ g.own
		g.add(from, to&^last, 0)
		for promote := to & last; promote != 0; promote = promote.Rest() {
			g.promotions(from, promote.First())
		}
	}
}

// pawnSteps are the squares that the mover's pawn on from can step to if no piece of
// its own stands there.
func (s *State) pawnSteps(from rules.Square) rules.Set {
	us, empty := s.Turn&1, ^s.Occupied()
	steps := fide.KingSteps(from)
	if second := fide.Forward(us, fide.HomeRank(us)); second.Has(from) {
		steps |= fide.Forward(us, fide.Forward(us, from.Set())&empty) & empty
	}
	return steps
}

func (g *generator) promotions(from, to rules.Square) {
	v := g.verdict(from, to.Set()&g.foes)
	if v == illegal {
		return
	}
	for role := fide.Queen; role >= fide.Knight; role-- {
		// New artillery may shield the king.
		if m := (rules.Move{Role: role, From: from, To: to}); v == legal || g.s.safe(m) {
			g.buf = append(g.buf, m)
		}
	}
}

// knight appends armor's moves: "kill by either occupying the square or passing
// through it".
func (g *generator) knight(from rules.Square) {
	r := g.s.onFoot(g.us, from.Set())
	first := beside(from.Set()) & r.foes // there, back, and there again
	g.add(from, beside(beside(r.second)&r.free)&^g.own|first, 0)
	g.raids(&r, from, 0)
}

// raids append what kills on the way. shots are the squares from which a piece in
// range can be killed instead by firing.
func (g *generator) raids(r *raid, from rules.Square, shots rules.Set) {
	victims := r.foes
	if shots == 0 {
		victims &= r.ways()
	}
	for pieces := victims; pieces != 0; pieces = pieces.Rest() {
		sq := pieces & -pieces
		g.add(from, r.ends(sq)|light[pieces.First()&63]&shots, sq)
		for next := later(beside(sq)&r.foes, sq); next != 0; next = next.Rest() {
			other := next & -next
			if ends := r.endsAfter(sq, other) | r.endsAfter(other, sq); ends != 0 {
				g.add(from, ends, sq|other)
			}
		}
	}
}

// bishop appends light artillery's moves: it "can move to a position and then kill
// in the same turn (and likewise can kill and then move away in the same turn)".
func (g *generator) bishop(from rules.Square) {
	victims, occupied := g.foes&^g.target, g.own|g.foes
	here := light[from&63] & victims
	ways := fide.BishopSlides(from, occupied) & g.empty
	g.add(from, ways, 0)
	for shots := here; shots != 0; shots = shots.Rest() {
		shot := shots & -shots
		// The shot may open the way, on to the very square.
		opened := fide.BishopSlides(from, occupied&^shot) & (g.empty | shot)
		g.add(from, from.Set()|ways|opened&^shot, shot)
		g.add(from, opened&shot, 0)
	}
	for shots := victims &^ here; shots != 0; shots = shots.Rest() {
		if to := ways & light[shots.First()&63]; to != 0 {
			g.add(from, to, shots&-shots)
		}
	}
}

// rook appends heavy artillery's moves: it "cannot move and fire at the same time".
func (g *generator) rook(from rules.Square) {
	g.add(from, fide.RookSlides(from, g.own|g.foes)&g.empty, 0)
	for shots := heavy[from&63] & g.foes &^ g.target; shots != 0; shots = shots.Rest() {
		g.add(from, from.Set(), shots&-shots)
	}
}

// queen appends aviation's moves. Whatever kills nobody ends on an empty square
// that can be flown to at once, so flights stand for all of it.
func (g *generator) queen(r *raid, from rules.Square) {
	g.add(from, r.empty&^r.covered|r.kills(), 0)
	g.raids(r, from, r.launch)
}

// castling appends it "at any time", from home and with the way empty.
func (g *generator) castling() {
	if g.king != fide.HomeKing(g.us) {
		return
	}
	for _, to := range [...]rules.Square{g.king + 2, g.king - 2} {
		m := rules.Move{Act: rules.Castle, From: g.king, To: to}
		if g.s.castlingFault(g.king, to, g.checked) == "" && (g.anything || g.s.safe(m)) {
			g.buf = append(g.buf, m)
		}
	}
}

// castlingFault is why the mover's king, at home, may not castle to a square: which of the
// sentences on castling in [rules.Book] says so; "" if nothing speaks against it but a
// check there.
func (s *State) castlingFault(king, to rules.Square, checked func() bool) string {
	us := s.Turn & 1
	rook, crossed := fide.CastlingRook(to)
	switch {
	case !s.Of(us, fide.Rook).Has(rook):
		return "no-rook"
	case fide.Between(king, rook)&s.Occupied() != 0:
		return "blocked"
	case checked():
		return "checked"
	case !s.safe(rules.Move{From: king, To: crossed}): // the rook is still at home
		return "through-check"
	}
	return ""
}

func at(sq rules.Square) string { return board.Name(sq) }
