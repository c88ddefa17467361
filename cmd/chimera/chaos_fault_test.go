package main

import (
	"slices"
	"time"
)

// chaosFault is something that fails. It returns false if that cannot be at the moment.
type chaosFault struct {
	name   string
	strike func() bool
}

// faults are all kinds of them.
func (c *chaos) faults() []chaosFault {
	return []chaosFault{
		{"a bot is killed", c.killBot},
		{"a bot stands still for longer than a lease", c.pauseBot},
		{"a bot is cut off for longer than a lease", func() bool { return c.cutBot(chaosLease*3/2, chaosLease*5/2) }},
		{"a bot is cut off for a moment", func() bool { return c.cutBot(chaosLease/8, chaosLease/2) }},
		{"all bots are restarted, one after the other", c.rollBots},
		{"a member is killed", func() bool { return c.killMember(c.random.IntN(3)) }},
		{"the member that leads is killed", func() bool { return c.killMember(c.members.Leader()) }},
		{"a member stands still", c.pauseMember},
		{"two members are killed", c.killMost},
		{"a bot begins with a clock that is wrong", c.misleadBot},
		{"the connection to Discord drops", func() bool { c.discord.Drop(); return true }},
		{"the session on Discord ends", func() bool { c.discord.End(); return true }},
	}
}

// rest lets the next fault begin after a while.
func (c *chaos) rest() { c.later(c.between(chaosLease/4, chaosLease*3/2), c.next) }

// next lets a fault begin, or waits until it can.
func (c *chaos) next() {
	if c.ending {
		return
	}
	if len(c.deck) == 0 {
		c.deck = c.faults()
		c.random.Shuffle(len(c.deck), func(i, j int) { c.deck[i], c.deck[j] = c.deck[j], c.deck[i] })
	}
	if c.all || len(c.owed) > 0 || !c.deck[0].strike() {
		c.later(chaosLease/10, c.next)
		return
	}
	c.made[c.deck[0].name]++
	c.mark("%s", c.deck[0].name)
	c.deck = c.deck[1:]
	c.dealt++
	c.rest()
}

// owe lets nothing else fail until all that waits now has been told.
func (c *chaos) owe(since string) {
	c.began, c.since = time.Now(), since
	for _, g := range c.games {
		if g.waits() {
			c.owed[g] = true
		}
	}
}

// pay notes that all of a game has been told.
func (c *chaos) pay(g *chaosGame) {
	if c.owed[g] {
		delete(c.owed, g)
		c.caught[c.since] = max(c.caught[c.since], time.Since(c.began).Round(time.Millisecond))
	}
}

// victim is a bot that no fault has struck: most often the one that has said something last.
func (c *chaos) victim() *chaosBot {
	var well []*chaosBot
	for _, b := range c.bots {
		if b.runs() && !b.struck {
			well = append(well, b)
		}
	}
	if len(well) == 0 {
		return nil
	}
	if c.random.IntN(3) > 0 {
		return slices.MaxFunc(well, func(a, b *chaosBot) int { return a.lastSpoke().Compare(b.lastSpoke()) })
	}
	return well[c.random.IntN(len(well))]
}

// lasts lets a fault go on until over is called.
func (c *chaos) lasts() (over func()) {
	c.active++
	return func() {
		if c.active--; c.active == 0 {
			c.mark("nothing fails")
		}
	}
}

// on lets a fault of a bot go on until end is called.
func (c *chaos) on(b *chaosBot) (end func()) {
	b.struck = true
	over := c.lasts()
	return func() {
		b.struck = false
		over()
	}
}

func (c *chaos) killBot() bool {
	b := c.victim()
	if b == nil {
		return false
	}
	end := c.on(b)
	b.ended = func(int) { end() }
	b.kill()
	return true
}

// misleadBot restarts a bot with a clock that is two minutes off, as that of no other is from its
// next start on.
func (c *chaos) misleadBot() bool {
	const off = 2 * time.Minute
	b := c.victim()
	if b == nil {
		return false
	}
	for _, other := range c.bots {
		other.wrong = 0
	}
	b.wrong = []time.Duration{-off, off}[c.random.IntN(2)]
	end := c.on(b)
	b.ended = func(int) { end() }
	b.interrupt()
	return true
}

// isSettled reports whether a bot is known to have a lease: it was started a while ago, and no
// member was missing since.
func (c *chaos) isSettled(b *chaosBot) bool {
	return c.down == 0 && time.Since(b.since) > 2*chaosLease && time.Since(c.whole) > 2*chaosLease
}

