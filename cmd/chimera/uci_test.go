package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

// TestOtherProgramsCanPlay has the conversation in testdata/uci.txt: lines that begin with > are said to the
// program, those that begin with < it answers, in this order, with others between them. The answers are patterns
// for whole lines.
func TestOtherProgramsCanPlay(t *testing.T) {
	in, say := io.Pipe()
	hear, out := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), []string{"uci"}, streams{in, out, io.Discard}, wall())
		out.Close()
	}()
	answers := bufio.NewScanner(hear)
	for line := range strings.Lines(string(contents(t, "testdata/uci.txt"))) {
		text := strings.TrimSpace(line[2:])
		if line[0] == '>' {
			fmt.Fprintln(say, text)
			continue
		}
		want := regexp.MustCompile("^(?:" + text + ")$")
		var heard []string
		for {
			if !answers.Scan() {
				t.Fatalf("no answer is %q; heard %q", text, heard)
			}
			if heard = append(heard, answers.Text()); want.MatchString(answers.Text()) {
				break
			}
			if strings.HasPrefix(answers.Text(), "bestmove") {
				t.Fatalf("no answer is %q; heard %q", text, heard)
			}
		}
	}
	go func() { _, _ = io.Copy(io.Discard, hear) }()
	fmt.Fprintln(say, "quit")
	if status := <-ended; status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// What is piped in comes all at once, and then there is no more.
func TestASearchEndsAtItsLimitWhateverIsSaidNext(t *testing.T) {
	for said, want := range map[string][]string{
		"go nodes 20000": {"nodes 20000 ", "bestmove"},
		"go nodes 20000\nisready\nnonsense\nucinewgame":    {"readyok", "nodes 20000 ", "bestmove"},
		"go nodes 20000\nposition startpos\ngo nodes 9000": {"nodes 20000 ", "bestmove", "nodes 9000 ", "bestmove"},
		"go nodes 20000\nsetoption name Level value 3":     {"nodes 20000 ", "bestmove"},
		"go infinite\nisready":                             {"readyok", "bestmove"},
		"go infinite\nposition startpos\ngo nodes 9000":    {"bestmove", "nodes 9000 ", "bestmove"},
		"go infinite nodes 100\nstop":                      {"bestmove"},
		"go movetime 3600000\nstop\nisready":               {"bestmove", "readyok"},
		"go movetime 3600000\nquit":                        {"bestmove"},
	} {
		status, out, errs := call(t, said, "uci")
		if status != 0 {
			t.Fatal(status, errs)
		}
		rest := out
		for _, next := range want {
			_, after, found := strings.Cut(rest, next)
			if !found {
				t.Errorf("after %q, %q is missing: %s", said, next, out)
			}
			rest = after
		}
		if strings.Contains(rest, "bestmove") {
			t.Errorf("after %q, there is one move too many: %s", said, out)
		}
	}
}

// A search goes on with what those before it in the same game have found.
func TestANewGameForgetsTheLast(t *testing.T) {
	const think = "position startpos\ngo depth 7\n"
	_, out, _ := call(t, think+think+"ucinewgame\n"+think, "uci")
	found := regexp.MustCompile(` nodes (\d+) .*\nbestmove`).FindAllStringSubmatch(out, -1)
	if len(found) != 3 || found[0][1] == found[1][1] || found[0][1] != found[2][1] {
		t.Errorf("%q nodes at first, again, and in a new game", found)
	}
}
