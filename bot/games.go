package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// inMatch makes a handler that does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, event.By, storage.GameID, T) (event.Done, error), how T) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id, err := b.meant(ctx, r, anyGame)
		if err != nil {
			return nil, b.orOver(ctx, r, err)
		}
		return r.done(do(b.Match, ctx, r.by(), id, how))
	}
}

// askResign asks whether a player gives up; pressing the button twice does not confirm it.
func askResign(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.done(b.Match.AskResign(ctx, r.by(), r.Game))
}

// toChallenge makes a handler of a button that answers a challenge.
func toChallenge(how match.Answer) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.done(b.Match.AnswerChallenge(ctx, r.by(), r.Game, how))
	}
}

// follow has each move of a game told at the place of the request, or stops that.
func follow(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, wanted := cmp.Or(r.Game, r.Msg.ReplyTo), r.Name == "follow"
	if id == 0 {
		return r.answer(words.Say("games.follow-what", "command", r.Name)), nil
	}
	_, err := b.Match.Follow(ctx, r.by(), id, wanted)
	return r.answer(words.Say(words.Either(wanted, "games.followed", "games.unfollowed"), "game", words.Hash(id))), err
}

func addTime(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	days, ok := readDays(r.Said["days"])
	if !ok {
		days = usualDays
	}
	return inMatch((*match.Service).AddTime, days)(ctx, b, r)
}

func claim(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, b.orOver(ctx, r, err)
	}
	return r.done(b.Match.Claim(ctx, r.by(), id))
}

// usualDays is how many days addtime gives if no number is given.
const usualDays = 1

// plan stores, shows or clears conditional moves. They are private.
func plan(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.Me.ID })
	if err != nil {
		return nil, b.orOver(ctx, r, err)
	}
	switch {
	case r.Text == "":
	case strings.EqualFold(r.Text, "clear"):
		_, err := b.Match.ClearPlan(ctx, r.by(), id)
		return r.answer(words.Say("clock.plan-cleared", "game", words.Hash(id))), err
	default:
		if _, err := b.Match.Plan(ctx, r.by(), id, r.Text); err != nil {
			return nil, err
		}
	}
	if r.View, err = b.Games.Load(ctx, id, match.Latest); err != nil {
		return nil, err
	}
	side, _ := r.View.Game.SideOf(r.Me.ID)
	lines := phrase.Each(r.View.Game.Plans[side], func(line storage.Line) []string {
		moves, _ := r.View.Now.Position.ParseLine(line) // as far as they are legal
		return r.View.Now.Position.Line(moves)
	})
	return r.answer(words.Plan(id, lines, r.Msg.Public && r.Text != "")), r.may(players)
}

// vacation begins or ends a vacation, and tells how it stands: very briefly if everybody there hears
// of the change and sees the answer.
func vacation(ctx context.Context, b *Bot, r Request) (_ *message.Message, err error) {
	if days, ok := readDays(r.Said["days"]); ok && days > 0 {
		_, err = b.Match.GoAway(ctx, r.by(), days)
	} else if r.Me.Away() && r.Me.Vacation.Auto && r.Said["days"] != "" {
		return &message.Message{To: r.Me.ID, Text: words.Say("clock.off-sure"), Buttons: message.YesNo("vacation", 0)}, nil
	} else if r.Said["days"] != "" {
		_, err = b.Match.ComeBack(ctx, r.by())
	}
	if err != nil {
		return nil, err
	}
	left, p, err := b.Match.VacationLeft(ctx, r.Me.ID)
	games, err2 := b.playing(ctx, r)
	var running []storage.GameID
	heard := false
	for i := range games {
		if g := &games[i]; g.Season != 0 {
			running = append(running, g.ID)
		} else {
			heard = heard || !g.Pace.Unlimited() && slices.Contains(g.Places(), r.Here.ID)
		}
	}
	said := r.answer(words.Say(words.Either(p.Away(), "clock.away", "clock.here"), "until", words.Span{Moment: p.Vacation.Until}, "left", left > 0, "over", r.Me.Away(),
		"span", words.Length(left), "n", len(running), "games", phrase.Commas(phrase.Each(running, words.Hash))))
	said.Ack = heard && r.Said["days"] != "" && r.Msg.Public && len(running) == 0
	return said, cmp.Or(err, err2)
}

