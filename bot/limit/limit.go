// Package limit lists limits on what one person, room or program may use of anything that could
// otherwise grow without end, each with its reason. Limits that only one package needs are in that
// package. Reaching a limit is answered with a sentence that names it.
package limit

import "time"

// What a person and a room may have in progress at once.
const (
	// Games is how many games in progress one person may play. A correspondence player
	// with a move in each every other day has a hundred; lists and questions such as
	// "Which game?" stay quick up to this many.
	Games = 200

	// Practices is how many of them may be against the computer: one of each kind of game and some more,
	// and few enough that nobody takes up all its time.
	Practices = 10

	// Challenges is how many open challenges one person may have made.
	Challenges = 20

	// RoomChallenges is how many challenges may be open in one room, so that they do not bury its talk.
	RoomChallenges = 50

	// Follows is how many places besides its own are told of each move of a game.
	Follows = 20

	// Blocks is how many people a person may refuse challenges from, and Hidden how many people a server
	// may keep off its leaderboards: more than anybody needs who adds them by name, and few enough to
	// change all at once when accounts or servers merge.
	Blocks = 500
	Hidden = 500
)

// What opponents say to each other: short messages, and no more than are read.
const (
	Talk      = 500 // characters
	TalkEvery = time.Second
)

// What may be asked again, and how often.
const (
	// OffersPerMove is how often one side may offer a draw, and how often ask for a
	// takeback, between two moves: a refusal stands until the game has gone on.
	OffersPerMove = 1

	// LinksPerDay is how often one person may link accounts within a day: each link joins two people's
	// games and may be undone, both of which cost work.
	LinksPerDay = 5

	// Guesses is how many wrong codes somebody may try within GuessTime, so that nobody finds a stranger's
	// code by trying.
	Guesses   = 5
	GuessTime = time.Hour
)

// Pages, in browsers.
const (
	// PassFor is how long a link signs a person in, and a browser stays signed in by it.
	PassFor = 30 * day

	// AppFor is how long somebody stays signed in through Telegram, which signs them in again whenever
	// they open a board.
	AppFor = day

	// Passes is how many such links a person may have; with one more, the one that expires first ends.
	// Players who open each board by a new link use several a day.
	Passes = 50
)

// ReplayPlies is how many plies a replay shows, the last ones: longer games are rare, and their
// replays take longer than people wait.
const ReplayPlies = 400

// How long a list may be.
const (
	// Listed is how many games in progress a list shows; it says how many more there are.
	Listed = 10

	// Sheet is how many of those are shown as boards: as many as fit on a phone with their pieces still
	// recognizable.
	Sheet = 6

	// ListedEnded is how many ended games it shows.
	ListedEnded = 5

	// Searched is how many ended games are searched for those: the asker may not see all of them.
	Searched = 100

	// PlanLines and PlanDepth limit conditional moves: how many lines a player may have in a game, and how
	// many moves of their own each may hold.
	PlanLines = 10
	PlanDepth = 10
)

// End says how long something that an adapter remembers is kept.
type End struct {
	Kind  string // the beginning of its name; "" for all others
	Game  Stands // where to find the number of its game
	After time.Duration
}

// Stands says where a remembered item has a game's number. An item of a game in progress or an open
// challenge is kept, and End.After counts from the end of the game; for other items, it counts from
// when they were last stored.
type Stands int

// Where the number is.
const (
	Nowhere Stands = iota
	InName         // behind its last "/"
	InValue        // it is the last word
)

const day = 24 * time.Hour

// Ends are the ends of everything that adapters remember; the first match counts. Losing an item costs
// people some convenience at most.
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

	// Threads and their games: people talk about a game, and replay, annul or play it again there, for a
	// while.
	{"thread/", InName, 90 * day},
	{"room/", InValue, 90 * day},
	{"topics/", Nowhere, 90 * day},

	// Answers to interactions in progress, which last a quarter of an hour, and accounts that take no
	// messages: they may tomorrow.
	{"door/", Nowhere, day},
	{"knock/", Nowhere, day},
	{"shut/", Nowhere, day},

	// Which board somebody has asked for inside Discord, and which is shown there.
	{"pressed/", Nowhere, day},
	{"instance/", Nowhere, day},

	// The last event heard from Discord, which keeps events for some minutes.
	{"session/", Nowhere, day},

	// Uploaded pictures, which earlier versions remembered.
	{"picture/", Nowhere, 60 * day},

	// What long buttons do. They belong to lists and pickers, which are made anew each time; older ones
	// answer that they are too old.
	{"press/", Nowhere, 60 * day},

	// How far a room's talk was heard: longer than the longest pause in a timed game, two weeks for a move
	// and a vacation.
	{"seen/", Nowhere, 180 * day},

	// Updates that could not be answered: Telegram itself keeps them for a day.
	{"inbox/", Nowhere, 14 * day},

	// Names that people are mentioned by, noted again whenever they speak, and anything else.
	{"", Nowhere, 400 * day},
}

// Limits on how long other things are kept.
const (
	// Undelivered is how long entries that can never be said are kept for the operator to see.
	Undelivered = 90 * day

	// GoneFor is how long nothing is said at a place that is gone before it is tried again: it may become
	// reachable without notice.
	GoneFor = time.Hour

	// Solvers is how long somebody's results in a server's puzzles of the day are kept after they last
	// looked at one. After that, they would begin anew.
	Solvers = 400 * day

	// SweepStep is how many remembered items are looked through at each tick of the timer: a few
	// milliseconds' work, and more than a million a day.
	SweepStep = 400
)
