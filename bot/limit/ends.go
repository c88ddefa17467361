package limit

import "time"

// End is how long something is kept that an adapter remembers.
type End struct {
	Kind  string // what its name begins with; "" for all others
	Game  Stands // where the number of its game stands
	After time.Duration
}

// Stands is where in what is remembered a game's number stands. What belongs to a game in
// progress, or to an open challenge, is kept while that lasts, and End.After begins when
// the game has ended; that of anything else begins when it was last put.
type Stands int

// Where a number stands.
const (
	Nowhere Stands = iota
	InName         // behind its last "/"
	InValue        // it is the last word
)

const day = 24 * time.Hour

// Ends are the ends of all that adapters remember, the first that fits. Nothing but
// comfort is lost with what is gone.
//
//nolint:gochecknoglobals // never written
var Ends = []End{
	// Which message is about which game, the boards and offers whose buttons are to be
	// taken off, and the challenge that a thread is opened from. Buttons carry their game
	// themselves; an answer to a message of a game that ended a month ago names it.
	{"message/", InValue, 30 * day},
	{"board/", InName, 30 * day},
	{"offers/", InName, 30 * day},
	{"challenge/", InName, 30 * day},

	// Threads and their games: a game is talked about, replayed, annulled and played again
	// there for some while.
	{"thread/", InName, 90 * day},
	{"room/", InValue, 90 * day},

	// What was being said as the answer to an interaction, which lasts a quarter of an hour, and
	// accounts that take no messages: they may tomorrow.
	{"door/", Nowhere, day},
	{"knock/", Nowhere, day},
	{"shut/", Nowhere, day},

	// Which board somebody has asked for inside Discord, and which is seen there.
	{"pressed/", Nowhere, day},
	{"instance/", Nowhere, day},

	// How far Discord was heard, which keeps what it has to tell for some minutes.
	{"session/", Nowhere, day},

	// Uploaded pictures, which earlier versions remembered.
	{"picture/", Nowhere, 60 * day},

	// What long buttons do. They are those of lists and pickers, which are made anew each
	// time; older ones say that they are too old.
	{"press/", Nowhere, 60 * day},

	// Up to where a room's talk was heard: longer than the longest pause in a game with
	// days, two weeks for a move and a vacation.
	{"seen/", Nowhere, 180 * day},

	// Updates that could not be answered: Telegram itself keeps them for a day.
	{"inbox/", Nowhere, 14 * day},

	// Names by which people are mentioned, noted anew when they speak, and all else.
	{"", Nowhere, 400 * day},
}

// Other ends.
const (
	// Undelivered is how long what could never be said is kept for the operator to see.
	Undelivered = 90 * day

	// GoneFor is how long nothing is said at a place that is gone, before it is tried
	// again: what keeps the bot out may pass without a word.
	GoneFor = time.Hour

	// Solvers is how long it is kept what somebody has made of a server's puzzles of the day, from
	// when they have looked at one last: they'd begin anew after that.
	Solvers = 400 * day

	// SweepStep is how much of what is remembered is looked through at each tick of the
	// timer: a few milliseconds' work, and more than a million a day.
	SweepStep = 400
)
