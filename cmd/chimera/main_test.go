package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// asProgram makes the test binary be the program, for tests that need a process.
const asProgram = "CHIMERA_TEST_AS_PROGRAM"

// asWrong tells such a program by how much its clock is wrong, as 2m or -2m.
const asWrong = "CHIMERA_TEST_CLOCK_IS_WRONG_BY"

// wrongClock is the clock of the machine, but wrong if the process was told so.
func wrongClock() clock {
	c, wrong := wall(), time.Duration(0)
	if said := os.Getenv(asWrong); said != "" {
		var err error
		if wrong, err = time.ParseDuration(said); err != nil {
			panic(err)
		}
	}
	right := c.now
	c.now = func() time.Time { return right().Add(wrong) }
	return c
}

func TestMain(m *testing.M) {
	etcdtest.Member()
	if os.Getenv(asProgram) != "" {
		os.Exit(run(context.Background(), os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, wrongClock()))
	}
	kvtest.MoreAtOnce()
	os.Exit(m.Run())
}

// must ends a test that cannot go on.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// call runs a command line.
func call(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, streams{strings.NewReader(in), &stdout, &stderr}, wall())
	return status, stdout.String(), stderr.String()
}

// anything is a pattern of all that can be printed.
const anything = `(?s).*`

// prints runs a command line and fails the test unless it ends with that status, and the patterns are of all
// that it prints and of all its errors. It returns what was printed.
func prints(t *testing.T, status int, out, errs string, args ...string) string {
	t.Helper()
	return typed(t, "", status, out, errs, args...)
}

// typed does the same with something typed in.
func typed(t *testing.T, in string, status int, out, errs string, args ...string) string {
	t.Helper()
	gotStatus, gotOut, gotErrs := call(t, in, args...)
	if gotStatus != status || !regexp.MustCompile("^"+out+"$").MatchString(gotOut) || !regexp.MustCompile("^"+errs+"$").MatchString(gotErrs) {
		t.Errorf("%q: status %d, %q, %q; want %d, %q, %q", args, gotStatus, gotOut, gotErrs, status, out, errs)
	}
	return gotOut
}

// TestCommandsPrint runs command lines, written as for a shell; out and errs are patterns of all that
// they print.
func TestCommandsPrint(t *testing.T) {
	mate := "analyse --variant chess --fen '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1' --nodes 1000"
	for _, c := range []struct {
		line      string
		status    int
		out, errs string
	}{
		{"perft --variant chess --depth 3", 0, `8902\n`, ``},
		{"perft --variant combine --depth 2", 0, `576\n`, ``},
		{"perft --variant chess --depth 0", 0, `1\n`, ``},
		{"perft --variant chess --depth 0 --divide", 0, `1\n`, ``},
		{"perft --variant chess --fen 'k7/8/8/8/8/8/8/K7 w - - 0 1' --depth 2 --divide", 0, `a1a2 3\na1b1 3\na1b2 3\n9\n`, ``},
		{"perft --variant chess --fen '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' --depth 2 --divide", 0, `0\n`, ``},
		{"moves --variant combine --fen 'k7/8/8/8/8/8/8/K5[RN]1 b - - 0 1'", 0, `a8a7\na8b7\na8b8\nstatus: ongoing\ncheck: no\n`, ``},
		{"moves --variant chess --fen 'k7/1Q6/1K6/8/8/8/8/8 b - - 0 1'", 0, `status: checkmate\ncheck: yes\n`, ``},
		{"apply --variant combine e2e4 Nc6 R~Nb1", 0, regexp.QuoteMeta("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n" +
			"r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2\n" +
			"r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/1[RN]BQKBNR b Kkq - 2 2\n"), ``},
		{"apply --variant chess e4 e4", 2, `[^\n]+\n`, `[^\n]*e4[^\n]*\n`},
		{mate, 0, `Ra8#  mate in 1  depth .*\nRa8#\n`, ``},
		{mate + " --json", 0, `\{"move":"a1a8","text":"Ra8#","mate":1,"depth":2,"nodes":\d+,"pv":\["a1a8"\]\}\n`, ``},
		{"analyse --variant chess --level 4 --json --moves f3 e5 g4", 0, `\{"move":"d8h4","text":"[^"]+","mate":1,"depth":\d+,"nodes":\d+,"pv":\["d8h4"\]\}\n`, ``},
		{"bench --nodes 500 --positions 1", 0, fmt.Sprintf(`game [^\n]+\n([a-z-]+ [^\n]+\n){%d}`, len(variants.All())), ``},
		{"help", 0, `(?s).*Commands:.*`, ``},
		{"help perft", 0, `(?s).*Usage: chimera perft --variant=GAME.*`, ``},
		{"help play", 0, `(?s).*Usage: chimera play.*`, ``},
		{"help nonsense", 2, ``, `[^\n]+\n`},
		{"moves --variant", 2, ``, `chimera: --variant needs a value after it\n`},
		{"perft --variant chess --depth", 2, ``, `chimera: --depth needs a value after it\n`},
		{"board --variant chess --fen", 2, ``, `chimera: --fen needs a value after it\n`},
		{"perft --variant chess --depth x", 2, ``, `chimera: --depth: expected a valid 64 bit int but got "x"\n`},
	} {
		prints(t, c.status, c.out, c.errs, shellWords(c.line)...)
	}
}

