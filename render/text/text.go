// Package text shows diagrams without pictures: in characters ([Text]), with what these mean
// ([Legend]), and in words ([Words]), for people who cannot see the picture and for chats that show none.
// It says whatever a picture shows, in phrases of a book that has them in each language.
package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chimera/render/diagram"
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

// asText is the variation selector after a character that is not to become an emoji, as phones
// make of some. It takes no room.
const asText = "\ufe0e"

// room is how many characters wide a text is.
func room(text string) int { return utf8.RuneCountInString(text) - strings.Count(text, asText) }

// Text draws a diagram in characters, for fonts in which all are of one width. A compound
// is the signs of its parts, a piece without a sign its letters, an empty square a
// dot. The last move left (·) for [♘]; a king in check is !♔!, one that is lost #♔#, and a piece that may
// not move {♘♜}. What was killed is a cross, what was annihilated an asterisk. A piece
// that is about to move is <♘>, a square it can go to • or ›♟, one it can fire at
// ×♟; a piece that it can join is ~♗, a square that a part of it can go to /◦, or /• if all of it
// can. A square that a part of a piece could go to is •, ◆ or ▲, one where it could capture ×·, one that
// a gun could shoot at ¤·. A piece that is attacked is »♘«, one that could be annihilated *♘*, an empty
// square that is attacked ▪. What a player has captured, and +3 for who is ahead,
// stands on the player's side of the board, where there are bars. Where White's pieces lend their powers there is a plus before the square, where
// Black's do a minus behind it. The circle in the corner is the side to move.
func Text(of diagram.Diagram) string {
	d := teller{of}
	width := 1
	for sq := range d.Shape.Squares.Squares() {
		width = max(width, room(sign(d.Table, d.Board[sq])))
	}
	margin := len(strconv.Itoa(d.Shape.Ranks)) + 1
	var b strings.Builder
	d.writeTaken(&b, d.Bottom.Other(), margin)
	for row := range d.Shape.Ranks {
		line := []string{pad(d.RankName(row), margin)}
		for col := range d.Shape.Files {
			line = append(line, d.cell(d.At(col, row), width))
		}
		writeLine(&b, line)
	}
	line := []string{pad("", margin)}
	if d.Live() {
		line[0] = pad(turnSigns[d.Turn], margin)
	}
	for col := range d.Shape.Files {
		line = append(line, pad(" "+d.FileName(col), width+2))
	}
	writeLine(&b, line)
	d.writeTaken(&b, d.Bottom, margin)
	return b.String()
}

// turnSigns are the circles of the sides.
//
//nolint:gochecknoglobals // never written
var turnSigns = [2]string{"○", "●"}

func writeLine(b *strings.Builder, line []string) {
	b.WriteString(strings.TrimRight(strings.Join(line, ""), " "))
	b.WriteByte('\n')
}

// cell is what Text shows of a square, two characters wider than the widest sign.
func (d teller) cell(sq rules.Square, width int) string {
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
	kind          diagram.MarkKind
	before, after string
}{
	{"fallen", diagram.Fallen, "#", "#"},
	{"check", diagram.Check, "!", "!"},
	{"reached", diagram.Reached, "[", "]"},
	{"left", diagram.Left, "(", ")"},
	{"frozen", diagram.Frozen, "{", "}"},
	{"chosen", diagram.Chosen, "<", ">"},
	{"aimed", diagram.Aimed, "×", ""},
	{"merges", diagram.Merges, "~", ""},
	{"splits", diagram.Splits, "/", ""},
	{"target", diagram.Target, "›", ""},
	{"doomed", diagram.Doomed, "*", "*"},
	{"attacked-piece", diagram.Attacks, "»", "«"},
	{"takes", diagram.Takes, "×", ""},
	{"ranged", diagram.Ranged, "¤", ""},
}

// around are the characters on both sides of a square's sign, and what they are named; "" for
// none, or for those of lent powers.
func (d teller) around(sq rules.Square) (name, before, after string) {
	for _, b := range brackets {
		if d.Marked(b.kind).Has(sq) && (b.kind != diagram.Target && b.kind != diagram.Attacks || d.Board[sq] != rules.Piece{}) {
			return b.name, b.before, b.after
		}
	}
	before = " "
	for _, m := range d.Marks {
		switch {
		case m.Kind != diagram.Lent || m.To != sq:
		case d.Lender(m) == rules.White:
			before = "+"
		default:
			after = "-"
		}
	}
	return "", before, after
}

