package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"chimera/bot/fake"
)

// chaosMoment is when something has happened.
type chaosMoment struct {
	at   time.Time
	what string
}

// chaosWait is how long it took until a ply was told everywhere.
type chaosWait struct {
	game *chaosGame
	ply  int
	wait time.Duration
	told time.Time
}

// mark notes that something has happened.
func (c *chaos) mark(format string, args ...any) {
	c.moments = append(c.moments, chaosMoment{time.Now(), fmt.Sprintf(format, args...)})
}

// during is what has happened during a wait, and what bots have logged.
func (c *chaos) during(w chaosWait) string {
	if w.game == nil {
		return ""
	}
	from := w.told.Add(-w.wait)
	all := slices.Clone(c.moments)
	for _, b := range c.bots {
		all = append(all, b.logged()...)
	}
	slices.SortStableFunc(all, func(a, b chaosMoment) int { return a.at.Compare(b.at) })
	text := fmt.Sprintf("game %d, ply %d, %s:\n", w.game.id, w.ply, w.game.places[0].name)
	for _, m := range all {
		if !m.at.Before(from) && !m.at.After(w.told) {
			text += fmt.Sprintf("%8.3f %s\n", m.at.Sub(from).Seconds(), m.what)
		}
	}
	return text
}

// lastSaid is what the bots have said last where a game is played on Telegram.
func (c *chaos) lastSaid(g *chaosGame) (text string) {
	const few = 3
	c.telegram.Lock()
	defer c.telegram.Unlock()
	for _, p := range g.places {
		chat, ok := strings.CutPrefix(p.name, "telegram ")
		calls := slices.DeleteFunc(slices.Clone(c.telegram.Calls), func(said fake.Call) bool { return !ok || said.Fields["chat_id"] != chat })
		for _, said := range calls[max(0, len(calls)-few):] {
			text += fmt.Sprintf("\t%s %s%s\n", said.Method, said.Fields["text"], said.Fields["caption"])
		}
	}
	return text
}

// aLine is one that a bot has logged.
var aLine = regexp.MustCompile(`(?m)^time=(\S+) (.*)$`)

// logged is what a bot has.
func (b *chaosBot) logged() (all []chaosMoment) {
	text, err := os.ReadFile(b.log.Name())
	if err != nil {
		b.c.t.Error(err)
	}
	for _, line := range aLine.FindAllStringSubmatch(string(text), -1) {
		at, err := time.Parse(time.RFC3339, line[1])
		if err == nil {
			all = append(all, chaosMoment{at, b.name + ": " + strings.TrimPrefix(line[2], "level=INFO ")})
		}
	}
	return all
}
