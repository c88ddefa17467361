package combination_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// slow is the game written down once more as plainly as can be, to compare with: a
// letter for each square as in a FEN, 0 where it is empty, and every move played to
// see whether it is legal.
type slow struct {
	pieces     [64]byte // by 7*rank + file
	white      bool
	half, full int
}

type slowMove struct{ from, to int }

func slowName(sq int) string { return fmt.Sprintf("%c%d", 'a'+sq%7, 1+sq/7) }

func (m slowMove) String() string { return slowName(m.from) + slowName(m.to) }

// exists: "39 squares".
func exists(file, rank int) bool {
	switch rank {
	case 0, 8:
		return file == 3
	case 4:
		return file >= 0 && file < 7
	case 1, 2, 3, 5, 6, 7:
		return file >= 1 && file < 6
	}
	return false
}

// hop is the square so far from another, -1 if there is none.
func hop(sq, files, ranks int) int {
	if file, rank := sq%7+files, sq/7+ranks; exists(file, rank) {
		return rank*7 + file
	}
	return -1
}

func readSlow(fen string) *slow {
	fields := strings.Fields(fen)
	p := &slow{white: fields[1] == "w"}
	for i, text := range strings.Split(fields[0], "/") {
		sq := 7 * (8 - i)
		for _, c := range []byte(text) {
			switch {
			case c >= '1' && c <= '7':
				sq += int(c - '0')
			case c == '*':
				sq++
			default:
				p.pieces[sq] = c
				sq++
			}
		}
	}
	p.half, _ = strconv.Atoi(fields[4])
	p.full, _ = strconv.Atoi(fields[5])
	return p
}

func (p *slow) fen() string {
	var b strings.Builder
	for rank := 8; rank >= 0; rank-- {
		empty := 0
		for file := 0; file <= 7; file++ {
			free := file < 7 && exists(file, rank) && p.pieces[7*rank+file] == 0
			switch {
			case free:
				empty++
				continue
			case empty > 0:
				b.WriteString(strconv.Itoa(empty))
				empty = 0
			}
			switch {
			case file == 7 && rank > 0:
				b.WriteByte('/')
			case file == 7:
			case !exists(file, rank):
				b.WriteByte('*')
			default:
				b.WriteByte(p.pieces[7*rank+file])
			}
		}
	}
	side := "b"
	if p.white {
		side = "w"
	}
	return fmt.Sprintf("%s %s - - %d %d", b.String(), side, p.half, p.full)
}

func isWhite(piece byte) bool { return piece >= 'A' && piece <= 'Z' }

func kind(piece byte) byte { return byte(unicode.ToUpper(rune(piece))) }

// is reports whether a piece of that kind and side stands there.
func (p *slow) is(sq int, letter byte, white bool) bool {
	return sq >= 0 && p.pieces[sq] != 0 && kind(p.pieces[sq]) == letter && isWhite(p.pieces[sq]) == white
}

func (p *slow) beside(sq int, letter byte, white bool) bool {
	for files := -1; files <= 1; files++ {
		for ranks := -1; ranks <= 1; ranks++ {
			if (files != 0 || ranks != 0) && p.is(hop(sq, files, ranks), letter, white) {
				return true
			}
		}
	}
	return false
}

// lends reports whether sq is in the zone of the piece on from.
func (p *slow) lends(from, sq int) bool {
	white := isWhite(p.pieces[from])
	files, ranks := sq%7-from%7, sq/7-from/7
	dist := files*files + ranks*ranks // 1 straight, 2 diagonally, 4 two straight
	next := dist == 1 || dist == 2
	var zone bool
	switch kind(p.pieces[from]) {
	case 'A', 'I':
		return next
	case 'B':
		zone = dist == 1
	case 'R':
		zone = dist == 2
	case 'N':
		zone = dist == 4
	default:
		return false
	}
	if p.beside(from, 'I', !white) {
		return false
	}
	return zone || next && p.beside(from, 'A', white)
}

// abilities are the kinds of pieces as which the piece on sq goes, itself first.
func (p *slow) abilities(sq int) []byte {
	all := []byte{kind(p.pieces[sq])}
	for from, piece := range p.pieces {
		if piece != 0 && from != sq && isWhite(piece) == isWhite(p.pieces[sq]) && p.lends(from, sq) {
			all = append(all, kind(piece))
		}
	}
	return all
}

// goes are the squares that the piece on from reaches as a piece of that kind, friends'
// ones too. A line goes on only over empty squares that free allows.
func (p *slow) goes(from int, as byte, free func(sq int) bool) []int {
	var all []int
	line := func(files, ranks int) {
		for sq := hop(from, files, ranks); sq >= 0; sq = hop(sq, files, ranks) {
			all = append(all, sq)
			if p.pieces[sq] != 0 || !free(sq) {
				return
			}
		}
	}
	leap := func(files, ranks int) {
		if sq := hop(from, files, ranks); sq >= 0 {
			all = append(all, sq)
		}
	}
	for _, d := range [][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		switch as {
		case 'R':
			line(d[0], d[1])
		case 'B':
			line(d[0]+d[1], d[1]-d[0])
		case 'N':
			leap(2*d[0]+d[1], 2*d[1]-d[0])
			leap(2*d[0]-d[1], 2*d[1]+d[0])
		case 'A', 'I':
			leap(2*d[0], 2*d[1])
		case 'K':
			leap(d[0], d[1])
			leap(d[0]+d[1], d[1]-d[0])
		}
	}
	if as == 'P' {
		up := -1
		if isWhite(p.pieces[from]) {
			up = 1
		}
		if sq := hop(from, 0, up); sq >= 0 && p.pieces[sq] == 0 {
			all = append(all, sq)
		}
		for _, side := range []int{-1, 1} {
			if sq := hop(from, side, up); sq >= 0 && p.pieces[sq] != 0 {
				all = append(all, sq)
			}
		}
	}
	return all
}