// endVacation ends a vacation that began automatically.
func endVacation(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if _, err := b.Match.ComeBack(ctx, r.by()); err != nil {
		return nil, err
	}
	r.Said = nil
	return vacation(ctx, b, r)
}

// canMove reports whether a move is legal in a game.
func canMove(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err == nil {
		_, err = now.Position.Parse(r.Text)
	}
	return err == nil
}

// canClaim reports whether there is something to claim in a game.
func canClaim(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, ok := match.Claimable(g, now, r.Me.ID)
	return ok
}

func canSeeMoves(_ *Bot, r Request, g *storage.Game) bool { return match.ToMove(g) == r.Me.ID }

// canAgree reports whether the other player has made the same offer in a game.
func canAgree(what match.Offered) func(*Bot, Request, *storage.Game) bool {
	return func(_ *Bot, r Request, g *storage.Game) bool {
		open := *what.In(g)
		return open != nil && open.By != r.Me.ID
	}
}

// listGames lists the games and challenges of a person.
func listGames(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	whose, err := b.whose(ctx, r)
	if err != nil {
		return nil, err
	}
	list, err := gamesOf(ctx, b, r, whose, limit.Listed)
	if err != nil {
		return nil, err
	}
	said := r.answer(words.Games(list))
	if whose.ID == r.Me.ID {
		said.Buttons = append(moveButtons(list.Playing, r.Language()), challengeButtons(list)...)
		drawn, err := visible(ctx, b, r, list.Playing)
		if err != nil {
			return nil, err
		}
		drawn, diagrams := boards(ctx, b, drawn, whose.ID)
		said.Chart = words.GamesChart(drawn, list.All, diagrams, r.Location())
	}
	return said, nil
}

// visible are those of the asker's games whose boards may be shown with the answer: all if nobody else
// sees it, else those that everybody at the place may see.
func visible(ctx context.Context, b *Bot, r Request, games []match.Item) ([]match.Item, error) {
	if r.alone() != 0 {
		return games, nil
	}
	return storage.Read(ctx, b.Store, func(from storage.Reader) (seen []match.Item, err error) {
		allowed, err := event.NewPermissions(from, event.By{Place: r.Here.ID})
		if err != nil {
			return nil, err
		}
		seen = slices.DeleteFunc(slices.Clone(games), func(it match.Item) bool {
			sees, err2 := allowed.Sees(&it.Game)
			err = errors.Join(err, err2)
			return !sees
		})
		return seen, err
	})
}

// boards are the boards of somebody's first games in progress, from their side: as many as fit on a
// sheet, and none after one that cannot be read.
func boards(ctx context.Context, b *Bot, games []match.Item, whose storage.PersonID) (drawn []match.Item, all []diagram.Diagram) {
	for i := range games[:min(len(games), limit.Sheet)] {
		view, err := b.Games.LoadBy(ctx, match.Latest, func(storage.Reader) (storage.Game, error) { return games[i].Game, nil })
		if err != nil {
			break
		}
		side, _ := view.Game.SideOf(whose)
		all = append(all, diagram.Of(view.Now.Position, view.Effects, rules.Color(side)))
	}
	return games[:len(all)], all
}

// moveButtons let a move be picked in the games that wait for the asker, the most urgent first.
func moveButtons(games []match.Item, l phrase.Language) (buttons []message.Button) {
	const most = 5
	waiting := slices.DeleteFunc(slices.Clone(games), func(it match.Item) bool { return !it.Mine })
	for i, it := range games {
		if !it.Mine || len(buttons) == most {
			continue
		}
		label := words.Either(len(waiting) > 1, numbered(it.Game.ID, it.Variant, l), words.Label("move"))
		buttons = append(buttons, message.MoveButton(label, it.Game.ID, len(it.Game.Moves)).Beside(i+1))
	}
	return buttons
}

