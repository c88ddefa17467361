package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// This file makes a message of each entry of the outbox.

// notice is an entry of the outbox with everything needed to tell it.
type notice struct {
	storage.Entry
	what     event.Kind
	position event.Position // details of an event in a game
	by       storage.Person
	in       storage.Server  // where it is told; zero for none
	alone    storage.Person  // the only person who sees it; zero for none
	game     storage.Game    // zero for none, or if it cannot be read
	view     *match.GameView // of its game as it is now, or nil
	refused  *event.Refusal  // why view is nil
}

// notify is the message for an entry at a place; it has no text if the entry is outdated. The error is [outbox.ErrMore]
// if a later entry tells it, too.
func (b *Bot) notify(ctx context.Context, at storage.Place, e storage.Entry) (said message.Message, err error) {
	n := &notice{Entry: e, what: event.Kind(e.Kind), position: event.PayloadOf[event.Position](&e)}
	n.view, err = b.Games.LoadBy(ctx, match.Latest, func(r storage.Reader) (_ storage.Game, err error) {
		var err2, err3 error
		if at.Server != 0 {
			n.in, err = r.Servers().Get(at.Server)
		}
		n.alone, err2 = r.PersonNow(at.Owner)
		n.game, err3 = event.Named(r, e.Game)
		return n.game, cmp.Or(err, err2, err3)
	})
	if err != nil && !errors.As(err, &n.refused) {
		return said, err
	}
	if n.by, err = b.actor(ctx, n); err != nil {
		return said, err
	}
	if said, err = b.compose(ctx, n); err != nil {
		return said, err
	}
	if n.alone.ID != 0 && b.Pages() != "" {
		said.AddPage()
	}
	said.For(b.audience(Request{Me: n.alone, Server: n.in, Msg: message.Incoming{Public: n.alone.ID == 0}}))
	n.atSeats(said.Text, at.ID)
	if said.Instead != nil {
		n.atSeats(said.Instead.Text, at.ID)
	}
	return said, nil
}

// actor is the person who caused an entry.
func (b *Bot) actor(ctx context.Context, n *notice) (storage.Person, error) {
	if n.view != nil {
		for _, p := range n.view.People {
			if p.ID != 0 && p.ID == n.By {
				return p, nil
			}
		}
	}
	return storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Person, error) { return r.PersonNow(n.By) })
}

func (b *Bot) compose(ctx context.Context, n *notice) (message.Message, error) {
	switch n.what {
	case event.Challenged, event.Unjoined:
		return b.challenge(ctx, n)
	case event.Declined, event.Cancelled, event.Expired:
		return say(words.Say("challenge.over."+string(n.what), "player", n.by.Name, "challenge", n.Game))
	case event.Abandoned:
		players, err := b.Users.Concerned(ctx, n.Game)
		mentions := phrase.Each(players, func(p storage.Person) words.Span { return words.Mention(p.ID, p.Name) })
		return message.Message{Text: words.Say("board.abandoned", "n", len(players), "players", phrase.And(mentions), "game", words.Hash(n.Game))}, err
	case event.WentAway, event.CameBack:
		what := words.OnVacation(n.what, event.PayloadOf[event.Vacation](&n.Entry), n.by, n.own())
		if n.view != nil && !n.own() {
			what = words.Say("offer.to-opponent", "opponent", words.OpponentOf(n.view, n.by), "what", what)
		}
		return say(what)
	case event.Recovered:
		return say(words.Say("clock.recovered", "span", words.Length(time.Duration(event.PayloadOf[event.Outage](&n.Entry).Gap))))
	case event.LinkAgreed:
		return b.link(ctx, event.PayloadOf[event.Link](&n.Entry).Code)
	case event.LinkGiven:
		return say(words.Say("person.linked"))
	case event.RoomLost, event.OpponentLost:
		games := event.PayloadOf[event.Unreachable](&n.Entry).Games
		return say(words.Say(words.Either(n.what == event.RoomLost, "person.room-lost", "person.opponent-lost"), "n", len(games), "games", phrase.And(phrase.Each(games, words.Hash)), "player", n.by.Name))
	case event.Reminded:
		return b.remind(ctx, n)
	case event.Said:
		return n.talk()
	case event.MonthEnded:
		return b.month(ctx, n)
	case event.SeasonBegan, event.SeasonHalf, event.SeasonEnded, event.SeasonWaits, event.LeagueSet, event.Withdrawn:
		return b.tellLeague(ctx, n)
	case event.Climbed:
		of := event.PayloadOf[event.Rung](&n.Entry)
		return say(words.Say("ladder.climbed", "player", n.by.Name, "rung", of.Rung, "kind", b.Ratings.Called(of.Game)))
	case event.PuzzleTold, event.PuzzlesRest:
		return b.Training.Tell(ctx, n.in.ID, n.Entry)
	default:
		return b.game(ctx, n)
	}
}

