// Package announce tells what has happened: it turns what waits in the outbox into notes.
package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/storage"
)

// Announcer makes notes of entries, out of what is known when they are said. All its fields
// must be set.
type Announcer struct {
	Store   *storage.Store
	Games   *match.Games
	Match   *match.Service
	Ratings *rating.Service
	People  *user.People
	Places  *user.Places
	Links   *user.Links
	Daily   *training.Daily
	Studio  *message.Cache
	WebLink func(code string) string // by which the bot is reached with a code, "" if there is none
	Paged   func() bool              // boards can be opened as pages
}

// ErrMore is about an entry that another one tells too, which waits behind it.
var ErrMore = errors.New("announce: the next entry tells it too")

// telling is an entry with what is known of it.
type telling struct {
	storage.Entry
	what     event.Kind
	position event.Position // what an event in a game has to say
	by       storage.Person
	in       storage.Server  // to which it is told; zero for none
	alone    storage.Person  // who alone sees it; zero for none
	sight    *match.GameView // of its game, or nil
}

// Note is what is said of an entry at a place; it has no words if that is out of date. The
// error is ErrMore where the entry behind it tells it better.
func (a *Announcer) Note(ctx context.Context, at storage.Place, e storage.Entry) (said message.Message, err error) {
	t := &telling{Entry: e, what: event.Kind(e.Kind), position: event.PayloadOf[event.Position](&e)}
	err = a.Store.View(ctx, func(r storage.Reader) (err error) {
		if at.Server != 0 {
			if t.in, err = r.Servers().Get(at.Server); err != nil {
				return err
			}
		}
		if t.alone, err = actor(r, at.Owner); err != nil {
			return err
		}
		t.by, err = actor(r, e.By)
		return err
	})
	if err != nil {
		return said, err
	}
	if said, err = a.compose(ctx, t); err != nil {
		return said, err
	}
	if t.alone.ID != 0 && a.Paged() {
		said.AddPage()
	}
	said.SetLook(a.Studio, t.alone.Settings.Look, t.in.Settings.Look)
	if t.alone.ID != 0 {
		said.Speak(words.LanguageOf(t.alone))
		said.Zoned(t.alone.Settings.Zone)
	} else {
		said.Speak(words.LanguageAt(t.in))
		said.Zoned(t.in.Settings.Zone)
	}
	if err = a.atSeats(ctx, t, said.Text, at.ID); err == nil && said.Instead != nil {
		err = a.atSeats(ctx, t, said.Instead.Text, at.ID)
	}
	return said, err
}

func (a *Announcer) compose(ctx context.Context, t *telling) (message.Message, error) {
	switch t.what {
	case event.Challenged, event.Unjoined:
		return a.challenge(ctx, t)
	case event.Declined:
		return say(words.Say("challenge.declined", "player", t.by.Name, "challenge", t.Game))
	case event.Cancelled:
		return say(words.Say("challenge.cancelled", "player", t.by.Name, "challenge", t.Game))
	case event.Expired:
		return say(words.Say("challenge.expired", "player", t.by.Name, "challenge", t.Game))
	case event.Abandoned:
		players, err := a.Places.Concerned(ctx, t.Game)
		return message.Message{Text: words.Abandoned(t.Game, players)}, err
	case event.WentAway:
		return a.vacation(ctx, t, words.WentAway(event.PayloadOf[event.Vacation](&t.Entry), t.by))
	case event.CameBack:
		return a.vacation(ctx, t, words.CameBack(event.PayloadOf[event.Vacation](&t.Entry), t.by))
	case event.Recovered:
		return say(words.Recovered(time.Duration(event.PayloadOf[event.Outage](&t.Entry).Gap)))
	case event.LinkAgreed:
		return a.link(ctx, event.PayloadOf[event.Link](&t.Entry).Code)
	case event.LinkGiven:
		return say(words.Say("person.linked"))
	case event.RoomLost:
		return say(words.RoomLost(event.PayloadOf[event.Unreachable](&t.Entry).Games))
	case event.OpponentLost:
		return say(words.OpponentLost(event.PayloadOf[event.Unreachable](&t.Entry).Games, t.by))
	case event.MonthEnded:
		return a.month(ctx, t)
	case event.PuzzleTold, event.PuzzlesRest:
		return a.Daily.Tell(ctx, t.in.ID, t.Entry)
	default:
		return a.game(ctx, t)
	}
}

