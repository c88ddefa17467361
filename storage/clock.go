package storage

import (
	"encoding/binary"
	"errors"
	"time"

	"chimera/storage/kv"
)

// Pace is the time that each player of a game has.
type Pace struct {
	Move time.Duration // for each move; 0: none of its own
	Bank time.Duration // for the whole game, used where a move takes longer
}

// Unlimited reports whether there is no limit.
func (p Pace) Unlimited() bool { return p == Pace{} }

// Total reports whether there is time for the whole game alone.
func (p Pace) Total() bool { return p.Move == 0 && p.Bank > 0 }

// Clock is the time of the player to move. Its moments are on the running clock,
// which stands still while the program does: see Running. The zero Clock is that
// of a game without a limit.
type Clock struct {
	Since    time.Time        // when the turn began
	Stopped  time.Time        // since when it stands still; zero while it runs
	Bank     [2]time.Duration // what White and Black have left of theirs
	Told     uint8            // which reminders of this turn have been posted, a bit for each
	Reminded time.Time        // when the last of them was delivered; zero if none was
	Up       bool             // the time is up, and the opponent may claim it
	Wake     time.Time        // when there is something to do next; zero if never
}

// Due is when the time of the player to move is up, while their clock runs.
func (g *Game) Due() time.Time {
	return g.Clock.Since.Add(g.Pace.Move + g.Clock.Bank[g.Turn])
}

// Left is the time that the player to move has at a moment.
func (g *Game) Left(now time.Time) time.Duration {
	if !g.Clock.Stopped.IsZero() {
		now = g.Clock.Stopped
	}
	return max(g.Due().Sub(now), 0)
}

// Running relates the running clock, by which deadlines are kept, to the wall
// clock: it stood still while the program did, and takes no part in the wall
// clock's jumps.
type Running struct {
	Alive time.Time     // wall clock when the program was last seen at work
	Lag   time.Duration // by how much the running clock is behind the wall clock
}

// Running reads how the clocks stand, the zero value in a new database.
func (r Reader) Running() (c Running, err error) {
	if err = get(r.kv, Key("meta/clock"), &c); errors.Is(err, ErrNotFound) {
		err = nil
	}
	return c, err
}

// PutRunning writes how the clocks stand.
func (w Writer) PutRunning(c Running) error { return Put(w.out, Key("meta/clock"), c) }

// Probe writes a moment, to see whether anything can be kept.
func (w Writer) Probe(at time.Time) error { return Put(w.out, Key("meta/probe"), at) }

// Line is a line of conditional moves as coordinate texts: the opponent's move, the
// answer, the opponent's next, and so on.
type Line []string

// Runs reports whether a game's clock runs.
func (g *Game) Runs() bool { return !g.Pace.Unlimited() && g.Clock.Stopped.IsZero() }

// The kinds of deadlines.
const (
	DueGame      = "game"      // a reminder, or the end of a player's time
	DueChallenge = "challenge" // it expires
	DueVacation  = "vacation"  // of a person; it ends
)

// Deadline is a moment on the running clock, to the second, at which something is
// due.
type Deadline struct {
	At   time.Time // zero: never
	Kind string
	ID   uint64 // of the game, challenge or person
}

const due = "due/"

// seconds is a moment as it stands in keys.
func seconds(at time.Time) uint64 { return uint64(max(at.Unix(), 0)) }

func dueKey(d Deadline) []byte {
	return Key(due, uint64(d.At.Unix()), d.Kind, d.ID)
}

// DropDue removes a deadline that no record has, which does not happen in a sound
// database.
func (w Writer) DropDue(d Deadline) error { return Mark(w.out, dueKey(d), false) }

// RestoreDue writes a deadline again that was dropped; the zero time is none.
func (w Writer) RestoreDue(d Deadline) error {
	var x Index
	addDue(&x, d)
	return reindex(w.out, nil, x)
}

// Due are the deadlines up to a moment, included, the earliest first, at most so
// many.
func (r Reader) Due(now time.Time, limit int) ([]Deadline, error) {
	prefix := Key(due)
	return collect(r.kv.Scan(prefix, Key(due, seconds(now)+1)), limit, func(item kv.Item) (Deadline, bool) {
		return readDue(item.Key[len(prefix):])
	})
}

// NextDue is the first deadline, the zero Deadline if there is none.
func (r Reader) NextDue() (Deadline, error) {
	due, err := r.Due(time.Unix(1<<40, 0), 1)
	if err != nil || len(due) == 0 {
		return Deadline{}, err
	}
	return due[0], nil
}

// readDue reads what follows the prefix of a key; false if it is damaged, which Check
// reports.
func readDue(rest []byte) (Deadline, bool) {
	kind := len(rest) - NumberSize - 1 // where it ends
	if kind < NumberSize {
		return Deadline{}, false
	}
	return Deadline{
		At:   time.Unix(int64(binary.BigEndian.Uint64(rest)), 0).UTC(),
		Kind: string(rest[NumberSize:kind]),
		ID:   binary.BigEndian.Uint64(rest[kind+1:]),
	}, true
}