func say(text words.Text, buttons ...message.Button) (message.Message, error) {
	return message.Message{Text: text, Buttons: buttons}, nil
}

// atSeats turns mentions of players who play from another place, and are told there, into plain names.
func (n *notice) atSeats(text words.Text, at storage.PlaceID) {
	if n.game.Seats == [2]storage.PlaceID{} {
		return
	}
	for i := range text {
		s := &text[i]
		if side, plays := n.game.SideOf(s.Person); s.Person != 0 && plays && n.game.Seat(side) != at {
			s.Person, s.Style = 0, words.Bold
		}
	}
}

// linkQuestion asks the maker of a code whether to become one person with whoever has agreed to it.
func linkQuestion(u user.Merge) message.Message {
	return message.Message{To: u.Into.ID, Text: words.SureToGive(u), Buttons: message.YesNo("give", 0, u.Code)}
}

// link asks the maker of a code to confirm the link, unless that was done or is no longer possible.
func (b *Bot) link(ctx context.Context, code string) (message.Message, error) {
	merge, asked, err := b.Users.AgreedLink(ctx, code)
	if no := (*event.Refusal)(nil); errors.As(err, &no) || err == nil && !asked {
		return message.Message{}, nil
	}
	return linkQuestion(merge), err
}

func (b *Bot) challenge(ctx context.Context, n *notice) (message.Message, error) {
	c, err := b.Match.ChallengeOf(ctx, n.Game)
	switch no := (*event.Refusal)(nil); {
	case errors.As(err, &no) && (n.what == event.Unjoined || event.PayloadOf[event.Challenge](&n.Entry).After != 0):
		return message.Message{}, nil // the game tells of a rematch, which both may have wanted at once
	case errors.As(err, &no):
		return say(words.Say("challenge.answered", "player", n.by.Name, "challenge", n.Game))
	case err != nil:
		return message.Message{}, err
	}
	v := b.Games.Variant(c.Variant)
	if c.To == 0 {
		text, buttons := b.open(&c, v, n.by)
		return say(text, buttons...)
	}
	name, err := b.Users.Name(ctx, c.To)
	text := words.Challenge(&c, v, n.by.Name, name)
	if c.Rated && err == nil {
		err = b.mayNotCount(ctx, &text, c.From, c.To)
	}
	text = words.Join(" ", text, words.If(c.Ladder, words.Say("ladder.at-stake", "span", words.Length(match.OpenRung))...))
	return message.Message{Text: text, Buttons: answerButtons(c.ID, n.own(), false)}, err
}

// open tells of a challenge to nobody in particular.
func (b *Bot) open(c *storage.Challenge, v *rules.Variant, by storage.Person) (text words.Text, buttons []message.Button) {
	text, buttons = words.Challenge(c, v, by.Name, ""), answerButtons(c.ID, true, false)
	switch address := b.Address(c.Code, ""); {
	case by.Home == c.Place || slices.Contains(by.Chats, c.Place): // nobody else sees it there
		if c.Code != "" {
			text = words.Join("\n", text, words.Say("challenge.hand-on", "code", c.Code), words.AsLink(address))
		}
	case c.Waits:
		return text, answerButtons(c.ID, false, false)
	default:
		if c.Code != "" && address != "" {
			text = words.Of(text, "\n", words.Say("challenge.elsewhere", "address", words.Address(address), "code", c.Code))
		}
		buttons = append([]message.Button{message.NewButton(words.Label("join"), "join", c.ID, message.None)}, buttons...)
	}
	buttons = append(buttons, words.If(c.Lonely, message.NewButton(words.Label("play-me"), "instead", c.ID, message.None))...)
	return text, buttons
}

