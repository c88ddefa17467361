package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

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
	said := r.answer(words.Games(list, r.Me.ID, b.Games.Variant))
	if whose.ID == r.Me.ID {
		said.Buttons = append(moveButtons(list.Playing), challengeButtons(list)...)
		drawn, err := visible(ctx, b, r, list.Playing)
		if err != nil {
			return nil, err
		}
		drawn, diagrams := boards(b, drawn, whose.ID)
		said.Chart = words.GamesChart(drawn, list.All, diagrams, r.location())
	}
	return said, nil
}

// visible are those of the asker's games whose boards may be seen where the answer is: all where
// nobody else is there, else those that the place may see without the asker.
func visible(ctx context.Context, b *Bot, r Request, games []match.Item) ([]match.Item, error) {
	if r.alone() != 0 {
		return games, nil
	}
	return storage.Read(ctx, b.Store, func(from storage.Reader) (seen []match.Item, err error) {
		allowed, err := event.NewPermissions(from, event.By{Place: r.Here.ID})
		if err != nil {
			return nil, err
		}
		for _, it := range games {
			sees, err := allowed.Sees(&it.Game)
			if err != nil {
				return nil, err
			}
			if sees {
				seen = append(seen, it)
			}
		}
		return seen, nil
	})
}

// boards are the first of somebody's games in progress, seen from their side: as many as there is room
// for on a sheet, and none behind one that cannot be read.
func boards(b *Bot, games []match.Item, whose storage.PersonID) (drawn []match.Item, all []diagram.Diagram) {
	for _, it := range games[:min(len(games), limit.Sheet)] {
		now, err := b.Games.Current(&it.Game)
		if err != nil {
			break
		}
		var last []rules.Effect
		if len(it.Game.Moves) > 0 {
			before, m, err := b.Games.LastMove(&it.Game)
			if err != nil {
				break
			}
			last = before.Effects(m)
		}
		side, _ := it.Game.SideOf(whose)
		all = append(all, diagram.Of(now.Position, last, rules.Color(side)))
	}
	return games[:len(all)], all
}

// moveButtons let a move be picked in the games that wait for the asker, the most urgent first.
func moveButtons(games []match.Item) (buttons []message.Button) {
	const most = 5
	waiting := slices.DeleteFunc(slices.Clone(games), func(it match.Item) bool { return !it.Mine })
	for _, it := range waiting[:min(len(waiting), most)] {
		button := message.MoveButton(it.Game.ID, len(it.Game.Moves))
		if len(waiting) > 1 {
			label := phrase.As(words.Hash(it.Game.ID) + " " + it.Variant)
			button = message.NewButton(label, "pick", it.Game.ID, strconv.Itoa(len(it.Game.Moves)), message.None, message.None, "0")
		}
		buttons = append(buttons, button)
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
			label = words.LabelOf(label, id)
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
	list := &words.GameList{Whose: p, Names: map[storage.PersonID]string{}}
	var err error
	if list.Playing, list.All, err = b.Games.Agenda(ctx, r.by(), p.ID, most, nil); err != nil {
		return nil, err
	}
	if list.Made, list.Pending, err = b.Match.Challenges(ctx, r.by(), p.ID); err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(list.Made, list.Pending) {
		for _, who := range []storage.PersonID{c.From, c.To} {
			if who != 0 {
				if list.Names[who], err = b.Users.Name(ctx, who); err != nil {
					return nil, err
				}
			}
		}
	}
	played, err := storage.Read(ctx, b.Store, func(s storage.Reader) ([]storage.GameID, error) { return s.Played(p.ID) })
	for _, id := range slices.Backward(played[max(0, len(played)-limit.Searched):]) {
		if err != nil || len(list.Ended) == limit.ListedEnded {
			break
		}
		var view *match.GameView
		view, err = b.Games.LoadFor(ctx, r.by(), id, match.Latest)
		if no := (*event.Refusal)(nil); errors.As(err, &no) {
			err = nil // of a kind of game that is not played any more
			continue
		}
		list.Ended = append(list.Ended, view)
	}
	return list, err
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
	return one(boardOf(view, viewer(r)), nil)
}

// Agenda is what somebody has going on, in their language.
type Agenda struct {
	Whose        storage.PersonID
	Mine, Theirs []AgendaLine // games in progress in which it is their turn, and in which it is not, by urgency
	Offers       []AgendaLine // challenges by them and to them, and what is offered in games
	Ended        []AgendaLine // the last games that have ended, the newest first
}

// AgendaLine is one line of an Agenda.
type AgendaLine struct {
	Game     storage.GameID
	Begun    bool   // it is a game, and no challenge
	Revision uint64 // of a game: what its board shows depends on that
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
	a := &Agenda{Whose: r.Me.ID}
	for i := range list.Playing {
		it := &list.Playing[i]
		line := gameLine(&it.Game, list.Game(it, r.Me.ID))
		if it.Mine {
			a.Mine = append(a.Mine, line)
		} else {
			a.Theirs = append(a.Theirs, line)
		}
	}
	if a.Offers, err = b.offers(ctx, r, list); err != nil {
		return nil, err
	}
	for _, s := range list.Ended {
		a.Ended = append(a.Ended, gameLine(&s.Game, list.End(s)))
	}
	for _, lines := range [][]AgendaLine{a.Mine, a.Theirs, a.Offers, a.Ended} {
		for i := range lines {
			said := message.Message{Text: lines[i].Text, Buttons: lines[i].Buttons}
			said.For(b.audience(r))
			lines[i].Text, lines[i].Buttons = said.Text, said.Buttons
		}
	}
	return a, nil
}

func gameLine(g *storage.Game, text words.Text) AgendaLine {
	return AgendaLine{Game: g.ID, Begun: true, Revision: g.Revision, Text: text}
}

// offers are what waits for an answer, in no language yet.
func (b *Bot) offers(ctx context.Context, r Request, list *words.GameList) (lines []AgendaLine, err error) {
	several := len(list.Pending)+len(list.Made) > 1
	for _, c := range list.Pending {
		lines = append(lines, AgendaLine{Game: c.ID, Text: list.Pended(c, b.Games.Variant), Buttons: answerButtons(c.ID, false, several)})
	}
	for _, c := range list.Made {
		lines = append(lines, AgendaLine{Game: c.ID, Text: list.Challenge(c, 0, b.Games.Variant), Buttons: answerButtons(c.ID, true, several)})
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
		line := gameLine(g, words.Offered(view))
		line.Buttons = offerButtons(view, r.Me.ID)
		lines = append(lines, line)
	}
	return lines, nil
}

// Thumbnail is the board of a game as the author of a message sees it now; nil if there is none for them.
func (b *Bot) Thumbnail(ctx context.Context, m message.Incoming, id storage.GameID) (*message.Message, error) {
	r, _ := b.Asker(ctx, m)
	view, err := b.Games.LoadFor(ctx, r.by(), id, match.Latest)
	if no := (*event.Refusal)(nil); errors.As(err, &no) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := boardOf(view, onlooker{Alone: r.Me.ID})
	said.Players, said.Legend = nil, nil // there is no room for them
	said.For(b.audience(r))
	return &said, nil
}
