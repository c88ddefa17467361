package render

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"testing"

	"chimera/render/palette"
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
		{"rnbqk/ppppp/PPPPQ/RNBQK", "", "", [2]int{8, 0}},       // promoted
		{"rnbqk/pp3/PPPP1/[RN]1BNK", "ppp", "Q", [2]int{0, 4}},  // promoted to a part of a compound
		{"rnb1k/ppp2/PPPQQ/RNB1K", "ppq", "P", [2]int{18, 0}},   // and another captured
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

// TestAPieceThatHasGrownWasNoPawn is about a game in which captors get what they capture.
func TestAPieceThatHasGrownWasNoPawn(t *testing.T) {
	v := game(t, "stealth")
	start := after(t, "stealth", "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", "e1f1")
	now := start
	now.Board[v.Shape.Parse("a1")] = rules.PieceOf(rules.White, v.Table.Find("RN"))
	now.Board[v.Shape.Parse("a2")] = rules.Piece{}
	if taken := now.ShowTaken(start.Board).Bars.Sides[rules.Black].Taken; len(taken) != 1 {
		t.Errorf("Black has captured %v, want a pawn", taken)
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

// parts are those of the bar above the board and of the one below it.
func parts(d *Diagram) (all [2]struct {
	*who
	*until
},
) {
	s := newScene(d, DefaultSize)
	for _, slot := range s.slots {
		at := &all[0]
		if slot.y > 0 {
			at = &all[1]
		}
		switch p := slot.part.(type) {
		case *who:
			at.who = p
		case *until:
			at.until = p
		}
	}
	return all
}

func TestAPictureKeepsItsSizeInMidGame(t *testing.T) {
	begin := diagram(t, startBoard)
	begin = begin.ShowTaken(begin.Board)
	won := barred(t).ShowWinner(rules.White)
	won.Over, won.Bars.Result = true, "1–0 · checkmate"
	const bar = 64
	for _, c := range []struct {
		name string
		d    Diagram
		bars int
	}{{"the start", begin, 2}, {"with pieces captured", barred(t), 2}, {"the end", won, 3}} {
		if s := newScene(&c.d, DefaultSize); s.width != DefaultSize || s.height != DefaultSize+c.bars*bar {
			t.Errorf("%s is %d×%d, want %d×%d", c.name, s.width, s.height, DefaultSize, DefaultSize+c.bars*bar)
		}
	}
	large := barred(t)
	const most = 1280 // that Telegram shows as it is
	if s := newScene(&large, Large); s.height > most {
		t.Errorf("a large picture is %d high, more than %d", s.height, most)
	}
}

func TestTheBarOfTheMoverIsLitAndAtTheEndThatOfTheWinner(t *testing.T) {
	turn := func(c rules.Color) Diagram {
		d := barred(t)
		d.Turn = c
		return d
	}
	won := turn(rules.White).ShowWinner(rules.Black)
	won.Over, won.Bars.Result = true, "0–1 · checkmate"
	drawn := barred(t)
	drawn.Over, drawn.Bars.Result = true, "½–½ · stalemate"
	flipped := turn(rules.White)
	flipped.Bottom = rules.Black
	for _, c := range []struct {
		name         string
		d            Diagram
		above, below bool
	}{
		{"White to move", turn(rules.White), false, true},
		{"Black to move", turn(rules.Black), true, false},
		{"White to move, seen by Black", flipped, true, false},
		{"Black has won", won, true, false},
		{"a draw", drawn, false, false},
	} {
		for i, lit := range []bool{c.above, c.below} {
			bar := parts(&c.d)[i]
			if bar.who.lit != lit || bar.until.lit != lit {
				t.Errorf("%s: bar %d is lit: %v", c.name, i, bar.who.lit)
			}
		}
	}
}

// TestTheResultStandsAcrossThePicture finds it right above the lower bar, as wide as the board.
func TestTheResultStandsAcrossThePicture(t *testing.T) {
	d := barred(t)
	d.Over, d.Bars.Result = true, "½–½ · stalemate"
	s := newScene(&d, DefaultSize)
	for _, slot := range s.slots {
		if slot.part == part(result(d.Bars.Result)) {
			if want := image.Rect(0, s.height-2*slot.height, s.width, s.height-slot.height); slot.area() != want {
				t.Errorf("it is at %v, want %v", slot.area(), want)
			}
			return
		}
	}
	t.Error("there is none")
}

func TestTheKingOfTheLoserIsMarked(t *testing.T) {
	d := barred(t)
	if got, want := d.ShowWinner(rules.White).marked(Fallen), d.Shape.Parse("e8").Set(); got != want {
		t.Errorf("marked are %v, want e8", d.names(got))
	}
	if d.marked(Fallen) != 0 || d.Bars.Sides[rules.White].Won {
		t.Error("the diagram itself has changed")
	}
}

func TestWordsAndCharactersSayWhatBarsDo(t *testing.T) {
	d := barred(t)
	d.Bars.Result = "1–0 · checkmate"
	words, text := Words(d).String(), Text(d)
	for _, want := range []string{
		"Result: 1–0 · checkmate.", "White is anna, rating 1668, captured pawn ×2, knight, queen, to move by Tue 24 Nov 16:20 UTC.",
		"rating 1634?, captured pawn ×3, knight, bishop ×2, rook, queen, +",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not in %q", want, words)
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, want := range map[int]string{0: "♙ ♙ ♙ ♘ ♗ ♗ ♖ ♕ +", len(lines) - 1: "♟ ♟ ♞ ♛"} {
		if got := strings.ReplaceAll(lines[i], asText, ""); !strings.Contains(got, want) {
			t.Errorf("%q is not in line %d: %q", want, i, got)
		}
	}
}

// BenchmarkBars paints boards with bars: the same again, and after a move, when the date is another and
// the other bar is lit.
func BenchmarkBars(b *testing.B) {
	for name, move := range map[string]func(d *Diagram, n int){
		"the same": func(*Diagram, int) {},
		"after a move": func(d *Diagram, n int) {
			d.Turn = rules.Color(n % 2)
			d.Bars.Sides[0].When, d.Bars.Sides[1].When = "", ""
			d.Bars.Sides[d.Turn].When = fmt.Sprintf("Tue 24 Nov %d UTC", n)
		},
	} {
		b.Run(name, func(b *testing.B) {
			d := diagram(b, startBoard)
			d.Bars = barred(b).Bars
			var file bytes.Buffer
			n := 0
			for b.Loop() {
				move(&d, n)
				n++
				file.Reset()
				if err := PNG(&file, d, DefaultSize); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(file.Len()), "B/picture")
		})
	}
}

func TestAPictureWithBarsIsSmall(t *testing.T) {
	const most = 30_000
	d := diagram(t, startBoard)
	d.Bars = barred(t).Bars
	for _, theme := range palette.Themes() {
		d.Theme = theme
		var file bytes.Buffer
		if err := PNG(&file, d, DefaultSize); err != nil || file.Len() > most {
			t.Errorf("%v: %d bytes, more than %d: %v", theme, file.Len(), most, err)
		}
	}
}
