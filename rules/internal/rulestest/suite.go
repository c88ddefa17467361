package rulestest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"chimera/rules"
	"chimera/rules/perft"
	"chimera/rules/phrase"
)

// Plies is the length at which a random game of the suite is stopped.
const Plies = 200

// Run plays random games of v, one for each seed from 0, and checks what package rules promises. A failure names the
// seed and the position.
func Run(t *testing.T, v *rules.Variant, seeds int) {
	for _, l := range phrase.Languages() {
		if n := utf8.RuneCountInString(v.Rules.Text(l)); n == 0 || n >= 2000 {
			t.Errorf("the rules for people have %d characters in %s, want 1 to 1999", n, l)
		}
		if n := utf8.RuneCountInString(v.About.Text(l)); n == 0 || n > 100 {
			t.Errorf("what is special about the game has %d characters in %s, want 1 to 100", n, l)
		}
	}
	for _, info := range v.Table[1:] {
		if noun := info.Noun.String(); !strings.EqualFold(noun, info.Name) || info.Does.IsZero() {
			t.Errorf("moves call a piece %q, people %q, and it does %q", info.Name, noun, info.Does)
		}
	}
	course(t, v)
	games := 200
	if testing.Short() {
		games = 20
	}
	backAndForth(t, v, games)
	for seed := range uint64(seeds) {
		if t.Failed() {
			return
		}
		RandomGame(t, v, seed)
	}
}

// RandomGame plays and checks one random game, which depends only on the seed. It stops at the first position in which
// something is wrong.
func RandomGame(t *testing.T, v *rules.Variant, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	pos, err := v.Position("")
	if err != nil {
		t.Fatal(err)
	}
	for ply := 0; ply < Plies && len(pos.Moves()) > 0; ply++ {
		w := world{t, v, pos, seed}
		if w.check(random); t.Failed() {
			return
		}
		moves := pos.Moves()
		next, err := pos.Play(moves[random.IntN(len(moves))])
		if err != nil {
			w.errorf("a legal move was refused: %v", err)
			return
		}
		pos = next
	}
	(&world{t, v, pos, seed}).check(random)
}

// world is one position that is checked.
type world struct {
	t    *testing.T
	v    *rules.Variant
	pos  *rules.Position
	seed uint64
}

func (w *world) errorf(format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("seed %d, %s %s: "+format, append([]any{w.seed, w.v.Key, w.pos.FEN()}, args...)...)
}

func (w *world) check(random *rand.Rand) {
	w.t.Helper()
	before := w.pos.FEN()
	w.roundTrip()
	w.texts()
	w.ends()
	w.says()
	w.refusals(random)
	if moves := w.pos.Moves(); len(moves) > 0 {
		w.plays(moves[random.IntN(len(moves))])
	}
	w.undoes(random)
	w.looks(random)
	// To do this at each ply would take most of the time.
	if random.IntN(40) == 0 {
		if bulk, all := perft.Nodes(w.pos, 2), played(w.pos.Cursor(), 2); bulk != all {
			w.errorf("perft(2) is %d in bulk, %d when played", bulk, all)
		}
	}
	if after := w.pos.FEN(); after != before {
		w.errorf("the position changed to %s", after)
	}
}

// roundTrip checks that a position read from its own FEN is the same, with the same moves in the same order, and that
// no piece stands off the board.
func (w *world) roundTrip() {
	again, err := w.v.Position(w.pos.FEN())
	switch {
	case err != nil:
		w.errorf("its own FEN is refused: %v", err)
		return
	case again.FEN() != w.pos.FEN():
		w.errorf("read back as %s", again.FEN())
	case again.Key() != w.pos.Key():
		w.errorf("key %x, read back %x", w.pos.Key(), again.Key())
	case !slices.Equal(again.Moves(), w.pos.Moves()):
		w.errorf("moves %v, read back %v", w.pos.Moves(), again.Moves())
	case again.Status() != w.pos.Status(), again.Checked() != w.pos.Checked():
		w.errorf("status or check differs when read back")
	}
	for sq, piece := range w.pos.Board() {
		if piece != (rules.Piece{}) && !w.v.Shape.Squares.Has(rules.Square(sq)) {
			w.errorf("a piece stands off the board, on index %d", sq)
		}
	}
}

