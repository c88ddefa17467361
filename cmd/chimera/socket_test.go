package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"chimera/storage"
)

// listens answers for a store at the socket of a.db until the test ends, and closes the
// store then.
func listens(t *testing.T, store *storage.Store, now func() time.Time) {
	t.Helper()
	desk := desk(t, routes(holder{store: store, data: "a.db", now: now}))
	t.Cleanup(func() {
		if err := errors.Join(desk.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	})
}

// desk answers at the socket of a.db until it is closed.
func desk(t *testing.T, routes http.Handler) *control {
	t.Helper()
	c, err := listen(t.Context(), "a.db", routes, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSocketIsItsOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows files have no modes that say who may reach them")
	}
	t.Chdir(t.TempDir())
	bot := start(t, "sh", "-c", `umask 0; exec "$@"`, "sh", "--", "play", "--data", "a.db")
	bot.say("alice: help")
	bot.until("→ alice")
	if info, err := os.Lstat("a.db.sock"); err != nil || info.Mode() != fs0600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, err := filepath.Glob("a.db?sock?*"); err != nil || len(left) > 0 {
		t.Errorf("besides it there is %q (%v)", left, err)
	}
	if status, _ := bot.end(); status != 0 {
		t.Error(bot.errs.String())
	}
}

const fs0600 = os.ModeSocket | 0o600

func TestNoSocket(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("x", 120) + ".db"
	if err := os.WriteFile("a.db.sock", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for data, why := range map[string]string{long: "too long", "a.db": "in the way"} {
		bot := start(t, "play", "--data", data)
		bot.say("alice: help")
		bot.until("→ alice")
		status, out, errs := call(t, "", "status", "--data", data)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "in use") {
			t.Errorf("%s: status %d, %q, %q", data, status, out, errs)
		}
		if status, _ := bot.end(); status != 0 {
			t.Errorf("%s: play: status %d", data, status)
		}
		if errs := bot.errs.String(); strings.Count(errs, "WARN") != 1 || !strings.Contains(errs, why) {
			t.Errorf("%s: play says %q", data, errs)
		}
		if status, _, errs := call(t, "", "status", "--data", data); status != 0 {
			t.Errorf("%s: %s", data, errs)
		}
	}
	if mine, err := os.ReadFile("a.db.sock"); err != nil || string(mine) != "mine" {
		t.Errorf("the file in the way is now %q (%v)", mine, err)
	}
}

// TestNonsense has something listen that is not the program.
func TestNonsense(t *testing.T) {
	const ours = "HTTP/1.1 200 OK\r\n" + controlHeader + ": " + controlVersion + "\r\n"
	endless := func(w io.Writer) {
		for _, err := w.Write(make([]byte, 1000)); err == nil; {
			_, err = w.Write([]byte(strings.Repeat("x", 1000)))
		}
	}
	says := func(words string) func(io.Writer) {
		return func(w io.Writer) { _, _ = io.WriteString(w, words) }
	}
	for name, listener := range map[string]func(io.Writer){
		"nothing":         says(""),
		"ssh":             says("SSH-2.0-x\r\n\x1b[2J\r\n"),
		"endless":         endless,
		"another server":  says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
		"moved":           says("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n"),
		"another version": says("HTTP/1.1 200 OK\r\n" + controlHeader + ": 99\r\n\r\n"),
		"unknown":         says("HTTP/1.1 404 No\r\n" + controlHeader + ": " + controlVersion + "\r\n\r\n"),
		"complaint":       says("HTTP/1.1 500 No\r\n" + controlHeader + ": " + controlVersion + "\r\n\r\nit\x1b[2J\nburns"),
		"garbage":         says(ours + "Content-Length: 10\r\n\r\n{\"A\":\x1b[2}"),
		"a number":        says(ours + "Content-Length: 2\r\n\r\n7\n"),
		"void":            says(ours + "Content-Length: 3\r\n\r\n{}\n"),
		"broken off":      says(ours + "Content-Length: 99999\r\n\r\n"),
		"an endless line": func(w io.Writer) { says(ours + "\r\n")(w); endless(w) },
		"an error":        says(ours + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + outcomeTrailer + ": it\x1bis\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if status, _, errs := call(t, aGame, "play", "--data", "a.db"); status != 0 {
				t.Fatal(errs)
			}
			before, err := os.ReadFile("a.db")
			if err != nil {
				t.Fatal(err)
			}
			pretend(t, "a.db.sock", listener)
			for _, command := range [][]string{{"status"}, {"outbox"}, {"verify"}, {"backup", "copy.db"}} {
				status, out, errs := call(t, "", append(command, "--data", "a.db")...)
				if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || len(errs) > 2000 ||
					strings.ContainsFunc(strings.TrimSuffix(errs, "\n"), unicode.IsControl) {
					t.Errorf("%s: status %d, %q, %q", command, status, out, errs)
				}
			}
			after, err := os.ReadFile("a.db")
			if err != nil || string(after) != string(before) {
				t.Errorf("the database has changed (%v)", err)
			}
			onlyThere(t, "a.db", "a.db.sock")
		})
	}
}

