package rulestest

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
)

// Position is the position of a FEN, or the start if that is empty.
func Position(t testing.TB, v *rules.Variant, fen string) *rules.Position {
	t.Helper()
	pos, err := v.Position(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return pos
}

// After is the position after moves, as people write them.
func After(t testing.TB, pos *rules.Position, texts ...string) *rules.Position {
	t.Helper()
	for _, text := range texts {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatalf("%s: %s: %v", pos.FEN(), text, err)
		}
		pos = Played(t, pos, m)
	}
	return pos
}

// Played is the position after a legal move.
func Played(t testing.TB, pos *rules.Position, m rules.Move) *rules.Position {
	t.Helper()
	next, err := pos.Play(m)
	if err != nil {
		t.Fatalf("%s: %v", pos.FEN(), err)
	}
	return next
}

// PlayOn is a game after more moves, as people write them.
func PlayOn(t testing.TB, g rules.Game, texts ...string) rules.Game {
	t.Helper()
	for _, text := range texts {
		m, err := g.Position.Parse(text)
		if err == nil {
			g, err = g.Play(m)
		}
		if err != nil {
			t.Fatalf("%s in %s: %v", text, g.Position.FEN(), err)
		}
	}
	return g
}

// From are the coordinate texts of the legal moves of the piece on a square, without that square, in byte order.
func From(pos *rules.Position, square string) string {
	var ends []string
	for _, m := range pos.Moves() {
		if end, ok := strings.CutPrefix(pos.Variant().Coordinate(m), square); ok {
			ends = append(ends, end)
		}
	}
	slices.Sort(ends)
	return strings.Join(ends, " ")
}

// Must ends a test that cannot go on.
func Must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
