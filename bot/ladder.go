package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/season"
	"chimera/bot/words"
	"chimera/storage"
)

// ladder does what a request asks about a ladder of the asker's server, and shows it.
func ladder(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if r.Server.ID == 0 {
		return r.answer(words.Say("ladder.nowhere")), nil
	}
	action := strings.ToLower(r.Said["action"])
	all, err := b.Seasons.Ladders(ctx, r.Server.ID)
	whose, err2 := b.whose(ctx, r)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	usual := usualVariant(b, r)
	if len(all) > 0 && !slices.Contains(all, usual) {
		usual = all[0]
	}
	variant := gameOf(b, r, usual)
	v := b.Games.Variant(variant)
	if v == nil {
		return nil, event.Refuse(event.NoSuchVariant, 0)
	}
	var done words.Text
	if action == "join" || action == "leave" {
		if _, err := b.Seasons.Stand(ctx, r.by(), variant, action == "join"); err != nil {
			return nil, err
		}
		if action == "leave" {
			return r.answer(words.Say("ladder.left", "kind", v.Title())), nil
		}
		done = words.Of(words.Say("ladder.joined"), "\n")
	}
	l, err := b.Seasons.Ladder(ctx, r.Server.ID, variant, r.Me.ID)
	switch {
	case err != nil:
		return nil, err
	case whose.ID != r.Me.ID && l.Rung(whose.ID) < 0:
		return r.answer(words.Say("ladder.not-on", "player", whose.Name, "kind", v.Title())), nil
	case action == "challenge" && r.Said["person"] != "":
		return r.done(b.Match.Challenge(ctx, r.by(), season.Rung(variant, whose.ID)))
	}
	if l.Rung(r.Me.ID) > 0 && len(l.Open) == 0 {
		done = words.Of(done, words.Say("ladder.closed"), "\n")
	}
	whole, brief := words.Ladder(v.Title(), l, whose.ID, r.Location())
	said := &message.Message{To: r.Me.ID, Text: words.Of(done, whole), Brief: words.Of(done, brief), Step: r.turns()}
	said.Chart = words.LadderChart(v, l, whose.ID, r.Location())
	if l.Rung(r.Me.ID) < 0 {
		said.Buttons = []message.Button{plainButton(words.Label("join"), "ladder-join", variant)}
	}
	for _, i := range l.Open {
		said.Buttons = append(said.Buttons, plainButton(words.Book().Say("label.climb", "player", l.Names[i]), "climb", variant, fmt.Sprint(uint64(l.Rungs[i].Person))))
	}
	for _, other := range all {
		if v := b.Games.Variant(other); v != nil && other != variant {
			said.Buttons = append(said.Buttons, plainButton(v.Title(), "ladder", other))
		}
	}
	return said, nil
}

// climb challenges somebody for their rung.
func climb(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	to, _ := strconv.ParseUint(r.Args[1], 10, 64) // 0 is nobody, and is refused
	return r.done(b.Match.Challenge(ctx, r.by(), season.Rung(r.Args[0], storage.PersonID(to))))
}

// Ladders are the ladders of the servers in which the author of a message has played, as on leaderboards.
func (b *Bot) Ladders(ctx context.Context, m message.Incoming) (all []League, err error) {
	r, _ := b.Asker(ctx, m)
	homes, err := b.HomeServers(ctx, m)
	for _, home := range homes {
		games, err2 := b.Seasons.Ladders(ctx, home.ID)
		err = cmp.Or(err, err2)
		for _, game := range games {
			l, err2 := b.Seasons.Ladder(ctx, home.ID, game, r.Me.ID)
			if err = cmp.Or(err, err2); err != nil {
				return nil, err
			}
			belt := b.toldTo(r, words.Of(words.LadderBelt(l, r.Location())))
			all = append(all, League{Server: home, Game: game, Name: b.Ratings.Called(game).Text(r.Language()), State: belt, Rungs: l.Names, Rung: l.Rung(r.Me.ID)})
		}
	}
	return all, err
}