// texts checks that each legal move has its own coordinate text and chat text, which are read back as that move.
func (w *world) texts() {
	seen := map[string]rules.Move{}
	chat := w.pos.ChatTexts()
	for i, m := range w.pos.Moves() {
		for _, text := range []string{w.v.Coordinate(m), chat[i]} {
			if other, ok := seen[text]; ok && other != m {
				w.errorf("%q stands for two moves", text)
			}
			seen[text] = m
			if got, err := w.pos.Parse(text); err != nil || got != m {
				w.errorf("%q is read as %v (%v), want %v", text, got, err, m)
			}
		}
	}
}

// ends checks that there are no moves exactly at checkmate, at stalemate and without a king.
func (w *world) ends() {
	none := len(w.pos.Moves()) == 0
	switch w.pos.Status() {
	case rules.Checkmate, rules.Stalemate, rules.KingTaken:
		if !none {
			w.errorf("%s, with moves", w.pos.Status())
		}
	case rules.Ongoing, rules.Mated:
		if none {
			w.errorf("%s, without moves", w.pos.Status())
		}
	case rules.Insufficient:
	}
}

// plays checks that a move does not change the position itself, has effects, passes the turn, is read back from its
// full chat text, and does not leave the mover's king in check.
func (w *world) plays(m rules.Move) {
	before := w.pos.FEN()
	next, err := w.pos.Play(m)
	if err != nil {
		w.errorf("%v was refused: %v", m, err)
		return
	}
	if w.pos.FEN() != before {
		w.errorf("Play changed its receiver to %s", w.pos.FEN())
	}
	if next.Turn() == w.pos.Turn() {
		w.errorf("%v does not pass the turn", m)
	}
	w.effects(m, next)
	text := w.pos.Chat(m)
	if got, err := w.pos.Parse(text); err != nil || got != m {
		w.errorf("%q is read as %v (%v), want %v", text, got, err, m)
	}
	// FEN refuses a position whose side not to move is in check.
	if _, err := w.v.Position(next.FEN()); err != nil {
		w.errorf("%v leads to a position that is refused: %v", m, err)
	}
}

// effects checks that the effects of a move agree with the board: they tell of each square that changes, and captured
// pieces stood there and are not only the capturer's.
func (w *world) effects(m rules.Move, next *rules.Position) {
	before, after := w.pos.Board(), next.Board()
	var told rules.Set
	for _, e := range w.pos.Effects(m) {
		told |= 1<<e.From | 1<<e.To
		captures := slices.Contains([]rules.EffectKind{rules.Captured, rules.Absorbed, rules.Born, rules.Shot}, e.Kind)
		if captures && (before[e.To] != e.Piece || e.Piece.Half(w.pos.Turn().Other()) == rules.NoRole) {
			w.errorf("%v tells of %+v, which it cannot do", m, e)
		}
	}
	for sq := range before {
		if before[sq] != after[sq] && !told.Has(rules.Square(sq)) {
			w.errorf("%v does not tell of what happens on %s", m, w.v.Shape.Name(rules.Square(sq)))
		}
	}
}

// says checks that nothing is missing in what people are told about the pieces and the moves.
func (w *world) says() {
	all := []phrase.Phrase{w.pos.Warning()}
	for sq := range w.v.Shape.Squares.Squares() {
		all = append(all, w.pos.How(sq))
	}
	for _, m := range w.pos.Moves() {
		all = append(all, w.v.Describe(w.pos.Effects(m)))
	}
	for _, p := range all {
		w.faultless(p)
	}
}

func (w *world) faultless(p phrase.Phrase) {
	for _, l := range phrase.Languages() {
		if faults := p.Faults(l); len(faults) > 0 {
			w.errorf("%q in %s: %s", p.Text(l), l, strings.Join(faults, ", "))
		}
	}
}