// mayNotCount adds to a text that two people have played enough rated games today, if they have.
func (b *Bot) mayNotCount(ctx context.Context, text *words.Text, one, other storage.PersonID) error {
	enough, err := b.Ratings.Enough(ctx, one, other)
	if enough {
		*text = append(*text, words.Of(" ", words.Say("challenge.enough-today", "games", rating.MaxPairs))...)
	}
	return err
}

// game tells of an event in a game: with a board if it changed the game and nothing has since, otherwise with a line.
func (b *Bot) game(ctx context.Context, n *notice) (_ message.Message, err error) {
	if n.view == nil {
		return say(words.Refusal(n.refused)) // such as that its kind is no longer played
	}
	if g := &n.view.Game; g.Season != 0 && g.Part == 1 && g.Over() {
		b.Thinker.Prepare(g.ID) // the season's end may tell of it
	}
	current := n.view.Ply == n.Ply && !n.view.Game.Over()
	switch n.what {
	case event.DrawOffered:
		return n.offer(match.ADraw), nil
	case event.TakebackAsked:
		return n.offer(match.ATakeback), nil
	case event.GameAnnulled:
		return say(words.GameAnnulled(n.view))
	case event.TimeAdded:
		return say(words.Say("clock.time-added", "player", n.by.Name, "opponent", words.OpponentOf(n.view, n.by), "days", event.PayloadOf[event.Time](&n.Entry).Days, "game", words.Hash(n.Game)))
	case event.TimeUp:
		if !current {
			return message.Message{}, nil // the move was made meanwhile
		}
		return say(words.TimeUp(n.view), message.NewButton(words.Label("claim"), "claim", n.Game, strconv.Itoa(n.Ply)))
	case event.Ended:
		said := boardOf(n.view, n.viewer())
		said.Buttons = slices.Insert(said.Buttons, 1, levelButtons(&n.view.Game)...)
		said.Text = words.Ending(n.view, n.alone.ID, n.position.Earlier)
		if said.Text, err = b.withBanter(said.Text, n.view); err != nil {
			return said, err
		}
		if n.view.Now.Outcome().Over() { // by a move
			said.Played = n.played()
		}
		if n.own() {
			said.Becomes(said)
		}
		return said, nil
	case event.Began, event.Moved, event.TookBack:
		if !current {
			return b.overtaken(ctx, n)
		}
		return b.board(ctx, n)
	default:
		return n.answer(words.Say("offer.over-"+words.Kebab(string(n.what)), "player", n.by.Name, "game", n.Game)), nil
	}
}

// remind tells a player of the games that still wait for their move.
func (b *Bot) remind(ctx context.Context, n *notice) (said message.Message, err error) {
	turns, seen := event.Reminders(n.Entry), map[storage.GameID]bool{} // the same turn may have been due several times
	several := len(turns) > 1
	for _, e := range turns {
		view, err := b.Games.Load(ctx, e.Game, match.Latest)
		switch {
		case match.Unfit(err): // such as that its kind is no longer played
		case err != nil:
			return said, err
		case view.Ply == e.Ply && !view.Game.Over() && !seen[e.Game]:
			seen[e.Game], said.Text = true, words.Join("\n", said.Text, words.Reminder(view, several))
			label := words.Either(several, phrase.As(words.Hash(e.Game)), words.Label("move"))
			said.Buttons = append(said.Buttons, message.MoveButton(label, e.Game, e.Ply))
		}
	}
	if several && len(seen) > 0 {
		said.Text = words.Join("\n", words.Say("clock.reminders", "player", words.Mention(n.alone.ID, n.alone.Name), "n", len(seen)), said.Text)
	}
	return said, nil
}

// withBanter adds to a text what the computer's character says, unless its opponent wants it silent.
func (b *Bot) withBanter(text words.Text, s *match.GameView) (words.Text, error) {
	side, _ := s.Game.Computer()
	if s.Game.Face == "" || s.People[1-side].Settings.Silent {
		return text, nil
	}
	line, err := b.Games.Replay(&s.Game)
	if err != nil {
		return text, err
	}
	what, one := computer.Occasion(&s.Game, line)
	if what == "" {
		return text, nil
	}
	return words.Of(text, "\n", words.Say("computer.says", "player", s.Names[side], "said", words.Book().Say("banter."+s.Game.Face+"."+what, "n", one))), nil
}