// challengeButtons answer the challenges to the asker, and withdraw their own.
func challengeButtons(list *words.GameList) (buttons []message.Button) {
	const most = 4
	all := slices.Concat(list.Pending, list.Made)
	for i, c := range all[:min(len(all), most)] {
		buttons = append(buttons, answerButtons(c.ID, i >= len(list.Pending), len(all) > 1)...)
	}
	return buttons
}

// answerButtons answer a challenge, or withdraw it if it is the asker's own. They name it where there
// are several.
func answerButtons(id storage.GameID, own, several bool) (buttons []message.Button) {
	add := func(label phrase.Phrase, verb string) {
		if several {
			label = words.Book().Say("games.challenge-button", "label", label, "challenge", id)
		}
		buttons = append(buttons, message.NewButton(label, verb, id, message.None))
	}
	if own {
		add(words.Label("cancel"), "call-off")
		return buttons
	}
	add(words.Label("accept"), "join")
	add(words.Label("decline"), "turn-down")
	return buttons
}

// gamesOf is what a person has going on as the asker may see it, with at most some number of games in
// progress, and the last games that they have played.
func gamesOf(ctx context.Context, b *Bot, r Request, p storage.Person, most int) (*words.GameList, error) {
	made, pending, err := b.Match.Challenges(ctx, r.by(), p.ID)
	list, err2 := b.challengesFor(ctx, r, slices.Concat(made, pending))
	list.Whose, list.Made, list.Pending = p, made, pending
	var err3, err4 error
	list.Playing, list.All, err3 = b.Games.Agenda(ctx, r.by(), p.ID, most, nil)
	list.Ended, err4 = b.lastEnded(ctx, r, p.ID)
	return list, cmp.Or(err, err2, err3, err4)
}

// challengesFor is a list of challenges for the asker, with the names of the people in them.
func (b *Bot) challengesFor(ctx context.Context, r Request, challenges []storage.Challenge) (list *words.GameList, err error) {
	list = &words.GameList{Whose: r.Me, Me: r.Me.ID, Variant: b.Games.Variant, Names: map[storage.PersonID]string{}}
	for _, c := range challenges {
		for _, who := range []storage.PersonID{c.From, c.To} {
			if who != 0 && err == nil {
				list.Names[who], err = b.Users.Name(ctx, who)
			}
		}
	}
	return list, err
}

// lastEnded are the last games that a person has played to their end, the newest first, as the asker may see them.
func (b *Bot) lastEnded(ctx context.Context, r Request, p storage.PersonID) (all []*match.GameView, err error) {
	played, err := storage.Read(ctx, b.Store, func(s storage.Reader) ([]storage.GameID, error) { return s.Played(p) })
	for _, id := range slices.Backward(played[max(0, len(played)-limit.Searched):]) {
		if err != nil || len(all) == limit.ListedEnded {
			break
		}
		var view *match.GameView
		view, err = b.Games.LoadFor(ctx, r.by(), id, match.Latest)
		if no := (*event.Refusal)(nil); errors.As(err, &no) {
			err = nil // its kind is no longer played
			continue
		}
		all = append(all, view)
	}
	return all, err
}

// showNext shows the board of a person's most urgent game.
func showNext(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	whose, err := b.whose(ctx, r)
	if err != nil {
		return nil, err
	}
	agenda, all, err := b.Games.Agenda(ctx, r.by(), whose.ID, 1, nil)
	switch {
	case err != nil:
		return nil, err
	case whose.ID != r.Me.ID && (all == 0 || !agenda[0].Mine):
		return r.answer(words.Say("games.nothing-waits-for", "player", whose.Name)), nil
	case all == 0:
		return nil, errNoGame
	case !agenda[0].Mine:
		return r.answer(words.Say("games.nothing-waits", "n", all)), nil
	}
	view, err := b.Games.Load(ctx, agenda[0].Game.ID, match.Latest)
	if err != nil {
		return nil, err
	}
	return new(boardOf(view, viewer(r))), nil
}

