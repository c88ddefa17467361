package text

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book has what pictures of boards are told as.
func Book() *phrase.Book { return book }

// teller says what is seen of a diagram.
type teller struct{ diagram.Diagram }

// Words says in a few sentences what stands where, for people who cannot see the
// picture: what the bars say, each side's pieces, kings first and pawns last, then whose move it is or how
// the game ended, and what is marked. The 32 pieces of a full board take less than 1,024 characters.
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
	for _, m := range []struct {
		key  string
		kind diagram.MarkKind
	}{
		{"left", diagram.Left},
		{"reached", diagram.Reached},
		{"checker", diagram.Checker},
		{"fallen", diagram.Fallen},
		{"frozen", diagram.Frozen},
		{"killed", diagram.Killed},
		{"shot", diagram.Fired},
		{"annihilated", diagram.Blasted},
		{"chosen", diagram.Chosen},
		{"target", diagram.Target},
		{"merges", diagram.Merges},
		{"splits", diagram.Splits},
		{"aimed", diagram.Aimed},
		{"takes", diagram.Takes},
		{"attacked", diagram.Attacks},
		{"ranged", diagram.Ranged},
		{"doomed", diagram.Doomed},
	} {
		set := d.Marked(m.kind)
		if m.kind == diagram.Checker {
			set = d.checkers()
		}
		if set != 0 {
			said = append(said, book.Say(m.key, "squares", d.Shape.Names(set)))
		}
		if way := d.way(); m.kind == diagram.Reached && way != "" {
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

// way is the squares by which a piece ran to where it is, in their order.
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

// Film says what a moving picture shows that ends with a diagram.
func Film(last diagram.Diagram) phrase.Phrase { return book.Say("film", "board", Words(last)) }

// groups are squares by what they have in common, in the order in which that was first seen.
type groups[K comparable] struct {
	keys []K
	on   map[K]rules.Set
}

func (g *groups[K]) add(key K, sq rules.Square) {
	if g.on == nil {
		g.on = map[K]rules.Set{}
	}
	if g.on[key] == 0 {
		g.keys = append(g.keys, key)
	}
	g.on[key] |= sq.Set()
}

// ways say which part of a piece can go where.
func (d teller) ways() (said []phrase.Phrase) {
	var to groups[rules.Piece]
	for _, m := range d.Marks {
		if m.Kind == diagram.Goes {
			to.add(m.Piece, m.To)
		}
	}
	for _, part := range to.keys {
		said = append(said, book.Say("goes", "piece", d.noun(part), "squares", d.Shape.Names(to.on[part])))
	}
	return said
}

// lent says which piece lends its powers to which squares.
func (d teller) lent() (items []phrase.Phrase) {
	var to groups[rules.Square]
	var lenders rules.Set
	for _, m := range d.Marks {
		if m.Kind == diagram.Lent {
			to.add(m.From, m.To)
			lenders |= m.From.Set()
		}
	}
	for _, from := range d.Shape.ByFile(lenders) {
		items = append(items, book.Say("powers", "piece", d.noun(d.Board[from]), "square", d.Shape.Name(from), "squares", d.Shape.Names(to.on[from])))
	}
	return items
}

// list names the pieces that are chosen, each kind with all its squares.
func (d teller) list(chosen func(rules.Piece) bool) (items []phrase.Phrase) {
	var kinds groups[rules.Piece]
	for sq := range d.Shape.Squares.Squares() {
		if p := d.Board[sq]; chosen(p) {
			kinds.add(p, sq)
		}
	}
	slices.SortFunc(kinds.keys, func(a, b rules.Piece) int {
		return cmp.Or(cmp.Compare(d.standing(a), d.standing(b)), cmp.Compare(b.White, a.White), cmp.Compare(b.Black, a.Black))
	})
	for _, p := range kinds.keys {
		items = append(items, book.Say("piece", "piece", d.noun(p), "squares", d.Shape.Names(kinds.on[p])))
	}
	return items
}

// standing orders pieces: kings, simple pieces, compounds, pawns. Those of one
// standing are named from the end of the piece table.
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

// noun is what a piece is called: of both sides where it is shared.
func (d teller) noun(p rules.Piece) phrase.Phrase {
	if p.Shared() {
		return book.Say("shared", "white", d.Table[p.White].Noun, "black", d.Table[p.Black].Noun)
	}
	return d.Table[p.White|p.Black].Noun
}

// BarWords say what the bars of a diagram do, which [Text] has no room for; nothing where there are none.
func BarWords(of diagram.Diagram) phrase.Phrase {
	said := teller{of}.barWords()
	if said == nil {
		return phrase.Phrase{}
	}
	return book.Say("sentences", "sentences", phrase.Spaced(said))
}

// barWords say what the bars of d do.
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

// news are the lessons about pieces that a board of a game has.
func (d teller) news() (said []phrase.Phrase) {
	for _, l := range d.Legend {
		if !d.Idle && l.Line != "" {
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