// overtaken tells an event after which the game has changed; [outbox.ErrMore] if a later entry tells it, too.
func (b *Bot) overtaken(ctx context.Context, n *notice) (said message.Message, err error) {
	said.Text = words.Overtaken(n.what, n.Game, n.position, n.by)
	return said, b.Store.View(ctx, func(r storage.Reader) error {
		for next, err := range r.Waiting(n.Queue()) {
			switch {
			case err != nil:
				return err
			case next.ID <= n.ID:
				continue
			case joins(n.Entry, next):
				return outbox.ErrMore
			}
			break
		}
		return nil
	})
}

// board shows a game in progress after an event that changed it. It leaves out what was offered since, which has an
// entry of its own.
func (b *Bot) board(ctx context.Context, n *notice) (said message.Message, err error) {
	then := *n.view
	then.Game.Takeback = nil
	if !n.position.Draw {
		then.Game.Draw = nil
	}
	said = boardOf(&then, n.viewer())
	g, began, moved, planned := &n.view.Game, n.what == event.Began, n.what == event.Moved, bool(n.position.Planned)
	_, level := g.Computer()
	opponent := words.Book().Say("computer.players", "level", max(level, 0))
	said.Text = words.Join("\n", words.If(n.what == event.TookBack, words.Say("board.took-back", "n", n.position.Plies)...),
		words.WithEarlier(n.view, said.Text, n.position.Earlier))
	said.Text = words.Join(" ", said.Text, words.If(planned, words.Say("board.as-planned", "player", n.by.Name)...),
		words.If(began && level != 0, words.Say("computer.strength", "level", max(level, 0), "player", opponent)...))
	if moved {
		said.Played = n.played()
	}
	if n.what != event.TookBack {
		if said.Text, err = b.withBanter(said.Text, n.view); err != nil {
			return said, err
		}
	}
	said.Text = words.Join(" ", said.Text, words.If(began && bool(n.position.Usual), words.Say("computer.usual")...),
		words.If(began && g.Season != 0, words.Say("league.of-league", "division", g.Part)...),
		words.If(began && g.Ladder != 0, words.Say("ladder.of-ladder", "player", n.view.Names[g.Climbs])...))
	if began {
		if err = b.introduce(ctx, n, &said.Text); err == nil && g.Season == 0 && g.Rated {
			err = b.mayNotCount(ctx, &said.Text, g.Players[0], g.Players[1])
		}
	}
	if moved && n.own() && match.ToMove(g) != n.alone.ID && !planned && n.position.Earlier == nil {
		said.Becomes(said)
	}
	return said, err
}

// introduce adds what is special about a kind of game if one of those told has never finished a game.
func (b *Bot) introduce(ctx context.Context, n *notice, text *words.Text) error {
	g, v := &n.view.Game, n.view.Variant
	return b.Store.View(ctx, func(r storage.Reader) error {
		for side, p := range g.Players {
			if g.Levels[side] != 0 || v.Key == "chess" || n.alone.ID != 0 && n.alone.ID != p {
				continue
			}
			if played, err := r.Played(p); err != nil || len(played) == 0 {
				*text = words.Join("\n", *text, words.Say("board.introduced", "variant", v.Title(), "about", v.About, "key", v.Key))
				return err
			}
		}
		return nil
	})
}

// played is the last move for a moving picture; nil unless the server wants these and everybody there sees it.
func (n *notice) played() *diagram.Played {
	if !n.in.Settings.Motion || n.alone.ID != 0 || n.view.Before == nil || n.view.Start == nil {
		return nil
	}
	before := n.view.Taken[:max(0, len(n.view.Taken)-len(rules.Taken(n.view.Effects)))]
	return &diagram.Played{Start: n.view.Start.Board(), Taken: before, Before: n.view.Before.Board(), Effects: n.view.Effects}
}

// viewer is who sees the message.
func (n *notice) viewer() onlooker { return onlooker{n.alone.ID, n.in.Settings.Turning} }

// own reports whether somebody is told, alone, what they have done themselves.
func (n *notice) own() bool { return n.alone.ID != 0 && n.alone.ID == n.by.ID }

