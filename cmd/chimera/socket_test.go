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

	"chimera/storage"
)

// hears lets operators ask for a store at the socket of a.db until the test ends, and closes the
// store then.
func hears(t *testing.T, store *storage.Store, now func() time.Time) {
	t.Helper()
	end := hearOperators(t.Context(), holder{store: store, data: "a.db", now: now}, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { must(t, errors.Join(end(), store.Close())) })
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
	bot.ends()
}

const fs0600 = os.ModeSocket | 0o600

func TestNoSocket(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("x", 120) + ".db"
	must(t, os.WriteFile("a.db.sock", []byte("mine"), 0o600))
	for data, why := range map[string]string{long: "too long", "a.db": "in the way"} {
		bot := playing(t, data, "")
		prints(t, 2, "", `.*another process has it open, and that can't be asked: .*\n`, "status", "--data", data)
		bot.ends()
		if errs := bot.errs.String(); strings.Count(errs, "WARN") != 1 || !strings.Contains(errs, why) {
			t.Errorf("%s: play says %q", data, errs)
		}
		prints(t, 0, anything, anything, "status", "--data", data)
	}
	if mine, err := os.ReadFile("a.db.sock"); err != nil || string(mine) != "mine" {
		t.Errorf("the file in the way is now %q (%v)", mine, err)
	}
}

// TestWhatListensMustBeThisVersion has something else listen, such as an earlier version, or a version
// that knows no such operation.
func TestWhatListensMustBeThisVersion(t *testing.T) {
	for name, answer := range map[string]string{
		"another server":  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"another version": "HTTP/1.1 200 OK\r\n" + controlHeader + ": 2\r\n\r\n",
		"unknown":         "HTTP/1.1 404 No\r\n" + controlHeader + ": " + controlVersion + "\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.db", "a database that is held")
			pretend(t, "a.db.sock", func(w io.Writer) { _, _ = io.WriteString(w, answer) })
			for _, command := range [][]string{{"status"}, {"verify"}, {"forget", "1"}, {"backup", "copy.db"}} {
				prints(t, 2, "", `.* a\.db\.sock: what listens there isn't this version of the program\n`, append(command, "--data", "a.db")...)
			}
			onlyThere(t, "a.db", "a.db.sock")
		})
	}
}

// onlyThere fails the test unless the working folder holds these files alone.
func onlyThere(t *testing.T, want ...string) {
	t.Helper()
	found, err := os.ReadDir(".")
	must(t, err)
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
	must(t, err)
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

// slow is an operation that waits, and then says that it has.
type slow struct{ begun, release chan struct{} }

// waits answers at the socket of a.db with that alone.
func waits(t *testing.T) (s slow, end func()) {
	t.Helper()
	s = slow{begun: make(chan struct{}), release: make(chan struct{})}
	return s, answers(t, func(_ holder, ctx context.Context, _ string, say report) error {
		s.begun <- struct{}{}
		select {
		case <-s.release:
			say.line("waited")
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// answers answers whatever is asked at the socket of a.db.
func answers(t *testing.T, run func(h holder, ctx context.Context, arg string, say report) error) (end func()) {
	t.Helper()
	listener, err := bind(t.Context(), "a.db.sock")
	must(t, err)
	asked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(controlHeader, controlVersion)
		route(holder{}, operation{run: run}).ServeHTTP(w, r)
	})
	log := slog.New(slog.DiscardHandler)
	return serveHTTP(t.Context(), listener, &http.Server{Handler: asked}, log, "")
}

// asks asks there, and returns what is said.
func asks(ctx context.Context) (said string, err error) {
	err = socket("a.db.sock").ask(ctx, "wait", "", func(a answer) { said += a.Text })
	return said, err
}

func TestAnswersUnderWayAreGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	s, end := waits(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		if said, err := asks(t.Context()); said != "waited\n" || err != nil {
			t.Errorf("%q, %v", said, err)
		}
	})
	<-s.begun
	wg.Go(end)
	for socket("a.db.sock").answers(t.Context()) == nil {
		continue // until closing has begun
	}
	close(s.release)
	wg.Wait()
}

func TestAskerWhoGoesStopsTheWork(t *testing.T) {
	t.Chdir(t.TempDir())
	s, end := waits(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := asks(ctx); ended <- err }()
	<-s.begun
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	// The end waits for the work, which nobody but the asker can have stopped.
	end()
}

func TestAnAnswerThatFailsInTheMidstIsNotTakenForWhole(t *testing.T) {
	for name, c := range map[string]struct {
		fails func() error
		want  string
	}{
		"with an error": {func() error { return errors.Join(errors.New("it burns"), errors.New("still")) }, "says: it burns; still"},
		"with its end":  {func() error { panic(http.ErrAbortHandler) }, "a.db.sock: the answer broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			end := answers(t, func(_ holder, _ context.Context, _ string, say report) error {
				say.line("seven")
				return c.fails()
			})
			if said, err := asks(t.Context()); said != "seven\n" || err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("heard %q, %v", said, err)
			}
			end()
		})
	}
}