// inside is the sign of what stands on a square, or of what no longer does; and what that
// is named, if it is a mark.
func (d teller) inside(sq rules.Square) (name, text string) {
	switch {
	case d.Board[sq] != (rules.Piece{}):
	case d.Marked(diagram.Blasted).Has(sq):
		return "annihilated", "*"
	case (d.Marked(diagram.Killed) | d.Marked(diagram.Fired)).Has(sq):
		return "killed", "×"
	case d.Marked(diagram.Target).Has(sq):
		return "target", "•"
	case (d.Marked(diagram.Merges) | d.Marked(diagram.Splits)).Has(sq):
		return "", "◦"
	case d.Marked(diagram.Goes).Has(sq):
		goes := slices.IndexFunc(d.Marks, func(m diagram.Mark) bool { return m.Kind == diagram.Goes && m.To == sq })
		return "", d.partSign(d.Marks[goes])
	case d.Marked(diagram.Attacks).Has(sq):
		return "attacked", "▪"
	}
	return "", sign(d.Table, d.Board[sq])
}

// Legend says what the signs mean that Text makes besides pieces, such as "[♘] just moved": those
// on squares, and in the corner that of the side to move; and below that, line by line, what is new
// on the board; nothing where there is neither.
func Legend(of diagram.Diagram) phrase.Phrase {
	d := teller{of}
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
	for _, name := range [...]string{
		"reached", "left", "killed", "annihilated", "fallen", "check", "frozen", "chosen", "target", "merges", "splits", "aimed",
		"takes", "attacked", "attacked-piece", "ranged", "doomed", "lent-white", "lent-black",
	} {
		if name == "target" {
			signs = append(signs, d.partSigns()...)
		}
		if text, ok := seen[name]; ok {
			signs = append(signs, book.Say("sign."+name, "sign", text))
		}
	}
	if d.Live() {
		signs = append(signs, book.Say("sign.turn", "sign", turnSigns[d.Turn], "side", d.Turn))
	}
	lines := d.news()
	if signs != nil {
		lines = slices.Insert(lines, 0, book.Say("legend", "signs", phrase.Commas(signs)))
	}
	if lines == nil {
		return phrase.Phrase{}
	}
	return book.Say("lines", "lines", phrase.Lines(lines))
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", width-room(s))
}

// sign is p in characters.
func sign(t rules.Table, p rules.Piece) string {
	if p == (rules.Piece{}) {
		return "·"
	}
	return halfSign(t, p.White, rules.White) + halfSign(t, p.Black, rules.Black)
}

// halfSign is one side's piece in characters, nothing for none: the signs of its parts, or its code as FEN writes it.
func halfSign(t rules.Table, r rules.Role, side rules.Color) string {
	if r == rules.NoRole {
		return ""
	}
	code := t[r].Code
	if side == rules.Black {
		code = strings.ToLower(code)
	}
	var all string
	for _, part := range t.Simple(r) {
		s, known := signs[t[part].Glyph]
		if !known {
			return code
		}
		all += s[side] + asText
	}
	return all
}

// writeTaken writes a line of signs for what a player has captured, if there is something.
func (d teller) writeTaken(b *strings.Builder, by rules.Color, margin int) {
	if d.Bars == nil {
		return
	}
	bar := &d.Bars.Sides[by]
	var line []string
	for _, p := range bar.Taken {
		line = append(line, sign(d.Table, p))
	}
	if bar.Ahead > 0 {
		line = append(line, fmt.Sprintf("+%d", bar.Ahead))
	}
	if line != nil {
		writeLine(b, []string{pad("", margin), " ", strings.Join(line, " ")})
	}
}

// partSign is the character that stands for the part that a mark is about.
func (d teller) partSign(m diagram.Mark) string {
	return [diagram.MaxParts + 1]string{"", "•", "◆", "▲"}[d.PartNumber(m)]
}

// partSigns tell of the parts of a piece that have marks, as in "◆ knight goes here".
func (d teller) partSigns() (signs []phrase.Phrase) {
	var last rules.Piece
	for _, m := range d.Marks {
		if m.Kind == diagram.Goes && m.Piece != last {
			last = m.Piece
			signs = append(signs, book.Say("sign.part", "sign", d.partSign(m), "piece", d.noun(last)))
		}
	}
	if len(signs) == 1 {
		return []phrase.Phrase{book.Say("sign.target", "sign", "•")}
	}
	return signs
}
