package brigade

import (
	"math/bits"

	"chimera/rules"
	"chimera/rules/fide"
)

// The ranges of artillery: "2 squares in any direction", "3 or 4 squares in any
// direction", along the eight lines of the queen and over anything.
//
//nolint:gochecknoglobals // built once, never written
var (
	board = fide.Shape()
	light = fide.Leaps(board, [2]int{0, 1}, [2]int{1, 1}, [2]int{0, 2}, [2]int{2, 2})
	heavy = fide.Leaps(board, [2]int{0, 3}, [2]int{3, 3}, [2]int{0, 4}, [2]int{4, 4})
	// aslant are the squares two away diagonally: those of a bishop's range that no three orthogonal steps to here come
	// past.
	aslant = fide.Leaps(board, [2]int{2, 2})
	// marches are the squares that three orthogonal steps can reach.
	marches = fide.Leaps(board, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 3})
)

// beside are the orthogonal neighbours of the squares of a set.
func beside(set rules.Set) rules.Set {
	const fileA, fileH = 0x0101010101010101, 0x8080808080808080
	return set<<8 | set>>8 | set&^fileH<<1 | set&^fileA>>1
}

// cover are the squares in range of the bishops and rooks on the given squares.
func cover(bishops, rooks rules.Set) (set rules.Set) {
	for ; bishops != 0; bishops = bishops.Rest() {
		set |= light[bishops.First()&63]
	}
	for ; rooks != 0; rooks = rooks.Rest() {
		set |= heavy[rooks.First()&63]
	}
	return set
}

// Guarded reports whether the other side could capture on m.To after m, estimated without trying its raids: armor comes
// by three steps if nothing stops it, and queens anywhere but under fire.
func (s *State) Guarded(m rules.Move) bool {
	us, to := s.Turn&1, m.To&63
	foes, own := s.Sides[us^1]&^(m.Kills|m.To.Set()), s.Sides[us]&^m.From.Set()
	guns, howitzers := light[to]&s.Pieces[fide.Bishop], heavy[to]&s.Pieces[fide.Rook]
	near := fide.KingSteps(to) & (s.Pieces[fide.Pawn] | s.Pieces[fide.King])
	return (near|guns|howitzers|marches[to]&s.Pieces[fide.Knight])&foes != 0 ||
		s.Pieces[fide.Queen]&foes != 0 && (guns|howitzers)&own == 0
}

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
	shield    rules.Set    // our artillery that keeps the king safe from them
	air       raid         // what raids of all the enemy's queens, if there are any, have in common
	stormed   bool         // the king is in check from the ground
	armored   bool         // enemy armor is near enough that a kill may open its way to the king
	anything  bool         // check does not matter
	calm      bool         // only the king's moves can leave it in check
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
		g.air = s.flight(us ^ 1)
	}
	g.shield = s.shield(g.king, us)
	g.stormed = s.onGround(g.king, g.foes) != 0
	g.armored = marches[g.king&63]&g.foes&s.Pieces[fide.Knight] != 0
	g.calm = !g.stormed && !g.armored && (g.queens == 0 || g.shield.Rest() != 0)
	return g
}

// checked reports whether the mover's king is in check; few moves need to know.
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
			// Moves that kill nobody end on an empty square that a flight reaches too, so flights stand for all of them.
			g.add(queens.First(), r.empty&^r.covered|r.kills(), 0)
			g.raids(&r, queens.First(), r.launch)
		}
	}
	g.add(g.king, fide.KingSteps(g.king)&^g.own, 0)
	g.castling()
}

// add appends the moves of one piece to the given squares, killing what is there and
// the pieces in kills.
func (g *generator) add(from rules.Square, to, kills rules.Set) {
	quiet, takes := to&^g.foes, to&g.foes
	if g.calm && from != g.king {
		if g.buf = rules.AppendSteps(g.buf, from, quiet, kills); takes != 0 {
			g.buf = rules.AppendSteps(g.buf, from, takes, kills)
		}
		return
	}
	g.group(from, quiet, kills, kills)
	for ; takes != 0; takes = takes.Rest() {
		g.group(from, takes&-takes, kills, kills|takes&-takes)
	}
}

// group appends moves of one piece that all kill dead.
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
		m := rules.Move{From: from, To: to.First(), Kills: kills}
		if (from != g.king || g.s.onGround(m.To, g.foes&^m.To.Set()) == 0) && !g.aloft(m) {
			g.buf = append(g.buf, m)
		}
	}
}