func TestBadCommandLinesGetOneLineAndStatus2(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{},
		{"fly"},
		{"perft"},
		{"perft", "--variant", "chess"},
		{"perft", "--variant", "chess", "--depth", "-1"},
		{"perft", "--variant", "checkers", "--depth", "1"},
		{"perft", "--variant", "chess", "--fen", "8/8 w - - 0 1", "--depth", "1"},
		{"moves", "--variant", "combine", "--fen", "\x00\xff"},
		{"moves", "--variant", "chess", "--fast"},
		{"apply", "--variant", "chess"},
		{"apply", "--variant", "chess", strings.Repeat("x", 10000)},
		{"board", "--variant", "chess", "-o", filepath.Join(dir, "board.jpg")},
		{"board", "--variant", "chess", "-o", filepath.Join(dir, "none", "board.png")},
		{"board", "--variant", "chess", "--fen", "x", "-o", filepath.Join(dir, "board.png")},
		{"board", "--variant", "chess", "--theme", "pink", "-o", filepath.Join(dir, "board.png")},
		{"board", "--variant", "chess", "--coords", "above", "-o", filepath.Join(dir, "board.png")},
		{"board", "--variant", "chess", "--size", "5", "-o", filepath.Join(dir, "board.svg")},
		{"board", "--variant", "chess", "--zones", "-o", filepath.Join(dir, "board.png")},
		{"board", "--variant", "chess", "--bars", "alice", "-o", filepath.Join(dir, "board.png")},
		{"board", "--variant", "chess", "--fen", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "--threats", "-o", filepath.Join(dir, "board.png")},
		{"board", "--variant", "chess", "--last", "", "-o", filepath.Join(dir, "board.png")},
		{"analyse", "--variant", "draughts"},
		{"analyse", "--variant", "chess", "--level", "9"},
		{"analyse", "--variant", "chess", "--nodes", "-1"},
		{"analyse", "--variant", "chess", "--moves", "e5"},
		{"analyse", "--variant", "chess", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, // stalemate
		{"play", "--data", ""},
		{"play", "--data", dir},
		{"play", "--data", filepath.Join(dir, "none", "x.db")},
		{"verify", "--data", filepath.Join(dir, "absent.db")},
		{"status", "--data", filepath.Join(dir, "absent.db")},
		{"outbox", "--data", dir},
		{"backup", "--data", filepath.Join(dir, "absent.db"), filepath.Join(dir, "copy.db")},
		{"backup", "--data", filepath.Join(dir, "absent.db")},
	} {
		prints(t, badInput, "", `chimera: .*\n`, args...)
	}
}

