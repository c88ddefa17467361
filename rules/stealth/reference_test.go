package stealth_test

import (
	"fmt"
	"slices"
	"strings"
)

// reference is the game once more, written for plainness alone: codes on a board of
// 64 squares, walks step by step, and every move tried out. It shares no code with
// the package, and is what random games are compared with.
type reference struct {
	pieces   [64]string // capital letters for White, small for Black, "" for nobody
	white    bool       // to move
	castling string
	skipped  int // the square a pawn has just skipped, -1 for none
	half     int
	full     int
}

// refMove is a move with all that it captures; over is empty but for a run.
type refMove struct {
	from, to int
	over     []int
	role     string
	castle   bool
}

func refName(sq int) string { return string([]byte{'a' + byte(sq%8), '1' + byte(sq/8)}) }

func refSquare(name string) int { return int(name[0]-'a') + 8*int(name[1]-'1') }

func (m refMove) text() string {
	var over []string
	for _, sq := range m.over {
		over = append(over, "x"+refName(sq))
	}
	slices.Sort(over)
	return refName(m.from) + refName(m.to) + m.role + strings.Join(over, "")
}

func readReference(fen string) *reference {
	fields := strings.Fields(fen)
	r := &reference{white: fields[1] == "w", castling: fields[2], skipped: -1}
	if fields[3] != "-" {
		r.skipped = refSquare(fields[3])
	}
	_, _ = fmt.Sscan(fields[4]+" "+fields[5], &r.half, &r.full)
	for i, row := range strings.Split(fields[0], "/") {
		file := 0
		for row != "" {
			switch {
			case row[0] >= '1' && row[0] <= '8':
				file += int(row[0] - '0')
				row = row[1:]
			case row[0] == '[':
				code, rest, _ := strings.Cut(row[1:], "]")
				r.pieces[(7-i)*8+file] = code
				file, row = file+1, rest
			default:
				r.pieces[(7-i)*8+file] = row[:1]
				file, row = file+1, row[1:]
			}
		}
	}
	return r
}

func (r *reference) fen() string {
	var rows []string
	for rank := 7; rank >= 0; rank-- {
		row := ""
		for file := range 8 {
			code := r.pieces[rank*8+file]
			switch {
			case code == "":
				row += "."
			case len(code) > 1 || strings.Contains("WFGwfg", code):
				row += "[" + code + "]"
			default:
				row += code
			}
		}
		for n := 8; n > 0; n-- {
			row = strings.ReplaceAll(row, strings.Repeat(".", n), fmt.Sprint(n))
		}
		rows = append(rows, row)
	}
	skipped := "-"
	if r.skipped >= 0 {
		skipped = refName(r.skipped)
	}
	side := "b"
	if r.white {
		side = "w"
	}
	return fmt.Sprintf("%s %s %s %s %d %d", strings.Join(rows, "/"), side, r.castling, skipped, r.half, r.full)
}

func isWhite(code string) bool { return code == strings.ToUpper(code) }

func (r *reference) owns(white bool, sq int) bool {
	return r.pieces[sq] != "" && isWhite(r.pieces[sq]) == white
}

// level counts a letter, Q standing for R and B.
func level(code string, letter string) int {
	code = strings.ReplaceAll(strings.ToUpper(code), "Q", "RB")
	return strings.Count(code, letter)
}

func stepFrom(sq, files, ranks int) int {
	file, rank := sq%8+files, sq/8+ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return -1
	}
	return rank*8 + file
}

