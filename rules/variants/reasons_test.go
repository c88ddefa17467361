package variants_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/phrase"
)

// reasonsAreTrue writes illegal texts in the positions of random games of v until enough are
// refused with a reason, and checks what each refusal claims against the board and the
// moves of positions made from it: that the piece named stands there, that the blocker
// blocks, that the checker checks, that a move suggested is legal. All choices come
// from the seed, which a failure names.
func reasonsAreTrue(t *testing.T, v *rules.Variant, seed uint64, texts int) {
	t.Helper()
	const each = 40 // texts in a position
	reasons := map[rules.Reason]int{}
	places, all := piecesOn(v), claims()
	faults := 0
	for n, game := 0, seed; n < texts && faults < 20; game++ {
		pos := rulestest.RandomPosition(t, v, game)
		if len(pos.Moves()) == 0 {
			continue
		}
		scribe := &scribe{pos, rand.New(rand.NewPCG(game, 2)), nil}
		scribe.check()
		pos = scribe.pos
		for range each {
			text, formed := scribe.write()
			_, err := pos.Parse(text)
			var no *rules.Illegal
			if err == nil {
				continue
			}
			if !errors.As(err, &no) {
				t.Fatalf("%q is refused with %v", text, err)
			}
			if no.Reason == rules.Unreadable && !formed || no.Reason == rules.Ambiguous {
				continue
			}
			if fault := (&witness{pos, text, no, places, all}).examine(); fault != "" {
				faults++
				t.Errorf("seed %d, %s %s: %q is refused: %v\n%s", game, v.Key, pos.FEN(), text, err, fault)
			}
			reasons[no.Reason]++
			n++
		}
	}
	t.Logf("seed %d: %v", seed, reasons)
}

// scribe writes texts of which most are no legal move.
type scribe struct {
	pos    *rules.Position
	random *rand.Rand
	risky  []string // moves that a king elsewhere would allow
}

// check goes on to a position in which the king is in danger, if there is a way in half
// of all cases, and finds what that danger forbids.
func (s *scribe) check() {
	if s.random.IntN(2) == 0 {
		for _, m := range s.pos.Moves() {
			if next, err := s.pos.Play(m); err == nil && next.Checked() != 0 && len(next.Moves()) > 0 {
				s.pos = next
				break
			}
		}
	}
	w := witness{pos: s.pos}
	for setup := range w.without(w.setup(), s.pos.Turn()) {
		free, err := s.pos.Variant().FromSetup(setup)
		if err != nil {
			continue
		}
		for _, m := range free.Moves() {
			if s.pos.Board()[m.From] != free.Board()[m.From] || slices.Contains(s.pos.Moves(), m) {
				continue
			}
			s.risky = append(s.risky, s.pos.Variant().Coordinate(m))
		}
		return
	}
}

func (s *scribe) pick(from []string) string { return from[s.random.IntN(len(from))] }

func (s *scribe) square() string {
	all := slices.Collect(s.pos.Variant().Shape.Squares.Squares())
	return s.pos.Variant().Shape.Name(all[s.random.IntN(len(all))])
}

// own is the square and the letters of a piece of the mover's.
func (s *scribe) own() (square, letters string) {
	v, board := s.pos.Variant(), s.pos.Board()
	var all []rules.Square
	for sq := range v.Shape.Squares.Squares() {
		if board[sq].Half(s.pos.Turn()) != rules.NoRole {
			all = append(all, sq)
		}
	}
	sq := all[s.random.IntN(len(all))]
	return v.Shape.Name(sq), v.Table.Code(board[sq])
}

func (s *scribe) letters() string {
	if _, own := s.own(); s.random.IntN(3) > 0 {
		return own
	}
	return s.pick([]string{"K", "Q", "R", "B", "N"})
}