// quiet is what play logs when nothing goes wrong.
var quiet = regexp.MustCompile(`^time=\S+ level=INFO msg="database is (open|new: [^"]+)" data=\S+( because="[^"]+")? version=[^\n]+\n(time=\S+ level=(INFO msg="ready for operators' commands" socket|WARN msg="operators' commands can't be heard" err)=[^\n]+\n)$`)

func TestWholeGameFromAFile(t *testing.T) {
	game := contents(t, "testdata/game.txt")
	dir := t.TempDir()
	data, pictures := filepath.Join(dir, "game.db"), filepath.Join(dir, "pictures")
	status, out, errs := call(t, string(game), "play", "--data", data, "--png", pictures)
	for _, want := range []string{
		"You can't merge while in check from the bishop on f7.",
		"Takeback accepted.",
		"alice wins by checkmate, 1-0.",
		"→ alice: Combine Chess #1: alice (White) vs bob (Black)\n  #1, ",
		"moves\n  alice wins by checkmate, 1-0.\n" +
			"  1. e4 e5 2. R~Nb1 Nc6 3. RNc3 Bc5 4. RNc3/Rb3 R~Ng8 5. Bc4 d6 6. Qf3 a6 7. Qxf7# 1-0\n",
		"board: " + filepath.Join(pictures, "0001.png"),
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the game does not say %q", want)
		}
	}
	if status != 0 || !quiet.MatchString(errs) {
		t.Errorf("status %d, errors %q", status, errs)
	}
	prints(t, 0, `1 game, 0 faults\n`, anything, "verify", "--data", data)
}

func TestAProfileIsWrittenAsAPicture(t *testing.T) {
	dir := t.TempDir()
	lines := "alice: challenge @bob combine white\nbob: accept\nalice: R~Nb1\nbob: a6\nbob: resign\nbob: resign\nbob: profile @alice\n"
	status, out, errs := call(t, lines, "play", "--data", filepath.Join(dir, "game.db"), "--png", dir)
	if status != 0 {
		t.Fatal(errs)
	}
	_, name, found := strings.Cut(out, "picture: ")
	if !found || !strings.Contains(out, "Favourite hybrids: ") {
		t.Fatalf("there is no picture: %s", out)
	}
	file, err := os.Open(strings.TrimSpace(name))
	must(t, err)
	defer file.Close()
	if _, err := png.Decode(file); err != nil {
		t.Error(err)
	}
}

func TestAnUnusableDatabaseIsToldAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	plays(t, "alice: challenge\n", good)
	newer := filepath.Join(dir, "newer.db")
	rewrites(t, newer, func(w kv.Writer) error { return w.Put([]byte("meta/schema"), storage.Number(uint64(99))) })
	whole := contents(t, good)
	for name, c := range map[string]struct {
		content []byte
		says    string
	}{
		"newer":     {contents(t, newer), ""},
		"text":      {bytes.Repeat([]byte("no database "), 2000), ""},
		"truncated": {whole[:3*4096], "damaged.*restore a backup"},
		"headless":  {append(make([]byte, 8192), whole[8192:]...), ""},
	} {
		for _, command := range [][]string{{"play"}, {"verify"}, {"status"}, {"outbox"}, {"repair"}, {"backup", filepath.Join(dir, "copy")}} {
			path := filepath.Join(dir, name+" for "+command[0]) // what has panicked keeps its lock until the process ends
			must(t, os.WriteFile(path, c.content, 0o600))
			typed(t, "alice: challenge\n", badInput, "", `chimera: .*`+c.says+`.*\n`, append(command, "--data", path)...)
			if !bytes.Equal(contents(t, path), c.content) {
				t.Errorf("%s %s: the file has changed", command, name)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*copy*")); err != nil || len(left) > 0 {
		t.Errorf("a backup left %q (%v)", left, err)
	}
	held, err := bolt.Open(good)
	must(t, err)
	defer held.Close()
	for _, command := range [][]string{{"play"}, {"status"}, {"backup", filepath.Join(dir, "copy")}} {
		prints(t, 2, "", `.*use.*\n`, append(command, "--data", good)...)
	}
}