var (
	straight = [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	slanting = [][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

// pseudo are all moves of a side but castling, whatever comes of its king.
func (r *reference) pseudo(white bool) []refMove {
	var moves []refMove
	for sq, code := range r.pieces {
		if !r.owns(white, sq) {
			continue
		}
		switch strings.ToUpper(code) {
		case "P":
			moves = append(moves, r.pawn(sq, white)...)
		case "C":
			moves = append(moves, r.captain(sq, white)...)
		case "K":
			moves = append(moves, r.leaps(sq, white, append(slices.Clone(straight), slanting...))...)
		default:
			moves = append(moves, r.piece(sq, white)...)
		}
	}
	return moves
}

func (r *reference) leaps(sq int, white bool, steps [][2]int) []refMove {
	var moves []refMove
	for _, d := range steps {
		if to := stepFrom(sq, d[0], d[1]); to >= 0 && !r.owns(white, to) {
			moves = append(moves, refMove{from: sq, to: to})
		}
	}
	return moves
}

func (r *reference) captain(sq int, white bool) []refMove {
	quiet := slices.DeleteFunc(r.leaps(sq, white, straight), func(m refMove) bool { return r.pieces[m.to] != "" })
	return append(quiet, slices.DeleteFunc(r.leaps(sq, white, slanting), func(m refMove) bool { return r.pieces[m.to] == "" })...)
}

func (r *reference) pawn(sq int, white bool) []refMove {
	up, home := 1, 1
	if !white {
		up, home = -1, 6
	}
	var moves []refMove
	if one := stepFrom(sq, 0, up); r.pieces[one] == "" {
		role := ""
		if one/8 == 0 || one/8 == 7 {
			role = string("rnbqpbnr"[one%8])
		}
		moves = append(moves, refMove{from: sq, to: one, role: role})
		if sq/8 == home && r.pieces[stepFrom(one, 0, up)] == "" {
			moves = append(moves, refMove{from: sq, to: stepFrom(one, 0, up)})
		}
	}
	for _, side := range []int{-1, 1} {
		to := stepFrom(sq, side, up)
		if to >= 0 && (r.owns(!white, to) || to == r.skipped && r.white == white) {
			moves = append(moves, refMove{from: sq, to: to})
		}
	}
	return moves
}

func (r *reference) piece(sq int, white bool) []refMove {
	code := r.pieces[sq]
	var moves []refMove
	for _, d := range straight {
		moves = append(moves, r.line(sq, white, d, level(code, "R"))...)
	}
	for _, d := range slanting {
		moves = append(moves, r.line(sq, white, d, level(code, "B"))...)
	}
	if level(code, "N") > 0 {
		moves = append(moves, r.leaps(sq, white, [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})...)
	}
	if level(code, "W") > 0 {
		moves = append(moves, r.leaps(sq, white, straight)...)
	}
	if level(code, "F") > 0 {
		moves = append(moves, r.leaps(sq, white, slanting)...)
	}
	if level(code, "G") > 0 {
		moves = append(moves, r.flight(sq, white)...)
	}
	return moves
}

func (r *reference) line(sq int, white bool, d [2]int, level int) []refMove {
	var moves []refMove
	var passed, enemies []int
	for to := stepFrom(sq, d[0], d[1]); to >= 0 && level > 0; to = stepFrom(to, d[0], d[1]) {
		if !r.owns(white, to) {
			if len(passed) < level && len(passed) < 2 {
				moves = append(moves, refMove{from: sq, to: to})
			}
			if level == 3 {
				moves = append(moves, refMove{from: sq, to: to, over: slices.Clone(enemies)})
			}
		}
		if r.pieces[to] != "" {
			passed = append(passed, to)
		}
		if r.owns(!white, to) {
			enemies = append(enemies, to)
		}
	}
	return moves
}

// flight: the first step, then on in the directions that lie to either side of it.
func (r *reference) flight(sq int, white bool) []refMove {
	var moves []refMove
	for files := -1; files <= 1; files++ {
		for ranks := -1; ranks <= 1; ranks++ {
			first := stepFrom(sq, files, ranks)
			if first < 0 || files == 0 && ranks == 0 {
				continue
			}
			outward := [][2]int{{files, 0}, {0, ranks}} // of a slanting first step
			switch {
			case files == 0:
				outward = [][2]int{{-1, ranks}, {1, ranks}}
			case ranks == 0:
				outward = [][2]int{{files, -1}, {files, 1}}
			}
			for _, d := range outward {
				for to := first; to >= 0; to = stepFrom(to, d[0], d[1]) {
					if !r.owns(white, to) {
						moves = append(moves, refMove{from: sq, to: to})
					}
				}
			}
		}
	}
	return moves
}

// checked reports whether a side's king could be captured.
func (r *reference) checked(white bool) bool {
	return slices.ContainsFunc(r.pseudo(!white), func(m refMove) bool {
		return strings.EqualFold(r.pieces[m.to], "K") && r.owns(white, m.to)
	})
}

// legal are the moves by their coordinate texts.
func (r *reference) legal() map[string]refMove {
	moves := map[string]refMove{}
	for _, m := range append(r.pseudo(r.white), r.castles()...) {
		if !r.play(m).checked(r.white) {
			moves[m.text()] = m
		}
	}
	return moves
}

func (r *reference) castles() []refMove {
	var moves []refMove
	for i, letter := range "KQkq" {
		if !strings.ContainsRune(r.castling, letter) || (i < 2) != r.white || r.checked(r.white) {
			continue
		}
		king := 4 + 56*(i/2)
		rook, way := king+3, 1
		if i%2 == 1 {
			rook, way = king-4, -1
		}
		free := true
		for sq := king + way; sq != rook; sq += way {
			free = free && r.pieces[sq] == ""
		}
		crossing := *r
		crossing.pieces[king+way], crossing.pieces[king] = r.pieces[king], ""
		if free && !crossing.checked(r.white) {
			moves = append(moves, refMove{from: king, to: king + 2*way, castle: true})
		}
	}
	return moves
}

// play is the position after a move.
func (r *reference) play(m refMove) *reference {
	n := *r
	n.skipped, n.half, n.white = -1, r.half+1, !r.white
	if !r.white {
		n.full++
	}
	piece := r.pieces[m.from]
	pawn := strings.EqualFold(piece, "P")
	if pawn {
		n.half = 0
	}
	n.pieces[m.from] = ""
	prey := append(slices.Clone(m.over), m.to)
	if pawn && m.to == r.skipped {
		prey = []int{m.from/8*8 + m.to%8}
	}
	for _, sq := range prey {
		if r.pieces[sq] != "" {
			n.half = 0
			piece = eats(piece, r.pieces[sq])
			n.pieces[sq] = ""
		}
	}
	if m.role != "" {
		piece = strings.ReplaceAll(m.role, "p", "wf")
		if r.white {
			piece = strings.ToUpper(piece)
		}
	}
	n.pieces[m.to] = piece
	if m.castle {
		from, to := m.to+1, m.to-1
		if m.to < m.from {
			from, to = m.to-2, m.to+1
		}
		n.pieces[to], n.pieces[from] = n.pieces[from], ""
	}
	n.castling = ""
	for i, letter := range "KQkq" {
		king := 4 + 56*(i/2)
		rook := king + 3 - 7*(i%2)
		touched := append([]int{m.from, m.to}, m.over...)
		if strings.ContainsRune(r.castling, letter) && !slices.Contains(touched, king) && !slices.Contains(touched, rook) {
			n.castling += string(letter)
		}
	}
	if n.castling == "" {
		n.castling = "-"
	}
	if pawn && (m.to-m.from == 16 || m.from-m.to == 16) {
		for _, side := range []int{-1, 1} {
			ready := stepFrom(m.to, side, 0)
			if ready >= 0 && strings.EqualFold(n.pieces[ready], "P") && isWhite(n.pieces[ready]) == n.white {
				n.skipped = (m.from + m.to) / 2
			}
		}
	}
	return &n
}

// eats is what a piece becomes by capturing another, by the four steps of the rule on
// sets of letters.
func eats(captor, prey string) string {
	x, y := strings.ToUpper(captor), strings.ToUpper(prey)
	becomes := x
	small := x == "P" || x == "C"
	switch {
	case x == "K":
	case small && (y == "P" || y == "C"):
		becomes = "C"
	case small:
		becomes = y
	case y == "P" || y == "C":
	case x == y:
		becomes = doubled(x)
	case covers(y, x):
		becomes = y
	case covers(x, y):
	default:
		becomes = codeOf(func(letter string) int { return max(level(x, letter), level(y, letter)) })
	}
	if captor != x {
		return strings.ToLower(becomes)
	}
	return becomes
}

func doubled(x string) string {
	switch x {
	case "N", "WF":
		return "NWF"
	case "NWF":
		return "G"
	}
	return codeOf(func(letter string) int {
		n := level(x, letter)
		if strings.Contains("RB", letter) && n > 0 {
			return min(n+1, 3)
		}
		return n
	})
}

// writtenOut is the level of a letter, with what others imply.
func writtenOut(code, letter string) int {
	n := level(code, letter)
	implied := letter == "W" && level(code, "R")+level(code, "G") > 0 ||
		letter == "F" && level(code, "B")+level(code, "G") > 0 ||
		letter == "N" && level(code, "G") > 0
	if implied {
		return 1
	}
	return n
}

func covers(x, y string) bool {
	for _, letter := range []string{"R", "B", "N", "W", "F", "G"} {
		if writtenOut(x, letter) < writtenOut(y, letter) {
			return false
		}
	}
	return true
}

// codeOf is the code of levels, without what they imply.
func codeOf(of func(letter string) int) string {
	rook, bishop, flies := of("R"), of("B"), of("G") > 0
	code := strings.Repeat("R", rook) + strings.Repeat("B", bishop)
	if rook == bishop {
		code = strings.Repeat("Q", rook)
	}
	if of("N") > 0 && !flies {
		code += "N"
	}
	if of("W") > 0 && !flies && rook == 0 {
		code += "W"
	}
	if of("F") > 0 && !flies && bishop == 0 {
		code += "F"
	}
	if flies {
		code += "G"
	}
	return code
}