// write makes a text, and tells whether it has the form of a move.
func (s *scribe) write() (text string, formed bool) {
	one, letters := s.own()
	shape := s.pos.Variant().Shape
	file, rank := shape.FileName(shape.Parse(one)), shape.RankName(shape.Parse(one))
	two, others := s.own()
	switch s.random.IntN(17) {
	case 16:
		return letters + one + "-" + s.step(one) + "-" + s.step(one) + "-" + s.square(), true
	case 14, 15:
		if len(s.risky) > 0 {
			return s.pick(s.risky), true
		}
		return s.mutated(), false
	case 0, 1:
		return s.mutated(), false
	case 2, 3:
		return one + s.square(), true
	case 4, 5:
		return s.letters() + s.pick([]string{"", "", "x", "~", one, file, rank}) + s.square(), true
	case 6:
		return file + s.pick([]string{"x", "x", "~"}) + s.square(), true
	case 7:
		return s.square(), true
	case 8:
		return s.pick([]string{"O-O", "O-O-O"}), true
	case 9:
		return s.pick([]string{one + "~" + two, letters + "~" + others + two, letters + "~" + s.letters() + s.square()}), true
	case 10:
		return one + "/" + s.pick([]string{"R", "N", "B", "Q", ""}) + s.square(), true
	case 11:
		return s.pick([]string{letters + "+" + others, one + "+" + two, letters + one + "+" + others + two}) + s.pick([]string{"~", "x~"}) + s.square(), true
	case 12:
		return letters + s.pick([]string{"", s.square(), one, "x" + s.square()}) + "*" + s.square() + s.pick([]string{"", "", "*" + s.square()}), true
	default:
		return one + s.square() + "x" + s.square() + s.pick([]string{"", "x" + s.square()}), true
	}
}

// step is a square that is not far from another.
func (s *scribe) step(from string) string {
	v := s.pos.Variant()
	if sq := v.Shape.Offset(v.Shape.Parse(from), s.random.IntN(3)-1, s.random.IntN(3)-1); sq != rules.NoSquare {
		return v.Shape.Name(sq)
	}
	return from
}

// mutated is the text of a legal move with one letter or sign changed.
func (s *scribe) mutated() string {
	moves := s.pos.Moves()
	text := s.pos.Variant().Coordinate(moves[s.random.IntN(len(moves))])
	if s.random.IntN(3) > 0 {
		text = s.pick(s.pos.ChatTexts())
	}
	const signs = "abcdefgh12345678KQRBNx~*/+="
	at := s.random.IntN(len(text))
	sign := string(signs[s.random.IntN(len(signs))])
	switch s.random.IntN(3) {
	case 0:
		return text[:at] + sign + text[at:]
	case 1:
		return text[:at] + text[at+1:]
	}
	return text[:at] + sign + text[at+1:]
}

// witness knows of one refusal what is true.
type witness struct {
	pos  *rules.Position
	text string
	no   *rules.Illegal

	places *regexp.Regexp // what names a piece and its square
	claims []claim
}

// examine is what is wrong with the refusal, "" if it is true.
func (w *witness) examine() string {
	if w.no.Sentence.IsZero() {
		return "it says nothing"
	}
	if faults := w.no.Phrase().Faults(phrase.English); len(faults) > 0 {
		return strings.Join(faults, ", ")
	}
	for _, text := range slices.Concat(w.no.Nearest, w.no.Meant) {
		if m, err := w.pos.Parse(text); err != nil || !slices.Contains(w.pos.Moves(), m) {
			return fmt.Sprintf("the suggested %s is not legal: %v", text, err)
		}
	}
	if fault := w.pieces(); fault != "" {
		return fault
	}
	for _, c := range w.claims {
		if parts := c.form.FindStringSubmatch(w.no.Sentence.String()); parts != nil {
			return c.fault(w, parts[1:])
		}
	}
	return "nothing here proves that sentence: claims_test.go needs a line for it"
}

// pieces: what a sentence says to stand on a square stands there.
func (w *witness) pieces() string {
	for _, said := range w.places.FindAllStringSubmatch(w.no.Sentence.String(), -1) {
		if name, sq := said[1], w.sq(said[2]); !w.stands(name, sq) {
			return fmt.Sprintf("no %s stands on %s", name, said[2])
		}
	}
	return ""
}

func (w *witness) stands(name string, sq rules.Square) bool {
	if sq == rules.NoSquare {
		return false
	}
	piece := w.pos.Board()[sq]
	return piece != (rules.Piece{}) && (w.pos.Variant().Noun(piece).String() == name || piece.Shared() && name == "knightmare")
}

func (w *witness) sq(name string) rules.Square { return w.pos.Variant().Shape.Parse(name) }

