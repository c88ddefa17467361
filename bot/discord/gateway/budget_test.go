package gateway_test

import (
	"testing"
	"time"

	"chimera/bot/discord/gateway"
)

func TestSessionsBeginAtOnceUntilTheyAreTooMany(t *testing.T) {
	b := gateway.Budget{Every: time.Minute, Burst: 3}
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var full time.Time
	for i, c := range []struct{ at, wait time.Duration }{
		{0, 0}, {0, 0}, {time.Second, 0}, {time.Second, 59 * time.Second}, {time.Minute, time.Minute}, // three, the fourth waits for a minute to pass, and the fifth for two
		{time.Hour, 0}, {time.Hour, 0}, {time.Hour, 0}, {time.Hour, time.Minute},
	} {
		wait, then := b.Spend(full, begun.Add(c.at))
		if wait != c.wait {
			t.Errorf("session %d waits for %v, want %v", i, wait, c.wait)
		}
		full = then
	}
}
