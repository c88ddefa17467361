package render

import (
	"slices"
	"testing"

	"chimera/rules"
)

func TestEveryEffectHasItsMarks(t *testing.T) {
	const a, b = rules.Square(3), rules.Square(12)
	left, reached := Mark{Left, a, a}, Mark{Reached, b, b}
	for _, c := range []struct {
		name string
		kind rules.EffectKind
		from rules.Square
		want []Mark
	}{
		{"a move", rules.Moved, a, []Mark{left, reached}},
		{"a castled rook", rules.Castled, a, []Mark{left, reached}},
		{"a capture", rules.Captured, a, []Mark{{Killed, a, b}}},
		{"an absorption", rules.Absorbed, a, []Mark{{Killed, a, b}}},
		{"an annihilation", rules.Annihilated, a, []Mark{{Killed, a, b}}},
		{"a shot", rules.Shot, a, []Mark{{Fired, a, b}}},
		{"a birth", rules.Born, a, []Mark{left, reached, {Joined, a, b}}},
		{"a part that comes", rules.Merged, a, []Mark{left, reached, {Joined, a, b}}},
		{"a part that was there", rules.Merged, b, []Mark{reached}},
		{"a part that goes", rules.Parted, a, []Mark{left, reached, {Parted, a, b}}},
		{"a promotion", rules.Promoted, b, nil},
	} {
		if got := marks(rules.Effect{Kind: c.kind, From: c.from, To: b}); !slices.Equal(got, c.want) {
			t.Errorf("%s is marked %v, want %v", c.name, got, c.want)
		}
	}
}

func TestBlackAtTheBottomTurnsTheBoardHalfAround(t *testing.T) {
	d := diagram(t, "***k***/7/7")
	for _, c := range []struct {
		bottom   rules.Color
		col, row int
		want     string
	}{
		{rules.White, 0, 2, "a1"},
		{rules.White, 6, 1, "g2"},
		{rules.White, 0, 0, "-"},
		{rules.Black, 0, 2, "-"},
		{rules.Black, 3, 2, "d3"},
		{rules.Black, 0, 0, "g1"},
	} {
		d.Bottom = c.bottom
		if got := d.Shape.Name(d.at(c.col, c.row)); got != c.want {
			t.Errorf("%v at the bottom: column %d, row %d is %s, want %s", c.bottom, c.col, c.row, got, c.want)
		}
		for sq := range d.Shape.Squares.Squares() {
			if got := d.at(d.flip(d.Shape.File(sq), d.Shape.Rank(sq))); got != sq {
				t.Errorf("%v at the bottom: %s is seen at %s", c.bottom, d.Shape.Name(sq), d.Shape.Name(got))
			}
		}
	}
}
