package diagram

import (
	"slices"
	"testing"

	"chimera/rules"
)

func TestEveryEffectHasItsMarks(t *testing.T) {
	const a, b = rules.Square(3), rules.Square(12)
	left, reached := on(Left, a), on(Reached, b)
	for _, c := range []struct {
		name string
		kind rules.EffectKind
		from rules.Square
		want []Mark
	}{
		{"a move", rules.Moved, a, []Mark{left, reached}},
		{"a castled rook", rules.Castled, a, []Mark{left, reached}},
		{"a capture", rules.Captured, a, []Mark{{Kind: Killed, From: a, To: b}}},
		{"an absorption", rules.Absorbed, a, []Mark{{Kind: Killed, From: a, To: b}}},
		{"an annihilation", rules.Annihilated, a, []Mark{{Kind: Blasted, From: b, To: b}}},
		{"a shot", rules.Shot, a, []Mark{{Kind: Fired, From: a, To: b}}},
		{"a birth", rules.Born, a, []Mark{left, reached, {Kind: Joined, From: a, To: b}}},
		{"a part that comes", rules.Merged, a, []Mark{left, reached, {Kind: Joined, From: a, To: b}}},
		{"a part that was there", rules.Merged, b, []Mark{reached}},
		{"a part that goes", rules.Parted, a, []Mark{left, reached, {Kind: Parted, From: a, To: b}}},
		{"a promotion", rules.Promoted, b, nil},
	} {
		if got := marks(rules.Effect{Kind: c.kind, From: c.from, To: b}); !slices.Equal(got, c.want) {
			t.Errorf("%s is marked %v, want %v", c.name, got, c.want)
		}
	}
}
