package bot

import (
	"chimera/bot/inbox"
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
func (d *Delivery) Challenges() bool { return inbox.What(d.Entry.Kind) == inbox.Challenged }

// Renews reports whether a delivery only changes the buttons of what told of a challenge before.
func (d *Delivery) Renews() bool { return inbox.What(d.Entry.Kind) == inbox.Unjoined }

// Begins reports whether a delivery tells of the beginning of a game.
func (d *Delivery) Begins() bool { return inbox.What(d.Entry.Kind) == inbox.Began }

// Ends reports whether a delivery tells of the end of a game.
func (d *Delivery) Ends() bool { return inbox.What(d.Entry.Kind) == inbox.Ended }

// After is the game that a challenge wants to be played again, as a text; "" for none.
func (d *Delivery) After() string { return d.Entry.Facts[inbox.FactAfter] }

// Outcome is what became of the challenge that a delivery tells of: accepted, declined, withdrawn
// or expired; "" if of none.
func (d *Delivery) Outcome() string {
	return map[inbox.What]string{
		inbox.Began: "accepted", inbox.Declined: "declined", inbox.Cancelled: "withdrawn", inbox.Expired: "expired",
	}[inbox.What(d.Entry.Kind)]
}

// OfferOutcome is the same of the draw or takeback that was offered in the game of a delivery which
// ends that: agreed, declined or withdrawn, or over because something else has happened.
func (d *Delivery) OfferOutcome() string {
	switch inbox.What(d.Entry.Kind) {
	case inbox.DrawDeclined, inbox.TakebackDeclined:
		return "declined"
	case inbox.DrawCancelled, inbox.TakebackCancelled:
		return "withdrawn"
	case inbox.TookBack:
		return "agreed"
	default:
		if d.Entry.Facts[inbox.FactAgree] != "" {
			return "agreed"
		}
		return "over"
	}
}

// Asks is what a delivery asks somebody to answer: a challenge, a draw or a takeback, or "".
func (d *Delivery) Asks() string {
	switch what := inbox.What(d.Entry.Kind); what {
	case inbox.Challenged, inbox.DrawOffered, inbox.TakebackAsked:
		return string(what)
	default:
		return ""
	}
}

// Answers reports whether a delivery ends what another one has asked.
func (d *Delivery) Answers(asked string) bool {
	switch inbox.What(d.Entry.Kind) {
	case inbox.DrawDeclined, inbox.DrawCancelled:
		return asked == string(inbox.DrawOffered)
	case inbox.TakebackDeclined, inbox.TakebackCancelled:
		return asked == string(inbox.TakebackAsked)
	default:
		return d.AnswersOffers()
	}
}

// KnownAt reports whether nobody needs to be told of a delivery at its place: many see it, or
// whoever alone does has done it.
func (d *Delivery) KnownAt() bool { return d.Place.Owner == 0 || d.Place.Owner == d.Entry.By }

// AnswersOffers reports whether a delivery answers what was offered before.
func (d *Delivery) AnswersOffers() bool {
	switch inbox.What(d.Entry.Kind) {
	case inbox.Unjoined, inbox.Reminded, inbox.TimeUp, inbox.TimeAdded, inbox.WentAway, inbox.CameBack, inbox.Recovered, inbox.MonthEnded,
		inbox.PuzzleTold, inbox.PuzzlesRest:
		return false
	default:
		return true
	}
}
