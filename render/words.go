package render

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"chimera/rules"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book has what pictures of boards are told as.
func Book() *phrase.Book { return book }

// Words says in a few sentences what stands where, for people who cannot see the
// picture: what the bars say, each side's pieces, kings first and pawns last, then whose move it is or how
// the game ended, and what is marked. The 32 pieces of a full board take less than 1,024 characters.
func Words(d Diagram) phrase.Phrase {
	said := d.barWords()
	for _, side := range []rules.Color{rules.White, rules.Black} {
		own := d.list(func(p rules.Piece) bool { return !p.Shared() && p.Half(side) != rules.NoRole })
		if own == nil && d.Idle {
			continue
		}
		if own == nil {
			said = append(said, book.Say("side-none", "side", side))
			continue
		}
		said = append(said, book.Say("side", "side", side, "pieces", phrase.Commas(own)))
	}
	if both := d.list(rules.Piece.Shared); both != nil {
		said = append(said, book.Say("both", "pieces", phrase.Commas(both)))
	}
	if !d.Idle {
		said = append(said, d.turn())
	}
	said = append(said, d.ways()...)
	for _, m := range []struct {
		key  string
		kind MarkKind
	}{
		{"left", Left},
		{"reached", Reached},
		{"checker", Checker},
		{"fallen", Fallen},
		{"frozen", Frozen},
		{"killed", Killed},
		{"shot", Fired},
		{"annihilated", Blasted},
		{"chosen", Chosen},
		{"target", Target},
		{"merges", Merges},
		{"splits", Splits},
		{"aimed", Aimed},
		{"takes", Takes},
		{"attacked", Attacks},
		{"ranged", Ranged},
		{"doomed", Doomed},
	} {
		set := d.marked(m.kind)
		if m.kind == Checker {
			set = d.checkers()
		}
		if set != 0 {
			said = append(said, book.Say(m.key, "squares", d.names(set)))
		}
		if way := d.way(); m.kind == Reached && way != "" {
			said = append(said, book.Say("ran", "squares", way))
		}
	}
	if lent := d.lent(); lent != nil {
		said = append(said, book.Say("lent", "powers", phrase.Commas(lent)))
	}
	return book.Say("sentences", "sentences", phrase.Spaced(append(said, d.news()...)))
}

// turn says whose move it is, or how the game ended.
func (d Diagram) turn() phrase.Phrase {
	return book.Say("turn", "side", d.Turn, "stands", d.stands())
}

// stands is whether somebody is to move, or how the game ended.
func (d Diagram) stands() string {
	switch {
	case d.Status != rules.Ongoing && d.Status != rules.Mated:
		return d.Status.String()
	case d.Over:
		return "over"
	case d.marked(Check) != 0:
		return "check"
	}
	return "turn"
}

// checkers are the squares of the pieces that give check.
func (d Diagram) checkers() (set rules.Set) {
	for _, m := range d.Marks {
		if m.Kind == Checker {
			set |= m.From.Set()
		}
	}
	return set
}

// way is the squares by which a piece ran to where it is, in their order.
func (d Diagram) way() string {
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

// FilmWords says what a moving picture shows that ends with a diagram.
func FilmWords(last Diagram) phrase.Phrase { return book.Say("film", "board", Words(last)) }

// ways say which part of a piece can go where.
func (d Diagram) ways() (said []phrase.Phrase) {
	to := map[rules.Piece]rules.Set{}
	var parts []rules.Piece
	for _, m := range d.Marks {
		if m.Kind != Goes {
			continue
		}
		if to[m.Piece] == 0 {
			parts = append(parts, m.Piece)
		}
		to[m.Piece] |= m.To.Set()
	}
	for _, part := range parts {
		said = append(said, book.Say("goes", "piece", d.noun(part), "squares", d.names(to[part])))
	}
	return said
}

// lent says which piece lends its powers to which squares.
func (d Diagram) lent() (items []phrase.Phrase) {
	on := map[rules.Square]rules.Set{}
	var lenders rules.Set
	for _, m := range d.Marks {
		if m.Kind == Lent {
			on[m.From] |= m.To.Set()
			lenders |= m.From.Set()
		}
	}
	for _, from := range d.Shape.ByFile(lenders) {
		items = append(items, book.Say("powers", "piece", d.noun(d.Board[from]), "square", d.Shape.Name(from), "squares", d.names(on[from])))
	}
	return items
}

// names are the names of squares, with spaces between them.
func (d Diagram) names(set rules.Set) string {
	var all []string
	for _, sq := range d.Shape.ByFile(set) {
		all = append(all, d.Shape.Name(sq))
	}
	return strings.Join(all, " ")
}

// list names the pieces that are chosen, each kind with all its squares.
func (d Diagram) list(chosen func(rules.Piece) bool) (items []phrase.Phrase) {
	squares := map[rules.Piece]rules.Set{}
	var kinds []rules.Piece
	for sq := range d.Shape.Squares.Squares() {
		p := d.Board[sq]
		if !chosen(p) {
			continue
		}
		if squares[p] == 0 {
			kinds = append(kinds, p)
		}
		squares[p] |= sq.Set()
	}
	slices.SortFunc(kinds, func(a, b rules.Piece) int {
		return cmp.Or(cmp.Compare(d.standing(a), d.standing(b)), cmp.Compare(b.White, a.White), cmp.Compare(b.Black, a.Black))
	})
	for _, p := range kinds {
		items = append(items, book.Say("piece", "piece", d.noun(p), "squares", d.names(squares[p])))
	}
	return items
}

// standing orders pieces: kings, simple pieces, compounds, pawns. Those of one
// standing are named from the end of the piece table.
func (d Diagram) standing(p rules.Piece) int {
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

// noun is what a piece is called: of both sides where it is shared.
func (d Diagram) noun(p rules.Piece) phrase.Phrase {
	if p.Shared() {
		return book.Say("shared", "white", d.Table[p.White].Noun, "black", d.Table[p.Black].Noun)
	}
	return d.Table[p.White|p.Black].Noun
}
