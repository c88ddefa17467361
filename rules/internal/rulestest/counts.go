package rulestest

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/perft"
)

// counted is one line of a file of counted positions.
type counted struct {
	FEN    string
	Moves  []string // coordinate texts in byte order
	Check  bool
	Status string
	Perft  []uint64 // from depth 1
	Sample []struct{ Move, FEN string }
}

// Counts checks each line of a file of positions that were counted by another program: moves, check, status, node
// counts, and the positions after some of the moves.
func Counts(t *testing.T, v *rules.Variant, path string) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c counted
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s, line %d: %v", path, n+1, err)
		}
		t.Run(c.FEN, func(t *testing.T) { c.check(t, v) })
		n++
	}
	if lines.Err() != nil || n == 0 {
		t.Fatalf("%s has %d positions: %v", path, n, lines.Err())
	}
}

func (c counted) check(t *testing.T, v *rules.Variant) {
	t.Parallel()
	pos, err := v.Position(c.FEN)
	if err != nil {
		t.Fatal(err)
	}
	byText := map[string]rules.Move{}
	texts := []string{}
	for _, m := range pos.Moves() {
		texts = append(texts, v.Coordinate(m))
		byText[v.Coordinate(m)] = m
	}
	slices.Sort(texts)
	if missing, extra := difference(c.Moves, texts), difference(texts, c.Moves); len(missing)+len(extra) > 0 {
		t.Fatalf("moves missing %v, extra %v", missing, extra)
	}
	if got := pos.Checked() != 0; got != c.Check {
		t.Errorf("check is %v, want %v", got, c.Check)
	}
	if got := pos.Status().String(); got != c.Status {
		t.Errorf("status is %s, want %s", got, c.Status)
	}
	for i, want := range c.Perft {
		if got := perft.Nodes(pos, i+1); got != want {
			t.Errorf("perft(%d) is %d, want %d", i+1, got, want)
		}
	}
	for _, s := range c.Sample {
		next, err := pos.Play(byText[s.Move])
		if err != nil {
			t.Errorf("%s: %v", s.Move, err)
		} else if next.FEN() != s.FEN {
			t.Errorf("after %s:\n got %s\nwant %s", s.Move, next.FEN(), s.FEN)
		}
	}
}

// difference are the texts of a that are not in b.
func difference(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(text string) bool { return slices.Contains(b, text) })
}
