package engine

import "chimera/rules"

// maxPly is the greatest distance from the root, quiescence included.
const maxPly = 96

// frame is what is known of one position on the current line.
type frame struct {
	setup    rules.Setup
	changed  rules.Set // squares that have changed since the position before
	key      uint64    // of all that makes positions equal
	board    uint64    // the board's part of the key
	material uint64    // depends on the number of each kind of piece, not on their squares
	total    sum       // of pieces and their places, White's less Black's
	reach    sum       // of the mover's moves, and of where their pieces stand, once they have been surveyed
	phase    int
	since    int    // plies since the last final move, as far as the game's past goes
	moved    uint16 // the move before, as a kind and a square: see continuationOf
	pawnWork
	sides    [2]rules.Set // the squares on which each side has a piece, or a part of one
	blasters rules.Set    // once the moves have been surveyed: see rules.Blaster
	checked  bool
	few      bool // too few pieces are left to mate
	stale    bool // few is out of date: the material has changed
	passed   bool // the move before was a pass
}

// pawnWork is what follows from where pawns and kings stand alone.
type pawnWork struct {
	pawns, kings [2]rules.Set
	lanes        lanes
	structure    sum // of pawns, White's less Black's
}

// work is that of pawns and kings. It is remembered until others take its place.
func (l *stack) work(pawns, kings [2]rules.Set) *pawnWork {
	hash := mix(uint64(pawns[0])*3 ^ mix(uint64(pawns[1])*5^uint64(kings[0])*7^uint64(kings[1])*11))
	w := &l.works[hash%uint64(len(l.works))]
	if w.pawns != pawns || w.kings != kings {
		*w = pawnWork{pawns: pawns, kings: kings, lanes: l.lanes(&pawns)}
		l.pawnTerms(&w.pawns, &w.kings, &w.lanes, func(term, times int) { w.structure += l.general[term] * sum(times) })
	}
	return w
}

// stack holds the line of positions from the root to the current one.
type stack struct {
	*evaluator
	cursor rules.Cursor
	frames [maxPly + 1]frame
	counts [2][256]uint8     // of the pieces here, by kind
	works  [1 << 10]pawnWork // by a hash of pawns and kings
	depth  int               // that the search is at
}

// mix scatters a number over 64 bits, like SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// start goes to the root.
func (l *stack) start(game rules.Game) {
	l.cursor = game.Position.Cursor()
	l.counts = [2][256]uint8{}
	root := &l.frames[0]
	*root = frame{since: len(game.Past)}
	changed := l.cursor.Look(&root.setup)
	for sq := range changed.Squares() {
		l.place(root, sq, root.setup.Board[sq], 1)
	}
	l.settle(root, [2]rules.Set{}, [2]rules.Set{})
	root.few = l.cursor.Status(1) == rules.Insufficient
}

// push plays m, and makes the frame of the position after it.
func (l *stack) push(ply int, m rules.Move) {
	v := &l.frames[ply]
	moved := continuationOf(l.kind(v.setup.Board[m.From&63], v.setup.Turn&1), m.To)
	final := l.cursor.Final(m)
	l.cursor.Push(m)
	l.derive(ply + 1)
	l.frames[ply+1].moved = moved
	if final {
		l.frames[ply+1].since = 0
	}
}

// pass is push for no move.
func (l *stack) pass(ply int) {
	l.cursor.Pass()
	l.derive(ply + 1)
	l.frames[ply+1].passed, l.frames[ply+1].moved = true, 0
}

// derive makes the frame at ply from the previous one.
func (l *stack) derive(ply int) {
	before, now := &l.frames[ply-1], &l.frames[ply]
	*now = *before
	now.passed = false
	now.since++
	now.changed = l.cursor.Look(&now.setup)
	for rest := now.changed; rest != 0; rest = rest.Rest() {
		sq := rest.First() & 63
		if was, is := before.setup.Board[sq], now.setup.Board[sq]; was != is {
			l.place(now, sq, was, -1)
			l.place(now, sq, is, 1)
		}
	}
	l.settle(now, before.pawns, before.kings)
	now.stale = now.stale || now.material != before.material
	// With more than a few pieces, this can wait while in check: it may be slow then.
	if now.stale && (!now.checked || (now.sides[0]|now.sides[1]).Len() <= 4) {
		now.few, now.stale = l.cursor.Status(1) == rules.Insufficient, false
	}
}

