package discord

import (
	"net/http"
	"testing"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

func TestWhoHasLeftAServerIsInItsLeagueNoMore(t *testing.T) {
	hasLeft(t, "2 people are in it")
}

func TestWhoHasLeftAServerWithoutALeagueIsOnItsLadderNoMore(t *testing.T) {
	hasLeft(t, "")
}

// hasLeft lets bob leave a server, which has a league if something is said of that.
func hasLeft(t *testing.T, league string) {
	t.Helper()
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Ready()
	if league != "" {
		l.answered(l.Interact(room0, alice, isCommand, setting("server", "setting=league", "value=chess"), asManager))
	}
	for _, by := range []who{alice, bob, carol} {
		if league != "" {
			l.answered(l.Slash(room0, by, "league", "action=join"), "You're in.")
		}
		l.answered(l.Slash(room0, by, "ladder", "action=join"))
	}
	l.stopped()
	f.Lock()
	f.Refuse = func(c fake.Request) *fake.Refusal {
		switch {
		case c.Has("guilds/" + fake.Guild + "/members/" + bob.ID):
			return &fake.Refusal{Status: http.StatusNotFound, Body: `{"code":10007,"message":"Unknown Member"}`}
		case c.Has("guilds/" + fake.Guild + "/members/" + carol.ID):
			return &fake.Refusal{Status: http.StatusForbidden, Body: `{"code":50001,"message":"Missing Access"}`}
		}
		return nil
	}
	f.Unlock()
	l = l.again(func(a *Adapter) { a.state.Set(t.Context(), "roll", "2026-01-31") }) // on another day
	l.Ready()
	l.Wait("that the roll is called", func() bool { return l.chat.state.Get(t.Context(), "roll") != "2026-01-31" })
	if league != "" {
		l.answered(l.Slash(room0, alice, "league"), league)
	}
	l.answered(l.Slash(room0, alice, "ladder"), "Ratings of 2, from 1. alice 1500 to 2. carol 1500")
}
