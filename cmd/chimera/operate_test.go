package main

import (
	"bytes"
	_ "embed"
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
		all += prints(t, 0, anything, "", command, "--data", data)
	}
	return all
}

// backedUp makes a copy, and fails the test unless it is sound.
func backedUp(t *testing.T, data, file string) {
	t.Helper()
	prints(t, 0, regexp.QuoteMeta(file)+`: \d+ bytes\n`, "", "backup", "--data", data, file)
	verifies(t, file)
}

//go:embed testdata/status.txt
var statusShape string

// shape is a status and what follows, of a process or of none: the pattern in testdata/status.txt.
func shape(process string) *regexp.Regexp {
	return regexp.MustCompile(strings.TrimSpace(strings.Replace(statusShape, "PROCESS", process, 1)))
}

func TestAskRunningAndClosed(t *testing.T) {
	t.Chdir(t.TempDir())
	bot := playing(t, "a.db", aGame)
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
	must(t, os.Chmod("a.db", 0o444)) // which does not keep root from writing it
	before := contents(t, "a.db")
	if got := asked(t, "a.db"); !shape("none").MatchString(got) {
		t.Errorf("closed: %s", got)
	}
	backedUp(t, "a.db", "closed.db")
	if !bytes.Equal(contents(t, "a.db"), before) {
		t.Error("the database has changed")
	}
	must(t, os.Chmod("a.db", 0o600))
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
	bot := playing(t, "a.db", aGame)
	bot.kill()
	if _, err := os.Lstat("a.db.sock"); err != nil && runtime.GOOS != "windows" {
		t.Errorf("the socket did not stay behind: %v", err)
	}
	if got := asked(t, "a.db"); !shape("none").MatchString(got) {
		t.Errorf("after the kill: %s", got)
	}
	backedUp(t, "a.db", "copy.db")

	bot = playing(t, "a.db", "")
	prints(t, 0, fmt.Sprintf(`(?s).*process: +%d\n.*`, bot.cmd.Process.Pid), "", "status", "--data", "a.db")
	bot.ends()
}

func TestAskToEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signal by which a process is asked to end")
	}
	t.Chdir(t.TempDir())
	bot := playing(t, "a.db", "")
	must(t, bot.cmd.Process.Signal(syscall.SIGTERM))
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
	must(t, err)
	must(t, store.Update(t.Context(), func(w storage.Writer) error {
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
	}))
	return store
}

func TestOutboxIsListed(t *testing.T) {
	t.Chdir(t.TempDir())
	noon := time.Now().Add(-49 * time.Hour)
	store := stored(t, "a.db", noon)
	hears(t, store, func() time.Time { return noon.Add(90 * time.Second) })

	prints(t, 0, `\d+	1m30s	console:a  b	#1	moved
\d+	30s	console:a  b	#1	draw offered
\d+	0s	77	#1	ended
`, "", "outbox", "--data", "a.db")
	prints(t, 0, `(?s).*outbox: +3, the oldest for 1m30s\n.*`, "", "status", "--data", "a.db")

	store = stored(t, "b.db", noon)
	must(t, store.Close())
	prints(t, 0, `(?s)\d+	49h0m\d+s	console:a  b	#1	moved\n\d+	48h59m\d+s	.*`, "", "outbox", "--data", "b.db")
}

func TestFaultsAreFound(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	spoil(t, "a.db")
	const fault = `game 1: .*\n1 game, 1 fault\n`
	prints(t, failed, fault, "", "verify", "--data", "a.db")
	store, err := open(t.Context(), "a.db", nil)
	must(t, err)
	hears(t, store, time.Now)
	prints(t, failed, fault, "", "verify", "--data", "a.db")
	prints(t, badInput, "", `.*a\.db: another process has it open: stop that first\n`, "salvage", "a.db", "b.db")
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

// TestSalvageMakesADatabaseOfWhatIsSound zeroes the page that has a game of a file, which nothing
// opens then, and damages the page that says where all begins of another.
func TestSalvageMakesADatabaseOfWhatIsSound(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	whole := contents(t, "a.db")
	prints(t, allWell, `(?s)same\.db: .*`, "", "salvage", "a.db", "same.db")
	prints(t, badInput, "", `.*exists already.*\n`, "salvage", "a.db", "same.db")
	verifies(t, "same.db")
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
	prints(t, badInput, "", `.*what was stored last may be missing.*\n`, "verify", "--data", "older.db")
	prints(t, allWell, anything, anything, "play", "--data", "older.db")
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
	prints(t, 0, `game 1 counts no more\n`, anything, "annul", "--data", "a.db", "1")
	bot.say("alice: profile\n")
	bot.until("No rated games yet")
	bot.end()
	prints(t, 0, `game 2 counts no more\n`, anything, "annul", "--data", "a.db", "#2")
	typed(t, "bob: profile\n", 0, `(?s).*Chess #2 was annulled.*No rated games yet.*`, anything, "play", "--data", "a.db")
	for what, want := range map[string]string{"2": "game 2 counts for no ratings", "7": "there is no game 7", "x": "is no game"} {
		prints(t, badInput, anything, `.*`+want+`.*\n`, "annul", "--data", "a.db", what)
	}
}
