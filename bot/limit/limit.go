// Package limit lists what one person, room or program may take of everything that
// could otherwise grow without end, each with its reason. Reaching one is answered
// with a sentence that names it.
package limit

import "time"

// What a person and a room may have going on at once.
const (
	// Games is how many games in progress one person may play. A correspondence player
	// with a move in each every other day has a hundred; lists and questions such as
	// "Which game?" stay quick up to this many.
	Games = 200

	// Challenges is how many open challenges one person may have made.
	Challenges = 20

	// RoomChallenges is how many challenges may be open in one room, so that nobody
	// buries its talk under them.
	RoomChallenges = 50

	// Follows is how many places besides its own are told of each move of a game.
	Follows = 20
)

// What may be asked again, and how often.
const (
	// OffersPerPly is how often one side may offer a draw, or ask for a takeback, before
	// a move is played; after that a refusal stands until the game has gone on.
	OffersPerPly = 1

	// LinksPerDay is how often one person may link accounts within a day: each link
	// joins two people's games and may be undone, and either is work.
	LinksPerDay = 5

	// Guesses is how many codes that were never given out somebody may try within
	// GuessTime, so that nobody finds a stranger's by trying.
	Guesses   = 5
	GuessTime = time.Hour
)

// What may be drawn.
const (
	// Renders is how many moving pictures are drawn at once: each takes a core for a
	// tenth of a second and some megabytes.
	Renders = 2

	// RendersPerPerson is how many of one person's requests for a moving picture are
	// drawn or wait at once.
	RendersPerPerson = 2
)

// How long a list may be.
const (
	// Listed is how many games in progress a list shows; it says how many more there are.
	Listed = 15

	// ListedEnded is how many games that have ended it shows.
	ListedEnded = 5

	// PlanLines and PlanDepth bound conditional moves: how many lines one may have for a
	// game, and how many of one's own moves each may hold.
	PlanLines = 10
	PlanDepth = 10
)
