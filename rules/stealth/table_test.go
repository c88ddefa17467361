package stealth_test

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/stealth"
)

func TestThePieceTable(t *testing.T) {
	table := stealth.Stealth().Table
	// Pawn, king, captain, and 65 sets: 16 with G, 18 of both lines, 12 of each line
	// alone, 7 of steps and leaps alone.
	if got := len(table) - 1; got != 3+16+18+12+12+7 {
		t.Errorf("the table has %d pieces", got)
	}
	codes, names := map[string]bool{}, map[string]bool{}
	for r, info := range table[1:] {
		if info.Code == "" || info.Name == "" || codes[info.Code] || names[info.Name] {
			t.Errorf("row %d, %v: code or name is missing or another's", r+1, info)
		}
		codes[info.Code], names[info.Name] = true, true
		if (info.Glyph == "") == (len(info.Parts) == 0) {
			t.Errorf("%s is drawn by figure %q and by parts %v", info.Code, info.Glyph, info.Parts)
		}
		for _, part := range info.Parts {
			if table[part].Glyph == "" {
				t.Errorf("%s has %s for a part, which is a compound", info.Code, table[part].Code)
			}
		}
	}
}

func TestPiecesAreDrawnFromTheirParts(t *testing.T) {
	table := stealth.Stealth().Table
	for code, want := range map[string]string{
		"RR": "R R", "RRBBB": "R R B B B", "QQ": "Q Q", "QQQN": "Q Q Q N", "RF": "R WF", "BW": "B WF",
		"RNF": "R N WF", "NWF": "N WF", "NW": "N W", "NF": "N F", "RG": "R G", "RN": "R N",
	} {
		var parts []string
		for _, part := range table[table.Role(code)].Parts {
			parts = append(parts, table[part].Code)
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s is drawn from %s, want %s", code, got, want)
		}
	}
}

func TestASetHasOneSpelling(t *testing.T) {
	table := stealth.Stealth().Table
	for _, code := range []string{"NR", "RB", "RW", "BF", "GN", "NG", "RRBBG", "QW", "RRRR", "QR", "RQ", "WNF", "WG", "BR", "QNF", "FW"} {
		if r := table.Role(code); r != rules.NoRole {
			t.Errorf("%s is read as %v", code, table[r])
		}
	}
	for _, code := range []string{"W", "F", "G", "NW", "NF", "RRB", "RBB", "RRRBBNWF"} {
		want := code != "RRRBBNWF"
		if got := slices.ContainsFunc(table, func(info rules.RoleInfo) bool { return info.Code == code }); got != want {
			t.Errorf("%s is a code: %v", code, got)
		}
	}
}
