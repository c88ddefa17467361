package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"chimera/render/internal/golden"
)

func TestTextsAreAsTheyWere(t *testing.T) {
	for name, d := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			got := Text(d) + Legend(d).String() + "\n" + Words(d).String() + "\n"
			file := filepath.Join("testdata", name+".golden")
			if *golden.Update {
				golden.Write(t, file, []byte(got))
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs:\n%s", file, difference(got, string(want)))
			}
		})
	}
}

// difference lists the lines of both texts, those that differ as "- want" and
// "+ got".
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var b strings.Builder
	for i := range max(len(g), len(w)) {
		if i < len(g) && i < len(w) && g[i] == w[i] {
			b.WriteString("  " + g[i] + "\n")
			continue
		}
		if i < len(w) {
			b.WriteString("- " + w[i] + "\n")
		}
		if i < len(g) {
			b.WriteString("+ " + g[i] + "\n")
		}
	}
	return b.String()
}

func TestTextIsAligned(t *testing.T) {
	for name, d := range goldens(t) {
		d.Bars = nil // what players have captured stands above and below
		text := strings.ReplaceAll(Text(d), asText, "")
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
			file, _ := d.flip(col, 0)
			if files[at] != rune('a'+file) {
				t.Errorf("%s: file %c is not in column %d of %q", name, 'a'+file, at, string(files))
			}
			for row, line := range lines[:len(lines)-1] {
				signs := []rune(line)
				if there := at < len(signs) && signs[at] != ' '; there != d.Shape.Squares.Has(d.at(col, row)) {
					t.Errorf("%s: column %d of %q", name, at, line)
				}
			}
		}
	}
}

func TestWordsAreShort(t *testing.T) {
	full := diagram(t, "[rb][rn][bn][qn]k[qrb][wz]r/pppppppp/8/8/8/8/PPPPPPPP/[RB][RN][BN][QN]K[QRB][WZ]R")
	if got := Words(full).String(); len(got) >= 1024 {
		t.Errorf("32 pieces take %d bytes: %s", len(got), got)
	}
}
