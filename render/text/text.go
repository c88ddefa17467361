// Package text shows diagrams without pictures: in characters ([Text]), with an explanation of these ([Legend]), and in
// words ([Words]), for people who cannot see the picture and for chats without pictures. It says everything that a
// picture shows, in phrases of a book for each language.
package text

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
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

// asText is the variation selector that keeps the character before it from becoming an emoji, as on some phones. It has
// no width.
const asText = "\ufe0e"

// room is the width of a text in characters.
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
		line := pad(d.RankName(row), margin)
		for col := range d.Shape.Files {
			line += d.cell(d.At(col, row), width)
		}
		writeLine(&b, line)
	}
	line := pad("", margin)
	if d.Live() {
		line = pad(turnSigns[d.Turn], margin)
	}
	for col := range d.Shape.Files {
		line += pad(" "+d.FileName(col), width+2)
	}
	writeLine(&b, line)
	d.writeTaken(&b, d.Bottom, margin)
	return b.String()
}

// turnSigns are the circles of the sides.
//
//nolint:gochecknoglobals // never written
var turnSigns = [2]string{"○", "●"}

func writeLine(b *strings.Builder, line string) {
	b.WriteString(strings.TrimRight(line, " ") + "\n")
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

// brackets are the characters on both sides of a square's sign, the first that applies; named like their sentence.
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
	{"vain-piece", diagram.Vain, "›", "‹"},
	{"takes", diagram.Takes, "×", ""},
	{"ranged", diagram.Ranged, "¤", ""},
}

// around are the characters on both sides of a square's sign, and their name; the name is "" for none, or for those of
// lent powers.
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

// inside is the sign for what stands or stood on a square; for a mark, name is its name.
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

// Legend explains the signs of Text other than pieces, such as "[♘] just moved": those on squares, and in the corner
// that of the side to move; and below that, line by line, what is new on the board. It is empty if there is neither.
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
		"takes", "attacked", "attacked-piece", "vain-piece", "ranged", "doomed", "lent-white", "lent-black",
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
	line := phrase.Each(bar.Taken, func(p rules.Piece) string { return sign(d.Table, p) })
	if bar.Ahead > 0 {
		line = append(line, fmt.Sprintf("+%d", bar.Ahead))
	}
	if line != nil {
		writeLine(b, pad("", margin+1)+strings.Join(line, " "))
	}
}

// partSign is the character for the part that a mark is about.
func (d teller) partSign(m diagram.Mark) string {
	return [diagram.MaxParts + 1]string{"", "•", "◆", "▲"}[d.PartNumber(m)]
}

// partSigns explain the signs of parts, as in "◆ knight goes here".
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

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// teller puts a diagram into words.
type teller struct{ diagram.Diagram }

// Words describes a diagram in a few sentences, for people who cannot see the picture: what the bars say, each side's
// pieces, kings first and pawns last, then whose move it is or how the game ended, and what is marked. The 32 pieces of
// a full board take less than 1,024 characters.
func Words(of diagram.Diagram) phrase.Phrase {
	d := teller{of}
	said := d.barWords()
	for _, side := range []rules.Color{rules.White, rules.Black} {
		own := d.list(func(p rules.Piece) bool { return !p.Shared() && p.Half(side) != rules.NoRole })
		switch {
		case own != nil:
			said = append(said, book.Say("side", "side", side, "pieces", phrase.Commas(own)))
		case !d.Idle:
			said = append(said, book.Say("side-none", "side", side))
		}
	}
	if both := d.list(rules.Piece.Shared); both != nil {
		said = append(said, book.Say("both", "pieces", phrase.Commas(both)))
	}
	if !d.Idle {
		said = append(said, Turn(of))
	}
	said = append(said, d.ways()...)
	for _, kind := range []diagram.MarkKind{
		diagram.Left, diagram.Reached, diagram.Checker, diagram.Fallen, diagram.Frozen, diagram.Killed, diagram.Fired, diagram.Blasted,
		diagram.Chosen, diagram.Target, diagram.Merges, diagram.Splits, diagram.Aimed,
		diagram.Takes, diagram.Attacks, diagram.Vain, diagram.Ranged, diagram.Doomed,
	} {
		set := d.Marked(kind)
		if kind == diagram.Checker {
			set = d.checkers()
		}
		if set != 0 {
			said = append(said, book.Say(kind.String(), "squares", d.Shape.Names(set)))
		}
		if way := d.way(); kind == diagram.Reached && way != "" {
			said = append(said, book.Say("ran", "squares", way))
		}
	}
	if lent := d.lent(); lent != nil {
		said = append(said, book.Say("lent", "powers", phrase.Commas(lent)))
	}
	return book.Say("sentences", "sentences", phrase.Spaced(append(said, d.news()...)))
}

// Turn says whose move it is, or how the game ended.
func Turn(of diagram.Diagram) phrase.Phrase {
	d := teller{of}
	return book.Say("turn", "side", d.Turn, "stands", d.stands())
}

// stands is whether somebody is to move, or how the game ended.
func (d teller) stands() string {
	switch {
	case d.Status != rules.Ongoing && d.Status != rules.Mated:
		return d.Status.String()
	case d.Over:
		return "over"
	case d.Marked(diagram.Check) != 0:
		return "check"
	}
	return "turn"
}

// checkers are the squares of the pieces that give check.
func (d teller) checkers() (set rules.Set) {
	for _, m := range d.Marks {
		if m.Kind == diagram.Checker {
			set |= m.From.Set()
		}
	}
	return set
}