// offer tells of an offer. For people told alone who need not answer, it becomes the board, which shows the offer, too.
func (n *notice) offer(what match.Offered) message.Message {
	said := message.Message{Text: words.Offer(n.view, what, n.by), Buttons: offered(n.view, n.alone.ID, n.by.ID, what)}
	if _, plays := n.view.Game.SideOf(n.alone.ID); n.alone.ID != 0 && (n.own() || !plays) {
		said.Becomes(boardOf(n.view, n.viewer()))
	}
	return said
}

// answer tells that an offer is closed. It becomes the board, unless it tells the player to move, alone, of what
// somebody else did: they may have waited for it.
func (n *notice) answer(text words.Text) message.Message {
	said := message.Message{Text: text}
	if n.own() || n.alone.ID == 0 || match.ToMove(&n.view.Game) != n.alone.ID {
		board := boardOf(n.view, n.viewer())
		board.Text = words.Lines([]words.Text{board.Text, text})
		said.Becomes(board)
	}
	return said
}

// month is the final leaderboard of a month.
func (b *Bot) month(ctx context.Context, n *notice) (message.Message, error) {
	ask := rating.Asked{Server: n.in.ID, Game: storage.Overall, Period: rating.Period(event.PayloadOf[event.Season](&n.Entry).Month), From: 1}
	found, err := b.Ratings.Top(ctx, ask)
	if err != nil {
		return message.Message{}, err
	}
	return topOf(ask, found, nil), nil
}

// Outlet sends messages on one platform. It is safe for concurrent use.
type Outlet interface {
	// Send sends an entry that has become a message, as described at [outbox.Sender].
	Send(ctx context.Context, d Delivery) (outbox.Receipt, error)

	// Limits is as described at [outbox.Sender].
	Limits(at storage.Address) []outbox.Limit
}

// pages leads to people who have no private chat. Pages show games as they are, and so do commands where no pages are
// served: nothing has to be said there.
type pages struct{}

// Send implements [outbox.Sender].
func (pages) Send(context.Context, storage.Place, storage.Entry, func()) (outbox.Receipt, error) {
	return nil, nil
}

// Limits implements [outbox.Sender].
func (pages) Limits(storage.Address) []outbox.Limit { return nil }

// NewOutbox makes the outbox of a bot. now is the wall clock; outlets are by platform.
func NewOutbox(b *Bot, now func() time.Time, log *slog.Logger, outlets map[string]Outlet) *outbox.Outbox {
	senders := map[string]outbox.Sender{user.Pages: pages{}}
	for platform, o := range outlets {
		senders[platform] = sender{o, b, now}
	}
	return outbox.New(b.Store, subject{Service: b.Match, Users: b.Users}, now, log, senders)
}

// sender makes messages of entries and sends them.
type sender struct {
	Outlet
	bot *Bot
	now func() time.Time
}

// Send implements [outbox.Sender].
func (s sender) Send(ctx context.Context, at storage.Place, e storage.Entry, courtesy func()) (outbox.Receipt, error) {
	if alone := event.Reminders(e); len(alone) == 1 {
		e = alone[0]
	}
	n, err := s.message(ctx, at, e)
	switch {
	case storage.Missing(err):
		return nil, errors.Join(outbox.ErrUnfit, err)
	case err != nil:
		return nil, err
	case len(n.Text) == 0:
		return nil, outbox.ErrNothing
	}
	courtesy()
	receipt, err := s.Outlet.Send(ctx, Delivery{Place: at, Entry: e, Note: n})
	if err == nil {
		s.bot.Metrics.Announcement(at.Address.Platform, n.Board != nil, s.now().Sub(e.At))
	}
	return receipt, err
}

func (s sender) message(ctx context.Context, at storage.Place, e storage.Entry) (n message.Message, err error) {
	defer func() {
		if p := recover(); p != nil { // others are still told
			err = fmt.Errorf("%w: panic: %v", outbox.ErrUnfit, p)
		}
	}()
	return s.bot.notify(ctx, at, e)
}

// Delivery is a message on its way to a place.
type Delivery struct {
	Place storage.Place
	Entry storage.Entry // what the message tells; its number stays the same when it is sent again
	Note  message.Message
}

// Challenges reports whether a delivery tells of a challenge, for which a thread can be opened.
func (d *Delivery) Challenges() bool { return event.Kind(d.Entry.Kind) == event.Challenged }

