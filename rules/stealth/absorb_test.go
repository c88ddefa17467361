package stealth_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/stealth"
)

// capture plays a capture of one piece by another on an otherwise bare board, and
// tells what the captor is then.
func capture(t *testing.T, captor, prey string) string {
	t.Helper()
	v := stealth.Stealth()
	d4 := v.Shape.Parse("d4")
	for _, square := range []string{"d5", "e5", "e6", "c5"} {
		for _, king := range []string{"h8", "a7", "b8", "g6"} {
			setup := rules.Setup{EnPassant: rules.NoSquare, FullMove: 1}
			setup.Board[d4] = rules.PieceOf(rules.White, v.Table.Role(captor))
			setup.Board[v.Shape.Parse(square)] = rules.PieceOf(rules.Black, v.Table.Role(prey))
			setup.Board[v.Shape.Parse("h2")] = rules.PieceOf(rules.White, v.Table.Role("K"))
			setup.Board[v.Shape.Parse(king)] = rules.PieceOf(rules.Black, v.Table.Role("K"))
			pos, err := v.FromSetup(setup)
			if err != nil {
				continue
			}
			if m, err := pos.Parse("d4" + square); err == nil {
				return on(rulestest.Played(t, pos, m), square)
			}
		}
	}
	t.Fatalf("no board on which %s captures %s", captor, prey)
	return ""
}

func TestTheAuthorsMerges(t *testing.T) {
	for _, c := range []struct{ a, b, want, name string }{
		{"R", "WF", "RF", "tank"},
		{"B", "WF", "BW", "frigate"},
		{"N", "WF", "NWF", "zebra"},
		{"R", "N", "RN", "general"},
		{"R", "NWF", "RNF", "air marshall"},
		{"B", "NWF", "BNW", "admiral"},
		{"B", "N", "BN", "princess"},
		{"R", "B", "Q", "queen"},
		{"Q", "N", "QN", "field marshall"},
		{"Q", "NWF", "QN", "field marshall"},
		{"R", "R", "RR", "aeroplane"},
		{"B", "B", "BB", "missile"},
		{"Q", "Q", "QQ", "empress"},
		{"RR", "BB", "QQ", "empress"},
		{"R", "Q", "Q", "queen"},
		{"B", "Q", "Q", "queen"},
		{"R", "QQ", "QQ", "empress"},
		{"B", "QQ", "QQ", "empress"},
		{"Q", "QQ", "QQ", "empress"},
		{"N", "N", "NWF", "zebra"},
		{"WF", "WF", "NWF", "zebra"},
		{"RR", "RR", "RRR", "b52"},
		{"BB", "BB", "BBB", "rocket"},
		{"QQ", "QQ", "QQQ", "conqueror"},
		{"RRR", "BBB", "QQQ", "conqueror"},
		{"NWF", "NWF", "G", "pegasus"},
		{"R", "G", "RG", "stingray aircraft"},
		{"RN", "G", "RG", "stingray aircraft"},
		{"RR", "G", "RRG", "space bomber"},
		{"B", "G", "BG", "archbishop"},
		{"BN", "G", "BG", "archbishop"},
		{"BB", "G", "BBG", "hurricane bomber"},
		{"Q", "G", "QG", "matriarch"},
		{"QQ", "G", "QQG", "amazon"},
		// "The Rook, Bishop, Queen, Tank, Frigate, Empress, Princess, and Amazon can
		// all be Stealth Bombers."
		{"RF", "RF", "RRF", "RRF"},
		{"BW", "BW", "BBW", "BBW"},
		{"BN", "BN", "BBN", "BBN"},
		{"QQG", "QQG", "QQQG", "QQQG"},
	} {
		table := stealth.Stealth().Table
		if got := capture(t, c.a, c.b); got != c.want {
			t.Errorf("%s takes %s: %s, want %s", c.a, c.b, got, c.want)
		}
		if got := capture(t, c.b, c.a); got != c.want {
			t.Errorf("%s takes %s: %s, want %s", c.b, c.a, got, c.want)
		}
		if got := table[table.Role(c.want)].Name; got != c.name {
			t.Errorf("%s is called %s, want %s", c.want, got, c.name)
		}
	}
}

func TestWhatElseCapturesMake(t *testing.T) {
	for _, c := range []struct{ rule, captor, prey, want string }{
		{"a hybrid shoots its component", "Q", "R", "Q"},
		{"a hybrid shoots a prince that its lines include", "Q", "WF", "Q"},
		{"a stealth line shoots a plain one", "RR", "R", "RR"},
		{"a component takes a stealth line", "R", "RR", "RR"},
		{"a hybrid of other levels keeps the higher of each", "RRB", "RBB", "QQ"},
		{"a hybrid that captures its equal raises every line", "RRB", "RRB", "RRRBB"},
		{"a bomber stays one", "RRR", "RRR", "RRR"},
		{"a bomber's other line still rises", "RRRB", "RRRB", "RRRBB"},
		{"a general and a general keep the knight", "RN", "RN", "RRN"},
		{"a Pegasus that captures its equal stays one", "G", "G", "G"},
		{"half princes stay what they are", "W", "W", "W"},
		{"half princes make a prince", "W", "F", "WF"},
		{"half a zebra that captures its equal stays one", "NW", "NW", "NW"},
		{"a Pegasus shoots a zebra", "G", "NWF", "G"},
		{"a frigate and a rook are a queen", "BW", "R", "Q"},
		{"a piece shoots a pawn", "R", "P", "R"},
		{"a piece shoots a captain", "QQ", "C", "QQ"},
		{"a pawn becomes what it captures", "P", "B", "B"},
		{"a pawn becomes a hybrid whole", "P", "RRBN", "RRBN"},
		{"a pawn that captures a pawn is a captain", "P", "P", "C"},
		{"a pawn that captures a captain is a captain", "P", "C", "C"},
		{"a captain becomes what it captures", "C", "N", "N"},
		{"a captain that captures a pawn stays one", "C", "P", "C"},
		{"a captain that captures a captain stays one", "C", "C", "C"},
	} {
		if got := capture(t, c.captor, c.prey); got != c.want {
			t.Errorf("%s: %s takes %s: %s, want %s", c.rule, c.captor, c.prey, got, c.want)
		}
	}
}
