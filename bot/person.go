package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chimera/bot/match"
	"chimera/render"
)

// settings are a person's, or after the word "here" the server's.
func (b *Bot) settings(ctx context.Context, r request) ([]Note, error) {
	args := r.args
	here := len(args) > 0 && strings.EqualFold(args[0], "here")
	if here {
		args = args[1:]
	}
	if here && len(args) > 0 {
		if manage := map[string]func(*Bot, context.Context, request, []string) ([]Note, error){
			"hide": (*Bot).hide, "unhide": (*Bot).hide, "annul": (*Bot).annul,
		}[strings.ToLower(args[0])]; manage != nil {
			return manage(b, ctx, r, args)
		}
	}
	switch {
	case len(args) > 2:
		return r.answer(tooManyWords(args[2])), nil
	case len(args) == 1:
		return r.answer(settingNeedsValue(args[0])), nil
	case here && r.server.ID == 0:
		return nil, &match.Refusal{Why: match.NoServer}
	case here && len(args) == 2 && !r.msg.Manager:
		return nil, &errWords{managersOnly()}
	case len(args) == 2:
		value, ok := looks(strings.ToLower(args[0]), args[1])
		if !ok {
			return nil, &match.Refusal{Why: match.BadValue}
		}
		choose := b.match.Choose
		if here {
			choose = b.match.ChooseForServer
		}
		if _, err := choose(ctx, r.by(), args[0], value); err != nil {
			return nil, err
		}
	}
	if here {
		_, server, err := b.match.Visit(ctx, r.msg.Place, r.msg.Server)
		return r.answer(serverSettingsWords(match.ServerSettings(server.Settings, r.here.Address))), err
	}
	person, err := b.match.Meet(ctx, r.msg.From.Address, r.msg.From.Name)
	return r.answer(settingsWords(match.Settings(person.Settings))), err
}

// hide takes a person off the server's leaderboards, or puts him there again.
func (b *Bot) hide(ctx context.Context, r request, args []string) ([]Note, error) {
	switch {
	case !r.msg.Manager:
		return nil, &errWords{managersOnly()}
	case len(args) != 2:
		return r.answer(hideWhom()), nil
	}
	whom, err := b.named(ctx, r, args[1])
	if err != nil {
		return nil, err
	}
	hidden := strings.EqualFold(args[0], "hide")
	if _, err := b.match.Hide(ctx, r.by(), whom.ID, hidden); err != nil {
		return nil, err
	}
	if hidden {
		return r.answer(doneForServer(whom.Name + " is on no leaderboard here")), nil
	}
	return r.answer(doneForServer(whom.Name + " is on the leaderboards again")), nil
}

// annul lets a game of the server change no ratings.
func (b *Bot) annul(ctx context.Context, r request, args []string) ([]Note, error) {
	switch {
	case !r.msg.Manager:
		return nil, &errWords{managersOnly()}
	case len(args) != 1 || r.game == 0:
		return r.answer(annulWhat()), nil
	}
	if _, err := b.match.Annul(ctx, r.by(), r.game); err != nil {
		return nil, err
	}
	return r.answer(doneForServer("game " + hash(r.game) + " counts for no rating any more, as soon as all that hangs on it has been computed again")), nil
}

// looks reads the value of a setting about how boards look; "usual" is none. Other
// values are none of its business.
func looks(name, value string) (string, bool) {
	usual := strings.EqualFold(value, "usual")
	switch name {
	case match.SetTheme:
		if usual {
			return "", true
		}
		_, ok := render.ParseTheme(strings.ToLower(value))
		return value, ok
	case match.SetSize:
		if usual {
			return "", true
		}
		_, ok := sizes[strings.ToLower(value)]
		return value, ok
	}
	return value, true
}

func (b *Bot) block(ctx context.Context, r request) ([]Note, error) {
	return b.setBlock(ctx, r, true)
}

func (b *Bot) unblock(ctx context.Context, r request) ([]Note, error) {
	return b.setBlock(ctx, r, false)
}

func (b *Bot) setBlock(ctx context.Context, r request, blocked bool) ([]Note, error) {
	if no := r.only(1); no != nil {
		return no, nil
	}
	if len(r.args) == 0 {
		return r.answer(blockWhom()), nil
	}
	whom, err := b.named(ctx, r, r.args[0])
	if err != nil {
		return nil, err
	}
	if _, err := b.match.Block(ctx, r.by(), whom.ID, blocked); err != nil {
		return nil, err
	}
	return r.answer(blockedWords(whom, blocked)), nil
}

func (b *Bot) export(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	text, err := b.match.Export(ctx, sight.Game.ID)
	if err != nil {
		return nil, err
	}
	file := &File{Name: fmt.Sprintf("chimera-%d.pgn", sight.Game.ID), Content: text}
	return []Note{{To: r.me.ID, Text: exported(sight.Game.ID), File: file}}, nil
}

func (b *Bot) myData(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	record, err := b.match.Record(ctx, r.me.ID)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return nil, err
	}
	file := &File{Name: "mydata.json", Content: string(text) + "\n"}
	return []Note{{To: r.me.ID, Text: allAboutYou(), File: file}}, nil
}

func (b *Bot) forgetMe(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	d, err := b.match.Forget(ctx, r.by(), false)
	return b.done(r, d, err)
}

func (b *Bot) privacy(_ context.Context, r request) ([]Note, error) {
	return r.answer(privacyWords()), nil
}