// Renews reports whether a delivery only changes the buttons of the message that told of a challenge.
func (d *Delivery) Renews() bool { return event.Kind(d.Entry.Kind) == event.Unjoined }

// Begins reports whether a delivery tells of the beginning of a game.
func (d *Delivery) Begins() bool { return event.Kind(d.Entry.Kind) == event.Began }

// Ends reports whether a delivery tells of the end of a game.
func (d *Delivery) Ends() bool { return event.Kind(d.Entry.Kind) == event.Ended }

// Reminds reports whether a delivery reminds somebody that a game waits for them.
func (d *Delivery) Reminds() bool { return event.Kind(d.Entry.Kind) == event.Reminded }

// Talks reports whether a delivery passes on what a player says to their opponent.
func (d *Delivery) Talks() bool { return event.Kind(d.Entry.Kind) == event.Said }

// After is the game of which a challenge is a rematch, 0 for none.
func (d *Delivery) After() storage.GameID { return event.PayloadOf[event.Challenge](&d.Entry).After }

// Outcome is what became of the challenge that a delivery is about: accepted, declined, withdrawn or
// expired; "" if none.
func (d *Delivery) Outcome() string {
	return map[event.Kind]string{
		event.Began: "accepted", event.Declined: "declined", event.Cancelled: "withdrawn", event.Expired: "expired",
	}[event.Kind(d.Entry.Kind)]
}

// OfferOutcome is what became of the draw or takeback that was asked for in a delivery's game, as the delivery tells
// it: "agreed", "declined" or "withdrawn", "kept" if its board still asks for it, or "over" as something else happened.
func (d *Delivery) OfferOutcome(asked string) string {
	position := event.PayloadOf[event.Position](&d.Entry)
	if position.Draw && asked == string(event.DrawOffered) {
		return "kept"
	}
	return cmp.Or(map[event.Kind]string{
		event.DrawDeclined: "declined", event.DrawCancelled: "withdrawn", event.TakebackDeclined: "declined", event.TakebackCancelled: "withdrawn",
		event.TookBack: "agreed",
	}[event.Kind(d.Entry.Kind)], words.Either(bool(position.Agreed), "agreed", "over"))
}

// Asks is what a delivery asks somebody to answer: a challenge, a draw or a takeback; "" for nothing.
func (d *Delivery) Asks() string {
	if what := event.Kind(d.Entry.Kind); !slices.Contains([]event.Kind{event.Challenged, event.DrawOffered, event.TakebackAsked}, what) {
		return ""
	}
	return d.Entry.Kind
}

// Answers reports whether a delivery settles what an earlier one has asked, by the kind that Asks gives.
func (d *Delivery) Answers(asked string) bool {
	only, one := map[event.Kind]event.Kind{
		event.DrawDeclined: event.DrawOffered, event.DrawCancelled: event.DrawOffered,
		event.TakebackDeclined: event.TakebackAsked, event.TakebackCancelled: event.TakebackAsked,
	}[event.Kind(d.Entry.Kind)]
	return one && asked == string(only) || !one && d.AnswersOffers()
}

// KnownAt reports whether nobody needs a notification of a delivery at its place: many people see it, or the only one
// who does has caused it.
func (d *Delivery) KnownAt() bool { return d.Place.Owner == 0 || d.Place.Owner == d.Entry.By }

// AnswersOffers reports whether a delivery settles what was offered in its game before.
func (d *Delivery) AnswersOffers() bool {
	return !slices.Contains([]event.Kind{
		event.Unjoined, event.Reminded, event.TimeUp, event.TimeAdded, event.WentAway, event.CameBack, event.Recovered, event.MonthEnded,
		event.SeasonBegan, event.SeasonHalf, event.SeasonEnded, event.SeasonWaits, event.LeagueSet, event.Withdrawn, event.Climbed, event.PuzzleTold, event.PuzzlesRest,
		event.Said,
	}, event.Kind(d.Entry.Kind))
}

// subject tells the outbox what it has to know of entries. It implements [outbox.Subject].
type subject struct {
	*match.Service
	*user.Users
}

// Calls implements [outbox.Subject].
func (subject) Calls(e *storage.Entry) bool {
	return slices.Contains([]event.Kind{
		event.Began, event.Moved, event.TookBack, event.Reminded, event.TimeUp, event.Challenged, event.DrawOffered, event.TakebackAsked,
	}, event.Kind(e.Kind))
}