// settle completes a frame whose board is correct.
func (l *stack) settle(v *frame, pawns, kings [2]rules.Set) {
	if v.pawns != pawns || v.kings != kings {
		v.pawnWork = *l.work(v.pawns, v.kings)
	}
	v.key = v.board ^ mix(uint64(v.setup.Castling)*2+uint64(v.setup.Turn)) ^ mix(uint64(v.setup.EnPassant)+1<<40)
	if v.setup.Own != "" {
		hash := uint64(1)
		for i := range len(v.setup.Own) {
			hash = hash<<8 ^ mix(hash^uint64(v.setup.Own[i]))
		}
		v.key ^= hash
	}
	v.checked = l.cursor.Checked()
}

// place adds a piece to a square, for by 1, or removes it, for -1.
func (l *stack) place(v *frame, sq rules.Square, p rules.Piece, by int) {
	if p != (rules.Piece{}) {
		v.board ^= mix(uint64(sq)<<16 + 1<<32 | uint64(p.White)<<8 | uint64(p.Black))
		l.change(v, rules.White, l.kind(p, rules.White), sq, by)
		l.change(v, rules.Black, l.kind(p, rules.Black), sq, by)
	}
}

// change adds a piece to the sums, for by 1, or removes it, for -1.
func (l *stack) change(v *frame, c rules.Color, kind int, sq rules.Square, by int) {
	about := &l.kinds[kind]
	if !about.is {
		return
	}
	count := &l.counts[c&1][kind&0xff]
	worth := l.board[c&1][kind<<6|int(sq)]
	if max(*count, *count+uint8(by)) > 1 {
		worth += about.worth[Another]
	}
	*count += uint8(by)
	if c == rules.Black {
		worth = -worth
	}
	v.total += worth * sum(by)
	v.phase += about.weight * by
	v.material += about.material[c&1] * uint64(by)
	v.mark(about, c, sq)
}

// mark notes that a piece arrives on a square, or leaves it.
func (v *frame) mark(a *kindInfo, c rules.Color, sq rules.Square) {
	set := rules.Set(1) << (sq & 63)
	v.sides[c&1] ^= set
	if a.pawn {
		v.pawns[c&1] ^= set
	}
	if a.royal {
		v.kings[c&1] ^= set
	}
}

// pop takes the last push or pass back.
func (l *stack) pop(ply int) {
	l.cursor.Pop()
	before, now := &l.frames[ply], &l.frames[ply+1]
	for rest := now.changed; rest != 0; rest = rest.Rest() {
		sq := rest.First() & 63
		if was, is := before.setup.Board[sq], now.setup.Board[sq]; was != is {
			l.count(is, ^uint8(0))
			l.count(was, 1)
		}
	}
}

func (l *stack) count(p rules.Piece, by uint8) {
	l.counts[0][l.kind(p, rules.White)] += by
	l.counts[1][l.kind(p, rules.Black)] += by
}

// The margins of lazy evaluation, in centipawns: how much worse mobility may make a position than it is without, and
// than with the mover's mobility of two plies ago.
const (
	lazyMargin       = 130
	lazyMarginToLast = 40
)

// lazyEvaluate is a value that evaluate is seldom below; the moves at ply need not have been surveyed.
func (l *stack) lazyEvaluate(ply int) int {
	v := &l.frames[ply]
	total := l.pieces(v)
	if ply < 2 {
		return l.blend(total, v.phase) - lazyMargin
	}
	return l.blend(total+l.frames[ply-2].reach+l.general[tempo]-l.frames[ply-1].reach, v.phase) - lazyMarginToLast
}

// evaluate is the static evaluation at ply for the mover, in centipawns. The moves at ply and at the ply before must
// have been surveyed, since mobility includes the opponent's moves there.
func (l *stack) evaluate(ply int) int {
	v := &l.frames[ply]
	total := l.pieces(v) + v.reach + l.general[tempo]
	if ply > 0 {
		total -= l.frames[ply-1].reach
	}
	return l.blend(total, v.phase)
}

// pieces is the value of pieces and their places, for the mover.
func (l *stack) pieces(v *frame) sum {
	if v.setup.Turn == rules.Black {
		return -v.total - v.structure
	}
	return v.total + v.structure
}
