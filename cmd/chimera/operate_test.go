package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/storage"
	"chimera/storage/kv"
)

// aGame is a game in progress, a challenge, and three people.
const aGame = "alice: challenge @bob combine white\nbob: accept\nalice: e4\ncarol: challenge\n"

// asked are the answers of each command but backup.
func asked(t *testing.T, data string) (all string) {
	t.Helper()
	for _, command := range []string{"status", "outbox", "verify"} {
		status, out, errs := call(t, "", command, "--data", data)
		if status != 0 || errs != "" {
			t.Errorf("%s: status %d, errors %q", command, status, errs)
		}
		all += out
	}
	return all
}

// backedUp makes a copy, and fails the test unless it is sound.
func backedUp(t *testing.T, data, file string) {
	t.Helper()
	status, out, errs := call(t, "", "backup", "--data", data, file)
	if status != 0 || errs != "" || !regexp.MustCompile(`^`+regexp.QuoteMeta(file)+`: \d+ bytes\n$`).MatchString(out) {
		t.Fatalf("backup: status %d, %q, errors %q", status, out, errs)
	}
	if status, out, errs := call(t, "", "verify", "--data", file); status != 0 {
		t.Errorf("verify of the copy: status %d, %q, errors %q", status, out, errs)
	}
}

// shape is a status and what follows, of a process or of none.
func shape(process string) *regexp.Regexp {
	return regexp.MustCompile(`^version: +Chimera .*
process: +` + process + `
schema: +\d+
(file|cluster): +\d+ bytes
bytes per game: +\d+
games in progress: +1
challenges open: +1
people: +3
practice games: +0
courses: +0 begun, 0 finished
puzzles: +0 answered, 0 at once
games reviewed: +0
waiting in the outbox: +0
undeliverable: +0
(at work .*: +.*
|etcd [0-9.:]+: +(leads, )?version [0-9.]+, a file of \d+ bytes, 0 changes behind
)*(stored in [a-z/]+: +\d+, \d+ bytes, \d+ each
)*stored in game/: +1, \d+ bytes, \d+ each
(stored in [a-z/]+: +\d+, \d+ bytes, \d+ each
)*1 game, 0 faults
$`)
}

func TestAskRunningAndClosed(t *testing.T) {
	t.Chdir(t.TempDir())
	bot := start(t, "play", "--data", "a.db")
	bot.say(aGame + "alice: help")
	bot.until("→ alice")
	if got := asked(t, "a.db"); !shape(strconv.Itoa(bot.cmd.Process.Pid)).MatchString(got) {
		t.Errorf("running: %s", got)
	}
	backedUp(t, "a.db", "running.db")
	if err := os.Symlink("a.db", "link.db"); err == nil {
		backedUp(t, "link.db", "linked.db")
	}
	bot.say("bob: e5")
	bot.until("1… e5")
	if status, out := bot.end(); status != 0 || out == "" || strings.Contains(bot.errs.String(), "alice") {
		t.Errorf("play: status %d, errors %s", status, bot.errs.String())
	}
	if _, err := os.Lstat("a.db.sock"); err == nil {
		t.Error("the socket is still there")
	}
	if got := asked(t, "a.db"); !shape("none").MatchString(got) {
		t.Errorf("closed: %s", got)
	}
	backedUp(t, "a.db", "closed.db")
	if got := asked(t, "running.db"); !shape("none").MatchString(got) {
		t.Errorf("the copy: %s", got)
	}
	for file, moves := range map[string]int{"running.db": 1, "closed.db": 2} {
		if got := len(storedGame(t, file, 1).Moves); got != moves {
			t.Errorf("%s has %d moves; want %d", file, got, moves)
		}
	}
}

func TestAskAfterKill(t *testing.T) {
	t.Chdir(t.TempDir())
	bot := start(t, "play", "--data", "a.db")
	bot.say(aGame + "alice: help")
	bot.until("→ alice")
	bot.kill()
	if _, err := os.Lstat("a.db.sock"); err != nil && runtime.GOOS != "windows" {
		t.Errorf("the socket did not stay behind: %v", err)
	}
	if got := asked(t, "a.db"); !shape("none").MatchString(got) {
		t.Errorf("after the kill: %s", got)
	}
	backedUp(t, "a.db", "copy.db")

	bot = start(t, "play", "--data", "a.db")
	bot.say("dave: help")
	bot.until("→ dave")
	if _, out, _ := call(t, "", "status", "--data", "a.db"); !strings.Contains(out, strconv.Itoa(bot.cmd.Process.Pid)) {
		t.Errorf("the next process: %s", out)
	}
	if status, _ := bot.end(); status != 0 {
		t.Errorf("play: %s", bot.errs.String())
	}
}

func TestAskToEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signal by which a process is asked to end")
	}
	t.Chdir(t.TempDir())
	bot := start(t, "play", "--data", "a.db")
	bot.say("alice: help")
	bot.until("→ alice")
	if err := bot.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = bot.cmd.Wait() // with its input open
	if status := bot.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("status %d, %s", status, bot.errs.String())
	}
	if _, err := os.Lstat("a.db.sock"); err == nil {
		t.Error("the socket is still there")
	}
}

// stored makes a database with a game and entries in its outbox.
func stored(t *testing.T, data string, at time.Time) *storage.Store {
	t.Helper()
	plays(t, aGame, data)
	store, err := open(t.Context(), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = store.Update(t.Context(), func(w storage.Writer) error {
		place, err := w.Visit(storage.Address{Platform: "console", ID: "a\x1b\nb"}, storage.Address{})
		if err != nil {
			return err
		}
		for i, kind := range []event.Kind{event.Moved, event.DrawOffered} {
			e := storage.Entry{Place: place.ID, Game: 1, At: at.Add(time.Duration(i) * time.Minute), Kind: string(kind), By: 1}
			if err := w.Post(e); err != nil {
				return err
			}
		}
		return w.Post(storage.Entry{Place: 77, Game: 1, At: at.Add(time.Hour), Kind: "ended", By: 1})
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestOutboxIsListed(t *testing.T) {
	t.Chdir(t.TempDir())
	noon := time.Now().Add(-49 * time.Hour)
	store := stored(t, "a.db", noon)
	hears(t, store, func() time.Time { return noon.Add(90 * time.Second) })

	want := regexp.MustCompile(`^(\d+)	1m30s	console:a  b	#1	moved
(\d+)	30s	console:a  b	#1	draw offered
(\d+)	0s	77	#1	ended
$`)
	if status, out, errs := call(t, "", "outbox", "--data", "a.db"); status != 0 || !want.MatchString(out) {
		t.Errorf("running: status %d, %q, %q", status, out, errs)
	}
	if _, out, _ := call(t, "", "status", "--data", "a.db"); !regexp.MustCompile(`outbox: +3, the oldest for 1m30s\n`).MatchString(out) {
		t.Errorf("running: %s", out)
	}

	store = stored(t, "b.db", noon)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	old := regexp.MustCompile(`^\d+	49h0m\d+s	console:a  b	#1	moved\n\d+	48h59m\d+s	`)
	if status, out, errs := call(t, "", "outbox", "--data", "b.db"); status != 0 || !old.MatchString(out) {
		t.Errorf("closed: status %d, %q, %q", status, out, errs)
	}
}

func TestFaultsAreFound(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	spoil(t, "a.db")
	faulty := func(what string) {
		status, out, errs := call(t, "", "verify", "--data", "a.db")
		if status != 1 || !regexp.MustCompile(`^game 1: .*\n1 game, 1 fault\n$`).MatchString(out) || errs != "" {
			t.Errorf("%s: status %d, %q, %q", what, status, out, errs)
		}
	}
	faulty("closed")
	store, err := open(t.Context(), "a.db", nil)
	if err != nil {
		t.Fatal(err)
	}
	hears(t, store, time.Now)
	faulty("running")
}

// spoil gives each game another position than its moves lead to.
func spoil(t *testing.T, data string) {
	t.Helper()
	rewrites(t, data, func(w kv.Writer) error {
		for item, err := range w.Scan(kv.Prefix([]byte("game/"))) {
			if err != nil {
				return err
			}
			value := item.Value[:len(item.Value)-storage.SealSize]
			spoilt := bytes.Replace(value, []byte(`"FEN":"`), []byte(`"FEN":"?`), 1)
			if err := w.Put(item.Key, storage.Seal(item.Key, spoilt)); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestADamagedFileIsToldInOneSentence(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	whole := contents(t, "a.db")
	for i, command := range [][]string{{"verify"}, {"status"}, {"play"}, {"backup", "copy.db"}} {
		data := fmt.Sprint(i, ".db") // what has panicked keeps its lock until the process ends
		write(t, data, string(whole[:3*4096]))
		status, out, errs := call(t, "", append(command, "--data", data)...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "damaged") || !strings.Contains(errs, "restore a backup") {
			t.Errorf("%s: status %d, %q, %q", command, status, out, errs)
		}
	}
	onlyThere(t, "0.db", "1.db", "2.db", "3.db", "a.db")
}

// TestSalvageMakesADatabaseOfWhatIsSound zeroes the page that has a game of a file, which nothing
// opens then, and damages the page that says where all begins of another.
func TestSalvageMakesADatabaseOfWhatIsSound(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	whole := contents(t, "a.db")
	if status, out, errs := call(t, "", "salvage", "a.db", "same.db"); status != allWell || errs != "" || !strings.HasPrefix(out, "same.db: ") {
		t.Errorf("of a sound file: status %d, %q, %q", status, out, errs)
	}
	if status, out, errs := call(t, "", "salvage", "a.db", "same.db"); status != badInput || out != "" || !strings.Contains(errs, "exists already") {
		t.Errorf("over another: status %d, %q, %q", status, out, errs)
	}
	if status, out, errs := call(t, "", "verify", "--data", "same.db"); status != allWell {
		t.Errorf("what comes back: status %d, %q, %q", status, out, errs)
	}
	for n := 2; n < len(whole)/4096; n++ {
		if page := whole[4096*n:][:4096]; bytes.Contains(page, []byte("game/")) {
			clear(page)
		}
	}
	write(t, "zeros.db", string(whole))
	status, out, errs := call(t, "", "salvage", "zeros.db", "rest.db")
	if status != failed && status != badInput || strings.Count(out+errs, "\n") == 0 {
		t.Errorf("of a damaged file: status %d, %q, %q", status, out, errs)
	}

	whole = contents(t, "a.db")
	whole[40] ^= 1
	write(t, "older.db", string(whole))
	for _, c := range []struct {
		command string
		want    int
	}{{"status", allWell}, {"verify", failed}} {
		if status, out, errs := call(t, "", c.command, "--data", "older.db"); status != c.want || !strings.Contains(out, "what was stored last may be missing") {
			t.Errorf("%s: status %d, %q, %q", c.command, status, out, errs)
		}
	}
	if _, _, errs := call(t, "", "play", "--data", "older.db"); !strings.Contains(errs, "what was stored last may be missing") {
		t.Errorf("play: %q", errs)
	}
}

func TestStatusSharesTheFileOutAmongTheGames(t *testing.T) {
	for _, c := range []struct {
		usage []storage.Usage
		want  string
	}{
		{nil, "no games yet"},
		{[]storage.Usage{{Kind: "due/", Count: 9}, {Kind: "game/", Count: 4, Bytes: 10}}, "250"},
	} {
		if got := perGame(1003, c.usage); got != c.want {
			t.Errorf("%v: %s, want %s", c.usage, got, c.want)
		}
	}
}

func TestAnOperatorAnnulsARatedGame(t *testing.T) {
	t.Chdir(t.TempDir())
	var game strings.Builder
	for _, white := range []string{"alice", "carol"} {
		fmt.Fprintf(&game, "%s: challenge @bob chess white\nbob: accept\n", white)
		for i, move := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
			fmt.Fprintf(&game, "%s: %s\n", []string{white, "bob"}[i%2], move)
		}
	}
	bot := start(t, "play", "--data", "a.db")
	bot.say(game.String())
	bot.until("bob 1741 → ")
	if status, out, errs := call(t, "", "annul", "--data", "a.db", "1"); status != 0 || out != "game 1 counts no more\n" {
		t.Errorf("running: %d, %q, %q", status, out, errs)
	}
	bot.say("alice: profile\n")
	bot.until("No rated games yet")
	bot.end()
	if status, out, errs := call(t, "", "annul", "--data", "a.db", "#2"); status != 0 || out != "game 2 counts no more\n" {
		t.Errorf("closed: %d, %q, %q", status, out, errs)
	}
	status, out, errs := call(t, "bob: profile\n", "play", "--data", "a.db")
	if status != 0 || !strings.Contains(out, "Chess #2 was annulled") || !strings.Contains(out, "No rated games yet") {
		t.Errorf("afterwards: %d, %s, %s", status, out, errs)
	}
	for what, want := range map[string]string{"2": "game 2 counts for no ratings", "7": "there is no game 7", "x": "is no game"} {
		if status, _, errs := call(t, "", "annul", "--data", "a.db", what); status != badInput || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s", what, status, errs)
		}
	}
}
