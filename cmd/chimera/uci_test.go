package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

// conversation is one with the program: lines that begin with > are said to it, those
// that begin with < it answers, in this order, with others between them. The answers are
// patterns for whole lines.
const conversation = `
> uci
< id name Chimera
< option name UCI_Variant type combo default chess var combine .*var stealth.*
< option name MultiPV .*
< uciok
> isready
< readyok
> nonsense
> position startpos moves f2f3 e7e5 g2g4
> go depth 3
< info depth 1 multipv 1 score mate 1 nodes \d+ nps \d+ time \d+ pv d8h4
< bestmove d8h4
> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1
> go nodes 2000
< bestmove \S+( ponder \S+)?
> setoption name MultiPV value 3
> position startpos
> go depth 2
< info depth 2 multipv 1 score cp .* pv .+
< info depth 2 multipv 2 score cp .* pv .+
< info depth 2 multipv 3 score cp .* pv .+
< bestmove .*
> setoption name MultiPV value 1
> go infinite
> stop
< bestmove .*
> position startpos moves e2e5
< info string e2e5: .*
> setoption name UCI_Variant value brigade
> position fen 4k3/3P4/8/8/8/8/8/4K3 w - - 0 1
> go movetime 10000
< info .* score mate 1 .* pv d7e8q
< bestmove d7e8q
> setoption name UCI_Variant value combine
> position fen 4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1
> go wtime 3000 btime 3000 winc 10 binc 10
< bestmove .*
> setoption name Level value 2
> position fen k7/8/8/8/8/8/8/K5[RN]1 b - - 0 1
> go
< bestmove a8.*
> position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
> go depth 1
< bestmove \(none\)
`

func TestOtherProgramsCanPlay(t *testing.T) {
	in, say := io.Pipe()
	hear, out := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), []string{"uci"}, streams{in, out, io.Discard}, wall())
		out.Close()
	}()
	answers := bufio.NewScanner(hear)
	for line := range strings.Lines(strings.TrimSpace(conversation)) {
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
