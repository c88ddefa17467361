package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"chimera/rules"
)

// program is another program that speaks UCI. A command such as "fairy-stockfish; UCI_Elo=1350; go nodes 1000" says how
// to start it, which options to set, and how it has to think.
type program struct {
	in      io.Writer
	out     *bufio.Scanner
	variant *rules.Variant
	think   string
}

func startProgram(v *rules.Variant, text string) (*program, error) {
	parts := strings.Split(text, ";")
	args := strings.Fields(parts[0])
	if len(args) == 0 {
		return nil, fmt.Errorf("%q names no program", text)
	}
	command := exec.Command(args[0], args[1:]...) //nolint:noctx // it ends with its input
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &program{in: in, out: bufio.NewScanner(out), variant: v, think: "go nodes 1000"}
	p.say("uci")
	p.say("setoption name UCI_Variant value " + v.Key)
	for _, part := range parts[1:] {
		part = strings.TrimSpace(part)
		if name, value, ok := strings.Cut(part, "="); ok {
			p.say("setoption name " + name + " value " + value)
		} else {
			p.think = part
		}
	}
	p.say("isready")
	_, err = p.await("readyok")
	return p, err
}

func (p *program) say(line string) { _, _ = fmt.Fprintln(p.in, line) } // an error shows when no answer comes

// await reads up to the line that begins with a word, and returns it.
func (p *program) await(word string) (string, error) {
	for p.out.Scan() {
		if line := p.out.Text(); strings.HasPrefix(line, word) {
			return line, nil
		}
	}
	return "", fmt.Errorf("the program ended before it said %s", word)
}

func (p *program) move(ctx context.Context, c *course) (rules.Move, error) {
	where := "position fen " + c.start.Position.FEN() + " moves"
	for _, m := range c.moves {
		where += " " + p.variant.Coordinate(m)
	}
	p.say(where)
	p.say(p.think)
	line, err := p.await("bestmove")
	if err != nil {
		return rules.Move{}, err
	}
	m, err := c.now.Position.Parse(strings.Fields(line)[1])
	if err != nil {
		return m, err
	}
	return m, ctx.Err()
}
