package draw

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"chimera/render/internal/sample"
	"chimera/rules"
	"chimera/rules/variants"
)

// The roles of a game made up for these tests.
const (
	knight rules.Role = iota + 1
	bishop
	rook
	queen
	wizard
)

var table = rules.Table{
	knight: {Code: "N", Glyph: "knight"},
	bishop: {Code: "B", Glyph: "bishop"},
	rook:   {Code: "R", Glyph: "rook"},
	queen:  {Code: "Q", Glyph: "queen"},
	wizard: {Code: "WZ", Glyph: "wizard"},
}

func TestEveryPieceOfEveryGameHasItsOwnFigure(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			looks := map[string]string{}
			for _, p := range sample.Pieces(v) {
				name := fmt.Sprint(v.Noun(p), p)
				brushes := drawPiece(v.Table, p)
				checkOwnLook(t, looks, name, brushes)
				if letters := words(brushes); letters != nil {
					t.Errorf("%s is drawn as the letters %q", name, letters)
				}
				checkInBox(t, name, brushes)
			}
		})
	}
}

// TestAnyThreeFiguresCompose is for games to come: any two or three of the figures
// make one piece, and no two make the same.
func TestAnyThreeFiguresCompose(t *testing.T) {
	looks := map[string]string{}
	names := slices.Sorted(maps.Keys(figures))
	for a := range names {
		check := func(glyphs ...string) {
			table := rules.Table{{}}
			for _, g := range glyphs {
				table = append(table, rules.RoleInfo{Code: g, Glyph: g})
			}
			whole := rules.RoleInfo{Code: strings.Join(glyphs, "-")}
			for r := range glyphs {
				whole.Parts = append(whole.Parts, rules.Role(r+1))
			}
			table = append(table, whole)
			brushes := drawPiece(table, rules.PieceOf(rules.White, table.Role(whole.Code)))
			checkOwnLook(t, looks, whole.Code, brushes)
			checkInBox(t, whole.Code, brushes)
			if words(brushes) != nil {
				t.Errorf("%s is drawn as letters", whole.Code)
			}
		}
		for b := range a {
			check(names[a], names[b])
			for c := range b {
				check(names[a], names[b], names[c])
			}
		}
	}
}

func TestSharedPiecesStayOnTheirSquare(t *testing.T) {
	table := rules.Table{{}}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		table = append(table, rules.RoleInfo{Code: name, Glyph: name})
	}
	for white := range table[1:] {
		for black := range table[1:] {
			p := rules.Piece{White: rules.Role(white + 1), Black: rules.Role(black + 1)}
			checkInBox(t, table.Code(p), drawPiece(table, p))
		}
	}
}

func checkOwnLook(t *testing.T, looks map[string]string, name string, brushes []brush) {
	t.Helper()
	look := fmt.Sprint(brushes)
	if other := looks[look]; other != "" {
		t.Errorf("%s looks like %s", name, other)
	}
	looks[look] = name
}

// words are the texts that are painted.
func words(brushes []brush) []string {
	var all []string
	for _, s := range brushes {
		if s.finish == word {
			all = append(all, s.text)
		}
	}
	return all
}

// checkInBox follows each line with the widest pen that paints it.
func checkInBox(t *testing.T, name string, brushes []brush) {
	t.Helper()
	for _, s := range brushes {
		half := edgeWidth / 2
		if s.finish == body && s.side == rules.Black {
			half = haloWidth / 2
		}
		var at Point
		for _, step := range s.path {
			if step.Op == Move {
				at = step.To
			}
			if step.Op == Move || step.Op == Close {
				continue
			}
			for i := range 9 {
				p := s.frame.at(along(step, at, float64(i)/8))
				if p.X < half || p.X > box-half || p.Y < half || p.Y > box-half {
					t.Errorf("%s is painted at %.1f, %.1f, outside its square", name, p.X, p.Y)
					return
				}
			}
			at = step.To
		}
	}
}

func TestPiecesWithoutAFigureAreLetters(t *testing.T) {
	many := append(slices.Clone(table), rules.RoleInfo{Code: "RB", Parts: []rules.Role{rook, bishop}},
		rules.RoleInfo{Code: "NN", Parts: []rules.Role{knight, knight}},
		rules.RoleInfo{Code: "RRRR", Parts: []rules.Role{rook, rook, rook, rook}},
		rules.RoleInfo{Code: "RWZ", Parts: []rules.Role{rook, wizard}},
		rules.RoleInfo{Code: "X"},
	)
	for _, code := range []string{"WZ", "NN", "RRRR", "RWZ", "X"} {
		got := words(drawPiece(many, rules.PieceOf(rules.Black, many.Role(code))))
		if !slices.Equal(got, []string{code}) {
			t.Errorf("%s is drawn with the words %q", code, got)
		}
	}
}

// TestALevelIsABar looks at the plinth below a piece: there is none for simple lines, and a bar for each further level,
// upright and on the left for a rook's line, slanting and on the right for a bishop's, both for a queen's; and a
// fuse at the highest level.
func TestALevelIsABar(t *testing.T) {
	many := append(slices.Clone(table), rules.RoleInfo{Code: "RB", Parts: []rules.Role{rook, bishop}},
		rules.RoleInfo{Code: "RR", Parts: []rules.Role{rook, rook}},
		rules.RoleInfo{Code: "RRRBB", Parts: []rules.Role{rook, rook, rook, bishop, bishop}},
		rules.RoleInfo{Code: "QQ", Parts: []rules.Role{queen, queen}},
	)
	for code, want := range map[string]string{
		"R": "", "Q": "", "RB": "", "RR": "plinth, upright left", "RRRBB": "plinth, upright left, upright left, fuse left, slant right",
		"QQ": "plinth, upright left, slant right",
	} {
		var got []string
		parts, _ := partsOf(many, many.Role(code))
		for _, m := range drawLevels(parts, rules.White, frame{0, 0, 1, 1}) {
			for name, sign := range signs {
				side := " left"
				if middle := m.frame.at(Point{X: 50, Y: 50}).X; name == "plinth" {
					side = ""
				} else if middle > 50 || name == "fuse" && m.frame.sx > 0 {
					side = " right"
				}
				if fmt.Sprint(sign.head[0]) == fmt.Sprint(m.shape) {
					got = append(got, name+side)
				}
			}
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("below %s there is %q, want %q", code, got, want)
		}
	}
}

// TestAThirdPartIsABadge: lines, which have levels, are drawn; what else there is of three
// parts stands in the corner.
func TestAThirdPartIsABadge(t *testing.T) {
	many := append(slices.Clone(table), rules.RoleInfo{Code: "RBN", Parts: []rules.Role{rook, bishop, knight}},
		rules.RoleInfo{Code: "RN", Parts: []rules.Role{rook, knight}})
	parts, badge := partsOf(many, many.Role("RBN"))
	if len(parts) != 2 || parts[0].bearing != figures["rook"].bearing || parts[1].bearing != figures["bishop"].bearing {
		t.Errorf("%d parts of RBN are drawn, want its rook and its bishop", len(parts))
	}
	if fmt.Sprint(badge) != fmt.Sprint(figures["knight"].crest) {
		t.Errorf("the badge of RBN is %v, want its knight", badge)
	}
	if parts, badge := partsOf(many, many.Role("RN")); len(parts) != 2 || badge != nil {
		t.Errorf("RN is drawn from %d parts and the badge %v, want two and none", len(parts), badge)
	}
}