// Keeps implements [outbox.Subject]: what players write to each other is kept only until it is delivered.
func (subject) Keeps(e *storage.Entry) bool { return event.Kind(e.Kind) != event.Said }

// Join implements [outbox.Subject]: the next board of a game, or its end, also tells the move before it, with all that
// tells. A game that begins with moves is still told as one that begins. Reminders in a private chat are told together.
func (subject) Join(first, next storage.Entry) (storage.Entry, bool) {
	if told, more := event.PayloadOf[event.Reminder](&first).Turns, event.PayloadOf[event.Reminder](&next).Turns; told != "" && more != "" {
		const most = 20 // in one message, with a button each
		event.AddPayload(&next, event.Reminder{Turns: told + more})
		return next, strings.Count(told, ":") < most
	}
	if !joins(first, next) {
		return next, false
	}
	before, position := event.PayloadOf[event.Position](&first), event.PayloadOf[event.Position](&next)
	if before.Move != "" {
		position.Earlier = append(before.Earlier, event.Move{Ply: first.Ply, Move: before.Move})
	}
	position.Usual = position.Usual || before.Usual
	event.AddPayload(&next, position)
	if event.Kind(first.Kind) == event.Began {
		next.Kind = first.Kind
	}
	return next, true
}

// joins reports whether the next entry in a queue tells the first one, too.
func joins(first, next storage.Entry) bool {
	before, after := event.Kind(first.Kind), event.Kind(next.Kind)
	return after == event.Moved && (before == event.Began || before == event.Moved) || after == event.Ended && before == event.Moved
}

// Mood is how somebody feels about a game.
type Mood string

// The moods of a player. Any other is "".
const (
	Won    Mood = "won"
	Drew   Mood = "drew"
	Struck Mood = "struck" // their last move captured a queen or merged pieces
)

// Mood is that of a player, as the game is now; "" also if it cannot be read.
func (b *Bot) Mood(ctx context.Context, game storage.GameID, player storage.PersonID) Mood {
	view, err := b.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return ""
	}
	side, plays := view.Game.SideOf(player)
	winner, won := words.Winner(view)
	strikes := func(e rules.Effect) bool {
		kills := e.Kind == rules.Captured || e.Kind == rules.Shot || e.Kind == rules.Annihilated
		return e.Kind == rules.Merged || kills && strings.Contains(view.Variant.Table.Code(e.Piece), "Q")
	}
	switch {
	case !plays:
	case won && winner == rules.Color(side):
		return Won
	case view.Game.Result == rules.Drawn.String():
		return Drew
	case !view.Game.Over() && view.Now.Position.Turn() != rules.Color(side) && slices.ContainsFunc(view.Effects, strikes):
		return Struck
	}
	return ""
}

// Posted is the board of a delivery's game for the chat in which the game was offered. as changes whenever the board
// does; it is "" if another delivery tells the game's current state.
func (b *Bot) Posted(ctx context.Context, d *Delivery) (said message.Message, as string, err error) {
	view, err := b.Games.Load(ctx, d.Entry.Game, match.Latest)
	if err != nil || view.Ply != d.Entry.Ply || view.Game.Over() != d.Ends() {
		return said, "", err
	}
	said = boardOf(view, onlooker{})
	said.Buttons = nil
	said.For(message.Audience{Language: d.Note.Language, Pictures: b.Pictures})
	return said, fmt.Sprint(view.Ply, d.Ends()), nil
}

// Watch makes a person's chat follow a game that its players have shown them, and shows its board. An error was logged,
// and the replies say so.
func (b *Bot) Watch(ctx context.Context, m message.Incoming, game storage.GameID) ([]message.Message, error) {
	r, _ := b.Asker(ctx, m)
	view, err := b.Games.Load(ctx, game, match.Latest)
	if err == nil {
		by := r.by()
		by.Person = view.Game.Players[0]
		_, err = b.Match.Follow(ctx, by, game, true)
	}
	if err != nil {
		said, err := b.finish(ctx, r, true, nil, err)
		return replies(said), err
	}
	m.ID, m.Text = m.ID+" board", fmt.Sprint("board #", uint64(game))
	return b.Handle(ctx, m)
}
