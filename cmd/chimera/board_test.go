package main

import (
	"bytes"
	"image/gif"
	"image/png"
	"path/filepath"
	"strings"
	"testing"
)

// drawn is the file that board makes.
func drawn(t *testing.T, file string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	prints(t, 0, "", "", append(args, "-o", path)...)
	return string(contents(t, path))
}

const (
	aShot     = "--variant brigade --fen 'k7/8/8/4p3/8/2B5/8/7K w - - 0 1' --last B*e5"
	foolsMate = "--variant chess --fen 'rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3'"
	aSplit    = "--variant combine --fen '2bk4/[rb]ppp1p1p/8/4[RB]3/2P1P2P/1[rn]1P4/PP3PP1/5K2 w - - 0 1' --last RBe5/Bf6 --bars alice,bob"
	attacked  = "--variant chess --fen '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1'"
)

// TestBoardIsDrawn looks for what is in a file, and for what must not be.
func TestBoardIsDrawn(t *testing.T) {
	for _, c := range []struct {
		line, file string
		has, not   []string
	}{
		{"--variant combine", "a.png", []string{"\x89PNG"}, nil},
		{"--variant combine", "a.svg", []string{"<svg "}, nil},
		{"--variant combine", "a.gif", []string{"GIF89a"}, nil},
		{"--variant combine", "a.txt", []string{"8  ♜"}, nil},
		{aShot, "a.txt", []string{"8  ", "×"}, []string{"♟"}},
		{aShot + " --flip", "a.txt", []string{"1  "}, nil},
		{foolsMate + " --bars anna,bernhard", "a.txt", []string{"", "Result: 0–1 · checkmate.", "White is anna", "Black is bernhard", "#♔\ufe0e# fallen king"}, []string{"in check"}},
		{"--variant chess --size 450", "a.svg", []string{"<svg ", `width="450" height="450"`}, nil},
		{aSplit, "a.svg", []string{"", ">alice<", ">bob<", ">1–0 · checkmate<"}, nil},
		{"--variant chess --bars alice,bob", "a.svg", []string{"", ">alice<"}, []string{"–"}}, // the start of a game has no result
	} {
		got := drawn(t, c.file, append([]string{"board"}, shellWords(c.line)...)...)
		if !strings.HasPrefix(got, c.has[0]) {
			t.Errorf("%s: %s begins %.20q, want %q", c.line, c.file, got, c.has[0])
		}
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in %s", c.line, want, c.file)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q is in %s", c.line, not, c.file)
			}
		}
	}
	frames, err := gif.DecodeAll(strings.NewReader(drawn(t, "a.gif", append([]string{"board"}, shellWords(aShot)...)...)))
	if err != nil || len(frames.Image) < 2 {
		t.Errorf("there is no position before the move (%v)", err)
	}
	m, err := png.DecodeConfig(bytes.NewReader([]byte(drawn(t, "a.png", "board", "--variant", "combination", "--size", "450", "--theme", "night"))))
	if err != nil || m.Height != 450 {
		t.Errorf("the board is %d pixels high (%v)", m.Height, err)
	}
	threats := append([]string{"board"}, shellWords(attacked)...)
	if shown := drawn(t, "a.txt", append(threats, "--threats")...); shown == drawn(t, "a.txt", threats...) {
		t.Errorf("with --threats, the board is as without:\n%s", shown)
	}
}
