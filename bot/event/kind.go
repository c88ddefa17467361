// Package event is what people ask for and what they are answered: who asks, what became of
// it, and why nothing did. A message is carried out once, however often its platform brings
// it, and what it asks for is refused with a reason. What must be told of it goes to the
// outbox with it.
package event

import "chimera/storage"

// By is who asks, where, and with which message.
type By struct {
	Person  storage.PersonID
	Place   storage.PlaceID
	Message storage.MessageID
	Called  string // as others mention them, such as "@bob"; "" if that is not known
	Within  string // the id of the channel around the place, if that is a thread
	Posted  bool   // the message shows what it asks for: nobody need be told
	Outside bool   // from outside of all chats, on a page: they also see what is public
}

// Kind is what has happened: the asker is answered with it, and everyone whom it concerns is
// told. What else an event has to say is the payload of its kind.
type Kind string

// The kinds, with their payloads.
const (
	Challenged        Kind = "challenged"
	Declined          Kind = "declined"
	Cancelled         Kind = "cancelled"
	Began             Kind = "began"
	Moved             Kind = "moved"
	Ended             Kind = "ended" // by a move, or without one
	DrawOffered       Kind = "draw offered"
	DrawDeclined      Kind = "draw declined"
	DrawCancelled     Kind = "draw cancelled"
	TakebackAsked     Kind = "takeback asked"
	TakebackDeclined  Kind = "takeback declined"
	TakebackCancelled Kind = "takeback cancelled"
	TookBack          Kind = "took back"
	Expired           Kind = "expired"       // a challenge
	Unjoined          Kind = "unjoined"      // likewise, for a while, so that the computer may take it up
	Reminded          Kind = "reminded"      // of the time of the player to move
	TimeUp            Kind = "time up"       // it may be claimed
	TimeAdded         Kind = "time added"    // to the opponent
	WentAway          Kind = "went away"     // on vacation
	CameBack          Kind = "came back"     // from it
	Abandoned         Kind = "abandoned"     // the game is damaged, and was aborted for that
	Recovered         Kind = "recovered"     // the program was away, and deadlines have moved
	GameAnnulled      Kind = "annulled"      // by a manager, for a server, or by an operator
	MonthEnded        Kind = "month ended"   // in a server with seasons
	SeasonBegan       Kind = "season began"  // in a league
	SeasonHalf        Kind = "season half"   // of it is over
	SeasonEnded       Kind = "season ended"  //
	SeasonWaits       Kind = "season waits"  // for more to join
	PuzzleTold        Kind = "puzzle"        // of the day, in a server that wants one
	PuzzlesRest       Kind = "puzzles rest"  // there are no more, since nobody answers
	RoomLost          Kind = "room lost"     // nothing can be said any more where games are played
	OpponentLost      Kind = "opponent lost" // likewise of an opponent's private chat
	Said              Kind = "said"          // by an opponent, who wants it passed on
	Planned           Kind = "planned"       // conditional moves were stored
	Unplanned         Kind = "unplanned"     // and removed
	PlaysOn           Kind = "plays on"      // took the first word to resign or abort back
	Stays             Kind = "stays"         // took the first word to be forgotten back
	Chose             Kind = "chose"         // a setting
	Forgot            Kind = "forgot"        // a person
	ForgetAsked       Kind = "forget asked"  // to the asker alone: wants a second word
	ResignAsked       Kind = "resign asked"  // likewise
	AbortAsked        Kind = "abort asked"   // likewise
	DrawAsked         Kind = "draw asked"    // likewise
	Helped            Kind = "helped"        // by a hint
	Refused           Kind = "refused"       // to the asker alone: nothing happened
	AnnulAsked        Kind = "annul asked"   // likewise
	LinkAgreed        Kind = "link agreed"   // by who becomes another: that one is asked
	LinkGiven         Kind = "link given"    // by whom they become
	LinkRefused       Kind = "link refused"  // by either
)

// Done is what became of a request.
type Done struct {
	Kind  Kind `json:"What"`
	Game  storage.GameID
	After *storage.Game `json:"-"` // the game as it was stored; nil if none was, or if the message came before
}

// Told reports whether what the bot says of a request that was done says all that the asker needs
// to hear when they ask for it again.
func (d Done) Told() bool {
	switch d.Kind {
	case WentAway, CameBack, Planned, Unplanned, Chose, PlaysOn, Stays, LinkAgreed, LinkGiven, LinkRefused:
		return false
	default:
		return true
	}
}