func say(text words.Text, buttons ...message.Button) (message.Message, error) {
	return message.Message{Text: text, Buttons: buttons}, nil
}

// actor is a person, or who that has become by links meanwhile; the zero Person for 0.
func actor(r storage.Reader, id storage.PersonID) (p storage.Person, err error) {
	for seen := map[storage.PersonID]bool{}; id != 0 && !seen[id]; id = p.Into {
		seen[id] = true // a damaged record may lead back
		if p, err = r.People().Get(id); err != nil {
			return p, err
		}
	}
	return p, nil
}

// atSeats mentions nobody at a place who plays the game elsewhere, where they are told too.
func (a *Announcer) atSeats(ctx context.Context, t *telling, text words.Text, at storage.PlaceID) (err error) {
	var g storage.Game
	if t.sight != nil {
		g = t.sight.Game
	} else {
		g, err = storage.Read(ctx, a.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(t.Game) })
	}
	switch {
	case storage.Missing(err):
		return nil
	case err != nil || g.Seats == [2]storage.PlaceID{}:
		return err
	}
	for i := range text {
		s := &text[i]
		if side, plays := g.SideOf(s.Person); s.Person != 0 && plays && g.Seat(side) != at {
			s.Person, s.Style = 0, words.Bold
		}
	}
	return nil
}

// Link asks the person of a code whether who has agreed to it becomes them.
func linkQuestion(u user.Union) message.Message {
	return message.Message{To: u.Into.ID, Text: words.SureToGive(u), Buttons: message.YesNo("give", 0, message.None, u.Code)}
}

// link asks somebody for their word on a link, unless they have given it.
func (a *Announcer) link(ctx context.Context, code string) (message.Message, error) {
	union, asked, err := a.Links.AgreedLink(ctx, code)
	if no := (*event.Refusal)(nil); errors.As(err, &no) || err == nil && !asked {
		return message.Message{}, nil
	}
	return linkQuestion(union), err
}

func (a *Announcer) challenge(ctx context.Context, t *telling) (message.Message, error) {
	c, err := a.Match.ChallengeOf(ctx, t.Game)
	switch no := (*event.Refusal)(nil); {
	case errors.As(err, &no) && (t.what == event.Unjoined || event.PayloadOf[event.Challenge](&t.Entry).After != 0):
		return message.Message{}, nil // of a rematch the game tells, which both may have wanted at once
	case errors.As(err, &no):
		return say(words.Say("challenge.answered", "player", t.by.Name, "challenge", t.Game))
	case err != nil:
		return message.Message{}, err
	}
	v := a.Games.Variant(c.Variant)
	if c.To == 0 {
		text, buttons := a.open(&c, v, t.by)
		return say(text, buttons...)
	}
	name, err := a.People.Name(ctx, c.To)
	text := words.NamedChallenge(c, v, t.by, name)
	if c.Rated && err == nil {
		err = a.mayNotCount(ctx, &text, c.From, c.To)
	}
	if t.alone.ID != 0 && t.alone.ID == t.by.ID {
		return message.Message{Text: text, Buttons: []message.Button{message.NewButton(words.Label("cancel"), "call-off", c.ID, message.None)}}, err
	}
	return message.Message{Text: text, Buttons: answers(c.ID)}, err
}

// open tells of a challenge that names nobody who is known.
func (a *Announcer) open(c *storage.Challenge, v *rules.Variant, by storage.Person) (text words.Text, buttons []message.Button) {
	text, buttons = words.OpenChallenge(*c, v, by), []message.Button{message.NewButton(words.Label("cancel"), "call-off", c.ID, message.None)}
	switch {
	case by.Home == c.Place || slices.Contains(by.Chats, c.Place): // nobody else sees it there
		text = append(text, words.HandOn(*c, a.WebLink(c.Code))...)
	case c.Waits:
		return text, answers(c.ID)
	default:
		text = append(text, words.Elsewhere(*c, a.WebLink(c.Code))...)
		buttons = append([]message.Button{message.NewButton(words.Label("join"), "join", c.ID, message.None)}, buttons...)
	}
	if c.Lonely {
		buttons = append(buttons, message.NewButton(words.Label("play-me"), "instead", c.ID, message.None))
	}
	return text, buttons
}