// mustEnd fails unless a bot ends in time, now that its lease is over.
func (c *chaos) mustEnd(b *chaosBot, end func()) {
	if !b.runs() {
		end()
		return
	}
	run := b.run
	b.ended = func(status int) {
		if status == 0 {
			c.t.Errorf("%s ended well though its lease was over", b.name)
		}
		end()
	}
	c.later(chaosEnd, func() {
		if b.run == run && b.runs() {
			c.t.Errorf("%s has not ended %v after its lease was over", b.name, chaosEnd)
			b.kill()
		}
	})
}

func (c *chaos) pauseBot() bool {
	b := c.victim()
	if b == nil {
		return false
	}
	end := c.on(b)
	b.pause()
	settled, paused := c.isSettled(b), time.Now()
	c.later(c.between(chaosLease*3/2, chaosLease*5/2), func() {
		if !settled || c.shaken.After(paused) { // whoever leads next lets leases begin anew
			b.wake()
			end()
			return
		}
		b.silence(true)
		c.mustEnd(b, end)
		b.wake()
	})
	return true
}

func (c *chaos) cutBot(least, most time.Duration) bool {
	b := c.victim()
	if b == nil {
		return false
	}
	end := c.on(b)
	b.link.Cut()
	lasts, run := c.between(least, most), b.run
	loses := lasts > chaosLease && c.isSettled(b)
	if loses {
		c.later(chaosLease, func() {
			if b.run == run {
				b.silence(true)
			}
		})
	}
	c.later(lasts, func() {
		b.link.Mend()
		if loses && b.run == run {
			c.mustEnd(b, end)
			return
		}
		end()
	})
	return true
}

// rollBots restarts one bot after the other, none of which others have struck.
func (c *chaos) rollBots() bool {
	if c.active > 0 {
		return false
	}
	c.all = true
	c.roll(0, c.lasts())
	return true
}

func (c *chaos) roll(n int, over func()) {
	if n == len(c.bots) {
		c.all = false
		over()
		c.owe("the last bot was restarted")
		return
	}
	b := c.bots[n]
	if !b.runs() { // it has lost its lease by itself
		c.later(chaosLease/2, func() { c.roll(n, over) })
		return
	}
	b.ended = func(int) { c.later(chaosLease/2, func() { c.roll(n+1, over) }) }
	b.interrupt()
}

// lose takes members away for a while.
func (c *chaos) lose(away, back func(), lasts time.Duration) bool {
	if c.down > 0 {
		return false
	}
	c.down++
	c.shaken = time.Now()
	over := c.lasts()
	away()
	c.later(lasts, func() {
		back()
		c.mark("all members run")
		c.later(chaosLease/2, func() { // it has to join
			c.down--
			c.whole = time.Now()
			over()
		})
	})
	return true
}

func (c *chaos) killMember(n int) bool {
	return c.lose(func() { c.members.Kill(n) }, func() { c.members.Start(n) }, c.between(chaosLease/4, chaosLease))
}

func (c *chaos) pauseMember() bool {
	n := c.random.IntN(3)
	return c.lose(func() { c.members.Pause(n, true) }, func() { c.members.Pause(n, false) }, c.between(chaosLease/4, chaosLease*2))
}

// killMost takes away two members of three until every bot has ended with an error.
func (c *chaos) killMost() bool {
	if c.active > 0 || slices.ContainsFunc(c.bots, func(b *chaosBot) bool { return !b.runs() }) {
		return false
	}
	c.all = true
	end := c.lasts()
	first := c.random.IntN(3)
	second := (first + 1 + c.random.IntN(2)) % 3
	c.members.Kill(first)
	c.members.Kill(second)
	c.down = 2
	left := map[*chaosBot]bool{}
	for _, b := range c.bots {
		left[b] = true
		b.ended = func(status int) {
			if status == 0 {
				c.t.Errorf("%s ended well without a cluster", b.name)
			}
			delete(left, b)
		}
	}
	over := false
	c.settled = func() {
		if over || len(left) > 0 {
			return
		}
		over, c.settled = true, nil
		c.members.Start(first)
		c.members.Start(second)
		c.mark("all members run")
		c.owe("most members came back")
		c.later(chaosLease, func() {
			c.all, c.down, c.whole = false, 0, time.Now()
			end()
		})
	}
	c.later(chaosEnd, func() {
		if !over {
			for b := range left {
				c.t.Errorf("%s has not ended %v after the cluster was lost", b.name, chaosEnd)
				delete(left, b)
			}
			c.settled()
		}
	})
	return true
}