// onlyThere fails the test unless the working folder holds these files alone.
func onlyThere(t *testing.T, want ...string) {
	t.Helper()
	found, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("there are %q; want %q", names, want)
	}
}

// pretend listens at a path and gives everyone who asks the same answer.
func pretend(t *testing.T, path string, answer func(io.Writer)) {
	t.Helper()
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
					return // somebody only looked whether anybody listens
				}
				answer(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		wg.Wait()
	})
}

func TestSilence(t *testing.T) {
	t.Chdir(t.TempDir())
	listener, err := net.Listen("unix", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	err = wait(t.Context(), socket{"s", time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "no answer for") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	if err := wait(ctx, socket{"s", time.Hour}); err != io.ErrClosedPipe { //nolint:errorlint // as it is
		t.Errorf("error %v", err)
	}
}

// slow is an operation that waits, and then says that it has.
type slow struct{ begun, release chan struct{} }

func waits() slow { return slow{begun: make(chan struct{}), release: make(chan struct{})} }

func (s slow) routes() http.Handler {
	mux := http.NewServeMux()
	route(mux, holder{}, operation[bool]{"wait", reads, func(_ holder, ctx context.Context, _ string, say func(bool) error) error {
		s.begun <- struct{}{}
		select {
		case <-s.release:
			return say(true)
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	return mux
}

// wait asks for it.
func wait(ctx context.Context, s socket) error {
	waited := false
	err := hear(ctx, s, "wait", "", func(w bool) error { waited = w; return nil })
	if err == nil && !waited {
		err = errors.New("it did not wait")
	}
	return err
}

func TestFewAnswersAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	s := waits()
	c := desk(t, s.routes())
	asker := socket{c.path, patience}
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			if err := wait(t.Context(), asker); err != nil {
				t.Error(err)
			}
		})
		<-s.begun
	}
	if err := wait(t.Context(), asker); err == nil || !strings.Contains(err.Error(), "at once") {
		t.Errorf("one too many: %v", err)
	}
	close(s.release)
	wg.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnswersUnderWayAreGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	s := waits()
	c := desk(t, s.routes())
	asker := socket{c.path, patience}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := wait(t.Context(), asker); err != nil {
			t.Error(err)
		}
	})
	<-s.begun
	wg.Go(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	for asker.answers(t.Context()) == nil {
		continue // until closing has begun
	}
	close(s.release)
	wg.Wait()
	onlyThere(t)
}

func TestAskerWhoGoesStopsTheWork(t *testing.T) {
	t.Chdir(t.TempDir())
	s := waits()
	c := desk(t, s.routes())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- wait(ctx, socket{c.path, patience}) }()
	<-s.begun
	cancel()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
	// Closing waits for the work, which nobody but the asker can have stopped.
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnAnswerThatFailsInTheMidstIsNotTakenForWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	mux := http.NewServeMux()
	route(mux, holder{}, operation[int]{"burn", reads, func(_ holder, _ context.Context, _ string, say func(int) error) error {
		return errors.Join(say(7), errors.New("it burns"), errors.New("still"))
	}})
	c := desk(t, mux)
	heard := 0
	err := hear(t.Context(), socket{c.path, patience}, "burn", "", func(n int) error { heard += n; return nil })
	if heard != 7 || err == nil || !strings.HasSuffix(err.Error(), "says: it burns; still") {
		t.Errorf("heard %d, %v", heard, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestAFolderThatALinkLeadsToIsLeftAlone has a link where the socket is made.
func TestAFolderThatALinkLeadsToIsLeftAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("mine", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, "mine/s", "precious")
	if err := os.Symlink("mine", "a.db.sock~"); err != nil {
		t.Skipf("the test needs a symbolic link, which cannot be made here: %v", err)
	}
	status, _, errs := call(t, "alice: help\n", "play", "--data", "a.db")
	if status != 0 || strings.Count(errs, "WARN") != 1 {
		t.Errorf("status %d, %q", status, errs)
	}
	if mine, err := os.ReadFile("mine/s"); err != nil || string(mine) != "precious" {
		t.Errorf("the file is now %q (%v)", mine, err)
	}
}

func TestWhoIsTrusted(t *testing.T) {
	const me, owner, root, other = 1000, 1001, 0, 1002
	for account, want := range map[uint32]bool{me: true, owner: true, root: true, other: false} {
		if trusted(account, me, owner) != want {
			t.Errorf("account %d is trusted: %t", account, !want)
		}
	}
}
