package knightmare_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// slow is the game once more, on a plain board of letters, one square at a time:
// White's letter, Black's letter, 0 for none. It shares no code with the package
// that it checks, is in no hurry, and does what the rules say in their order.
type slow struct {
	pieces     [64][2]byte // capital letters, by side
	turn       int         // 0 White, 1 Black
	castling   string
	enPassant  int // -1 for none
	half, full int
	frozen     int // -1 for none
}

type slowMove struct {
	from, to int
	becomes  byte
}

func squareName(sq int) string {
	if sq < 0 {
		return "-"
	}
	return string([]byte{'a' + byte(sq%8), '1' + byte(sq/8)})
}

func squareOf(name string) int {
	if name == "-" {
		return -1
	}
	return int(name[1]-'1')*8 + int(name[0]-'a')
}

func (m slowMove) String() string {
	text := squareName(m.from) + squareName(m.to)
	if m.becomes != 0 {
		text += strings.ToLower(string(m.becomes))
	}
	return text
}

// readSlow reads a FEN that is known to be well formed.
func readSlow(fen string) *slow {
	f := strings.Fields(fen)
	p := &slow{castling: f[2], enPassant: squareOf(f[3]), frozen: squareOf(f[6])}
	p.turn = strings.Index("wb", f[1])
	p.half, _ = strconv.Atoi(f[4])
	p.full, _ = strconv.Atoi(f[5])
	for i, rank := range strings.Split(f[0], "/") {
		sq, bracket := (7-i)*8, false
		for _, c := range []byte(rank) {
			switch {
			case c == '[':
				bracket = true
			case c == ']':
				bracket = false
				sq++
			case c >= '1' && c <= '8':
				sq += int(c - '0')
			default:
				side := 0
				if c >= 'a' {
					side, c = 1, c-'a'+'A'
				}
				p.pieces[sq][side] = c
				if !bracket {
					sq++
				}
			}
		}
	}
	return p
}

func (p *slow) fen() string {
	var ranks []string
	for rank := 7; rank >= 0; rank-- {
		text := ""
		for file := range 8 {
			w, b := p.pieces[rank*8+file][0], p.pieces[rank*8+file][1]
			switch {
			case w != 0 && b != 0:
				text += "[" + string(w) + strings.ToLower(string(b)) + "]"
			case w != 0:
				text += string(w)
			case b != 0:
				text += strings.ToLower(string(b))
			default:
				text += "1"
			}
		}
		for n := 8; n > 1; n-- {
			text = strings.ReplaceAll(text, strings.Repeat("1", n), strconv.Itoa(n))
		}
		ranks = append(ranks, text)
	}
	return fmt.Sprintf("%s %c %s %s %d %d %s", strings.Join(ranks, "/"), "wb"[p.turn], p.castling,
		squareName(p.enPassant), p.half, p.full, squareName(p.frozen))
}

func (p *slow) empty(sq int) bool  { return p.pieces[sq] == [2]byte{} }
func (p *slow) shared(sq int) bool { return p.pieces[sq][0] != 0 && p.pieces[sq][1] != 0 }

// single is the letter of the side's piece on sq that is no part of a knightmare.
func (p *slow) single(sq, side int) byte {
	if p.shared(sq) {
		return 0
	}
	return p.pieces[sq][side]
}

func step(sq, files, ranks int) int {
	file, rank := sq%8+files, sq/8+ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return -1
	}
	return rank*8 + file
}

