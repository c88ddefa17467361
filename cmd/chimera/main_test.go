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
var must = kvtest.Must

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

// TestEachGameIsTimed has bench think about a position of each game.
func TestEachGameIsTimed(t *testing.T) {
	prints(t, 0, fmt.Sprintf(`game [^\n]+\n([a-z-]+ [^\n]+\n){%d}`, len(variants.All())), ``, "bench", "--nodes", "500", "--positions", "1")
}

// TestWhatIsNowhereGetsOneLineAndStatus2 is about errors of which each system says something else.
func TestWhatIsNowhereGetsOneLineAndStatus2(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"board --variant chess -o none/board.png",
		"play --data .",
		"play --data none/x.db",
		"verify --data absent.db",
		"status --data absent.db",
		"outbox --data .",
		"backup --data absent.db copy.db",
	} {
		prints(t, badInput, "", `chimera: .*\n`, shellWords(line)...)
	}
	prints(t, badInput, "", `(?s).*: --web: .*8080.*: name a free port of this machine, .*`, "play", "--web", "8080")
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
		"text":      {bytes.Repeat([]byte("no database "), 2000), "not a database of this program"},
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
		prints(t, 2, "", `.*another process has it open.*\n`, append(command, "--data", good)...)
	}
}
