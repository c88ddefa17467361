// Package limit lists what one person, room or program may take of what could otherwise grow without
// end, each with its reason; limits that one package alone knows stand there. Reaching one is answered
// with a sentence that names it.
package limit

import "time"

// What a person and a room may have going on at once.
const (
	// Games is how many games in progress one person may play. A correspondence player
	// with a move in each every other day has a hundred; lists and questions such as
	// "Which game?" stay quick up to this many.
	Games = 200

	// Practices is how many of them may be against the computer: one of each kind of game and some
	// more, and few enough that nobody takes all its time.
	Practices = 10

	// Challenges is how many open challenges one person may have made.
	Challenges = 20

	// RoomChallenges is how many challenges may be open in one room, so that nobody
	// buries its talk under them.
	RoomChallenges = 50

	// Follows is how many places besides its own are told of each move of a game.
	Follows = 20

	// Blocks is from how many people one person may refuse challenges, and Hidden how many people
	// a server may keep off its leaderboards: more than anybody needs who goes by name, and so few
	// that all of them are changed at once where accounts or servers become one.
	Blocks = 500
	Hidden = 500
)

// What opponents say to each other: a line of talk, and no more of them than are read.
const (
	Talk      = 500 // characters
	TalkEvery = time.Second
)

// What may be asked again, and how often.
const (
	// OffersPerMove is how often one side may offer a draw, and how often ask for a
	// takeback, between two moves: a refusal stands until the game has gone on.
	OffersPerMove = 1

	// LinksPerDay is how often one person may link accounts within a day: each link
	// joins two people's games and may be undone, and either is work.
	LinksPerDay = 5

	// Guesses is how many codes that were never given out somebody may try within
	// GuessTime, so that nobody finds a stranger's by trying.
	Guesses   = 5
	GuessTime = time.Hour
)

// Pages, in browsers.
const (
	// PassFor is how long a link signs a person in, and a browser stays signed in by it.
	PassFor = 30 * day

	// AppFor is how long somebody stays signed in whom Telegram has signed in: it does so again
	// whenever they open a board.
	AppFor = day

	// Passes is how many such links a person may have; with more, the one ends that would end
	// first. A player who opens each of their boards by a new one uses some of them every day.
	Passes = 50
)

// What may be drawn.
const (
	// ReplayPlies is how many moves a replay shows, the last ones: longer games are seldom, and
	// their replays larger than people wait for.
	ReplayPlies = 400
)

// How long a list may be.
const (
	// Listed is how many games in progress a list shows; it says how many more there are.
	Listed = 10

	// Sheet is how many of those are seen as boards: as many as a phone shows at once, large enough
	// to tell their pieces.
	Sheet = 6

	// ListedEnded is how many games that have ended it shows.
	ListedEnded = 5

	// Searched is among how many games that have ended is looked for those: some may be
	// none of the asker's business.
	Searched = 100

	// PlanLines and PlanDepth bound conditional moves: how many lines one may have for a
	// game, and how many of one's own moves each may hold.
	PlanLines = 10
	PlanDepth = 10
)

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
	{"topics/", Nowhere, 90 * day},

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
