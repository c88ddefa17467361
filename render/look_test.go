package render

import (
	"fmt"
	"image/color"
	"slices"
	"testing"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/sample"
	"chimera/rules"
	"chimera/rules/variants"
)

// TestPiecesLookDifferent compares all pieces of each game on squares of 45 pixels,
// on dark and light ones, in grey, for those who see no colors. Two that differ by
// the level of a line alone differ by one mark, others by more.
func TestPiecesLookDifferent(t *testing.T) {
	const mark, figure = 2, 3.5 // of 255, on average over the square
	for square := range 2 {
		for _, v := range variants.All() {
			all := sample.Pieces(v)
			looks := make([][]uint8, len(all))
			for i, p := range all {
				looks[i] = greys(v.Table, p, rules.Square(square))
				for j, other := range all[:i] {
					least := float64(figure)
					if sameParts(v.Table, p, other) {
						least = mark
					}
					if d := distance(looks[i], looks[j]); d < least {
						t.Errorf("%s: %s and %s differ by %.1f only, want %v", v.Key, v.Noun(p), v.Noun(other), d, least)
					}
				}
			}
		}
	}
}

// TestPiecesOfOneGameAreNotThoseOfAnother compares the simple pieces of all games in the
// same way: those that have figures of their own cannot be taken for another game's.
func TestPiecesOfOneGameAreNotThoseOfAnother(t *testing.T) {
	const figure = 3.5
	table, games := rules.Table{{}}, []string{""}
	for _, v := range variants.All() {
		for _, info := range v.Table[1:] {
			if known := func(other rules.RoleInfo) bool { return other.Glyph == info.Glyph }; info.Glyph != "" && !slices.ContainsFunc(table, known) {
				table, games = append(table, info), append(games, v.Key)
			}
		}
	}
	for square := range rules.Square(2) {
		for _, side := range []rules.Color{rules.White, rules.Black} {
			looks := make([][]uint8, len(table))
			for r := 1; r < len(table); r++ {
				looks[r] = greys(table, rules.PieceOf(side, rules.Role(r)), square)
				for other := 1; other < r; other++ {
					if d := distance(looks[r], looks[other]); d < figure {
						t.Errorf("%s of %s and %s of %s differ by %.1f only, want %v", table[r].Glyph, games[r], table[other].Glyph, games[other], d, figure)
					}
				}
			}
		}
	}
}

// sameParts reports whether two pieces are drawn from the same figures.
func sameParts(t rules.Table, a, b rules.Piece) bool {
	figures := func(p rules.Piece) string {
		var all []string
		for _, part := range t.Simple(max(p.White, p.Black)) {
			all = append(all, t[part].Glyph)
		}
		slices.Sort(all)
		return fmt.Sprint(slices.Compact(all))
	}
	return !a.Shared() && !b.Shared() && figures(a) == figures(b)
}

// greys are the lightnesses of a square with a piece, on a board of two squares.
func greys(table rules.Table, p rules.Piece, sq rules.Square) []uint8 {
	const cell = 45
	d := diagram.Diagram{Shape: rules.NewShape(2, 1), Table: table}
	d.Board[sq] = p
	s := newScene(&d, 2*cell, false)
	var all []uint8
	for _, ink := range NewPainter().part(s, &s.areas[sq]).inks {
		all = append(all, color.GrayModel.Convert(draw.PaletteOf(d.Theme).Colors[ink]).(color.Gray).Y)
	}
	return all
}

// distance is the mean difference of the pixels.
func distance(a, b []uint8) float64 {
	sum := 0
	for i := range a {
		sum += max(int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return float64(sum) / float64(len(a))
}
