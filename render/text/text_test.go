package text_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/variants"
)

func TestTextsAreAsTheyWere(t *testing.T) {
	for name, d := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			got := text.Text(d) + text.Legend(d).String() + "\n" + text.Words(d).String() + "\n"
			file := filepath.Join("testdata", name+".golden")
			if golden.Update {
				golden.Write(t, file, []byte(got))
				return
			}
			want, err := os.ReadFile(file)
			golden.Must(t, err)
			if got != string(want) {
				t.Errorf("%s differs; got\n%s\nwant\n%s", file, got, want)
			}
		})
	}
}

func TestTextIsAligned(t *testing.T) {
	for name, d := range sample.All(t) {
		d.Bars = nil // what players have captured stands above and below
		text := strings.ReplaceAll(text.Text(d), "\ufe0e", "")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) != d.Shape.Ranks+1 || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s has %d lines", name, len(lines))
		}
		longest := utf8.RuneCountInString(lines[0])
		for _, line := range lines {
			longest = max(longest, utf8.RuneCountInString(line))
			if strings.TrimRight(line, " ") != line {
				t.Errorf("%s has spaces at the end of %q", name, line)
			}
		}
		files := []rune(lines[len(lines)-1])
		for col := range d.Shape.Files {
			step := (len(files) - 4) / max(1, d.Shape.Files-1)
			at := 3 + col*step
			file, _ := d.Flip(col, 0)
			if files[at] != rune('a'+file) {
				t.Errorf("%s: file %c is not in column %d of %q", name, 'a'+file, at, string(files))
			}
			for row, line := range lines[:len(lines)-1] {
				signs := []rune(line)
				if there := at < len(signs) && signs[at] != ' '; there != d.Shape.Squares.Has(d.At(col, row)) {
					t.Errorf("%s: column %d of %q", name, at, line)
				}
			}
		}
	}
}

func TestWordsAreShort(t *testing.T) {
	full := sample.Diagram(t, "[rb][rn][bn][qn]k[qrb][wz]r/pppppppp/8/8/8/8/PPPPPPPP/[RB][RN][BN][QN]K[QRB][WZ]R")
	if got := text.Words(full).String(); len(got) >= 1024 {
		t.Errorf("32 pieces take %d bytes: %s", len(got), got)
	}
}

func TestWordsAndCharactersSayWhatBarsDo(t *testing.T) {
	d := sample.Barred(t)
	d.Bars.Result = "1–0 · checkmate"
	words, text := text.Words(d).String(), text.Text(d)
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
		if got := strings.ReplaceAll(lines[i], "\ufe0e", ""); !strings.Contains(got, want) {
			t.Errorf("%q is not in line %d: %q", want, i, got)
		}
	}
}

func TestCardsTellPartsAndCapturesApart(t *testing.T) {
	for _, c := range []struct{ game, piece, want string }{
		{"chess", "P", "White: Pawn d4. Pawn goes to: d5. Chosen: d4. It can capture on: c5 e5."},
		{
			"combine", "RN", "White: Rook-knight d4. Rook goes to: a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4. Knight goes to: b3 b5 c2 c6 e2 e6 f3 f5. Chosen: d4. " +
				"It can capture on: a4 b3 b4 b5 c2 c4 c6 d1 d2 d3 d5 d6 d7 d8 e2 e4 e6 f3 f4 f5 g4 h4.",
		},
		{"brigade", "R", "White: Howitzer d4. Howitzer goes to: a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4. Chosen: d4. In artillery range: a1 a4 a7 d1 d7 d8 g1 g4 g7 h4 h8."},
		{
			"combination", "A", "White: Amplifier d5. Amplifier goes to: b5 d3 d7 f5. Chosen: d5. It can capture on: b5 d3 d7 f5. " +
				"Powers lent: Amplifier d5 to c4 c5 c6 d4 d6 e4 e5 e6.",
		},
	} {
		if got := text.Words(sample.Card(t, c.game, c.piece)).String(); got != c.want {
			t.Errorf("%s in %s:\n%s\nwant\n%s", c.piece, c.game, got, c.want)
		}
	}
}

func TestThreatsAreToldInWords(t *testing.T) {
	for name, want := range map[string]string{
		"threats":        "Attacked: a3 a6 b3 b5 c3 d1 d3",
		"threats-guns":   "In artillery range: ",
		"legend-threats": "Could be annihilated: c4 c6 d3 d4 d7 d8 e4.",
	} {
		if got := text.Words(sample.Taught(t)[name]).String(); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not in %q", name, want, got)
		}
	}
}

func TestEveryPieceHasACard(t *testing.T) {
	for _, v := range variants.All() {
		for _, p := range sample.Pieces(v) {
			if p.White == rules.NoRole {
				continue
			}
			w, err := analysis.Of(v, p)
			if err != nil {
				t.Errorf("%s: %v", v.Key, err)
				continue
			}
			d := diagram.Card(v, w)
			if d.Marked(diagram.Goes) == 0 {
				t.Errorf("%s: %s can go nowhere", v.Key, v.Noun(p))
			}
			if text := text.Text(d); strings.ContainsAny(text, "○●") {
				t.Errorf("%s: on the card of %s somebody is to move:\n%s", v.Key, v.Noun(p), text)
			}
		}
	}
}
