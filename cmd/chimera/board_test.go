package main

import (
	"bytes"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawn is the file that board makes.
func drawn(t *testing.T, file string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	if status, out, errs := call(t, "", append(args, "-o", path)...); status != 0 || out != "" || errs != "" {
		t.Fatalf("%q: status %d, %q, %q", args, status, out, errs)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestBoardIsDrawnByItsEnding(t *testing.T) {
	for file, start := range map[string]string{"a.png": "\x89PNG", "a.svg": "<svg ", "a.gif": "GIF89a", "a.txt": "8  ♜"} {
		if got := drawn(t, file, "board", "--variant", "combine"); !strings.HasPrefix(strings.TrimLeft(got, " "), start) {
			t.Errorf("%s begins %.20q", file, got)
		}
	}
}

func TestBoardShowsWhatTheLastMoveDid(t *testing.T) {
	move := []string{"board", "--variant", "brigade", "--fen", "k7/8/8/4p3/8/2B5/8/7K w - - 0 1", "--last", "B*e5"}
	text := drawn(t, "a.txt", move...)
	if !strings.Contains(text, "×") || strings.Contains(text, "♟") {
		t.Errorf("nothing was shot:\n%s", text)
	}
	frames, err := gif.DecodeAll(strings.NewReader(drawn(t, "a.gif", move...)))
	if err != nil || len(frames.Image) < 2 {
		t.Errorf("there is no position before the move (%v)", err)
	}
	flipped := drawn(t, "a.txt", append(move, "--flip")...)
	if first, _, _ := strings.Cut(flipped, "\n"); !strings.HasPrefix(strings.TrimSpace(first), "1") {
		t.Errorf("with --flip, the first rank from above is %q", first)
	}
}

// TestTextBoardSaysWhatBarsDo finds names and the result below the characters, and coordinates that it
// cannot leave out refused.
func TestTextBoardSaysWhatBarsDo(t *testing.T) {
	mated := []string{"board", "--variant", "chess", "--fen", "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3"}
	text := drawn(t, "a.txt", append(mated, "--bars", "anna,bernhard")...)
	for _, want := range []string{"Result: 0–1 · checkmate.", "White is anna", "Black is bernhard", "#♔\ufe0e# lost king"} {
		if !strings.Contains(text, want) || strings.Contains(text, "in check") {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	status, _, errs := call(t, "", append(mated, "--coords", "off", "-o", filepath.Join(t.TempDir(), "a.txt"))...)
	if want := "--coords off"; status != badInput || !strings.Contains(errs, want) {
		t.Errorf("status %d, %q; want 2, and %q", status, errs, want)
	}
}

func TestAWrongLastMoveIsExplained(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	status, _, errs := call(t, "", "board", "--variant", "chess", "--fen", fen, "--last", "Nf3", "-o", filepath.Join(t.TempDir(), "a.png"))
	for _, want := range []string{"White can't play --last Nf3", fen, "You have no knight"} {
		if status != badInput || !strings.Contains(errs, want) {
			t.Errorf("status %d, %q; want 2, and %q", status, errs, want)
		}
	}
}

func TestBoardHasTheSizeAskedFor(t *testing.T) {
	m, err := png.DecodeConfig(bytes.NewReader([]byte(drawn(t, "a.png", "board", "--variant", "combination", "--size", "450", "--theme", "night"))))
	if err != nil || m.Height != 450 {
		t.Errorf("the board is %d pixels high (%v)", m.Height, err)
	}
	if svg := drawn(t, "a.svg", "board", "--variant", "chess", "--size", "450"); !strings.Contains(svg, `width="450" height="450"`) {
		t.Errorf("the drawing begins %.200s", svg)
	}
}

func TestBarsNameThePlayersAndTheResult(t *testing.T) {
	mate := []string{
		"board", "--variant", "combine", "--fen", "2bk4/[rb]ppp1p1p/8/4[RB]3/2P1P2P/1[rn]1P4/PP3PP1/5K2 w - - 0 1",
		"--last", "RBe5/Bf6", "--bars", "alice,bob",
	}
	svg := drawn(t, "a.svg", mate...)
	for _, want := range []string{">alice<", ">bob<", ">1–0 · checkmate<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if svg := drawn(t, "a.svg", "board", "--variant", "chess", "--bars", "alice,bob"); strings.Contains(svg, "–") {
		t.Error("the start of a game has a result")
	}
}

func TestThreatsAreMarked(t *testing.T) {
	attacked := []string{"board", "--variant", "chess", "--fen", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"}
	plain := drawn(t, "a.txt", attacked...)
	if shown := drawn(t, "a.txt", append(attacked, "--threats")...); shown == plain {
		t.Errorf("with --threats, the board is as without:\n%s", shown)
	}
}

func TestNamesForBarsThatAreNoTwoAreQuoted(t *testing.T) {
	for _, names := range []string{",", "alice,", "alice,bob,carol"} {
		status, _, errs := call(t, "", "board", "--variant", "chess", "--bars", names, "-o", filepath.Join(t.TempDir(), "a.png"))
		if status != badInput || !strings.Contains(errs, "\""+names+"\"") {
			t.Errorf("%q: status %d, %q", names, status, errs)
		}
	}
}
