package render

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"chimera/rules"
	"chimera/rules/phrase"
)

// signs are the characters for White's and Black's piece by the name of their
// glyph.
//
//nolint:gochecknoglobals // never written
var signs = map[string][2]string{
	"king":   {"♔", "♚"},
	"queen":  {"♕", "♛"},
	"rook":   {"♖", "♜"},
	"bishop": {"♗", "♝"},
	"knight": {"♘", "♞"},
	"pawn":   {"♙", "♟"},

	"infantry":  {"♙", "♟"},
	"armor":     {"♘", "♞"},
	"light-gun": {"♗", "♝"},
	"howitzer":  {"♖", "♜"},
	"aviation":  {"♕", "♛"},
}

// Text draws d in characters, for fonts in which all are of one width. A compound
// is the signs of its parts, a piece without a sign its letters, an empty square a
// dot. The last move left (·) for [♘]; a king in check is !♔!, and a piece that may
// not move {♘♜}. What was killed is a cross, what was annihilated an asterisk. A piece
// that is about to move is <♘>, a square it can go to • or ›♟, one it can fire at
// ×♟. Where White's pieces lend their powers there is a plus before the square, where
// Black's do a minus behind it. The circle in the corner is the side to move.
func Text(d Diagram) string {
	width := 1
	for sq := range d.Shape.Squares.Squares() {
		width = max(width, utf8.RuneCountInString(sign(d.Table, d.Board[sq])))
	}
	margin := len(strconv.Itoa(d.Shape.Ranks)) + 1
	var b strings.Builder
	for row := range d.Shape.Ranks {
		_, rank := d.flip(0, row)
		line := []string{pad(d.Shape.RankName(rules.Square(rank*d.Shape.Files)), margin)}
		for col := range d.Shape.Files {
			line = append(line, d.cell(d.at(col, row), width))
		}
		writeLine(&b, line)
	}
	line := []string{pad([]string{"○", "●"}[d.Turn], margin)}
	for col := range d.Shape.Files {
		file, _ := d.flip(col, 0)
		line = append(line, pad(" "+d.Shape.FileName(rules.Square(file)), width+2))
	}
	writeLine(&b, line)
	return b.String()
}

func writeLine(b *strings.Builder, line []string) {
	b.WriteString(strings.TrimRight(strings.Join(line, ""), " "))
	b.WriteByte('\n')
}

// cell is what Text shows of a square, two characters wider than the widest sign.
func (d Diagram) cell(sq rules.Square, width int) string {
	if sq == rules.NoSquare {
		return pad("", width+2)
	}
	_, before, after := d.around(sq)
	_, text := d.inside(sq)
	return pad(before+text+after, width+2)
}

// brackets are what stands on both sides of a square's sign, the first that applies; named as
// its sentence is.
//
//nolint:gochecknoglobals // never written
var brackets = [...]struct {
	name          string
	kind          MarkKind
	before, after string
}{
	{"check", Check, "!", "!"},
	{"reached", Reached, "[", "]"},
	{"left", Left, "(", ")"},
	{"frozen", Frozen, "{", "}"},
	{"chosen", Chosen, "<", ">"},
	{"aimed", Aimed, "×", ""},
	{"target", Target, "›", ""},
}

// around are the characters on both sides of a square's sign, and what they are named; "" for
// none, or for those of lent powers.
func (d Diagram) around(sq rules.Square) (name, before, after string) {
	for _, b := range brackets {
		if d.marked(b.kind).Has(sq) && (b.kind != Target || d.Board[sq] != rules.Piece{}) {
			return b.name, b.before, b.after
		}
	}
	before = " "
	for _, m := range d.Marks {
		switch {
		case m.Kind != Lent || m.To != sq:
		case d.lender(m) == rules.White:
			before = "+"
		default:
			after = "-"
		}
	}
	return "", before, after
}

// inside is the sign of what stands on a square, or of what no longer does; and what that
// is named, if it is a mark.
func (d Diagram) inside(sq rules.Square) (name, text string) {
	switch {
	case d.Board[sq] != (rules.Piece{}):
	case d.marked(Blasted).Has(sq):
		return "annihilated", "*"
	case (d.marked(Killed) | d.marked(Fired)).Has(sq):
		return "killed", "×"
	case d.marked(Target).Has(sq):
		return "target", "•"
	}
	return "", sign(d.Table, d.Board[sq])
}

// Legend says what the marks mean that Text makes on squares, such as "[♘] just moved"; nothing
// where it makes none.
func Legend(d Diagram) phrase.Phrase {
	seen := map[string]string{}
	see := func(name, text string) {
		if _, twice := seen[name]; !twice || name == "target" && !strings.Contains(seen[name], text) {
			seen[name] = strings.TrimSpace(seen[name] + " " + text)
		}
	}
	for sq := range d.Shape.Squares.Squares() {
		mark, text := d.inside(sq)
		see(mark, text)
		name, before, after := d.around(sq)
		switch {
		case name != "" && after != "":
			see(name, before+text+after)
		case name != "":
			see(name, before)
		default:
			see(map[string]string{"+": "lent-white"}[before], before)
			see(map[string]string{"-": "lent-black"}[after], after)
		}
	}
	var signs []phrase.Phrase
	for _, name := range [...]string{"reached", "left", "killed", "annihilated", "check", "frozen", "chosen", "target", "aimed", "lent-white", "lent-black"} {
		if text, ok := seen[name]; ok {
			signs = append(signs, book.Say("sign."+name, "sign", text))
		}
	}
	if signs == nil {
		return phrase.Phrase{}
	}
	return book.Say("legend", "signs", phrase.Commas(signs))
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", width-utf8.RuneCountInString(s))
}

// sign is p in characters.
func sign(t rules.Table, p rules.Piece) string {
	if p == (rules.Piece{}) {
		return "·"
	}
	return halfSign(t, p.White, rules.White) + halfSign(t, p.Black, rules.Black)
}

// halfSign is one side's piece in characters, nothing for none.
func halfSign(t rules.Table, r rules.Role, side rules.Color) string {
	if r == rules.NoRole {
		return ""
	}
	var all string
	for _, part := range t.Simple(r) {
		s, known := signs[t[part].Glyph]
		if !known {
			return letters(t[r].Code, side)
		}
		all += s[side]
	}
	return cmp.Or(all, letters(t[r].Code, side))
}

// letters is a code as FEN writes it for a side.
func letters(code string, side rules.Color) string {
	if side == rules.White {
		return code
	}
	return strings.ToLower(code)
}
