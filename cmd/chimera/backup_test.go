package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestBackupWhileMovesArePlayed types games into a running bot and copies its
// database again and again meanwhile. Each copy holds each move that was answered
// before it was asked for, and none that was never typed.
func TestBackupWhileMovesArePlayed(t *testing.T) {
	const backups = 8
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	t.Chdir(t.TempDir())
	bot := start(t, "play", "--data", "a.db")
	script := randomGame(t, random)
	bot.say("white: challenge @black white\nblack: accept")
	said := &transcript{more: make(chan struct{}, 1)}
	var wg sync.WaitGroup
	wg.Go(func() {
		for ply, move := range script {
			if _, err := io.WriteString(bot.in, []string{"white: ", "black: "}[ply%2]+move+"\n"); err != nil {
				t.Errorf("ply %d cannot be typed: %v", ply+1, err)
				return
			}
		}
	})
	wg.Go(func() { _, _ = io.Copy(said, bot.out) }) // until the bot ends
	for n := range backups {
		want := 1 + len(script)*n/backups
		for acknowledged(t, said.bytes(), 1) < want {
			<-said.more
		}
		acked := acknowledged(t, said.bytes(), 1)
		file := string(rune('a'+n)) + ".copy"
		backedUp(t, "a.db", file)
		kept := storedGame(t, file, 1).Moves
		if len(kept) < acked || strings.Join(kept, " ") != strings.Join(script[:len(kept)], " ") {
			t.Errorf("ply %d was answered, and the copy has %d: %v", acked, len(kept), kept)
		}
		t.Logf("%d answered, %d in the copy", acked, len(kept))
	}
	for acknowledged(t, said.bytes(), 1) < len(script) {
		<-said.more
	}
	must(t, bot.in.Close())
	wg.Wait()
	bot.ends()
}

// transcript collects what a process says.
type transcript struct {
	mu   sync.Mutex
	said []byte
	more chan struct{} // has a value when something was said
}

func (s *transcript) Write(b []byte) (int, error) {
	s.mu.Lock()
	s.said = append(s.said, b...)
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (s *transcript) bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said[:len(s.said):len(s.said)]
}

func TestBackupReplacesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	must(t, errors.Join(os.WriteFile("taken", []byte("mine"), 0o600), os.Symlink("nowhere", "link"), os.Mkdir("folder", 0o700)))
	for _, file := range []string{"taken", "link", "folder", "a.db", "none/copy.db", "taken/copy.db", ""} {
		prints(t, 2, "", `.*\n`, "backup", "--data", "a.db", file)
	}
	if mine := contents(t, "taken"); string(mine) != "mine" {
		t.Errorf("the file there is now %q", mine)
	}
	onlyThere(t, "a.db", "folder", "link", "taken")
}

func TestBackupToAFullDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no ulimit, by which the test makes the disk full")
	}
	t.Chdir(t.TempDir())
	bot := start(t, "play", "--data", "a.db")
	bot.say(aGame)
	bot.until("carol")
	for _, held := range []bool{true, false} {
		tight := start(t, "sh", "-c", `ulimit -f 8 && exec "$@"`, "sh", "--", "backup", "--data", "a.db", "copy.db")
		status, out := tight.end()
		if errs := tight.errs.String(); status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "copy.db was not written: file too large") {
			t.Errorf("held %t: status %d, %q, %q", held, status, out, errs)
		}
		if held {
			onlyThere(t, "a.db", "a.db.sock")
			bot.ends()
		}
	}
	onlyThere(t, "a.db")
}

// ours begins the answer of a process that holds the database.
const ours = "HTTP/1.1 200 OK\r\n" + controlHeader + ": " + controlVersion + "\r\n"

func TestABackupThatIsNotWholeIsNotKept(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	whole := contents(t, "a.db")
	for why, answer := range map[string]string{
		"broke off": ours + "Content-Length: 2000000\r\n\r\n" + string(whole),
		"cut short": ours + "Content-Length: 12288\r\n\r\n" + string(whole[:12288]),
	} {
		t.Run(why, func(t *testing.T) {
			pretend(t, "a.db.sock", func(w io.Writer) { _, _ = io.WriteString(w, answer) })
			prints(t, 2, "", `.*`+why+`.*\n`, "backup", "--data", "a.db", "copy.db")
			onlyThere(t, "a.db", "a.db.sock")
		})
	}
}

func TestBackupInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signal by which a process is asked to end")
	}
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	asked, ended := make(chan struct{}), make(chan struct{})
	pretend(t, "a.db.sock", func(w io.Writer) {
		_, _ = io.WriteString(w, ours+"Content-Length: 99999\r\n\r\nx")
		close(asked)
		<-ended
	})
	waits := start(t, "backup", "--data", "a.db", "copy.db")
	<-asked
	must(t, waits.cmd.Process.Signal(syscall.SIGTERM))
	status, out := waits.end()
	close(ended)
	if errs := waits.errs.String(); status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "signal") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	onlyThere(t, "a.db", "a.db.sock")
}

// TestABackupThatWasKilledLeavesNothingForLong kills a copy in the midst; the next one after a day
// clears away what is left of it, and leaves alone one that still goes on.
func TestABackupThatWasKilledLeavesNothingForLong(t *testing.T) {
	t.Chdir(t.TempDir())
	plays(t, aGame, "a.db")
	write(t, ".chimera-mine", "no copy of ours")
	asked, ended := make(chan struct{}), make(chan struct{})
	pretend(t, "b.db.sock", func(w io.Writer) {
		_, _ = io.WriteString(w, ours+"Content-Length: 99999\r\n\r\nx")
		asked <- struct{}{}
		<-ended
	})
	defer close(ended)
	write(t, "b.db", "a database that is held")
	left := func() (names []string) {
		files, err := os.ReadDir(".")
		must(t, err)
		for _, f := range files {
			if unfinished.MatchString(f.Name()) {
				names = append(names, f.Name())
			}
		}
		return names
	}
	killed := start(t, "backup", "--data", "b.db", "killed.db")
	<-asked
	killed.kill()
	of := left()
	if len(of) != 1 {
		t.Fatalf("the killed one left %q", of)
	}
	yesterday := time.Now().Add(-forgotten - time.Minute)
	must(t, os.Chtimes(of[0], yesterday, yesterday))
	start(t, "backup", "--data", "b.db", "slow.db")
	<-asked
	backedUp(t, "a.db", "copy.db")
	if now := left(); len(now) != 1 || now[0] == of[0] {
		t.Errorf("first there was %q, and now %q: want that which is being made", of, now)
	}
	if mine := contents(t, ".chimera-mine"); string(mine) != "no copy of ours" {
		t.Errorf("somebody's file is %q", mine)
	}
}
