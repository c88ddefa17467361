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

// Games lists the games and challenges of a person.
func Games(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	whose, err := b.Whose(ctx, r)
	if err != nil {
		return nil, err
	}
	list, err := List(ctx, b, r, whose, limit.Listed)
	if err != nil {
		return nil, err
	}
	said := r.Answer(words.Games(list, r.Me.ID, b.Games.Variant))
	if whose.ID == r.Me.ID {
		said.Buttons = append(moveButtons(list.Playing), challengeButtons(list)...)
		drawn, err := visible(ctx, b, r, list.Playing)
		if err != nil {
			return nil, err
		}
		drawn, diagrams := boards(b, drawn, whose.ID)
		said.Chart = words.GamesChart(drawn, list.All, diagrams, r.Location())
	}
	return said, nil
}

// visible are those of the asker's games whose boards may be seen where the answer is: all where
// nobody else is there, else those that the place may see without the asker.
func visible(ctx context.Context, b *Bot, r Request, games []match.Item) ([]match.Item, error) {
	if r.Alone() != 0 {
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
		buttons = append(buttons, ChallengeButtons(c.ID, i >= len(list.Pending), len(all) > 1)...)
	}
	return buttons
}

// ChallengeButtons answer a challenge, or withdraw it if it is the asker's own. They name it where there
// are several.
func ChallengeButtons(id storage.GameID, own, several bool) (buttons []message.Button) {
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

// List is what a person has going on as the asker may see it, with so many games in progress at most, and
// what they have played of late.
func List(ctx context.Context, b *Bot, r Request, p storage.Person, most int) (*words.GameList, error) {
	list := &words.GameList{Whose: p, Names: map[storage.PersonID]string{}}
	var err error
	if list.Playing, list.All, err = b.Games.Agenda(ctx, r.By(), p.ID, most, nil); err != nil {
		return nil, err
	}
	if list.Made, list.Pending, err = b.Match.Challenges(ctx, r.By(), p.ID); err != nil {
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
		var sight *match.GameView
		sight, err = b.Games.LoadFor(ctx, r.By(), id, match.Latest)
		if no := (*event.Refusal)(nil); errors.As(err, &no) {
			err = nil // of a kind of game that is not played any more
			continue
		}
		list.Ended = append(list.Ended, sight)
	}
	return list, err
}

// Next shows the board of a person's most urgent game.
func Next(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	study, err := b.OpenStudy(ctx, r)
	if err != nil {
		return nil, err
	}
	if study != nil && len(r.Args) == 0 {
		said, err := study.Next(ctx)
		return &said, err
	}
	whose, err := b.Whose(ctx, r)
	if err != nil {
		return nil, err
	}
	agenda, all, err := b.Games.Agenda(ctx, r.By(), whose.ID, 1, nil)
	switch {
	case err != nil:
		return nil, err
	case whose.ID != r.Me.ID && (all == 0 || !agenda[0].Mine):
		return r.Answer(words.Say("games.nothing-waits-for", "player", whose.Name)), nil
	case all == 0:
		return nil, ErrNoGame
	case !agenda[0].Mine:
		return r.Answer(words.Say("games.nothing-waits", "n", all)), nil
	}
	sight, err := b.Games.Load(ctx, agenda[0].Game.ID, match.Latest)
	if err != nil {
		return nil, err
	}
	return one(boardOf(sight, viewer(r)), nil)
}
