package render

import (
	"cmp"
	"slices"
	"strings"

	"chimera/rules"
)

// Words says in a few sentences what stands where, for people who cannot see the
// picture: each side's men, kings first and pawns last, then whose move it is.
// The 32 men of a full board take less than 1,024 characters.
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
	return b.String() + "."
}

// list names the men that are chosen, each kind with all its squares.
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
		item := d.title(p)
		for _, sq := range d.Shape.ByFile(squares[p]) {
			item += " " + d.Shape.Name(sq)
		}
		items = append(items, item)
	}
	if items == nil {
		return "none"
	}
	return strings.Join(items, ", ")
}

// standing orders men: kings, simple pieces, compounds, pawns. Those of one
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
