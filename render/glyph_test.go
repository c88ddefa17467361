package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
)

// everyMan is a table of all simple figures and of all compounds of two or three
// of them, also of the same one twice.
func everyMan() rules.Table {
	t := rules.Table{{}}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		t = append(t, rules.RoleInfo{Code: strings.ToUpper(name[:2]), Glyph: name})
	}
	last := rules.Role(len(figures))
	for a := rules.Role(1); a <= last; a++ {
		for b := a; b <= last; b++ {
			t = append(t, rules.RoleInfo{Code: t[a].Code + t[b].Code, Parts: []rules.Role{a, b}})
			for c := b; c <= last; c++ {
				t = append(t, rules.RoleInfo{Code: t[a].Code + t[b].Code + t[c].Code, Parts: []rules.Role{a, b, c}})
			}
		}
	}
	return t
}

func TestAnyThreeFiguresCompose(t *testing.T) {
	table := everyMan()
	seen := map[string]string{}
	for r := range table[1:] {
		role := rules.Role(r + 1)
		code := table[role].Code
		brushes := drawPiece(table, rules.Man(rules.White, role))
		look := fmt.Sprint(brushes)
		if other := seen[look]; other != "" {
			t.Errorf("%s looks like %s", code, other)
		}
		seen[look] = code
		for _, s := range brushes {
			if s.ink == word {
				t.Errorf("%s is drawn as letters", code)
			}
		}
		checkInBox(t, code, brushes)
	}
}

func TestSharedPiecesStayOnTheirSquare(t *testing.T) {
	table := everyMan()
	last := rules.Role(len(figures))
	for white := rules.Role(1); white <= last; white++ {
		for black := rules.Role(1); black <= last; black++ {
			p := rules.Piece{White: white, Black: black}
			checkInBox(t, table.Code(p), drawPiece(table, p))
		}
	}
}

func checkInBox(t *testing.T, name string, brushes []brush) {
	t.Helper()
	const half = edgeWidth / 2
	for _, s := range brushes {
		for _, step := range s.path {
			if step.op == 'Z' {
				continue
			}
			x, y := s.frame.at(step.to)
			if x < half || x > box-half || y < half || y > box-half {
				t.Errorf("%s is painted at %.1f, %.1f, outside its square", name, x, y)
				return
			}
		}
	}
}

func TestMenWithoutAFigureAreLetters(t *testing.T) {
	many := append(slices.Clone(table),
		rules.RoleInfo{Code: "RRBB", Parts: []rules.Role{rook, rook, bishop, bishop}},
		rules.RoleInfo{Code: "RWZ", Parts: []rules.Role{rook, wizard}},
		rules.RoleInfo{Code: "X"},
	)
	for _, code := range []string{"WZ", "RRBB", "RWZ", "X"} {
		var words []string
		for _, s := range drawPiece(many, rules.Man(rules.Black, many.Role(code))) {
			if s.ink == word {
				words = append(words, s.text)
			}
		}
		if !slices.Equal(words, []string{code}) {
			t.Errorf("%s is drawn with the words %q", code, words)
		}
	}
}