// way is the squares that a piece passed on its run, in order.
func (d teller) way() string {
	var all []string
	for _, m := range d.Marks {
		for sq := range m.Path.Squares() {
			if sq != m.To {
				all = append(all, d.Shape.Name(sq))
			}
		}
	}
	return strings.Join(all, " ")
}

// Film describes an animation that ends with a diagram.
func Film(last diagram.Diagram) phrase.Phrase { return book.Say("film", "board", Words(last)) }

// ways say which part of a piece can go where.
func (d teller) ways() []phrase.Phrase {
	var parts []rules.Piece
	to := map[rules.Piece]rules.Set{}
	for _, m := range d.Marks {
		if m.Kind != diagram.Goes {
			continue
		}
		if to[m.Piece] == 0 {
			parts = append(parts, m.Piece)
		}
		to[m.Piece] |= m.To.Set()
	}
	return phrase.Each(parts, func(part rules.Piece) phrase.Phrase {
		return book.Say("goes", "piece", d.noun(part), "squares", d.Shape.Names(to[part]))
	})
}

// lent says which piece lends its powers to which squares.
func (d teller) lent() []phrase.Phrase {
	to := map[rules.Square]rules.Set{}
	var lenders rules.Set
	for _, m := range d.Marks {
		if m.Kind == diagram.Lent {
			to[m.From] |= m.To.Set()
			lenders |= m.From.Set()
		}
	}
	return phrase.Each(d.Shape.ByFile(lenders), func(from rules.Square) phrase.Phrase {
		return book.Say("powers", "piece", d.noun(d.Board[from]), "square", d.Shape.Name(from), "squares", d.Shape.Names(to[from]))
	})
}

// list names the chosen pieces, each kind with all its squares.
func (d teller) list(chosen func(rules.Piece) bool) []phrase.Phrase {
	on := map[rules.Piece]rules.Set{}
	for sq := range d.Shape.Squares.Squares() {
		if p := d.Board[sq]; chosen(p) {
			on[p] |= sq.Set()
		}
	}
	kinds := slices.SortedFunc(maps.Keys(on), func(a, b rules.Piece) int {
		return cmp.Or(cmp.Compare(d.standing(a), d.standing(b)), cmp.Compare(b.White, a.White), cmp.Compare(b.Black, a.Black))
	})
	return phrase.Each(kinds, func(p rules.Piece) phrase.Phrase {
		return book.Say("piece", "piece", d.noun(p), "squares", d.Shape.Names(on[p]))
	})
}

// standing orders pieces: kings, simple pieces, compounds, pawns. Within one standing, the end of the piece table comes
// first.
func (d teller) standing(p rules.Piece) int {
	info := d.Table[max(p.White, p.Black)]
	switch {
	case info.Royal:
		return 0
	case info.Pawn:
		return 3
	case info.Glyph == "":
		return 2
	}
	return 1
}

// noun is the name of a piece, also of a shared one.
func (d teller) noun(p rules.Piece) phrase.Phrase {
	if p.Shared() {
		return book.Say("shared", "white", d.Table[p.White].Noun, "black", d.Table[p.Black].Noun)
	}
	return d.Table[p.White|p.Black].Noun
}

// BarWords put the bars of a diagram into words, for which [Text] has no room; empty without bars.
func BarWords(of diagram.Diagram) phrase.Phrase {
	said := teller{of}.barWords()
	if said == nil {
		return phrase.Phrase{}
	}
	return book.Say("sentences", "sentences", phrase.Spaced(said))
}

// barWords put the bars of d into words.
func (d teller) barWords() (said []phrase.Phrase) {
	if d.Bars == nil {
		return nil
	}
	if d.Bars.Result != "" {
		said = append(said, book.Say("result", "result", d.Bars.Result))
	}
	for side, b := range d.Bars.Sides {
		if b.Name == "" && len(b.Taken) == 0 {
			continue
		}
		said = append(said, book.Say("bar", "side", rules.Color(side), "name", b.Name, "rating", cmp.Or(b.Rating, "none"), "n", len(b.Taken),
			"pieces", phrase.Commas(d.takenWords(b.Taken)), "ahead", b.Ahead, "when", cmp.Or(b.When, "none")))
	}
	return said
}

// takenWords name captured pieces, each kind once.
func (d teller) takenWords(all []rules.Piece) (kinds []phrase.Phrase) {
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		kinds = append(kinds, book.Say("taken", "piece", d.noun(all[i]), "n", n))
		i += n
	}
	return kinds
}

// news are the lessons about new pieces on a game's board.
func (d teller) news() (said []phrase.Phrase) {
	for _, l := range d.Legend {
		if !d.Idle && !l.Line.IsZero() {
			said = append(said, book.Say("lesson", "name", l.Name, "line", l.Line))
		}
	}
	return said
}

// Field says what stands on a square.
func Field(of diagram.Diagram, sq rules.Square) phrase.Phrase {
	d := teller{of}
	name, p := d.Shape.Name(sq), d.Board[sq]
	switch {
	case p == rules.Piece{}:
		return book.Say("field-empty", "square", name)
	case p.Shared():
		return book.Say("field-shared", "square", name, "piece", d.noun(p))
	}
	return book.Say("field", "square", name, "side", diagram.SideOf(p), "piece", d.noun(p))
}
