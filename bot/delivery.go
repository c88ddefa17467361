package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/outbox"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/storage"
)

// Delivery is a note on its way to a place.
type Delivery struct {
	Place storage.Place
	Entry storage.Entry // the facts that the note tells; its number is the same whenever it is sent again
	Note  Note
}

// Outlet says things on one platform. It is used by many goroutines at once.
type Outlet interface {
	// Send is that of [outbox.Sender].
	Send(ctx context.Context, d Delivery) (Receipt, error)

	// Limits is that of [outbox.Sender].
	Limits(at storage.Address) []Limit
}

type (
	// Outbox says what waits.
	Outbox = outbox.Outbox
	// Receipt is what an adapter wants to remember of what was said.
	Receipt = outbox.Receipt
	// Limit is how often something may be said.
	Limit = outbox.Limit
	// Later is a refusal that asks to wait.
	Later = outbox.Later
	// Never is a refusal for good.
	Never = outbox.Never
)

// NewOutbox makes the outbox of what is to be said by a bot. now is the wall clock; outlets
// are by platform.
func NewOutbox(b *Bot, now func() time.Time, log *slog.Logger, outlets map[string]Outlet) *Outbox {
	senders := map[string]outbox.Sender{}
	for platform, o := range outlets {
		senders[platform] = sender{o, b}
	}
	return outbox.New(b.store, subject{b.clocks, b.places, b}, now, log, senders)
}

// sender makes notes of entries and has them sent.
type sender struct {
	Outlet
	bot *Bot
}

// Send implements [outbox.Sender].
func (s sender) Send(ctx context.Context, at storage.Place, e storage.Entry) (Receipt, error) {
	d := Delivery{Place: at, Entry: e}
	err := s.bot.compose(ctx, &d)
	switch {
	case storage.Lost(err):
		return nil, errors.Join(outbox.ErrUnfit, err)
	case err != nil:
		return nil, err
	case len(d.Note.Text) == 0:
		return nil, outbox.ErrNothing
	}
	return s.Outlet.Send(ctx, d)
}

// subject is what is known of entries.
type subject struct {
	*match.Clocks
	*people.Places
	bot *Bot
}

// Stored implements [outbox.Subject].
func (s subject) Stored(ctx context.Context, err error) { s.bot.stored(ctx, err) }

// Calls implements [outbox.Subject].
func (subject) Calls(e *storage.Entry) bool {
	switch inbox.What(e.Kind) {
	case inbox.Began, inbox.Moved, inbox.TookBack, inbox.Reminded, inbox.TimeUp, inbox.Challenged, inbox.DrawOffered, inbox.TakebackAsked:
		return true
	default:
		return false
	}
}

// Join implements [outbox.Subject]: the next board of a game, or its end, tells a move before
// it too, and what that tells.
func (subject) Join(move, next storage.Entry) (storage.Entry, bool) {
	if inbox.What(move.Kind) != inbox.Moved || inbox.What(next.Kind) != inbox.Moved && inbox.What(next.Kind) != inbox.Ended {
		return next, false
	}
	facts := maps.Clone(next.Facts)
	if facts == nil {
		facts = map[string]string{}
	}
	facts[inbox.FactBefore] = move.Facts[inbox.FactBefore] + fmt.Sprintf("%d %s\n", move.Ply, move.Facts[inbox.FactMove])
	next.Facts = facts
	return next, true
}

// compose turns an entry's facts into words and a picture.
func (b *Bot) compose(ctx context.Context, d *Delivery) (err error) {
	defer func() {
		if p := recover(); p != nil { // the other games go on
			err = fmt.Errorf("%w: panic: %v", outbox.ErrUnfit, p)
		}
	}()
	e := d.Entry
	var by storage.Person
	var server storage.Server
	err = b.store.View(ctx, func(r storage.Reader) (err error) {
		if d.Place.Server != 0 {
			if server, err = r.Server(d.Place.Server); err != nil {
				return err
			}
		}
		by, err = actor(r, e.By)
		return err
	})
	if err != nil {
		return err
	}
	switch what := inbox.What(e.Kind); what {
	case inbox.Challenged:
		d.Note, err = b.challengeNote(ctx, e, by)
	case inbox.Declined, inbox.Cancelled:
		d.Note = Note{Text: words.ChallengeOver(what, e.Game, by)}
	case inbox.Expired:
		d.Note = Note{Text: words.Expired(e.Game, by)}
	case inbox.Abandoned:
		var players []storage.Person
		players, err = b.places.Concerned(ctx, e.Game)
		d.Note = Note{Text: words.Abandoned(e.Game, players)}
	case inbox.WentAway:
		d.Note, err = b.vacationNote(ctx, e, by, words.WentAway(e, by))
	case inbox.CameBack:
		d.Note, err = b.vacationNote(ctx, e, by, words.CameBack(e, by))
	case inbox.Recovered:
		d.Note = Note{Text: words.Recovered(e)}
	case inbox.LinkAgreed:
		d.Note, err = b.linkNote(ctx, e)
	case inbox.LinkGiven:
		d.Note = Note{Text: words.Linked()}
	case inbox.RoomLost:
		d.Note = Note{Text: words.RoomLost(e)}
	case inbox.OpponentLost:
		d.Note = Note{Text: words.OpponentLost(e, by)}
	case inbox.MonthEnded:
		d.Note, err = b.monthNote(ctx, e, server.ID)
	default:
		d.Note, err = b.gameNote(ctx, e, by)
	}
	if err == nil {
		err = b.atSeats(ctx, d)
	}
	b.applyTheme(&d.Note, storage.Settings{}, server.Settings)
	return err
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

// linkNote asks somebody for their word on a link, unless they have given it.
func (b *Bot) linkNote(ctx context.Context, e storage.Entry) (Note, error) {
	union, asked, err := b.links.AgreedLink(ctx, e.Facts[inbox.FactCode])
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) || err == nil && !asked {
		return Note{}, nil
	}
	return giveNote(union.Into.ID, union), err
}

// atSeats mentions nobody at a place who plays the game elsewhere, where they are told too.
func (b *Bot) atSeats(ctx context.Context, d *Delivery) error {
	g, err := storage.Read(ctx, b.store, func(r storage.Reader) (storage.Game, error) { return r.Game(d.Entry.Game) })
	if storage.Lost(err) {
		return nil
	}
	if err != nil || g.Seats == [2]storage.PlaceID{} {
		return err
	}
	for i := range d.Note.Text {
		s := &d.Note.Text[i]
		if side, plays := g.SideOf(s.Person); s.Person != 0 && plays && g.Seat(side) != d.Place.ID {
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
		text := append(words.OpenChallenge(c, v, by), words.Elsewhere(c, b.webLink(c.Code, ""))...)
		if by.Home == c.Place || slices.Contains(by.Chats, c.Place) { // nobody else sees it there
			text = append(words.OpenChallenge(c, v, by), words.HandOn(c, b.webLink(c.Code, ""))...)
			return Note{Text: text, Buttons: []Button{button(words.LabelCancel, "call-off", c.ID, none)}}, nil
		}
		return Note{Text: text, Buttons: []Button{
			button(words.LabelJoin, "join", c.ID, none), button(words.LabelCancel, "call-off", c.ID, none),
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
		button(words.LabelAccept, "join", c.ID, none), button(words.LabelDecline, "turn-down", c.ID, none),
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
		return Note{Text: words.TimeUp(sight), Buttons: []Button{button(words.LabelClaim, "claim", e.Game, strconv.Itoa(e.Ply))}}, nil
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
