package bot

import (
	"context"
	"errors"
	"strconv"

	"chimera/bot/match"
	"chimera/storage"
)

// Parcel is a note on its way to a place.
type Parcel struct {
	Place storage.Place
	Entry storage.Entry // the facts that the note tells
	Note  Note
}

// Send carries a parcel to its place. An error means that it was not said.
type Send func(ctx context.Context, p Parcel) error

// batch is how many entries are delivered before they are crossed off together.
const batch = 32

// Deliver says what waits in the outbox, in order, until nothing waits or
// something could not be said. An entry is crossed off after it was said, so
// that one may be said twice if the program ends in between, and none is lost.
func (b *Bot) Deliver(ctx context.Context, send Send) error {
	for {
		var entries []storage.Entry
		err := b.store.View(ctx, func(r storage.Reader) (err error) {
			entries, err = r.Outbox(batch)
			return err
		})
		if err != nil || len(entries) == 0 {
			return err
		}
		sent, failed := b.sendAll(ctx, entries, send)
		err = b.store.Update(ctx, func(w storage.Writer) error {
			for _, e := range entries[:sent] {
				if err := errors.Join(w.Delivered(e.ID), b.match.HeardOf(w, e)); err != nil {
					return err
				}
			}
			return nil
		})
		if err := errors.Join(failed, err); err != nil {
			return err
		}
	}
}

// sendAll says entries in order, and returns how many before one failed.
func (b *Bot) sendAll(ctx context.Context, entries []storage.Entry, send Send) (int, error) {
	for i, e := range entries {
		p, err := b.parcel(ctx, e)
		if err != nil {
			return i, err
		}
		if len(p.Note.Text) == 0 {
			continue // nothing is left to say
		}
		if err := send(ctx, p); err != nil {
			return i, err
		}
	}
	return len(entries), nil
}

// parcel turns an entry's facts into words and a picture.
func (b *Bot) parcel(ctx context.Context, e storage.Entry) (Parcel, error) {
	p := Parcel{Entry: e}
	var by storage.Person
	err := b.store.View(ctx, func(r storage.Reader) (err error) {
		if p.Place, err = r.Place(e.Place); err != nil || e.By == 0 {
			return err
		}
		by, err = r.Person(e.By)
		return err
	})
	if err != nil {
		return p, err
	}
	switch what := match.What(e.Kind); what {
	case match.Challenged:
		p.Note, err = b.challengeNote(ctx, e, by)
	case match.Declined, match.Cancelled:
		p.Note = Note{Text: challengeOver(what, e.Game, by)}
	case match.Expired:
		p.Note = Note{Text: expired(e.Game, by)}
	case match.WentAway:
		p.Note = Note{Text: wentAway(e, by)}
	case match.CameBack:
		p.Note = Note{Text: cameBack(by)}
	case match.Recovered:
		p.Note = Note{Text: recovered(e)}
	default:
		p.Note, err = b.gameNote(ctx, e, by)
	}
	return p, err
}

func (b *Bot) challengeNote(ctx context.Context, e storage.Entry, by storage.Person) (Note, error) {
	c, err := b.match.ChallengeOf(ctx, e.Game)
	if no := (*match.Refusal)(nil); errors.As(err, &no) {
		return Note{Text: challengeGone(e.Game, by)}, nil
	}
	if err != nil {
		return Note{}, err
	}
	v := b.match.Variant(c.Variant)
	if c.To == 0 {
		return Note{Text: openChallenge(c, v, by), Buttons: []Button{
			button(labelJoin, "accept", c.ID, "-"), button(labelCancel, "cancel", c.ID, "-"),
		}}, nil
	}
	name, err := b.match.Name(ctx, c.To)
	return Note{Text: namedChallenge(c, v, by, name), Buttons: []Button{
		button(labelAccept, "accept", c.ID, "-"), button(labelDecline, "decline", c.ID, "-"),
	}}, err
}

// gameNote is about a game: a board for what changes it, if nothing has overtaken
// that, and a line for the rest.
func (b *Bot) gameNote(ctx context.Context, e storage.Entry, by storage.Person) (Note, error) {
	sight, err := b.match.Look(ctx, e.Game, match.Latest)
	if err != nil {
		return Note{}, err
	}
	offer := offerButtons(e.Game, e.Ply)
	switch what := match.What(e.Kind); what {
	case match.DrawOffered:
		return Note{Text: drawOffered(sight, by), Buttons: offer}, nil
	case match.TakebackAsked:
		return Note{Text: takebackAsked(sight, by), Buttons: offer}, nil
	case match.TimeAdded:
		return Note{Text: timeAdded(e, sight, by)}, nil
	case match.Reminded, match.TimeUp:
		if sight.Ply != e.Ply || sight.Game.Over() {
			return Note{}, nil // the move was made meanwhile
		}
		if what == match.Reminded {
			return Note{Text: reminder(sight)}, nil
		}
		return Note{Text: timeUp(sight), Buttons: []Button{button(labelClaim, "claim", e.Game, strconv.Itoa(e.Ply))}}, nil
	case match.Ended:
		return boardNote(sight), nil
	case match.Began, match.Moved, match.TookBack:
		if sight.Ply != e.Ply || sight.Game.Over() {
			return Note{Text: overtaken(what, e, by)}, nil
		}
		note := boardNote(sight)
		if what == match.TookBack {
			plies, _ := strconv.Atoi(e.Facts[match.FactPlies])
			note.Text = append(tookBack(plies), note.Text...)
		}
		if e.Facts[match.FactPlan] != "" {
			note.Text = append(note.Text, asPlanned(by)...)
		}
		return note, nil
	default:
		return Note{Text: offerOver(what, e.Game, by)}, nil
	}
}
