package match_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/limit"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// days lets time pass, a day at a time, as serve does.
func (c *club) days(n int, each func()) {
	c.t.Helper()
	for range n {
		each()
		c.now = c.now.Add(24 * time.Hour)
		c.ok(errors.Join(c.Beat(c.t.Context()), c.Tick(c.t.Context())))
	}
}

// notes lets an adapter remember something, in Go's words for a name and a value.
func (c *club) notes(notes map[string]string) {
	c.t.Helper()
	c.update(func(w storage.Writer) error {
		for name, value := range notes {
			if err := w.PutState(storage.State{Platform: "discord", Name: name, Value: []byte(value)}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *club) remembers(name string) bool {
	c.t.Helper()
	return read(c, func(r storage.Reader) ([]byte, error) { return r.State("discord", name) }) != nil
}

// stored is how many records there are of each kind.
func (c *club) stored() map[string]int {
	c.t.Helper()
	all, err := c.store.Usage(c.t.Context())
	c.ok(err)
	counts := map[string]int{}
	for _, u := range all {
		counts[u.Kind] = u.Count
	}
	return counts
}

// TestWhatIsRememberedHasAnEnd plays a short game a day for some years, beside one that goes
// on all the time and a challenge that stays open, and lets adapters remember all that they
// do of it.
func TestWhatIsRememberedHasAnEnd(t *testing.T) {
	c := newClubOn(t, new(kvtest.Disk).Open("db"))
	c.ok(c.Beat(t.Context()))
	about := func(game storage.GameID, nth int) map[string]string {
		return map[string]string{
			fmt.Sprint("message/room/", game, "-", nth): fmt.Sprint(game),
			fmt.Sprint("board/room/", game):             "room/7",
			fmt.Sprint("offers/room/", game):            "room/8",
			fmt.Sprint("challenge/room/", game):         "9",
			fmt.Sprint("thread/room/", game):            fmt.Sprint("t", game),
			fmt.Sprint("room/t", game):                  fmt.Sprint("room ", game),
		}
	}
	lasting := c.game()
	open := c.must(c.Challenge(t.Context(), c.alice, storage.Challenge{Variant: "chess"})).Game
	c.notes(about(lasting, 0))
	c.notes(about(open, 0))
	c.notes(map[string]string{"message/room/idle": "9999"}) // of a challenge that came to nothing
	day := 0
	aDay := func() {
		day++
		game := c.game()
		c.moves(game, "e4", "e5")
		c.must(c.Resign(t.Context(), c.alice, game, false))
		c.must(c.Resign(t.Context(), message(c.alice, fmt.Sprint(day)), game, true))
		c.notes(about(game, 0))
		c.notes(map[string]string{
			fmt.Sprint("seen/t", game): fmt.Sprint(day), fmt.Sprint("picture/", day): "file", "picture/start": "file",
			fmt.Sprint("press/", day): "what it does", fmt.Sprint("inbox/", day): "{}", fmt.Sprint("user/@somebody", day): "1 somebody",
			fmt.Sprint("whatever/", day): "x",
		})
		c.update(func(w storage.Writer) error {
			waiting, err := w.Outbox()
			for _, e := range waiting {
				err = errors.Join(err, w.Undeliverable(e))
			}
			return err
		})
	}
	c.days(450, aDay)
	before := c.stored()
	c.days(450, aDay)
	after := c.stored()
	lives := []string{"game/", "player/", "posted/"} // and what is played is kept
	const late = 10                                  // days that a round through all that is remembered takes
	for kind, n := range after {
		if n > before[kind]+late && !slices.Contains(lives, kind) {
			t.Errorf("there were %d of %s after 450 days, and %d after 900", before[kind], kind, n)
		}
	}
	for _, kind := range []string{"memory/discord/message/", "memory/discord/picture/", "memory/discord/seen/", "dead/", "seen/"} {
		if after[kind] == 0 {
			t.Errorf("nothing is left of %s, not even what is new", kind)
		}
	}
	for name := range about(lasting, 0) {
		if !c.remembers(name) {
			t.Errorf("%s of a game in progress is forgotten", name)
		}
	}
	for name := range about(open, 0) {
		if want := c.open(open); c.remembers(name) != want {
			t.Errorf("%s of a challenge that is open: %t; it is remembered: %t", name, want, !want)
		}
	}
	if !c.remembers("picture/start") {
		t.Error("a picture that is shown every day is forgotten")
	}
	if c.remembers("message/room/idle") {
		t.Error("a message of a challenge that came to nothing is remembered for ever")
	}
}

func (c *club) open(id storage.GameID) bool {
	c.t.Helper()
	err := c.store.View(c.t.Context(), func(r storage.Reader) error {
		_, err := r.Challenges().Get(id)
		return err
	})
	return err == nil
}

func TestEveryKindOfMemoryHasItsEndInTheTable(t *testing.T) {
	last := limit.Ends[len(limit.Ends)-1]
	if last.Kind != "" || last.After == 0 {
		t.Errorf("the last end, %+v, does not fit all", last)
	}
	for _, e := range limit.Ends[:len(limit.Ends)-1] {
		if !strings.HasSuffix(e.Kind, "/") || e.After <= 0 {
			t.Errorf("%+v is no end", e)
		}
	}
}
