package console

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// TestSeasonsGoOnThoughTheProgramEnds plays whole seasons by what people type.
func TestSeasonsGoOnThoughTheProgramEnds(t *testing.T) {
	f, disk := fake.NewConsole(t), &kvtest.Disk{}
	club := fake.NewLeague(t, f, disk.Open("db"))
	club.Begin = func(db kv.DB) (*bot.Bot, func()) {
		var out bytes.Buffer
		clock, log := NewClock(club.Now()), slog.New(slog.DiscardHandler)
		store, b := fake.NewBot(t, db, clock.Now, log)
		c, err := New(b, log, &out, "", clock)
		kvtest.Must(t, err)
		f.Answer = func(line string) (said string, err error) {
			if out.Reset(); line == "" {
				err = c.pass(t.Context(), b.Match.Alive)
			} else {
				err = c.answer(t.Context(), line)
			}
			return out.String(), err
		}
		if err := f.Type(""); err != nil { // says what waits
			t.Error(err)
		}
		return b, func() { _ = store.Close() } // what it could not store, another does
	}
	club.Tick = func(to time.Time) error { return f.Type("@ " + to.Format(time.RFC3339)) }
	club.Play()
}
