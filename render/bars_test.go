package render

import (
	"testing"

	"chimera/rules"
)

func TestWhatIsTakenIsWhatIsMissing(t *testing.T) {
	start := diagram(t, "rnbqk/ppppp/PPPPP/RNBQK")
	for _, c := range []struct {
		now, white, black string // what they have taken
		ahead             [2]int
	}{
		{"rnbqk/ppppp/PPPPP/RNBQK", "", "", [2]int{}},
		{"1nbqk/pppp1/PPPPP/RNB1K", "pr", "Q", [2]int{0, 3}},
		{"rnbqk/ppppp/PPPPP/[RN]1BQK", "", "", [2]int{}},        // a compound is both of its parts
		{"rnb1k/ppppp/PPPPP/1[Rq]NBK", "", "Q", [2]int{0, 9}},   // half of a shared piece is still there
		{"rnbqk/ppppp/PPPPQ/RNBQK", "", "P", [2]int{8, 0}},      // promoted
		{"rnbqk/ppppp/PPPPP/RNB[qrb]K", "", "Q", [2]int{0, 26}}, // more than there were are none taken
		{"4k/ppppp/PPPPP/RNBQK", "nbrq", "", [2]int{20, 0}},     // the least first
	} {
		bars := diagram(t, c.now).ShowTaken(start.Board).Bars
		for side, want := range []string{c.white, c.black} {
			got := ""
			for _, p := range bars.Sides[side].Taken {
				got += letters(table[max(p.White, p.Black)].Code, colorOf(p))
			}
			if got != want || bars.Sides[side].Ahead != c.ahead[side] {
				t.Errorf("%s: %v has taken %q and is %d ahead, want %q and %d", c.now, rules.Color(side), got, bars.Sides[side].Ahead, want, c.ahead[side])
			}
		}
	}
}

// barred is a diagram with bars about two players, one of whom has captured a lot.
func barred(t testing.TB) Diagram {
	t.Helper()
	d := diagram(t, "r1b1kb1r/pp2pppp/2n5/8/8/5N2/PP3PPP/4K2R").ShowTaken(diagram(t, startBoard).Board)
	white, black := &d.Bars.Sides[rules.White], &d.Bars.Sides[rules.Black]
	white.Name, white.Rating, white.When = "anna", "1668", "Tue 24 Nov 16:20 UTC"
	black.Name, black.Rating = "Bernhard der Große 棋士 سارة, who has a long name", "1634?"
	return d
}