var (
	straight = [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	slanted  = [][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	leaps    = [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// captures are the squares that a piece of that letter and side attacks.
func (p *slow) captures(sq int, piece byte, side int) []int {
	var found []int
	once := func(ways [][2]int) {
		for _, w := range ways {
			if to := step(sq, w[0], w[1]); to >= 0 {
				found = append(found, to)
			}
		}
	}
	slide := func(ways [][2]int) {
		for _, w := range ways {
			for to := step(sq, w[0], w[1]); to >= 0; to = step(to, w[0], w[1]) {
				found = append(found, to)
				if !p.empty(to) {
					break
				}
			}
		}
	}
	switch piece {
	case 'P':
		up := 1 - 2*side
		once([][2]int{{-1, up}, {1, up}})
	case 'N':
		once(leaps)
	case 'K':
		once(straight)
		once(slanted)
	case 'B':
		slide(slanted)
	case 'R':
		slide(straight)
	case 'Q':
		slide(straight)
		slide(slanted)
	}
	return found
}

// attacked: a piece of the side, or its part of a knightmare, frozen or not, could
// capture on sq.
func (p *slow) attacked(sq, by int) bool {
	for from := range p.pieces {
		if slices.Contains(p.captures(from, p.pieces[from][by], by), sq) {
			return true
		}
	}
	return false
}

func (p *slow) king(side int) int {
	for sq := range p.pieces {
		if p.pieces[sq][side] == 'K' {
			return sq
		}
	}
	return -1
}

func (p *slow) inCheck(side int) bool { return p.attacked(p.king(side), 1-side) }

func (p *slow) moves() map[string]*slow {
	legal := map[string]*slow{}
	for _, m := range p.tries() {
		if next := p.play(m); !next.inCheck(p.turn) {
			legal[m.String()] = next
		}
	}
	return legal
}

// tries are the moves but for the safety of the mover's king.
func (p *slow) tries() []slowMove {
	var tries []slowMove
	us := p.turn
	for from := range p.pieces {
		piece := p.pieces[from][us]
		switch {
		case piece == 0 || from == p.frozen:
		case piece == 'P':
			tries = append(tries, p.pawnTries(from)...)
		default:
			for _, to := range p.captures(from, piece, us) {
				if p.single(to, us) == 0 {
					tries = append(tries, slowMove{from: from, to: to})
				}
			}
		}
	}
	return append(tries, p.castlings()...)
}

func (p *slow) pawnTries(from int) []slowMove {
	var targets []int
	up := 1 - 2*p.turn
	if one := step(from, 0, up); p.empty(one) {
		targets = append(targets, one)
		if two := step(one, 0, up); from/8 == 1+5*p.turn && p.empty(two) {
			targets = append(targets, two)
		}
	}
	for _, to := range p.captures(from, 'P', p.turn) {
		if p.pieces[to][1-p.turn] != 0 || to == p.enPassant {
			targets = append(targets, to)
		}
	}
	var tries []slowMove
	for _, to := range targets {
		if to/8 != 7*(1-p.turn) {
			tries = append(tries, slowMove{from: from, to: to})
			continue
		}
		for _, becomes := range []byte("QRBN") {
			tries = append(tries, slowMove{from, to, becomes})
		}
	}
	return tries
}

func (p *slow) castlings() []slowMove {
	var tries []slowMove
	e := 4 + 56*p.turn
	for _, c := range []struct {
		letter      byte
		empty, safe []int
		to          int
	}{
		{"Kk"[p.turn], []int{e + 1, e + 2}, []int{e, e + 1, e + 2}, e + 2},
		{"Qq"[p.turn], []int{e - 1, e - 2, e - 3}, []int{e, e - 1, e - 2}, e - 2},
	} {
		held := func(sq int) bool { return !p.empty(sq) }
		unsafe := func(sq int) bool { return p.attacked(sq, 1-p.turn) }
		if strings.IndexByte(p.castling, c.letter) >= 0 && !slices.ContainsFunc(c.empty, held) && !slices.ContainsFunc(c.safe, unsafe) {
			tries = append(tries, slowMove{from: e, to: c.to})
		}
	}
	return tries
}

func regular(piece byte) bool { return piece != 0 && strings.IndexByte("NBRQ", piece) >= 0 }

func (p *slow) play(m slowMove) *slow {
	next := *p
	us, them := p.turn, 1-p.turn
	piece := p.pieces[m.from][us]
	next.turn, next.half, next.full = them, p.half+1, p.full+us
	next.enPassant, next.frozen = -1, -1
	if piece == 'P' || !p.empty(m.to) {
		next.half = 0
	}
	switch {
	case p.shared(m.from): // it removes what it captures
		next.pieces[m.to] = p.pieces[m.from]
		next.frozen = m.to
	case regular(piece) && regular(p.single(m.to, them)): // a birth
		next.pieces[m.to][us] = piece
		next.frozen = m.to
	default:
		next.pieces[m.to] = [2]byte{}
		next.pieces[m.to][us] = piece
	}
	next.pieces[m.from] = [2]byte{}
	if m.becomes != 0 {
		next.pieces[m.to][us] = m.becomes
	}
	if piece == 'P' && m.to == p.enPassant {
		next.pieces[m.from/8*8+m.to%8] = [2]byte{}
	}
	if piece == 'P' && (m.to-m.from == 16 || m.from-m.to == 16) {
		for _, file := range []int{-1, 1} {
			if beside := step(m.to, file, 0); beside >= 0 && p.pieces[beside][them] == 'P' {
				next.enPassant = (m.from + m.to) / 2
			}
		}
	}
	if piece == 'K' && m.to-m.from == 2 {
		next.pieces[m.to-1], next.pieces[m.to+1] = next.pieces[m.to+1], [2]byte{}
	}
	if piece == 'K' && m.from-m.to == 2 {
		next.pieces[m.to+1], next.pieces[m.to-2] = next.pieces[m.to-2], [2]byte{}
	}
	next.loseRights(m)
	return &next
}

// loseRights: a move from or to the square of a king or rook ends what it had.
func (p *slow) loseRights(m slowMove) {
	for _, sq := range []int{m.from, m.to} {
		for _, lost := range map[int]string{0: "Q", 4: "KQ", 7: "K", 56: "q", 60: "kq", 63: "k"}[sq] {
			p.castling = strings.ReplaceAll(p.castling, string(lost), "")
		}
	}
	if p.castling == "" {
		p.castling = "-"
	}
}

func (p *slow) status(moves int) string {
	var pieces []byte
	for sq := range p.pieces {
		if !p.empty(sq) {
			pieces = append(pieces, max(p.pieces[sq][0], p.pieces[sq][1]))
			if p.shared(sq) {
				pieces = append(pieces, 'x', 'x')
			}
		}
	}
	light := slices.ContainsFunc(pieces, func(c byte) bool { return c == 'N' || c == 'B' })
	switch {
	case moves == 0 && p.inCheck(p.turn):
		return "checkmate"
	case len(pieces) == 2 || len(pieces) == 3 && light:
		return "insufficient"
	case moves == 0:
		return "stalemate"
	}
	return "ongoing"
}

// valid reports whether the pieces may stand so, whatever came before.
func (p *slow) valid() bool {
	for side := range 2 {
		kings := 0
		for sq := range p.pieces {
			piece := p.pieces[sq][side]
			if piece == 'K' {
				kings++
			}
			if piece == 'P' && (sq < 8 || sq > 55) || p.shared(sq) && !regular(piece) {
				return false
			}
		}
		if kings != 1 {
			return false
		}
	}
	for _, letter := range strings.TrimPrefix(p.castling, "-") {
		c := map[rune][3]int{'K': {4, 7, 0}, 'Q': {4, 0, 0}, 'k': {60, 63, 1}, 'q': {60, 56, 1}}[letter]
		if p.single(c[0], c[2]) != 'K' || p.single(c[1], c[2]) != 'R' {
			return false
		}
	}
	return (p.frozen < 0 || p.shared(p.frozen)) && p.enPassantFits() && !p.inCheck(1-p.turn)
}

// enPassantFits: the pawn in front of the square, it and the pawn's home empty.
func (p *slow) enPassantFits() bool {
	if p.enPassant < 0 {
		return true
	}
	them := 1 - p.turn
	up := 1 - 2*them
	return p.enPassant/8 == 2+3*them && p.empty(p.enPassant) && p.empty(step(p.enPassant, 0, -up)) &&
		p.pieces[step(p.enPassant, 0, up)][them] == 'P'
}

// settle takes back an en-passant square at which no pawn stands ready.
func (p *slow) settle() {
	if p.enPassant < 0 {
		return
	}
	for _, from := range p.captures(p.enPassant, 'P', 1-p.turn) {
		if p.pieces[from][p.turn] == 'P' {
			return
		}
	}
	p.enPassant = -1
}