// answers are the buttons below a challenge that names somebody.
func answers(challenge storage.GameID) []message.Button {
	return []message.Button{
		message.NewButton(words.Label("accept"), "join", challenge, message.None), message.NewButton(words.Label("decline"), "turn-down", challenge, message.None),
	}
}

// mayNotCount adds that two people have played enough rated games today, if they have.
func (a *Announcer) mayNotCount(ctx context.Context, text *words.Text, one, other storage.PersonID) error {
	enough, err := a.Ratings.Enough(ctx, one, other)
	if enough {
		*text = append(*text, words.Of(" ", words.Say("challenge.enough-today", "games", rating.MaxPairs))...)
	}
	return err
}

// vacation tells an opponent of a vacation, and in which games.
func (a *Announcer) vacation(ctx context.Context, t *telling, what words.Text) (_ message.Message, err error) {
	if t.Game == 0 {
		return say(what)
	}
	t.sight, err = a.Games.Load(ctx, t.Game, match.Latest)
	if no := (*event.Refusal)(nil); errors.As(err, &no) {
		return say(what)
	}
	if err != nil {
		return message.Message{}, err
	}
	return say(words.ToOpponent(t.sight, t.by, what))
}

// game is about a game: a board for what changes it, if nothing has overtaken that, and a line
// for the rest.
func (a *Announcer) game(ctx context.Context, t *telling) (_ message.Message, err error) {
	t.sight, err = a.Games.Load(ctx, t.Game, match.Latest)
	if no := (*event.Refusal)(nil); errors.As(err, &no) {
		return say(words.Refusal(no)) // of a kind of game that is not played any more
	}
	if err != nil {
		return message.Message{}, err
	}
	current := t.sight.Ply == t.Ply && !t.sight.Game.Over()
	switch t.what {
	case event.DrawOffered:
		return t.offer(words.DrawOffered(t.sight, t.by), match.ADraw), nil
	case event.TakebackAsked:
		return t.offer(words.TakebackAsked(t.sight, t.by), match.ATakeback), nil
	case event.GameAnnulled:
		return say(words.GameAnnulled(t.sight))
	case event.TimeAdded:
		return say(words.TimeAdded(event.PayloadOf[event.Time](&t.Entry).Days, t.sight, t.by))
	case event.Reminded, event.TimeUp:
		switch {
		case !current:
			return message.Message{}, nil // the move was made meanwhile
		case t.what == event.Reminded:
			return say(words.Reminder(t.sight), message.MoveButton(t.Game, t.Ply))
		}
		return say(words.TimeUp(t.sight), message.NewButton(words.Label("claim"), "claim", t.Game, strconv.Itoa(t.Ply)))
	case event.Ended:
		said := boardOf(t.sight, t.viewer())
		level, err := a.Games.NextLevel(ctx, &t.sight.Game)
		if err != nil {
			return said, err
		}
		if level != 0 {
			said.Buttons = slices.Insert(said.Buttons, 1, levelButton(&t.sight.Game, level))
		}
		said.Text = words.WithEarlier(t.sight, words.Calling(t.sight, said.Text), t.position.Earlier)
		if t.sight.Now.Outcome().Over() { // by a move
			said.Played = t.played()
		}
		if t.own() {
			said.Becomes(said)
		}
		return said, nil
	case event.Began, event.Moved, event.TookBack:
		if !current {
			return a.overtaken(ctx, t)
		}
		return a.board(ctx, t)
	default:
		return t.answer(words.Say("offer.over-"+words.Kebab(string(t.what)), "player", t.by.Name, "game", t.Game)), nil
	}
}