// undoes checks that each position is the same again when the moves of a short walk are taken back.
func (w *world) undoes(random *rand.Rand) {
	c := w.pos.Cursor()
	var left [][]rules.Move
	for range 4 {
		moves := slices.Clone(c.Moves())
		if len(moves) == 0 {
			break
		}
		left = append(left, moves)
		c.Push(moves[random.IntN(len(moves))])
	}
	for _, moves := range slices.Backward(left) {
		c.Pop()
		if !slices.Equal(c.Moves(), moves) {
			w.errorf("a walk of %d plies and back changes the moves", len(left))
		}
	}
}

// looks checks that a cursor that plays and passes agrees with the positions themselves.
func (w *world) looks(random *rand.Rand) {
	c, pos := w.pos.Cursor(), w.pos
	var setup rules.Setup
	c.Look(&setup)
	for range 6 {
		before := setup
		if !c.Checked() {
			c.Pass()
			passed := setup
			if c.Look(&passed); passed.Turn == setup.Turn {
				w.errorf("a pass leaves the turn where it was")
			}
			if again, err := w.v.FromSetup(passed); err == nil && !slices.Equal(c.Moves(), again.Moves()) {
				w.errorf("after a pass, the moves are not those of %s", again.FEN())
			}
			c.Pop()
		}
		moves := c.Moves()
		if len(moves) == 0 {
			return
		}
		m := moves[random.IntN(len(moves))]
		next, err := pos.Play(m)
		if err != nil {
			w.errorf("a legal move was refused: %v", err)
			return
		}
		pos = next
		c.Push(m)
		changed := c.Look(&setup)
		if w.v.KeyOf(&setup) != pos.Key() || setup.HalfMoves != pos.HalfMoves() || setup.FullMove != pos.FullMove() {
			w.errorf("a cursor sees something else at %s", pos.FEN())
		}
		for sq, piece := range setup.Board {
			if piece != before.Board[sq] && !changed.Has(rules.Square(sq)) {
				w.errorf("a cursor overlooks the change of %s", w.v.Shape.Name(rules.Square(sq)))
			}
		}
		if c.Checked() != (pos.Checked() != 0) || c.Status(len(pos.Moves())) != pos.Status() {
			w.errorf("a cursor tells another check or status")
		}
	}
}

// refusals checks that a move that was not generated, or nonsense, is refused with a reason and a sentence.
func (w *world) refusals(random *rand.Rand) {
	for range 20 {
		m := rules.Move{
			Act:  rules.Act(random.IntN(int(rules.Split) + 1)),
			Role: rules.Role(random.IntN(len(w.v.Table))),
			From: rules.Square(random.IntN(65)),
			To:   rules.Square(random.IntN(65)),
		}
		switch {
		case random.IntN(2) == 0:
			m.Act, m.Role = rules.Step, rules.NoRole
		case m.Act == rules.Rally:
			m.With = rules.Square(random.IntN(64))
		}
		if !slices.Contains(w.pos.Moves(), m) {
			_, err := w.pos.Play(m)
			w.refused(err)
		}
	}
	for _, text := range []string{"", "zz", "e9", "\x00", "hello there"} {
		_, err := w.pos.Parse(text)
		w.refused(err)
	}
}

func (w *world) refused(err error) {
	w.t.Helper()
	var no *rules.Illegal
	if !errors.As(err, &no) || no.Reason == "" || no.Sentence.IsZero() {
		w.errorf("refused without a reason: %v", err)
		return
	}
	w.faultless(no.Phrase())
}

// RandomPosition is a position after random moves from the start.
func RandomPosition(t testing.TB, v *rules.Variant, seed uint64) *rules.Position {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	pos, err := v.Position("")
	if err != nil {
		t.Fatal(err)
	}
	for range random.IntN(60) {
		moves := pos.Moves()
		if len(moves) == 0 {
			break
		}
		if pos, err = pos.Play(moves[random.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	return pos
}
