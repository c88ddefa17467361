package event

import (
	"chimera/storage"
)

// By is who asks, where, and with which message.
type By struct {
	Person  storage.PersonID
	Place   storage.PlaceID
	Message storage.MessageID
	Called  string // as others mention them, such as "@bob"; "" if that is not known
	Outside bool   // from outside of all chats, on a page: they also see what is public
}

// What is a kind of thing that happened, told to the one who asked and, in the
// outbox, to everyone it concerns.
type What string

// What can happen.
const (
	Challenged        What = "challenged"
	Declined          What = "declined"
	Cancelled         What = "cancelled"
	Began             What = "began"
	Moved             What = "moved"
	Ended             What = "ended" // by a move, or without one
	DrawOffered       What = "draw offered"
	DrawDeclined      What = "draw declined"
	DrawCancelled     What = "draw cancelled"
	TakebackAsked     What = "takeback asked"
	TakebackDeclined  What = "takeback declined"
	TakebackCancelled What = "takeback cancelled"
	TookBack          What = "took back"
	Expired           What = "expired"       // a challenge
	Unjoined          What = "unjoined"      // likewise, for a while, so that the computer may take it up
	Reminded          What = "reminded"      // of the time of the player to move
	TimeUp            What = "time up"       // it may be claimed
	TimeAdded         What = "time added"    // to the opponent
	WentAway          What = "went away"     // on vacation
	CameBack          What = "came back"     // from it
	Abandoned         What = "abandoned"     // the game is damaged, and was aborted for that
	Recovered         What = "recovered"     // the program was away, and deadlines have moved
	GameAnnulled      What = "annulled"      // by a manager, for a server, or by an operator
	MonthEnded        What = "month ended"   // in a server with seasons
	PuzzleTold        What = "puzzle"        // of the day, in a server that wants one
	PuzzlesRest       What = "puzzles rest"  // there are no more, since nobody answers
	RoomLost          What = "room lost"     // nothing can be said any more where games are played
	OpponentLost      What = "opponent lost" // likewise of an opponent's private chat
	Planned           What = "planned"       // conditional moves were stored
	Unplanned         What = "unplanned"     // and removed
	PlaysOn           What = "plays on"      // took the first word to resign or abort back
	Stays             What = "stays"         // took the first word to be forgotten back
	Chose             What = "chose"         // a setting
	Forgot            What = "forgot"        // a person
	ForgetAsked       What = "forget asked"  // to the asker alone: wants a second word
	ResignAsked       What = "resign asked"  // likewise
	AbortAsked        What = "abort asked"   // likewise
	DrawAsked         What = "draw asked"    // likewise
	Helped            What = "helped"        // by a hint
	Refused           What = "refused"       // to the asker alone: nothing happened
	AnnulAsked        What = "annul asked"   // likewise
	LinkAgreed        What = "link agreed"   // by who becomes another: that one is asked
	LinkGiven         What = "link given"    // by whom they become
	LinkRefused       What = "link refused"  // by either
)

// The facts that an outbox entry may hold.
const (
	FactMove  = "move"  // chat text of the move that was played
	FactPlies = "plies" // how many were taken back
	FactPlan  = "plan"  // set where a move was played as a condition asked for
	FactDays  = "days"  // how many were added
	FactUntil = "until" // when a vacation ends, RFC 3339
	FactAuto  = "auto"  // set where a vacation began by itself
	FactGap   = "gap"   // for how long the program was away
	FactMonth = "month" // that has ended, such as 2026-10
	FactCode  = "code"  // of a link that waits for a word
	FactGames = "games" // in which a clock stands or goes on, or that were lost: numbers with spaces between them
	FactDraw  = "draw"  // set where a draw is offered with a move
	FactAgree = "agree" // set where a game ends because a draw was agreed to
	FactUsual = "usual" // set where nobody has chosen the computer's level
	FactAfter = "after" // the game that a challenge wants to be played again

	FactBefore = "before" // moves that were overtaken and are told with this one, each a line: its ply and chat text
)

// Done is what became of a request.
type Done struct {
	What  What
	Game  storage.GameID
	After *storage.Game `json:"-"` // the game as it was stored; nil if none was, or if the message came before
}

// Told reports whether what the bot says of a request that was done says all that the asker needs
// to hear when they ask for it again.
func (d Done) Told() bool {
	switch d.What {
	case WentAway, CameBack, Planned, Unplanned, Chose, PlaysOn, Stays, LinkAgreed, LinkGiven, LinkRefused:
		return false
	default:
		return true
	}
}
