package fake

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"chimera/storage"
)

// Console plays people who type lines into the console, and read what it says to everyone and to them.
type Console struct {
	news
	Answer func(line string) (said string, err error) // lets the console answer a line

	take func(Heard)
}

// NewConsole returns a Console at which nobody has typed anything.
func NewConsole(t testing.TB) *Console {
	c := &Console{}
	c.begin(t)
	return c
}

var (
	block = regexp.MustCompile(`(?m)^→ (\w+): .*(?:\n  .*)*`)
	typer = regexp.MustCompile(`\bp(\d+)\b`)
	asked = regexp.MustCompile(`Resign game (#\d+)`)
)

// Type types a line and reads the answer: what is said to everyone is heard by the room, and by each person it names.
func (c *Console) Type(line string) error {
	said, err := c.Answer(line)
	c.Lock()
	defer c.Unlock()
	defer c.changed.Broadcast()
	for _, found := range block.FindAllStringSubmatch(said, -1) {
		text, to := found[0], found[1]
		press := func(by int, label string) bool {
			shown := strings.Contains(text, "["+label+"]")
			if game := asked.FindStringSubmatch(text); shown && game != nil {
				c.write(by, game[1]+" resign") // its button may not be the newest
			} else if shown {
				c.write(by, "["+label+"]")
			}
			return shown
		}
		if to == "all" {
			c.take(Heard{hall, text, press})
		}
		for _, who := range typer.FindAllStringSubmatch(text, -1) {
			if n := 0; to == "all" || to == who[0] {
				_, _ = fmt.Sscan(who[1], &n) // it is a number
				c.take(Heard{n, text, press})
			}
		}
	}
	return err
}

// Wait implements [Chat].
func (c *Console) Wait(what string, holds func() bool) {
	c.t.Helper()
	c.wait(what, holds, func() string { return "" })
}

// account implements [Chat].
func (*Console) account(n int) storage.Address {
	return storage.Address{Platform: "console", ID: fmt.Sprint("p", n)}
}

// write implements [Chat].
func (c *Console) write(n int, text string) { _ = c.Type(fmt.Sprintf("p%d: %s", n, text)) } // tests wait for its effect

// call implements [Chat].
func (c *Console) call(n int, text string) { c.write(n, text) }

// tap implements [Chat].
func (c *Console) tap(_ func() bool, take func(Heard)) { c.take = take }
