package gateway

import "time"

// Budget is how many sessions of a token may begin: a number at once, and one more each while.
// Discord ends a token that has begun 1,000 in a day.
type Budget struct {
	Every time.Duration
	Burst int
}

// Spend is how long a session has to wait that is to begin now. full is when Burst sessions can
// begin at once again, and then that if it begins after the wait.
func (b Budget) Spend(full, now time.Time) (wait time.Duration, then time.Time) {
	if full.Before(now) {
		full = now
	}
	if latest := now.Add(time.Duration(b.Burst) * b.Every); full.After(latest) {
		full = latest // the clock was set back
	}
	then = full.Add(b.Every)
	return max(0, then.Sub(now)-time.Duration(b.Burst)*b.Every), then
}
