package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"chimera/bot/fake"
	"chimera/storage/etcd/etcdtest"
)

// chaosBot is a machine with a bot, which is started again whenever it has ended.
type chaosBot struct {
	c       *chaos
	name    string
	args    []string
	link    *etcdtest.Link // to the cluster
	log     *os.File
	process *exec.Cmd // nil while it does not run
	run     int       // how often it was started,
	since   time.Time // and when last
	ends    int
	struck  bool          // by a fault that goes on
	wrong   time.Duration // by which its clock is, when it starts
	ended   func(status int)

	mu    sync.Mutex
	mute  bool      // it must say nothing any more
	late  []string  // what it has said nevertheless
	spoke time.Time // when last
}

func newChaosBot(c *chaos, n int) *chaosBot {
	c.t.Helper()
	b := &chaosBot{c: c, name: fmt.Sprint("bot", n), link: etcdtest.NewLink(c.t, c.members.Hosts())}
	var err error
	b.log, err = os.Create(filepath.Join(c.t.TempDir(), b.name+".log"))
	must(c.t, err)
	b.args = []string{
		"serve", "--data", b.link.Address("chimera", "lease=2s"),
		"--discord-token", fake.DiscordToken, "--discord-api-url", b.front(c.discord),
		"--telegram-token", fake.Token, "--telegram-api-url", b.front(c.telegram),
	}
	b.start()
	c.t.Cleanup(func() {
		if b.process != nil {
			_ = b.process.Process.Kill() // unless it has ended
			for b.process != nil {
				(<-c.events)()
			}
		}
		_ = b.log.Close()
	})
	return b
}

// front is a door to a platform for this bot alone.
func (b *chaosBot) front(platform http.Handler) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		if asks := r.Method == http.MethodGet || strings.HasPrefix(filepath.Base(r.URL.Path), "get"); !asks {
			if b.spoke = time.Now(); b.mute {
				b.late = append(b.late, r.Method+" "+strings.ReplaceAll(r.URL.Path, fake.Token, ""))
			}
		}
		b.mu.Unlock()
		platform.ServeHTTP(w, r)
	}))
	b.c.t.Cleanup(server.Close)
	return server.URL
}

// silence says whether the bot must say nothing from now on.
func (b *chaosBot) silence(mute bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mute = mute
}

// lastSpoke is when it has said something last.
func (b *chaosBot) lastSpoke() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spoke
}

func (b *chaosBot) start() {
	b.c.t.Helper()
	program, err := os.Executable()
	must(b.c.t, err)
	b.silence(false)
	process := exec.Command(program, b.args...)
	process.Env = append(os.Environ(), asProgram+"=1", asWrong+"="+b.wrong.String())
	process.Stderr = b.log
	must(b.c.t, process.Start())
	b.process = process
	b.run++
	b.since = time.Now()
	b.c.mark("%s starts, its clock wrong by %v", b.name, b.wrong)
	go func() {
		_ = process.Wait() // the status tells
		b.c.events <- func() { b.end(process.ProcessState.ExitCode()) }
	}()
}

// chaosAgain is when whoever looks after a bot starts it again.
const chaosAgain = 300 * time.Millisecond

func (b *chaosBot) end(status int) {
	b.process = nil
	b.ends++
	b.c.mark("%s has ended with status %d", b.name, status)
	if b.ended != nil {
		b.ended(status)
		b.ended = nil
	}
	if b.c.settled != nil {
		b.c.settled()
	}
	if !b.c.ending {
		b.c.later(chaosAgain, func() {
			if !b.c.ending || b.c.active > 0 {
				b.start()
			}
		})
	}
}

func (b *chaosBot) runs() bool { return b.process != nil }

// signal sends a signal, if there is anybody to hear it.
func (b *chaosBot) signal(s os.Signal) {
	if b.process != nil {
		_ = b.process.Process.Signal(s) // unless it has ended
	}
}

func (b *chaosBot) interrupt() { b.signal(os.Interrupt) }
func (b *chaosBot) kill()      { b.signal(os.Kill) }
func (b *chaosBot) pause()     { b.signal(syscall.SIGSTOP) }
func (b *chaosBot) wake()      { b.signal(syscall.SIGCONT) }

// story is what it has logged last.
func (b *chaosBot) story() string {
	text, err := os.ReadFile(b.log.Name())
	if err != nil {
		return err.Error()
	}
	const most = 3000
	return fmt.Sprintf("%s was started %d times, runs: %v, and has logged:\n%s\n", b.name, b.run, b.runs(), text[max(0, len(text)-most):])
}
