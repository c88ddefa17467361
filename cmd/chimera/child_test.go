package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// child is the program in a process of its own.
type child struct {
	t    testing.TB
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer // complete when the process has ended
}

// start starts a command line. Words before "--" come before the program, as in
// "nice -- status".
func start(t testing.TB, args ...string) *child {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	line := append([]string{program}, args...)
	for i, arg := range args {
		if arg == "--" {
			line = append(append(args[:i:i], program), args[i+1:]...)
		}
	}
	c := &child{t: t, cmd: exec.Command(line[0], line[1:]...)}
	c.cmd.Env = append(os.Environ(), asProgram+"=1")
	c.cmd.Stderr = &c.errs
	out, err := c.cmd.StdoutPipe()
	must(t, err)
	c.out = bufio.NewReader(out)
	c.in, err = c.cmd.StdinPipe()
	must(t, err)
	must(t, c.cmd.Start())
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // unless it has ended
		_ = c.cmd.Wait()
	})
	return c
}

// say types a line.
func (c *child) say(line string) {
	c.t.Helper()
	_, err := fmt.Fprintln(c.in, line)
	must(c.t, err)
}

// until reads answers up to a line with some words.
func (c *child) until(words string) {
	c.t.Helper()
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			c.t.Fatalf("nothing was said of %q: %v", words, err)
		}
		if strings.Contains(line, words) {
			return
		}
	}
}

// end waits for the end and returns the exit status and what was left to read.
func (c *child) end() (status int, out string) {
	c.t.Helper()
	if err := c.in.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		c.t.Error(err)
	}
	rest, err := io.ReadAll(c.out)
	must(c.t, err)
	_ = c.cmd.Wait() // the status tells
	return c.cmd.ProcessState.ExitCode(), string(rest)
}

// ends fails the test unless the program ends well.
func (c *child) ends() {
	c.t.Helper()
	if status, _ := c.end(); status != allWell {
		c.t.Errorf("status %d: %s", status, c.errs.String())
	}
}

// kill ends the process as if the machine had failed.
func (c *child) kill() {
	c.t.Helper()
	must(c.t, c.cmd.Process.Kill())
	_ = c.cmd.Wait() // it was killed
}

// onChats starts the program on Discord and Telegram, or on the one of them that is not nil.
func onChats(t testing.TB, data string, d *fake.Discord, g *fake.Telegram, more ...string) *child {
	t.Helper()
	args := []string{"serve", "--data", data}
	if d != nil {
		args = append(args, "--discord-token", fake.DiscordToken, "--discord-api-url", d.URL)
	}
	if g != nil {
		args = append(args, "--telegram-token", fake.Token, "--telegram-api-url", g.URL)
	}
	return start(t, append(args, more...)...)
}

// plays has lines said on the console over a database.
func plays(t *testing.T, lines, data string) {
	t.Helper()
	if status, _, errs := call(t, lines, "play", "--data", data); status != 0 {
		t.Fatal(errs)
	}
}

// playing starts the console over a database, and waits until all lines have been answered.
func playing(t *testing.T, data, lines string) *child {
	t.Helper()
	bot := start(t, "play", "--data", data)
	bot.say(lines + "alice: help")
	bot.until("→ alice")
	return bot
}

// verifies fails the test unless all in a database holds.
func verifies(t *testing.T, data string) {
	t.Helper()
	prints(t, 0, anything, anything, "verify", "--data", data)
}

// contents are those of a file.
func contents(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// toldCode is the code that is shown in a chat for somebody to accept a challenge with.
func toldCode(g *fake.Telegram, chat int64, words string) string {
	number := g.Posted(fmt.Sprint("chat_id:", chat), words)
	g.Lock()
	defer g.Unlock()
	at := slices.IndexFunc(g.Calls, func(c fake.Call) bool { return c.Number == number })
	return codeInText.FindStringSubmatch(g.Calls[at].Fields["text"])[1]
}

// rewrites changes what is stored in a file as it stands there.
func rewrites(t *testing.T, data string, change func(kv.Writer) error) {
	t.Helper()
	db, err := bolt.Open(data)
	must(t, err)
	must(t, errors.Join(db.Update(t.Context(), change), db.Close()))
}

// looksInto reads a database.
func looksInto(t *testing.T, data string, read func(storage.Reader) error) {
	t.Helper()
	store, err := open(t.Context(), data, nil)
	must(t, err)
	must(t, errors.Join(store.View(t.Context(), read), store.Close()))
}
