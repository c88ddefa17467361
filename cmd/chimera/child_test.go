package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
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
	if err != nil {
		t.Fatal(err)
	}
	program = cmp.Or(*otherProgram, program)
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
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // unless it has ended
		_ = c.cmd.Wait()
	})
	return c
}

// say types a line.
func (c *child) say(line string) {
	c.t.Helper()
	if _, err := fmt.Fprintln(c.in, line); err != nil {
		c.t.Fatal(err)
	}
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
	if err != nil {
		c.t.Error(err)
	}
	_ = c.cmd.Wait() // the status tells
	return c.cmd.ProcessState.ExitCode(), string(rest)
}

// kill ends the process as if the machine had failed.
func (c *child) kill() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	_ = c.cmd.Wait() // it was killed
}
