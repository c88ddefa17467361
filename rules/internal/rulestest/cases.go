package rulestest

import (
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
)

// Case is a position that shows a rule, what is done there, and the expected result. It is an alias, so that tables
// need not name the fields.
type Case = struct{ Rule, FEN, Does, Want string }

// Rows are the lines of a file, cut at " | ", without empty ones and those that begin with "#". The position "start" is
// "", which a game begins with.
func Rows(t testing.TB, file string) iter.Seq[[]string] {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func([]string) bool) {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
				continue
			}
			row := strings.Split(line, " | ")
			for i, cell := range row {
				if cell == "start" {
					row[i] = ""
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}

// Goes checks where the piece on a square may go, in the form of From.
func Goes(t *testing.T, v *rules.Variant, cases []Case) {
	each(t, v, cases, func(_ testing.TB, pos *rules.Position, square string) string { return From(pos, square) })
}

// LeadsTo checks which position a move leads to.
func LeadsTo(t *testing.T, v *rules.Variant, cases []Case) {
	each(t, v, cases, func(t testing.TB, pos *rules.Position, move string) string { return After(t, pos, move).FEN() })
}

func each(t *testing.T, v *rules.Variant, cases []Case, comes func(t testing.TB, pos *rules.Position, does string) string) {
	for _, c := range cases {
		t.Run(c.Rule, func(t *testing.T) {
			if got := comes(t, Position(t, v, c.FEN), c.Does); got != c.Want {
				t.Errorf("%s, %s:\n got %s\nwant %s", c.FEN, c.Does, got, c.Want)
			}
		})
	}
}

// Move is the move of a coordinate text.
func Move(t testing.TB, pos *rules.Position, coordinate string) rules.Move {
	t.Helper()
	m, err := pos.ParseCoordinate(coordinate)
	if err != nil {
		t.Fatalf("%s, %s: %v", pos.FEN(), coordinate, err)
	}
	return m
}

// Written checks how a move is written in chats, and that it may also be written in the other ways.
func Written(t testing.TB, pos *rules.Position, coordinate, want string, also ...string) {
	t.Helper()
	m := Move(t, pos, coordinate)
	if got := pos.Chat(m); got != want {
		t.Errorf("%s, %s is written %s, want %s", pos.FEN(), coordinate, got, want)
	}
	for _, text := range append(also, want, coordinate) {
		if got, err := pos.Parse(text); err != nil || got != m {
			t.Errorf("%s, %q is read as %s (%v), want %s", pos.FEN(), text, pos.Variant().Coordinate(got), err, coordinate)
		}
	}
}

// Effects checks what a move does, such as "absorbed n b1b2 into RN, moved R b1b2": small letters are of Black's pieces.
func Effects(t *testing.T, v *rules.Variant, cases []Case) {
	each(t, v, cases, func(t testing.TB, pos *rules.Position, move string) string {
		var all []string
		for _, e := range pos.Effects(Move(t, pos, move)) {
			all = append(all, effect(v, e))
		}
		return strings.Join(all, ", ")
	})
}

func effect(v *rules.Variant, e rules.Effect) string {
	letters := func(p rules.Piece) string { return v.Table[p.White].Code + strings.ToLower(v.Table[p.Black].Code) }
	text := e.Kind.String() + " " + letters(e.Piece) + " " + v.Shape.Name(e.From) + v.Shape.Name(e.To)
	if e.Into != (rules.Piece{}) {
		text += " into " + letters(e.Into)
	}
	if e.Path != "" {
		text += " by"
	}
	for sq := range e.Path.Squares() {
		text += " " + v.Shape.Name(sq)
	}
	return text
}

// Tells checks what people are told about how the piece on a square moves.
func Tells(t testing.TB, pos *rules.Position, square, want string) {
	t.Helper()
	if got := pos.How(pos.Variant().Shape.Parse(square)).String(); got != want {
		t.Errorf("%s, %s:\n got %s\nwant %s", pos.FEN(), square, got, want)
	}
}

// Refused checks why a move was refused, and the sentence that the player is told; "" accepts any.
func Refused(t testing.TB, err error, reason rules.Reason, sentence string) {
	t.Helper()
	var no *rules.Illegal
	if !errors.As(err, &no) {
		t.Errorf("not refused: %v", err)
		return
	}
	says := no.Sentence.String()
	if no.Reason != reason || sentence != "" && says != sentence || !strings.HasSuffix(says, ".") {
		t.Errorf("refused as %q: %s\nwant %q: %s", no.Reason, says, reason, sentence)
	}
}

// Ambiguous checks that a text is answered with the moves that it may mean.
func Ambiguous(t testing.TB, pos *rules.Position, text string, want ...string) {
	t.Helper()
	_, err := pos.Parse(text)
	var no *rules.Illegal
	if !errors.As(err, &no) || no.Reason != rules.Ambiguous || !slices.Equal(no.Nearest, want) {
		t.Errorf("%s is answered with %v", text, err)
	}
}

// BadFEN checks that a FEN is refused, and with which sentence.
func BadFEN(t testing.TB, v *rules.Variant, fen, sentence string) {
	t.Helper()
	_, err := v.Position(fen)
	var bad *rules.BadFEN
	if !errors.As(err, &bad) || !strings.Contains(bad.Sentence, sentence) || !strings.HasSuffix(bad.Sentence, ".") {
		t.Errorf("%s:\n got %v\nwant %s", fen, err, sentence)
	}
}

// SameFEN checks that FENs are the same after they were read and written.
func SameFEN(t testing.TB, v *rules.Variant, fens ...string) {
	t.Helper()
	for _, fen := range fens {
		if got := Position(t, v, fen).FEN(); got != fen {
			t.Errorf("%s is written as %s", fen, got)
		}
	}
}

// WithoutMemory checks that a position's moves are found and made without allocations.
func WithoutMemory(t testing.TB, pos *rules.Position) {
	t.Helper()
	c := pos.Cursor()
	walk := func() {
		for _, m := range c.Moves() {
			c.Push(m)
			c.Moves()
			c.Pop()
		}
	}
	walk()
	if n := testing.AllocsPerRun(1, walk); n != 0 {
		t.Errorf("%s: %v allocations", pos.FEN(), n)
	}
}

// Reads checks which move a text is read as.
func Reads(t testing.TB, pos *rules.Position, text, want string) {
	t.Helper()
	m, err := pos.Parse(text)
	if err != nil {
		t.Errorf("%s, %q: %v", pos.FEN(), text, err)
	} else if got := pos.Variant().Coordinate(m); got != want {
		t.Errorf("%s, %q is read as %s, want %s", pos.FEN(), text, got, want)
	}
}

// Answered checks how the answer to a text that is no move begins.
func Answered(t testing.TB, pos *rules.Position, text, want string) {
	t.Helper()
	if _, err := pos.Parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%s, %q is answered\n%v\nwant\n%s", pos.FEN(), text, err, want)
	}
}