func anywhere(int) bool { return true }

// attacked reports whether a piece of that side could capture the piece on sq.
func (p *slow) attacked(sq int, white bool) bool {
	for from, piece := range p.pieces {
		if piece == 0 || isWhite(piece) != white {
			continue
		}
		for _, as := range p.abilities(from) {
			if slices.Contains(p.goes(from, as, anywhere), sq) {
				return true
			}
		}
	}
	return false
}

func (p *slow) king(white bool) int {
	for sq := range p.pieces {
		if p.is(sq, 'K', white) {
			return sq
		}
	}
	return -1
}

func (p *slow) inCheck(white bool) bool {
	return p.king(white) >= 0 && p.king(!white) >= 0 && p.attacked(p.king(white), !white)
}

// crossable reports whether the mover's king would not be in check on an empty square.
func (p *slow) crossable(sq int) bool {
	q := *p
	king := p.king(p.white)
	q.pieces[sq], q.pieces[king] = p.pieces[king], 0
	return !q.attacked(sq, !p.white)
}

// moves are the legal moves and what they lead to.
func (p *slow) moves() map[string]*slow {
	legal := map[string]*slow{}
	if p.king(true) < 0 || p.king(false) < 0 {
		return legal
	}
	for from, piece := range p.pieces {
		if piece == 0 || isWhite(piece) != p.white {
			continue
		}
		free := anywhere
		if kind(piece) == 'K' {
			free = p.crossable
		}
		for _, as := range p.abilities(from) {
			for _, to := range p.goes(from, as, free) {
				if p.pieces[to] != 0 && isWhite(p.pieces[to]) == p.white {
					continue
				}
				m := slowMove{from, to}
				if next := p.play(m); next.king(p.white) >= 0 && !next.inCheck(p.white) {
					legal[m.String()] = next
				}
			}
		}
	}
	return legal
}

func (p *slow) play(m slowMove) *slow {
	next := *p
	next.white = !p.white
	next.half++
	if !p.white {
		next.full++
	}
	if p.pieces[m.to] != 0 || kind(p.pieces[m.from]) == 'P' {
		next.half = 0
	}
	next.pieces[m.to], next.pieces[m.from] = p.pieces[m.from], 0
	var dead [64]bool
	for _, pair := range next.pairs() {
		next.half = 0
		for _, sq := range pair {
			for files := -1; files <= 1; files++ {
				for ranks := -1; ranks <= 1; ranks++ {
					if other := hop(sq, files, ranks); other >= 0 {
						dead[other] = true
					}
				}
			}
		}
	}
	for sq := range dead {
		if dead[sq] {
			next.pieces[sq] = 0
		}
	}
	return &next
}

// pairs are the amplifiers and isolators of different sides that stand side by side.
func (p *slow) pairs() [][2]int {
	var all [][2]int
	for a := range p.pieces {
		for b := range p.pieces {
			files, ranks := a%7-b%7, a/7-b/7
			white := isWhite(p.pieces[a])
			if files*files+ranks*ranks <= 2 && p.is(a, 'A', white) && p.is(b, 'I', !white) {
				all = append(all, [2]int{a, b})
			}
		}
	}
	return all
}

func (p *slow) status(moves int) string {
	count := 0
	for _, piece := range p.pieces {
		if piece != 0 {
			count++
		}
	}
	switch {
	case p.king(true) < 0 || p.king(false) < 0:
		return "kingtaken"
	case moves == 0 && p.inCheck(p.white):
		return "checkmate"
	case count == 2:
		return "insufficient"
	case moves == 0:
		return "stalemate"
	}
	return "ongoing"
}

// valid reports whether the pieces may stand so.
func (p *slow) valid() bool {
	kings := map[byte]int{}
	for _, piece := range p.pieces {
		kings[piece]++
	}
	return kings['K'] < 2 && kings['k'] < 2 && len(p.pairs()) == 0 && !p.inCheck(!p.white)
}

// warned reports whether the opponent, were it to move, could annihilate the mover's
// king and keep its own.
func (p *slow) warned() bool {
	if p.king(true) < 0 || p.king(false) < 0 {
		return false
	}
	for from, piece := range p.pieces {
		if piece == 0 || isWhite(piece) == p.white || kind(piece) != 'A' && kind(piece) != 'I' {
			continue
		}
		for _, as := range p.abilities(from) {
			for _, to := range p.goes(from, as, anywhere) {
				next := p.play(slowMove{from, to})
				takesOwn := p.pieces[to] != 0 && isWhite(p.pieces[to]) != p.white
				if to != p.king(p.white) && !takesOwn && next.king(p.white) < 0 && next.king(!p.white) >= 0 {
					return true
				}
			}
		}
	}
	return false
}
