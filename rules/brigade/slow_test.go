package brigade_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
)

// slow is the rulebook once more, read as plainly as possible: letters on 64
// squares, every way of every piece walked step by step, and check found by walking
// all ways of the enemy.
type slow struct {
	pieces [64]byte // FEN's letters; 0 on an empty square
	white  bool     // to move
}

var compass = [8][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}

func step(sq, files, ranks int) (int, bool) {
	file, rank := sq%8+files, sq/8+ranks
	return rank*8 + file, file >= 0 && file < 8 && rank >= 0 && rank < 8
}

func isWhite(piece byte) bool { return piece >= 'A' && piece <= 'Z' }
func lower(piece byte) byte   { return piece | 0x20 }

func (b *slow) own(sq int) bool { return b.pieces[sq] != 0 && isWhite(b.pieces[sq]) == b.white }
func (b *slow) foe(sq int) bool { return b.pieces[sq] != 0 && isWhite(b.pieces[sq]) != b.white }

// underFire reports whether artillery of the side that is not to move covers sq.
func (b *slow) underFire(sq int) bool {
	for _, d := range compass {
		for n := 1; n <= 4; n++ {
			at, ok := step(sq, d[0]*n, d[1]*n)
			if !ok || !b.foe(at) {
				continue
			}
			if piece := lower(b.pieces[at]); piece == 'b' && n <= 2 || piece == 'r' && n >= 3 {
				return true
			}
		}
	}
	return false
}

// way is how far a piece has come in its turn.
type way struct {
	slow
	from, at int
	flying   bool // a queen, which enters nothing under fire
}

// enter puts the piece on sq. Whatever stands there is dead first.
func (w way) enter(sq int) (way, bool) {
	if w.own(sq) {
		return w, false
	}
	piece := w.pieces[w.at]
	w.pieces[sq], w.pieces[w.at] = 0, 0
	if w.flying && w.underFire(sq) {
		return w, false
	}
	w.pieces[sq], w.at = piece, sq
	return w, true
}

type found func(w way)

func (w way) armor(n int, yield found) {
	if n == 0 {
		yield(w)
		return
	}
	for _, d := range [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		sq, ok := step(w.at, d[0], d[1])
		if !ok || lower(w.pieces[sq]) == 'k' && n > 1 {
			continue
		}
		if next, ok := w.enter(sq); ok {
			next.armor(n-1, yield)
		}
	}
}

func (w way) slide(diagonal int, yield found) {
	for i := diagonal; i < 8; i += 2 {
		now := w
		for {
			sq, ok := step(now.at, compass[i][0], compass[i][1])
			if !ok || now.pieces[sq] != 0 {
				break
			}
			if now, ok = now.enter(sq); !ok {
				break
			}
			yield(now)
		}
	}
}

func (w way) fire(near, far int, yield found) {
	for _, d := range compass {
		for n := near; n <= far; n++ {
			sq, ok := step(w.at, d[0]*n, d[1]*n)
			if ok && w.foe(sq) && lower(w.pieces[sq]) != 'k' {
				next := w
				next.pieces[sq] = 0
				yield(next)
			}
		}
	}
}

func (w way) infantry(yield found) {
	for _, d := range compass {
		if sq, ok := step(w.at, d[0], d[1]); ok {
			if next, ok := w.enter(sq); ok {
				yield(next)
			}
		}
	}
}

// aviation yields all that a queen can do from where it stands, in or out of a
// flight.
func (w way) aviation(yield found) {
	yield(w)
	w.infantry(yield)
	w.armor(3, yield)
	w.slide(1, yield)
	w.fire(1, 2, yield)
}

