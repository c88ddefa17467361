package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"chimera/storage/bolt"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
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
	os.Exit(m.Run())
}

// call runs a command line.
func call(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, streams{strings.NewReader(in), &stdout, &stderr}, wall())
	return status, stdout.String(), stderr.String()
}

func TestPerft(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"perft", "--variant", "chess", "--depth", "3"}, "8902\n"},
		{[]string{"perft", "--variant", "combine", "--depth", "2"}, "576\n"},
		{[]string{"perft", "--variant", "chess", "--depth", "0"}, "1\n"},
		{[]string{"perft", "--variant", "chess", "--depth", "0", "--divide"}, "1\n"},
		{
			[]string{"perft", "--variant", "chess", "--fen", "k7/8/8/8/8/8/8/K7 w - - 0 1", "--depth", "2", "--divide"},
			"a1a2 3\na1b1 3\na1b2 3\n9\n",
		},
		{[]string{"perft", "--variant", "chess", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--depth", "2", "--divide"}, "0\n"},
	} {
		if status, out, errs := call(t, "", c.args...); status != 0 || out != c.want {
			t.Errorf("%v: status %d, %q, %q; want %q", c.args, status, out, errs, c.want)
		}
	}
}

func TestMoves(t *testing.T) {
	status, out, _ := call(t, "", "moves", "--variant", "combine", "--fen", "k7/8/8/8/8/8/8/K5[RN]1 b - - 0 1")
	if want := "a8a7\na8b7\na8b8\nstatus: ongoing\ncheck: no\n"; status != 0 || out != want {
		t.Errorf("status %d, %q, want %q", status, out, want)
	}
	status, out, _ = call(t, "", "moves", "--variant", "chess", "--fen", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")
	if want := "status: checkmate\ncheck: yes\n"; status != 0 || out != want {
		t.Errorf("status %d, %q, want %q", status, out, want)
	}
}

func TestApplyStopsAtABadMove(t *testing.T) {
	status, out, errs := call(t, "", "apply", "--variant", "combine", "e2e4", "Nc6", "R~Nb1")
	want := "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n" +
		"r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2\n" +
		"r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/1[RN]BQKBNR b Kkq - 2 2\n"
	if status != 0 || out != want {
		t.Errorf("status %d, %q %q, want %q", status, out, errs, want)
	}
	status, out, errs = call(t, "", "apply", "--variant", "chess", "e4", "e4")
	if status != 2 || strings.Count(out, "\n") != 1 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "e4") {
		t.Errorf("status %d, %q, %q; want one FEN, one reason, 2", status, out, errs)
	}
}

func TestBadCommandLinesGetOneLineAndStatus2(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{},
		{"fly"},
		{"perft"},
		{"perft", "--variant"},
		{"perft", "--variant", "chess"},
		{"perft", "--variant", "chess", "--depth", "x"},
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
		{"play", "--data", ""},
		{"play", "--data", dir},
		{"play", "--data", filepath.Join(dir, "none", "x.db")},
		{"verify", "--data", filepath.Join(dir, "absent.db")},
		{"status", "--data", filepath.Join(dir, "absent.db")},
		{"outbox", "--data", dir},
		{"backup", "--data", filepath.Join(dir, "absent.db"), filepath.Join(dir, "copy.db")},
		{"backup", "--data", filepath.Join(dir, "absent.db")},
	} {
		status, out, errs := call(t, "", args...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "goroutine") || strings.Contains(errs, "EOL") {
			t.Errorf("%q: status %d, output %q, errors %q", args, status, out, errs)
		}
	}
}

func TestAFlagWithoutItsValueIsNamed(t *testing.T) {
	for args, want := range map[string]string{
		"moves --variant":                 "chimera: --variant needs a value after it\n",
		"perft --variant chess --depth":   "chimera: --depth needs a value after it\n",
		"board --variant chess --fen":     "chimera: --fen needs a value after it\n",
		"perft --variant chess --depth x": "chimera: --depth: expected a valid 64 bit int but got \"x\"\n",
	} {
		if _, _, errs := call(t, "", strings.Fields(args)...); errs != want {
			t.Errorf("%s: %q, want %q", args, errs, want)
		}
	}
}