// setup is the position as it may be changed.
func (w *witness) setup() rules.Setup {
	s := rules.Setup{
		Board: w.pos.Board(), Turn: w.pos.Turn(), EnPassant: rules.NoSquare, FullMove: 1,
	}
	if ep := strings.Fields(w.pos.FEN())[3]; ep != "-" {
		s.EnPassant = w.sq(ep)
	}
	return s
}

// king is where c's king stands.
func (w *witness) king(board *rules.Board, c rules.Color) rules.Square {
	for sq := range w.pos.Variant().Shape.Squares.Squares() {
		if w.pos.Variant().Table[board[sq].Half(c)].Royal {
			return sq
		}
	}
	return rules.NoSquare
}

// without yields positions in which c's king stands elsewhere, and in its place a
// piece that can be captured.
func (w *witness) without(s rules.Setup, c rules.Color) func(func(rules.Setup) bool) {
	return func(yield func(rules.Setup) bool) {
		v := w.pos.Variant()
		king := w.king(&s.Board, c)
		if king == rules.NoSquare {
			return
		}
		codes := []string{"N", "B", "R", "Q"}
		if w.lends() {
			codes = []string{"P"} // which lends nothing
		}
		for _, code := range codes {
			for sq := range v.Shape.Squares.Squares() {
				if s.Board[sq] != (rules.Piece{}) || sq == s.EnPassant {
					continue
				}
				moved := s
				moved.Board[sq] = moved.Board[king]
				moved.Board[king] = rules.PieceOf(c, v.Table.Role(code))
				if !yield(moved) {
					return
				}
			}
		}
	}
}

// possible are the positions after m, were the mover's king not where it is. m may
// leave its promotion open.
func (w *witness) possible(s rules.Setup, m rules.Move) func(func(*rules.Position) bool) {
	return func(yield func(*rules.Position) bool) {
		if m.From == w.king(&s.Board, s.Turn) {
			return
		}
		for moved := range w.without(s, s.Turn) {
			pos, err := w.pos.Variant().FromSetup(moved)
			if err != nil {
				continue
			}
			for _, legal := range pos.Moves() {
				same := legal
				if m.Role == rules.NoRole {
					same.Role = rules.NoRole
				}
				if same != m {
					continue
				}
				if next, err := pos.Play(legal); err == nil && !yield(next) {
					return
				}
				break
			}
		}
	}
}

// can reports whether the mover can do m, or something else between its squares, but
// for the safety of its king.
func (w *witness) can(s rules.Setup, m rules.Move) bool {
	return w.does(s, m, func(legal rules.Move) bool { return legal.From == m.From && legal.To == m.To && legal.Act == m.Act })
}

// exactly reports whether the mover can do m, its kills included, but for the safety of
// its king.
func (w *witness) exactly(s rules.Setup, m rules.Move) bool {
	return w.does(s, m, func(legal rules.Move) bool { return legal == m })
}

func (w *witness) does(s rules.Setup, m rules.Move, like func(rules.Move) bool) bool {
	goes := func(s rules.Setup) bool {
		for range w.possible(s, m) {
			return true
		}
		return w.plays(s, like)
	}
	if goes(s) {
		return true
	}
	if _, err := w.pos.Variant().FromSetup(s); err == nil {
		return false
	}
	// The change has opened a line on the other king, which goes elsewhere.
	tried := 0
	for moved := range w.without(s, s.Turn.Other()) {
		if _, err := w.pos.Variant().FromSetup(moved); err == nil {
			if goes(moved) {
				return true
			}
			if tried++; tried == 5 {
				break
			}
		}
	}
	return false
}

// hits reports whether the side to move, its own king's safety aside, can go from one
// square to another.
func (w *witness) hits(s rules.Setup, from, to rules.Square) bool {
	there := func(m rules.Move) bool { return m.From == from && m.To == to }
	if w.plays(s, there) {
		return true
	}
	for moved := range w.without(s, s.Turn) {
		if w.plays(moved, there) {
			return true
		}
	}
	return false
}

// plays reports whether there is a legal move like that.
func (w *witness) plays(s rules.Setup, like func(rules.Move) bool) bool {
	pos, err := w.pos.Variant().FromSetup(s)
	return err == nil && slices.ContainsFunc(pos.Moves(), like)
}

