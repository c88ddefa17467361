package render

import (
	"cmp"
	"slices"
	"strings"

	"chimera/rules"
)

// Words says in a few sentences what stands where, for people who cannot see the
// picture: each side's pieces, kings first and pawns last, then whose move it is and
// what is marked. The 32 pieces of a full board take less than 1,024 characters.
func Words(d Diagram) string {
	var b strings.Builder
	for _, side := range []rules.Color{rules.White, rules.Black} {
		own := func(p rules.Piece) bool { return !p.Shared() && p.Half(side) != rules.NoRole }
		b.WriteString(side.String() + ": " + d.list(own) + ". ")
	}
	if both := d.list(rules.Piece.Shared); both != "none" {
		b.WriteString("Of both: " + both + ". ")
	}
	b.WriteString(d.Turn.String() + " to move")
	if d.marked(Check) != 0 {
		b.WriteString("; check")
	}
	b.WriteString(".")
	for _, m := range []struct {
		word string
		kind MarkKind
	}{
		{"Left", Left},
		{"Reached", Reached},
		{"Frozen", Frozen},
		{"Killed", Killed},
		{"Shot", Fired},
		{"Annihilated", Blasted},
		{"Chosen", Chosen},
		{"It can go to", Target},
		{"It can kill on", Aimed},
	} {
		if set := d.marked(m.kind); set != 0 {
			b.WriteString(" " + m.word + ":" + d.names(set) + ".")
		}
	}
	return b.String() + d.lent()
}

// lent says which piece lends its powers to which squares.
func (d Diagram) lent() string {
	on := map[rules.Square]rules.Set{}
	var lenders rules.Set
	for _, m := range d.Marks {
		if m.Kind == Lent {
			on[m.From] |= m.To.Set()
			lenders |= m.From.Set()
		}
	}
	if lenders == 0 {
		return ""
	}
	var items []string
	for _, from := range d.Shape.ByFile(lenders) {
		items = append(items, d.title(d.Board[from])+" "+d.Shape.Name(from)+" to"+d.names(on[from]))
	}
	return " Powers lent: " + strings.Join(items, ", ") + "."
}

// names are the names of squares, each after a space.
func (d Diagram) names(set rules.Set) string {
	var b strings.Builder
	for _, sq := range d.Shape.ByFile(set) {
		b.WriteString(" " + d.Shape.Name(sq))
	}
	return b.String()
}

// list names the pieces that are chosen, each kind with all its squares.
func (d Diagram) list(chosen func(rules.Piece) bool) string {
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
	var items []string
	for _, p := range kinds {
		items = append(items, d.title(p)+d.names(squares[p]))
	}
	if items == nil {
		return "none"
	}
	return strings.Join(items, ", ")
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

// title is the name of p in capitals: "Rook-Knight", or "white Knight with black
// Rook" for a shared piece.
func (d Diagram) title(p rules.Piece) string {
	if p.Shared() {
		return "white " + capitals(d.Table[p.White].Name) + " with black " + capitals(d.Table[p.Black].Name)
	}
	return capitals(d.Table[p.White|p.Black].Name)
}

// capitals begins each word of a name with a capital letter.
func capitals(name string) string {
	var b strings.Builder
	start := true
	for _, r := range name {
		c := string(r)
		if start {
			c = strings.ToUpper(c)
		}
		b.WriteString(c)
		start = r == ' ' || r == '-'
	}
	return b.String()
}