// Agenda is what somebody has going on, in their language.
type Agenda struct {
	Mine, Theirs []AgendaLine // games in progress in which it is their turn, and in which it is not, by urgency
	Offers       []AgendaLine // challenges by them and to them, and what is offered in games
}

// AgendaLine is one line of an Agenda.
type AgendaLine struct {
	Game     storage.GameID
	Begun    bool        // it is a game, and no challenge
	Revision uint64      // of a game: what its board shows depends on that
	Item     *match.Item // of a game in progress
	Move     int         // of such: the number of the one that is due
	TimeLeft string      // of such, in words; "" without a limit
	Text     words.Text
	Buttons  []message.Button
}

// Agenda is that of the author of a message.
func (b *Bot) Agenda(ctx context.Context, m message.Incoming) (*Agenda, error) {
	r, _ := b.Asker(ctx, m)
	list, err := gamesOf(ctx, b, r, r.Me, limit.Games)
	if err != nil {
		return nil, err
	}
	a := &Agenda{}
	for i := range list.Playing {
		it := &list.Playing[i]
		line := b.gameLine(r, &it.Game, list.Game(it), nil)
		line.Item, line.Move = it, len(it.Game.Moves)/2+1
		if !it.Game.Pace.Unlimited() && it.Away.IsZero() {
			line.TimeLeft = words.Length(it.Left).Text(r.Language())
		}
		if it.Mine {
			a.Mine = append(a.Mine, line)
		} else {
			a.Theirs = append(a.Theirs, line)
		}
	}
	a.Offers, err = b.offers(ctx, r, list)
	return a, err
}

// line is about a game or a challenge, in the asker's language.
func (b *Bot) line(r Request, id storage.GameID, text words.Text, buttons []message.Button) AgendaLine {
	said := message.Message{Text: text, Buttons: buttons}
	said.For(b.audience(r))
	return AgendaLine{Game: id, Text: said.Text, Buttons: said.Buttons}
}

func (b *Bot) gameLine(r Request, g *storage.Game, text words.Text, buttons []message.Button) AgendaLine {
	line := b.line(r, g.ID, text, buttons)
	line.Begun, line.Revision = true, g.Revision
	return line
}

// offers are what waits for an answer.
func (b *Bot) offers(ctx context.Context, r Request, list *words.GameList) (lines []AgendaLine, err error) {
	several := len(list.Pending)+len(list.Made) > 1
	for i, c := range slices.Concat(list.Pending, list.Made) {
		lines = append(lines, b.line(r, c.ID, list.Challenge(c), answerButtons(c.ID, i >= len(list.Pending), several)))
	}
	for i := range list.Playing {
		g := &list.Playing[i].Game
		if g.Draw == nil && g.Takeback == nil {
			continue
		}
		view, err := b.Games.LoadFor(ctx, r.by(), g.ID, match.Latest)
		if err != nil {
			return nil, err
		}
		lines = append(lines, b.gameLine(r, g, words.Offered(view), offerButtons(view, r.Me.ID)))
	}
	return lines, nil
}

// Thumbnail is the board of a game as the author of a message sees it now. It refuses games that they
// may not see.
func (b *Bot) Thumbnail(ctx context.Context, m message.Incoming, id storage.GameID) (*message.Message, error) {
	r, _ := b.Asker(ctx, m)
	view, err := b.Games.LoadFor(ctx, r.by(), id, match.Latest)
	if err != nil {
		return nil, err
	}
	said := boardOf(view, onlooker{Alone: r.Me.ID})
	said.View, said.Board.Legend = nil, nil // there is no room for them
	said.For(b.audience(r))
	return &said, nil
}

// GameLine is a game in short, in a language.
type GameLine struct {
	ID       storage.GameID
	Revision uint64
	Kind     string
	Names    [2]string // of White and Black
	Result   string    // "*" while it is running
	How      string    // it has ended
	Side     int       // the side that the person who sees it plays, -1 for none
	Moves    int       // full ones
	Day      string    // of the last change
}