// checks reports whether after one of the moves that the text may mean the piece on
// checker attacks the king.
func (w *witness) checks(checker rules.Square) bool {
	return slices.ContainsFunc(w.meant(), func(m rules.Move) bool { return w.checksAfter(m, checker) })
}

func (w *witness) checksAfter(m rules.Move, checker rules.Square) bool {
	s := w.setup()
	king := w.king(&s.Board, s.Turn)
	if m.From == king {
		s.Board[m.To], s.Board[king] = s.Board[king], rules.Piece{}
		return w.attacked(s, checker)
	}
	for next := range w.possible(s, m) {
		after := rules.Setup{Board: next.Board(), Turn: next.Turn(), EnPassant: rules.NoSquare, FullMove: 1}
		if w.hits(after, checker, king) {
			return true
		}
	}
	return false
}

// attacked reports whether the piece on checker could capture the mover's king.
func (w *witness) attacked(s rules.Setup, checker rules.Square) bool {
	king := w.king(&s.Board, s.Turn)
	s.EnPassant = rules.NoSquare
	for moved := range w.without(s, s.Turn) {
		moved.Turn = moved.Turn.Other()
		if w.hits(moved, checker, king) {
			return true
		}
	}
	return false
}

// squares are those of a text, in its order.
var squares = form(`SQUARE`)

// capitals are those of a text that writes its files in capitals.
var capitals = regexp.MustCompile(`[A-W][1-9][0-9]?`)

// meant are the moves that the text may mean, whether they can be made or not.
func (w *witness) meant() []rules.Move {
	v, board := w.pos.Variant(), w.pos.Board()
	body, kills, _ := strings.Cut(w.text, "*")
	named := squares.FindAllString(body, -1)
	if len(named) == 0 {
		named = squares.FindAllString(strings.ToLower(capitals.FindString(body)), -1)
	}
	m := rules.Move{From: rules.NoSquare, To: rules.NoSquare}
	for _, name := range squares.FindAllString(strings.ToLower(kills), -1) {
		m.Kills |= w.sq(name).Set()
	}
	if len(named) > 0 {
		m.To = w.sq(named[len(named)-1])
	}
	if len(named) > 1 && !strings.Contains(body, "+") {
		m.From = w.sq(named[0])
		if coordinate := strings.HasPrefix(body, named[0]) && strings.HasPrefix(body, named[0]+named[1]+"x"); coordinate {
			m.To = w.sq(named[1])
			for _, name := range named[2:] {
				m.Kills |= w.sq(name).Set()
			}
		}
	}
	var all []rules.Move
	for from := range v.Shape.Squares.Squares() {
		if board[from].Half(w.pos.Turn()) == rules.NoRole || m.From != rules.NoSquare && m.From != from {
			continue
		}
		if letters := strings.TrimSuffix(w.text, strings.TrimLeft(w.text, "KQRBNPAIWFGC")); m.From == rules.NoSquare && letters != "" && !w.called(board[from], letters) {
			continue
		}
		move := m
		move.From = from
		if move.To == rules.NoSquare || strings.Contains(w.text, "*") && len(named) == 1 && m.To == from {
			move.To = from
		}
		switch {
		case strings.Contains(body, "/"):
			for _, part := range v.Table[board[from].Half(w.pos.Turn())].Parts {
				all = append(all, rules.Move{Act: rules.Split, Role: part, From: from, To: move.To})
			}
			continue
		case strings.Contains(body, "+"):
			for with := range v.Shape.Squares.Squares() {
				all = append(all, rules.Move{Act: rules.Rally, From: from, With: with, To: move.To})
			}
			continue
		case strings.Contains(body, "~") && board[move.To].Half(w.pos.Turn()) != rules.NoRole && !board[move.To].Shared():
			move.Act = rules.Merge
		}
		all = append(all, move)
	}
	return all
}

// called reports whether a text's letters name a piece of the mover's.
func (w *witness) called(piece rules.Piece, letters string) bool {
	table := w.pos.Variant().Table
	sorted := func(text string) string {
		all := []byte(strings.ReplaceAll(text, "Q", "RB"))
		slices.Sort(all)
		return string(all)
	}
	for _, code := range []string{table.Code(piece), table[piece.Half(w.pos.Turn())].Code} {
		if sorted(code) == sorted(letters) {
			return true
		}
	}
	return false
}
