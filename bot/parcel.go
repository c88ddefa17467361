package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/storage"
)

// parcel turns an entry's facts into words and a picture.
func (b *Bot) parcel(ctx context.Context, e storage.Entry) (Parcel, error) {
	p := Parcel{Entry: e}
	var by storage.Person
	var server storage.Server
	err := b.store.View(ctx, func(r storage.Reader) (err error) {
		if p.Place, err = r.Place(e.Place); err != nil {
			return err
		}
		if p.Place.Server != 0 {
			if server, err = r.Server(p.Place.Server); err != nil {
				return err
			}
		}
		by, err = actor(r, e.By)
		return err
	})
	if err != nil {
		return p, err
	}
	switch what := inbox.What(e.Kind); what {
	case inbox.Challenged:
		p.Note, err = b.challengeNote(ctx, e, by)
	case inbox.Declined, inbox.Cancelled:
		p.Note = Note{Text: words.ChallengeOver(what, e.Game, by)}
	case inbox.Expired:
		p.Note = Note{Text: words.Expired(e.Game, by)}
	case inbox.Abandoned:
		var players []storage.Person
		players, err = b.places.Concerned(ctx, e.Game)
		p.Note = Note{Text: words.Abandoned(e.Game, players)}
	case inbox.WentAway:
		p.Note, err = b.vacationNote(ctx, e, by, words.WentAway(e, by))
	case inbox.CameBack:
		p.Note, err = b.vacationNote(ctx, e, by, words.CameBack(e, by))
	case inbox.Recovered:
		p.Note = Note{Text: words.Recovered(e)}
	case inbox.LinkAgreed:
		p.Note, err = b.linkNote(ctx, e)
	case inbox.LinkGiven:
		p.Note = Note{Text: words.Linked()}
	case inbox.RoomLost:
		p.Note = Note{Text: words.RoomLost(e)}
	case inbox.OpponentLost:
		p.Note = Note{Text: words.OpponentLost(e, by)}
	case inbox.MonthEnded:
		p.Note, err = b.monthNote(ctx, e, server.ID)
	default:
		p.Note, err = b.gameNote(ctx, e, by)
	}
	if err == nil {
		err = b.atSeats(ctx, &p)
	}
	b.dress(&p.Note, storage.Settings{}, server.Settings)
	return p, err
}

// actor is a person, or who that has become by links meanwhile; the zero Person for 0.
func actor(r storage.Reader, id storage.PersonID) (p storage.Person, err error) {
	for seen := map[storage.PersonID]bool{}; id != 0 && !seen[id]; id = p.Into {
		seen[id] = true // a damaged record may lead back
		if p, err = r.Person(id); err != nil {
			return p, err
		}
	}
	return p, nil
}

// linkNote asks somebody for his word on a link, unless he has given it.
func (b *Bot) linkNote(ctx context.Context, e storage.Entry) (Note, error) {
	link, err := b.links.GiverOf(ctx, e.Facts[inbox.FactCode])
	if err != nil || link == 0 {
		return Note{}, err
	}
	union, asked, err := b.links.LinkAsked(ctx, link)
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) || err == nil && (!asked || union.Code != e.Facts[inbox.FactCode]) {
		return Note{}, nil
	}
	return giveNote(link, union), err
}

// atSeats mentions nobody at a place who plays the game elsewhere, where he is told too.
func (b *Bot) atSeats(ctx context.Context, p *Parcel) error {
	var g storage.Game
	err := b.store.View(ctx, func(r storage.Reader) (err error) {
		g, err = r.Game(p.Entry.Game)
		return err
	})
	if storage.Lost(err) {
		return nil
	}
	if err != nil || g.Seats == [2]storage.PlaceID{} {
		return err
	}
	for i := range p.Note.Text {
		s := &p.Note.Text[i]
		if side, plays := g.SideOf(s.Person); s.Person != 0 && plays && g.Seat(side) != p.Place.ID {
			s.Person, s.Style = 0, words.Bold
		}
	}
	return nil
}