func (w way) piece(yield found) {
	switch lower(w.pieces[w.at]) {
	case 'p':
		w.infantry(yield)
		ahead, second := 1, 1
		if !w.white {
			ahead, second = -1, 6
		}
		if w.at/8 == second && w.pieces[w.at+8*ahead] == 0 && w.pieces[w.at+16*ahead] == 0 {
			next, _ := w.enter(w.at + 16*ahead)
			yield(next)
		}
	case 'n':
		w.armor(3, yield)
	case 'b':
		w.slide(1, func(moved way) {
			yield(moved)
			moved.fire(1, 2, yield)
		})
		w.fire(1, 2, func(fired way) {
			yield(fired)
			fired.slide(1, yield)
		})
	case 'r':
		w.slide(0, yield)
		w.fire(3, 4, yield)
	case 'q':
		w.flying = true
		w.aviation(yield)
		for sq := range 64 {
			if w.pieces[sq] == 0 {
				if landed, ok := w.enter(sq); ok {
					landed.aviation(yield)
				}
			}
		}
	case 'k':
		w.infantry(yield)
	}
}

// ways yields all ways of all pieces of the side to move.
func (b *slow) ways(yield found) {
	for sq := range 64 {
		if b.own(sq) {
			(way{slow: *b, from: sq, at: sq}).piece(yield)
		}
	}
}

func (b *slow) king(white bool) int {
	letter := byte('k')
	if white {
		letter = 'K'
	}
	return slices.Index(b.pieces[:], letter)
}

// canTake reports whether the side to move can end a move on the enemy king.
func (b *slow) canTake() (taken bool) {
	king := b.king(!b.white)
	b.ways(func(w way) { taken = taken || w.at == king })
	return taken
}

// exposed reports whether the side to move could lose its king next.
func (b slow) exposed() bool {
	b.white = !b.white
	return b.canTake()
}

func squareName(sq int) string { return string([]byte{'a' + byte(sq%8), '1' + byte(sq/8)}) }

// outcomes are the boards after each move, by coordinate text.
func (b *slow) outcomes() map[string]slow {
	all := map[string]slow{}
	b.ways(func(w way) {
		text := squareName(w.from) + squareName(w.at)
		if w.slow == *b {
			return
		}
		kills := ""
		for file := range 8 {
			for rank := range 8 {
				if sq := rank*8 + file; b.foe(sq) && w.pieces[sq] == 0 {
					kills += "x" + squareName(sq)
				}
			}
		}
		piece := w.pieces[w.at]
		if piece == 'P' && w.at >= 56 || piece == 'p' && w.at < 8 {
			for _, letter := range []byte("qrbn") {
				w.pieces[w.at] = letter | piece&0x20
				if isWhite(piece) {
					w.pieces[w.at] = letter &^ 0x20
				}
				all[text+string(letter)] = w.slow
			}
			return
		}
		all[text+kills] = w.slow
	})
	b.castle(all)
	return all
}

func (b *slow) castle(all map[string]slow) {
	home, king, rook := 4, byte('K'), byte('R')
	if !b.white {
		home, king, rook = 60, 'k', 'r'
	}
	if b.pieces[home] != king || b.exposed() {
		return
	}
	for _, side := range [][]int{{home + 1, home + 2, home + 3}, {home - 1, home - 2, home - 3, home - 4}} {
		last := len(side) - 1
		if b.pieces[side[last]] != rook || slices.ContainsFunc(side[:last], func(sq int) bool { return b.pieces[sq] != 0 }) {
			continue
		}
		crossing := *b
		crossing.pieces[home], crossing.pieces[side[0]] = 0, king
		if crossing.exposed() {
			continue
		}
		after := crossing
		after.pieces[side[0]], after.pieces[side[1]], after.pieces[side[last]] = rook, king, 0
		all[squareName(home)+squareName(side[1])] = after
	}
}

// position are the legal moves, whether it is check, and the status.
func (b *slow) position() (moves []string, check bool, status string) {
	if b.king(true) < 0 || b.king(false) < 0 {
		return nil, false, "kingtaken"
	}
	check = b.exposed()
	all := b.outcomes()
	for text, after := range all {
		if after.king(!b.white) < 0 || !after.exposed() {
			moves = append(moves, text)
		}
	}
	fighters := slices.ContainsFunc(b.pieces[:], func(piece byte) bool { return piece != 0 && strings.IndexByte("pnq", lower(piece)) >= 0 })
	status = "ongoing"
	switch {
	case check && len(all) == 0:
		status = "checkmate"
	case !check && !fighters:
		status = "insufficient"
	case check && len(moves) == 0:
		status = "mated"
		for text := range all {
			moves = append(moves, text)
		}
	case len(moves) == 0:
		status = "stalemate"
	}
	slices.Sort(moves)
	return moves, check, status
}

