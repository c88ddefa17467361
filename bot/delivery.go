package bot

import (
	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/storage"
)

// Delivery is a note on its way to a place.
type Delivery struct {
	Place storage.Place
	Entry storage.Entry // the facts that the note tells; its number is the same whenever it is sent again
	Note  message.Message
}

// Challenges reports whether a delivery tells of a challenge, from which a thread can be opened.
func (d *Delivery) Challenges() bool { return event.Kind(d.Entry.Kind) == event.Challenged }

// Renews reports whether a delivery only changes the buttons of what told of a challenge before.
func (d *Delivery) Renews() bool { return event.Kind(d.Entry.Kind) == event.Unjoined }

// Begins reports whether a delivery tells of the beginning of a game.
func (d *Delivery) Begins() bool { return event.Kind(d.Entry.Kind) == event.Began }

// Ends reports whether a delivery tells of the end of a game.
func (d *Delivery) Ends() bool { return event.Kind(d.Entry.Kind) == event.Ended }

// After is the game that a challenge wants to be played again, 0 for none.
func (d *Delivery) After() storage.GameID { return event.PayloadOf[event.Challenge](&d.Entry).After }

// Outcome is what became of the challenge that a delivery tells of: accepted, declined, withdrawn
// or expired; "" if of none.
func (d *Delivery) Outcome() string {
	return map[event.Kind]string{
		event.Began: "accepted", event.Declined: "declined", event.Cancelled: "withdrawn", event.Expired: "expired",
	}[event.Kind(d.Entry.Kind)]
}

// OfferOutcome is the same of the draw or takeback that was offered in the game of a delivery which
// ends that: agreed, declined or withdrawn, or over because something else has happened.
func (d *Delivery) OfferOutcome() string {
	switch event.Kind(d.Entry.Kind) {
	case event.DrawDeclined, event.TakebackDeclined:
		return "declined"
	case event.DrawCancelled, event.TakebackCancelled:
		return "withdrawn"
	case event.TookBack:
		return "agreed"
	default:
		if event.PayloadOf[event.Position](&d.Entry).Agreed {
			return "agreed"
		}
		return "over"
	}
}

// Asks is what a delivery asks somebody to answer: a challenge, a draw or a takeback, or "".
func (d *Delivery) Asks() string {
	switch what := event.Kind(d.Entry.Kind); what {
	case event.Challenged, event.DrawOffered, event.TakebackAsked:
		return string(what)
	default:
		return ""
	}
}

// Answers reports whether a delivery ends what another one has asked.
func (d *Delivery) Answers(asked string) bool {
	switch event.Kind(d.Entry.Kind) {
	case event.DrawDeclined, event.DrawCancelled:
		return asked == string(event.DrawOffered)
	case event.TakebackDeclined, event.TakebackCancelled:
		return asked == string(event.TakebackAsked)
	default:
		return d.AnswersOffers()
	}
}

// KnownAt reports whether nobody needs to be told of a delivery at its place: many see it, or
// whoever alone does has done it.
func (d *Delivery) KnownAt() bool { return d.Place.Owner == 0 || d.Place.Owner == d.Entry.By }

// AnswersOffers reports whether a delivery answers what was offered before.
func (d *Delivery) AnswersOffers() bool {
	switch event.Kind(d.Entry.Kind) {
	case event.Unjoined, event.Reminded, event.TimeUp, event.TimeAdded, event.WentAway, event.CameBack, event.Recovered, event.MonthEnded,
		event.PuzzleTold, event.PuzzlesRest:
		return false
	default:
		return true
	}
}