func (b *Bot) challengeNote(ctx context.Context, e storage.Entry, by storage.Person) (Note, error) {
	c, err := b.challenges.ChallengeOf(ctx, e.Game)
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) {
		return Note{Text: words.ChallengeGone(e.Game, by)}, nil
	}
	if err != nil {
		return Note{}, err
	}
	v := b.games.Variant(c.Variant)
	if c.To == 0 {
		text := append(words.OpenChallenge(c, v, by), words.Elsewhere(c, b.door(c.Code, ""))...)
		if by.Home == c.Place || slices.Contains(by.Chats, c.Place) { // nobody else sees it there
			text = append(words.OpenChallenge(c, v, by), words.HandOn(c, b.door(c.Code, ""))...)
			return Note{Text: text, Buttons: []Button{button(labelCancel, "call-off", c.ID, none)}}, nil
		}
		return Note{Text: text, Buttons: []Button{
			button(labelJoin, "join", c.ID, none), button(labelCancel, "call-off", c.ID, none),
		}}, nil
	}
	name, err := b.people.Name(ctx, c.To)
	text := words.NamedChallenge(c, v, by, name)
	if c.Rated && err == nil {
		var enough bool
		if enough, err = b.league.Enough(ctx, c.From, c.To); enough {
			text = append(text, words.EnoughToday()...)
		}
	}
	return Note{Text: text, Buttons: []Button{
		button(labelAccept, "join", c.ID, none), button(labelDecline, "turn-down", c.ID, none),
	}}, err
}

// vacationNote tells an opponent of a vacation, and in which games.
func (b *Bot) vacationNote(ctx context.Context, e storage.Entry, by storage.Person, what words.Text) (Note, error) {
	sight, err := b.games.Look(ctx, e.Game, match.Latest)
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) || e.Game == 0 {
		return Note{Text: what}, nil
	}
	if err != nil {
		return Note{}, err
	}
	return Note{Text: words.ToOpponent(sight, by, what)}, nil
}

// gameNote is about a game: a board for what changes it, if nothing has overtaken
// that, and a line for the rest.
func (b *Bot) gameNote(ctx context.Context, e storage.Entry, by storage.Person) (Note, error) {
	sight, err := b.games.Look(ctx, e.Game, match.Latest)
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) {
		return Note{Text: words.Refusal(no)}, nil // of a kind of game that is not played any more
	}
	if err != nil {
		return Note{}, err
	}
	switch what := inbox.What(e.Kind); what {
	case inbox.DrawOffered:
		return Note{Text: words.DrawOffered(sight, by), Buttons: offerButtons(match.ADraw, e.Game, e.Ply)}, nil
	case inbox.TakebackAsked:
		return Note{Text: words.TakebackAsked(sight, by), Buttons: offerButtons(match.ATakeback, e.Game, e.Ply)}, nil
	case inbox.GameAnnulled:
		return Note{Text: words.GameAnnulled(sight)}, nil
	case inbox.TimeAdded:
		return Note{Text: words.TimeAdded(e, sight, by)}, nil
	case inbox.Reminded, inbox.TimeUp:
		if sight.Ply != e.Ply || sight.Game.Over() {
			return Note{}, nil // the move was made meanwhile
		}
		if what == inbox.Reminded {
			return Note{Text: words.Reminder(sight)}, nil
		}
		return Note{Text: words.TimeUp(sight), Buttons: []Button{button(labelClaim, "claim", e.Game, strconv.Itoa(e.Ply))}}, nil
	case inbox.Ended:
		note := boardNote(sight)
		note.Text = words.WithEarlier(sight, words.Calling(sight, note.Text), words.Before(&e))
		return note, nil
	case inbox.Began, inbox.Moved, inbox.TookBack:
		if sight.Ply != e.Ply || sight.Game.Over() {
			return Note{Text: words.Overtaken(what, e, by)}, nil
		}
		note := boardNote(sight)
		note.Text = words.WithEarlier(sight, note.Text, words.Before(&e))
		if what == inbox.TookBack {
			plies, _ := strconv.Atoi(e.Facts[inbox.FactPlies])
			note.Text = append(words.TookBack(plies), note.Text...)
		}
		if e.Facts[inbox.FactPlan] != "" {
			note.Text = append(note.Text, words.AsPlanned(by)...)
		}
		if what == inbox.Began && sight.Game.Rated {
			enough, err := b.league.Enough(ctx, sight.Game.Players[0], sight.Game.Players[1])
			if err != nil {
				return Note{}, err
			}
			if enough {
				note.Text = append(note.Text, words.EnoughToday()...)
			}
		}
		return note, nil
	default:
		return Note{Text: words.OfferOver(what, e.Game, by)}, nil
	}
}
