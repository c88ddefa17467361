package bot

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/season"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// ladder shows a ladder of the asker's server, after it has done what is asked about it.
func ladder(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if r.Server.ID == 0 {
		return r.answer(words.Say("ladder.nowhere")), nil
	}
	action := strings.ToLower(r.Said["action"])
	variant := gameOf(b, r, "")
	if variant == "" {
		all, err := b.Seasons.Ladders(ctx, r.Server.ID)
		switch {
		case err != nil:
			return nil, err
		case len(all) > 1:
			said := r.answer(words.Say("ladder.which"))
			for _, key := range all {
				said.Buttons = append(said.Buttons, ladderButton(phrase.As(b.Ratings.Called(key)), words.Either(action == "join", "ladder-join", "ladder"), key))
			}
			return said, nil
		case len(all) == 1:
			variant = all[0]
		default:
			variant = usualVariant(b, r)
		}
	}
	v := b.Games.Variant(variant)
	if v == nil {
		return nil, event.Refuse(event.NoSuchVariant, 0)
	}
	var done words.Text
	if action != "" {
		if _, err := b.Seasons.Stand(ctx, r.by(), variant, action == "join"); err != nil {
			return nil, err
		}
		if action == "leave" {
			return r.answer(words.Say("ladder.left", "kind", v.Name)), nil
		}
		done = words.Of(words.Say("ladder.joined"), "\n")
	}
	l, err := b.Seasons.Ladder(ctx, r.Server.ID, variant, r.Me.ID)
	if err != nil {
		return nil, err
	}
	said := &message.Message{To: r.Me.ID, Text: words.Of(done, words.Ladder(v.Name, l, r.Me.ID, r.location())), Step: r.Msg.Press != ""}
	said.Chart = words.LadderChart(v, l, r.Me.ID, r.location())
	if l.Rung(r.Me.ID) < 0 {
		said.Buttons = []message.Button{ladderButton(words.Label("join"), "ladder-join", variant)}
	}
	for _, i := range l.Open {
		said.Buttons = append(said.Buttons, ladderButton(words.Book().Say("label.climb", "player", l.Names[i]), "climb", variant, fmt.Sprint(uint64(l.Rungs[i].Person))))
	}
	return said, nil
}

func ladderButton(label phrase.Phrase, verb string, words ...string) message.Button {
	return message.NewButton(label, verb, 0, message.None, words...)
}

// climb challenges somebody for their rung.
func climb(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	to, _ := strconv.ParseUint(r.Args[1], 10, 64) // 0 is nobody who could be challenged
	return r.done(b.Match.Challenge(ctx, r.by(), season.Rung(r.Args[0], storage.PersonID(to))))
}

// Ladder is a ladder, in a language.
type Ladder struct {
	Server storage.Server
	Name   string // of its game
	Belt   words.Text
	Names  []string // of those on it, the top first
	Mine   int      // where the asker stands, from 0; -1 if nowhere
}

// Ladders are those that the author of a message may see, as leaderboards: of servers in which they have
// played.
func (b *Bot) Ladders(ctx context.Context, m message.Incoming) (all []Ladder, err error) {
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
			all = append(all, Ladder{home, b.Ratings.Called(game), b.toldTo(r, words.Of(words.LadderBelt(l, r.location()))), l.Names, l.Rung(r.Me.ID)})
		}
	}
	return all, err
}
