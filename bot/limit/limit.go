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
