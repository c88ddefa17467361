package rating

import (
	"maps"
	"math"
	"time"

	"chimera/storage"
)

// late is how much later than a result another may be stored that stands before it in the
// log: the clocks of several processes may differ, and a transaction may last.
const late = time.Minute

// beginning is before all results.
func beginning() time.Time { return time.Unix(0, 0) }

// following follows the log of results. The zero value begins with the first.
type following struct {
	at     time.Time                    // of the last result that was passed
	recent map[storage.GameID]time.Time // those that were passed and are not much older
}

// caughtUp follows the log from what there is at a moment.
func caughtUp(r storage.Reader, now time.Time) (following, error) {
	f := following{at: now}
	there, err := f.peek(r, math.MaxInt)
	f.pass(there, now)
	return f, err
}

// peek are the next results, at most limit.
func (f *following) peek(r storage.Reader, limit int) ([]storage.Result, error) {
	return r.Results(f.from(), storage.Always(), limit, func(id storage.GameID) bool {
		_, passed := f.recent[id]
		return passed
	})
}

// pass goes on behind results. Those of later than now, by a clock that was wrong, do not
// hide what comes.
func (f *following) pass(results []storage.Result, now time.Time) {
	if f.recent == nil {
		f.recent = map[storage.GameID]time.Time{}
	}
	for _, result := range results {
		f.recent[result.Game] = result.At
		if result.At.After(f.at) && !result.At.After(now) {
			f.at = result.At
		}
	}
	maps.DeleteFunc(f.recent, func(_ storage.GameID, at time.Time) bool { return at.Before(f.from()) })
}

func (f *following) from() time.Time {
	if f.at.IsZero() {
		return beginning()
	}
	return f.at.Add(-late)
}