// Outcome is how the game has ended for the person who sees it: "won", "lost" or "drawn"; "" if it is
// in progress, or not theirs.
func (g GameLine) Outcome() string {
	if g.Side < 0 {
		return ""
	}
	side := rules.Color(g.Side)
	return map[string]string{rules.WinFor(side).String(): "won", rules.WinFor(side.Other()).String(): "lost", rules.Drawn.String(): "drawn"}[g.Result]
}

// lineOf is a game in short, if it is among those that may be seen.
func (b *Bot) lineOf(read storage.Reader, allowed *event.Permissions, r Request, g *storage.Game) (line GameLine, sees bool, err error) {
	if sees, err = allowed.Sees(g); !sees || err != nil {
		return line, false, err
	}
	line = GameLine{ID: g.ID, Revision: g.Revision, Kind: b.Ratings.Called(g.Variant).Text(r.Language()), Result: g.Result, How: words.ResultWords(g).Text(r.Language()), Side: -1, Moves: (len(g.Moves) + 1) / 2, Day: chart.Date(g.Changed.In(r.Location())).Text(r.Language())}
	if side, plays := g.SideOf(r.Me.ID); plays && g.Called == [2]string{} { // otherwise others have played at their screen
		line.Side = side
	}
	for side, p := range g.Players {
		name, err2 := read.NameOf(p)
		line.Names[side], err = words.Of(words.NameOf(0, g.NameOf(side, name))).In(r.Language()).Plain(), cmp.Or(err, err2)
	}
	return line, true, err
}

// ArchiveAsked says which games to find; zero fields match all games.
type ArchiveAsked struct {
	Of         storage.PersonID // 0 for everybody
	Game, Who  string
	Result     string // as in records, or "won", "lost", "drawn" or "over"
	Least      int    // full moves
	Most       int
	From, To   time.Time      // of the last change
	Before     storage.GameID // only games with lower numbers
	HowMany    int
	LookedThru int // the most games to look at
}

// Archive are some games, the newest first.
type Archive struct {
	Lines []GameLine
	Next  storage.GameID // the value of Before for the following games, 0 if there are none
}

// FindGames finds games that the author of a message may see.
func (b *Bot) FindGames(ctx context.Context, m message.Incoming, asked ArchiveAsked) (*Archive, error) {
	r, _ := b.Asker(ctx, m)
	return storage.Read(ctx, b.Store, func(read storage.Reader) (*Archive, error) {
		found := &Archive{}
		list := words.Either(asked.Of == 0, read.GameIDs, func() ([]storage.GameID, error) { return read.GamesOf(asked.Of) })
		ids, err := list()
		slices.Sort(ids)
		if n, _ := slices.BinarySearch(ids, asked.Before); asked.Before != 0 {
			ids = ids[:n]
		}
		allowed, err2 := event.NewPermissions(read, r.by())
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		for looked, id := range slices.Backward(ids) {
			if len(found.Lines) == asked.HowMany || len(ids)-looked > asked.LookedThru {
				found.Next = id + 1
				break
			}
			g, err := event.Named(read, id)
			if event.IsRefused(err, event.NoSuchGame) || event.IsRefused(err, event.Damaged) || event.IsRefused(err, event.Aborted) {
				continue
			}
			if err != nil {
				return nil, err
			}
			line, sees, err := b.lineOf(read, allowed, r, &g)
			if err != nil {
				return nil, err
			}
			found.Lines = append(found.Lines, words.If(sees && asked.takes(&g, &line), line)...)
		}
		return found, nil
	})
}

// takes reports whether a game matches.
func (a *ArchiveAsked) takes(g *storage.Game, line *GameLine) bool {
	named := func(name string) bool { return strings.Contains(phrase.Fold(name), phrase.Fold(a.Who)) }
	return (a.Game == "" || g.Variant == a.Game) && (a.Who == "" || slices.ContainsFunc(line.Names[:], named)) &&
		(a.Result == "" || a.Result == line.Result || a.Result == line.Outcome() || a.Result == "over" && line.Result != "*") &&
		line.Moves >= a.Least && (a.Most == 0 || line.Moves <= a.Most) &&
		(a.From.IsZero() || !g.Changed.Before(a.From)) && (a.To.IsZero() || g.Changed.Before(a.To))
}