// quiet is what play logs when nothing goes wrong.
var quiet = regexp.MustCompile(`^time=\S+ level=INFO msg="database is (open|new: [^"]+)" data=\S+( because="[^"]+")? version=[^\n]+\n(time=\S+ level=(INFO msg="ready for operators' commands" socket|WARN msg="operators' commands can't be heard" err)=[^\n]+\n)$`)

func TestWholeGameFromAFile(t *testing.T) {
	game, err := os.ReadFile("testdata/game.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	data, pictures := filepath.Join(dir, "game.db"), filepath.Join(dir, "pictures")
	status, out, errs := call(t, string(game), "play", "--data", data, "--png", pictures)
	for _, want := range []string{
		"You can't merge while in check from the bishop on f7.",
		"Takeback accepted.",
		"alice wins by checkmate, 1-0.",
		"→ alice: Combine Chess #1: alice (White) vs bob (Black)\n" +
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
	if status, out, _ := call(t, "", "verify", "--data", data); status != 0 || out != "1 game, 0 faults\n" {
		t.Errorf("verify: status %d, %q", status, out)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := png.Decode(file); err != nil {
		t.Error(err)
	}
}

func TestAnUnusableDatabaseIsToldAndLeftAsItIs(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	if status, _, errs := call(t, "alice: challenge\n", "play", "--data", good); status != 0 {
		t.Fatal(errs)
	}
	bytesOf := func(path string) []byte {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	newer := filepath.Join(dir, "newer.db")
	db, err := bolt.Open(newer)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(t.Context(), func(w kv.Writer) error {
		return w.Put([]byte("meta/schema"), []byte{0, 0, 0, 0, 0, 0, 0, 99})
	})
	if err != nil || db.Close() != nil {
		t.Fatal(err)
	}
	whole := bytesOf(good)
	noise := bytes.Repeat([]byte("no database "), 2000)
	for name, content := range map[string][]byte{
		"newer":     bytesOf(newer),
		"text":      noise,
		"truncated": whole[:3*4096],
		"headless":  append(make([]byte, 8192), whole[8192:]...),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"play"}, {"verify"}, {"status"}, {"outbox"}, {"backup", filepath.Join(dir, "copy")}} {
			status, out, errs := call(t, "alice: challenge\n", append(command, "--data", path)...)
			lines := strings.Split(strings.TrimSpace(errs), "\n")
			if status != 2 || out != "" || len(lines) != 1 || strings.Contains(errs, "goroutine") {
				t.Errorf("%s %s: status %d, output %q, errors %q", command, name, status, out, errs)
			}
			if !bytes.Equal(bytesOf(path), content) {
				t.Errorf("%s %s: the file has changed", command, name)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*copy*")); err != nil || len(left) > 0 {
		t.Errorf("a backup left %q (%v)", left, err)
	}
	held, err := bolt.Open(good)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, command := range [][]string{{"play"}, {"status"}, {"backup", filepath.Join(dir, "copy")}} {
		status, out, errs := call(t, "", append(command, "--data", good)...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "use") {
			t.Errorf("%s locked: status %d, %q, %q", command, status, out, errs)
		}
	}
}

func TestHelpIsAWordToo(t *testing.T) {
	for args, want := range map[string]string{
		"help": "Commands:", "help perft": "Usage: chimera perft --variant=GAME", "help play": "Usage: chimera play",
	} {
		if status, out, errs := call(t, "", strings.Fields(args)...); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %q, %q", args, status, out, errs)
		}
	}
	if status, _, errs := call(t, "", "help", "nonsense"); status != badInput || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %q", status, errs)
	}
}
