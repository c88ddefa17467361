package console

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Clock is a clock that lines such as "@ +2d3h" move, and nothing else. It is safe
// for concurrent use.
type Clock struct{ unix atomic.Int64 }

// NewClock makes a Clock that shows a moment, to the second.
func NewClock(at time.Time) *Clock {
	c := &Clock{}
	c.set(at)
	return c
}

// Now is the moment that the clock shows.
func (c *Clock) Now() time.Time { return time.Unix(c.unix.Load(), 0).UTC() }

func (c *Clock) set(at time.Time) { c.unix.Store(at.Unix()) }

var step = regexp.MustCompile(`^\+(?:([0-9]{1,4})d)?((?:[0-9]{1,5}[hms])*)$`)

// target reads where a line moves the clock.
func (c *Clock) target(text string) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, true
	}
	found := step.FindStringSubmatch(text)
	if found == nil || len(text) == 1 {
		return time.Time{}, false
	}
	days, _ := strconv.Atoi("0" + found[1])
	rest, _ := time.ParseDuration(found[2] + "0s") // the expression fits
	return c.Now().Add(time.Duration(days)*24*time.Hour + rest), true
}

// moveClock answers a line "@ …".
func (c *Console) moveClock(ctx context.Context, text string) error {
	if c.clock == nil {
		return c.complain(ctx, "", say("clock.stands"))
	}
	to, ok := c.clock.target(strings.TrimSpace(text))
	if !ok {
		return c.complain(ctx, "", say("clock.how-far"))
	}
	if now := c.clock.Now(); to.Before(now) {
		return c.complain(ctx, "", say("clock.only-forward", "now", now.Format(time.RFC3339)))
	}
	for {
		due, err := c.bot.Match.NextDue(ctx)
		if err != nil {
			return err
		}
		if due.IsZero() || due.After(to) {
			break
		}
		if due.After(c.clock.Now()) {
			c.clock.set(due)
		}
		if err := c.pass(ctx, c.bot.Match.Alive); err != nil {
			return err
		}
	}
	c.clock.set(to)
	return c.pass(ctx, c.bot.Match.Alive)
}

// pass lets what is due happen. beat notes that the program is there.
func (c *Console) pass(ctx context.Context, beat func(context.Context) error) error {
	for _, do := range []func(context.Context) error{beat, c.bot.Maintenance.Tick, c.deliver} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}