func newSlow(pos *rules.Position) *slow {
	b := &slow{white: pos.Turn() == rules.White}
	for sq, piece := range pos.Board() {
		const letters = "\x00PNBRQK"
		if piece.White != rules.NoRole {
			b.pieces[sq] = letters[piece.White]
		} else if piece.Black != rules.NoRole {
			b.pieces[sq] = letters[piece.Black] | 0x20
		}
	}
	return b
}

// agree compares a position with the slow rulebook.
func agree(t *testing.T, pos *rules.Position) {
	t.Helper()
	moves, check, status := newSlow(pos).position()
	var texts []string
	for _, m := range pos.Moves() {
		texts = append(texts, pos.Variant().Coordinate(m))
	}
	slices.Sort(texts)
	if !slices.Equal(texts, moves) {
		t.Errorf("%s:\n got %v\nwant %v", pos.FEN(), texts, moves)
	}
	if got := pos.Checked() != 0; got != check {
		t.Errorf("%s: check is %v, want %v", pos.FEN(), got, check)
	}
	if got := pos.Status().String(); got != status {
		t.Errorf("%s: status is %s, want %s", pos.FEN(), got, status)
	}
}

func TestRandomGamesAgreeWithTheSlowRulebook(t *testing.T) {
	for seed := range uint64(*seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			pos := position(t, "")
			for ply := 0; ply < 120 && len(pos.Moves()) > 0; ply++ {
				if random.IntN(20) == 0 {
					agree(t, pos)
				}
				moves := pos.Moves()
				pos, _ = pos.Play(moves[random.IntN(len(moves))])
			}
			agree(t, pos)
		})
	}
}

// Few pieces close together meet in more ways than games do.
func TestRandomPositionsAgreeWithTheSlowRulebook(t *testing.T) {
	for seed := range uint64(*seeds) * 20 {
		random := rand.New(rand.NewPCG(seed, 2))
		agree(t, position(t, melee(random)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// melee is the FEN of a random position, most of it in one corner of the board.
func melee(random *rand.Rand) string {
	var pieces [8][8]byte
	size := 4 + random.IntN(5)
	place := func(letters string) {
		letter := letters[random.IntN(len(letters))]
		for {
			file, rank := random.IntN(size), random.IntN(size)
			if rank == 7 && letter == 'P' || rank == 0 && letter == 'p' || pieces[rank][file] != 0 {
				continue
			}
			pieces[rank][file] = letter
			return
		}
	}
	place("K")
	place("k")
	for range 2 + random.IntN(size*size/2) {
		place("PPNNBRQppnnbrq")
	}
	if random.IntN(4) == 0 { // ready to castle, often
		pieces[0] = [8]byte{'R', 0, 0, 0, 0, 0, 0, 'R'}
		for rank := range pieces {
			for file, piece := range pieces[rank] {
				if piece == 'K' {
					pieces[rank][file] = 0
				}
			}
		}
		pieces[0][4] = 'K'
		if !slices.ContainsFunc(pieces[:], func(rank [8]byte) bool { return slices.Contains(rank[:], 'k') }) {
			pieces[7][random.IntN(8)] = 'k'
		}
	}
	var fen strings.Builder
	for rank := 7; rank >= 0; rank-- {
		for _, piece := range pieces[rank] {
			if piece == 0 {
				piece = '1'
			}
			fen.WriteByte(piece)
		}
		if rank > 0 {
			fen.WriteByte('/')
		}
	}
	return fen.String() + " " + string("wb"[random.IntN(2)]) + " - - 0 1"
}