// overtaken tells what has been overtaken, unless what has done that tells it too.
func (a *Announcer) overtaken(ctx context.Context, t *telling) (said message.Message, err error) {
	said.Text = words.Overtaken(t.what, t.Game, t.position, t.by)
	return said, a.Store.View(ctx, func(r storage.Reader) error {
		for next, err := range r.Waiting(t.Queue()) {
			switch {
			case err != nil:
				return err
			case next.ID <= t.ID:
				continue
			case joins(t.Entry, next):
				return ErrMore
			}
			break
		}
		return nil
	})
}

// board shows a game in progress after what has changed it. What was offered since is told by
// an entry of its own.
func (a *Announcer) board(ctx context.Context, t *telling) (said message.Message, err error) {
	then := *t.sight
	then.Game.Takeback = nil
	if !t.position.Draw {
		then.Game.Draw = nil
	}
	said = boardOf(&then, t.viewer())
	said.Text = words.WithEarlier(t.sight, said.Text, t.position.Earlier)
	if t.what == event.Moved {
		said.Played = t.played()
	}
	if t.what == event.TookBack {
		said.Text = append(words.TookBack(t.position.Plies), said.Text...)
	}
	if t.position.Planned {
		said.Text = append(said.Text, words.AsPlanned(t.by)...)
	}
	if t.what == event.Began {
		said.Text = append(said.Text, words.Strength(&t.sight.Game)...)
		if t.position.Usual {
			said.Text = append(said.Text, words.UsualLevel()...)
		}
	}
	if g := &t.sight.Game; t.what == event.Began && g.Rated {
		err = a.mayNotCount(ctx, &said.Text, g.Players[0], g.Players[1])
	}
	if t.what == event.Moved && t.own() && match.ToMove(&t.sight.Game) != t.alone.ID && !bool(t.position.Planned) && t.position.Earlier == nil {
		said.Becomes(said)
	}
	return said, err
}

// played is the last move, where everyone at a place sees it that wants boards to move.
func (t *telling) played() *diagram.Played {
	if !t.in.Settings.Motion || t.alone.ID != 0 || t.sight.Before == nil || t.sight.Start == nil {
		return nil
	}
	return &diagram.Played{Start: t.sight.Start.Board(), Before: t.sight.Before.Board(), Effects: t.sight.Effects}
}

// viewer is who sees what is told.
func (t *telling) viewer() Viewer { return Viewer{t.alone.ID, t.in.Settings.Turning} }

// own reports whether somebody is told, where nobody else is, of what they have done themselves.
func (t *telling) own() bool { return t.alone.ID != 0 && t.alone.ID == t.by.ID }

// offer tells of what one player asks of the other. The board shows it too, which is enough for
// whoever is to move: they have been called to it.
func (t *telling) offer(text words.Text, what match.Offered) message.Message {
	said := message.Message{Text: text, Buttons: offered(t.sight, t.alone.ID, t.by.ID, what)}
	turn := match.ToMove(&t.sight.Game)
	_, plays := t.sight.Game.SideOf(t.alone.ID)
	if t.own() || t.alone.ID == 0 && turn != t.by.ID || t.alone.ID != 0 && (turn == t.alone.ID || !plays) {
		said.Becomes(boardOf(t.sight, t.viewer()))
	}
	return said
}

// answer tells that an offer is no more. Whoever is to move alone may wait for that; for others
// it is enough that the board says so.
func (t *telling) answer(text words.Text) message.Message {
	said := message.Message{Text: text}
	if t.own() || t.alone.ID == 0 || match.ToMove(&t.sight.Game) != t.alone.ID {
		board := boardOf(t.sight, t.viewer())
		board.Text = words.Lines([]words.Text{board.Text, text})
		said.Becomes(board)
	}
	return said
}

// month is the final table of a month.
func (a *Announcer) month(ctx context.Context, t *telling) (message.Message, error) {
	ask := rating.Asked{Server: t.in.ID, Game: storage.Overall, Period: rating.Period(event.PayloadOf[event.Season](&t.Entry).Month), From: 1}
	found, err := a.Ratings.Top(ctx, ask)
	if err != nil {
		return message.Message{}, err
	}
	return topOf(ask, found, nil), nil
}