// aloft reports whether a queen could take the mover's king after m, a step that is no promotion.
func (g *generator) aloft(m rules.Move) bool {
	r, king, from, to := g.air, g.king, m.From.Set(), m.To.Set()
	switch moved := from ^ to; { // empty if the piece ends where it began
	case m.From == king:
		king = m.To
	case (r.bishops | r.rooks).Has(m.From):
		r.bishops ^= moved & -(r.bishops >> (m.From & 63) & 1)
		r.rooks ^= moved & -(r.rooks >> (m.From & 63) & 1)
		r.covered = cover(r.bishops, r.rooks)
		fallthrough
	default:
		r.foes ^= moved
	}
	r.empty = (r.empty | from | m.Kills) &^ to
	shield := heavy[king&63]&r.rooks | aslant[king&63]&r.bishops
	return shield == 0 && r.takers(g.queens&^(m.Kills|to), king) != 0
}

type verdict uint8

const (
	illegal verdict = iota
	legal
	unknown
)

// verdict is what is known about all moves of one piece that kill the same pieces, without playing them. Taking the
// king ends the game, so it is always legal.
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

// hopes are the squares where a move that kills the given pieces may save the king from queens; on others it cannot. If
// the king's square is not covered, any queen can fly to a safe square beside it; a piece other than artillery can
// block one such square at most.
func (g *generator) hopes(from rules.Square, dead rules.Set) rules.Set {
	guns := g.s.Pieces[fide.Bishop] | g.s.Pieces[fide.Rook]
	if from == g.king || guns.Has(from) || g.air.covered.Has(g.king) {
		return ^rules.Set(0)
	}
	around := fide.KingSteps(g.king)
	landings := around & (g.empty | from.Set() | dead) &^ g.air.covered
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

// raids appends the moves that kill on the way. shots are the squares from which a piece in range can be shot instead.
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
	for shots := victims &^ here; shots != 0 && ways != 0; shots = shots.Rest() {
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

// castlingFault is the key in [rules.Book] of the sentence that says why the mover's king, at home, may not castle to a
// square; "" if only a check there could forbid it.
func (s *State) castlingFault(king, to rules.Square, checked func() bool) string {
	us := s.Turn & 1
	switch rook, crossed := fide.CastlingRook(to); {
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

// raid is three orthogonal steps that kill every enemy they enter: an armor's, or a
// queen's after its flight.
type raid struct {
	bishops, rooks rules.Set // enemy artillery that forbids squares; none for armor
	covered        rules.Set // the squares that it forbids while all of it is alive
	empty          rules.Set // squares without a piece, the raider's own not among them
	foes           rules.Set // enemy pieces that can die on the way, so not the king
	king           rules.Set // the enemy's, which can be entered on the last step only
	free           rules.Set // squares that can be entered without a kill, unless covered
	launch         rules.Set // where the first step may begin
	second         rules.Set // where the second may, if the first killed nobody
}

// onFoot is the raid of an armor of c.
func (s *State) onFoot(c rules.Color, from rules.Set) raid {
	king := s.Of(c^1, fide.King)
	r := raid{empty: ^s.Occupied(), foes: s.Sides[c&1^1] &^ king, king: king, launch: from}
	r.free = r.empty | from
	r.second = beside(from) & r.free
	return r
}

// flight is what raids of all queens of c have in common; standOn completes it.
func (s *State) flight(c rules.Color) raid {
	king := s.Of(c^1, fide.King)
	r := raid{
		bishops: s.Of(c^1, fide.Bishop), rooks: s.Of(c^1, fide.Rook),
		empty: ^s.Occupied(), foes: s.Sides[c&1^1] &^ king, king: king,
	}
	r.covered = cover(r.bishops, r.rooks)
	return r
}

// standOn makes it the raid of the queen there. It may begin there even under fire: that square is not entered.
func (r *raid) standOn(from rules.Set) {
	r.free = r.empty | from
	r.launch = r.empty&^r.covered | from
	r.second = beside(r.launch) & r.free &^ r.covered
}

// danger are the squares that may not be entered once the given pieces are dead.
func (r *raid) danger(dead rules.Set) rules.Set {
	if (r.bishops|r.rooks)&dead == 0 {
		return r.covered
	}
	return cover(r.bishops&^dead, r.rooks&^dead)
}

// ways are the squares where the first two steps may kill, perhaps with some others.
func (r *raid) ways() rules.Set {
	first := beside(r.launch)
	return first | beside(r.second) | beside(first&r.foes)
}

// first reports whether the first step can kill the piece on sq.
func (r *raid) first(sq rules.Set) bool {
	return sq&r.covered == 0 && beside(sq)&r.launch != 0
}

// ends are the squares on which a raid can end that has killed the one piece on sq, and whatever stood on the end
// square.
func (r *raid) ends(sq rules.Set) rules.Set {
	var ends rules.Set
	if around := beside(sq); sq&r.covered == 0 {
		danger := r.danger(sq)
		goals := (r.free | r.foes | r.king) &^ danger
		if around&r.launch != 0 { // killed on the first step
			ends = beside(around&r.free&^danger) & goals
		}
		if around&r.second != 0 { // killed on the second
			ends |= around & goals
		}
	}
	// Killed on the second step, between two visits of one enemy's square.
	for twice := beside(sq) & r.foes; twice != 0; twice = twice.Rest() {
		if x := twice & -twice; r.first(x) && r.danger(x)&sq == 0 {
			ends |= x
		}
	}
	return ends &^ sq
}

// endsAfter are the squares on which a raid can end that has killed the piece on a, then the piece on b, and whatever
// stood on the end square.
func (r *raid) endsAfter(a, b rules.Set) rules.Set {
	if !r.first(a) || r.danger(a)&b != 0 {
		return 0
	}
	return beside(b) & (r.free | r.foes | r.king) &^ r.danger(a|b) &^ a
}

// kills are the squares of the enemy pieces that a queen can kill without killing others: a pawn's step does that as
// well as a raid.
func (r *raid) kills() (set rules.Set) {
	for pieces := (r.foes | r.king) &^ r.covered; pieces != 0; pieces = pieces.Rest() {
		if fide.KingSteps(pieces.First())&r.launch != 0 {
			set |= pieces & -pieces
		}
	}
	return set
}

// takers are the queens that can end their move on the enemy king's square.
func (r *raid) takers(queens rules.Set, king rules.Square) (set rules.Set) {
	for ; queens != 0; queens = queens.Rest() {
		if r.standOn(queens & -queens); r.takes(king) {
			set |= queens & -queens
		}
	}
	return set
}

// takes reports whether a queen can end its move on the enemy king's square. It answers like kills, ends and endsAfter,
// but for that square alone.
func (r *raid) takes(king rules.Square) bool {
	at := king.Set()
	if at&r.covered == 0 && fide.KingSteps(king)&r.launch != 0 {
		return true
	}
	last := beside(at)
	for pieces := (last | beside(last)) & r.foes; pieces != 0; pieces = pieces.Rest() {
		if sq := pieces & -pieces; r.first(sq) && r.takesOver(sq, at, last) {
			return true
		}
	}
	return false
}

// takesOver reports whether the king falls to a raid that first kills the piece on sq.
func (r *raid) takesOver(sq, king, last rules.Set) bool {
	around, danger := beside(sq), r.danger(sq)
	if danger&king == 0 && (around&king != 0 && around&r.second != 0 || around&last&r.free&^danger != 0) {
		return true
	}
	for pieces := around & last & r.foes &^ danger; pieces != 0; pieces = pieces.Rest() {
		if r.danger(sq|pieces&-pieces)&king == 0 {
			return true
		}
	}
	return false
}

// later are the squares of a set above the single square of another.
func later(set, than rules.Set) rules.Set {
	return set &^ (1<<(bits.TrailingZeros64(uint64(than))+1) - 1)
}

// Checkers are the enemy pieces that give check to the mover's king; none once a king is taken.
func (s *State) Checkers() rules.Set {
	if !s.bothKings() {
		return 0
	}
	return s.attackers(s.Turn)
}

// attackers are the enemy pieces that could end their move on the square of c's king.
// Artillery never can.
func (s *State) attackers(c rules.Color) rules.Set {
	king := s.Of(c, fide.King).First()
	return s.onGround(king, s.Sides[c&1^1]) | s.inAir(king, c)
}

// onGround are the pawns, armor and king among the given pieces of one side that could take the other's king on that
// square. The king's own pieces do not matter: armor kills its way through them, and only its own side stops it.
func (s *State) onGround(king rules.Square, pieces rules.Set) rules.Set {
	armor := s.Pieces[fide.Knight] & pieces
	open := ^pieces &^ king.Set() // the king blocks armor except on the last step
	last := beside(king.Set())
	second := last & open
	ready := beside(beside(second) & open)
	for near := last & armor; near != 0; near = near.Rest() {
		if beside(near&-near)&open != 0 { // out, back to its own square, and in
			ready |= near & -near
		}
	}
	return fide.KingSteps(king)&(s.Pieces[fide.Pawn]|s.Pieces[fide.King])&pieces | ready&armor
}

// inAir are the enemy queens that could take c's king if it were on that square.
func (s *State) inAir(king rules.Square, c rules.Color) rules.Set {
	queens := s.Of(c^1, fide.Queen)
	if queens == 0 || s.shield(king, c) != 0 {
		return 0
	}
	r := s.flight(c ^ 1)
	return r.takers(queens, king)
}

// shield is the artillery of c that covers a king's square from where no queen can kill it on its way there. Three
// steps to a square pass squares one and two steps from it, so only artillery farther away counts.
func (s *State) shield(king rules.Square, c rules.Color) rules.Set {
	return (heavy[king&63]&s.Pieces[fide.Rook] | aslant[king&63]&s.Pieces[fide.Bishop]) & s.Sides[c&1]
}

// safe reports whether the mover's king is not in check after m.
func (s *State) safe(m rules.Move) bool {
	var next State
	s.Play(m, &next)
	return next.attackers(s.Turn) == 0
}
