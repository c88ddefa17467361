package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/render"
	"chimera/storage"
)

// settings are a person's, or after the word "here" the server's.
func (b *Bot) settings(ctx context.Context, r request) ([]Note, error) {
	here := len(r.args) > 0 && strings.EqualFold(r.args[0], "here")
	if here {
		r.name, r.args = "settings here", r.args[1:]
	}
	if here && r.server.ID == 0 {
		return nil, &match.Refusal{Why: match.NoServer}
	}
	if len(r.args) > 0 {
		if manage := map[string]func(*Bot, context.Context, request) ([]Note, error){
			"hide": (*Bot).hide, "unhide": (*Bot).hide, "annul": (*Bot).annul,
		}[strings.ToLower(r.args[0])]; manage != nil {
			switch {
			case !here:
				return r.answer(onlyForServer(strings.ToLower(r.args[0]), r.game)), nil
			case !r.msg.Manager:
				return nil, &errWords{text: managersOnly()}
			}
			return manage(b, ctx, r)
		}
	}
	switch {
	case len(r.args) > 2:
		return r.answer(tooManyWords(r.args[2])), nil
	case len(r.args) == 1:
		return r.answer(settingNeedsValue(r.args[0], here)), nil
	case here && len(r.args) == 2 && !r.msg.Manager:
		return nil, &errWords{text: managersOnly()}
	case len(r.args) == 2:
		err := b.choose(ctx, r, here)
		if no := (*match.Refusal)(nil); here && errors.As(err, &no) {
			if words := serverSettingFault(no.Why); words != nil {
				return nil, &errWords{text: words}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if here {
		return b.serverSettings(ctx, r)
	}
	person, err := b.match.Meet(ctx, r.msg.From.Address, r.msg.From.Name)
	return r.answer(settingsWords(match.Settings(person.Settings))), err
}

// choose gives a setting of the asker's, or of the server, the value that he wants.
func (b *Bot) choose(ctx context.Context, r request, here bool) error {
	value, ok := looks(strings.ToLower(r.args[0]), r.args[1])
	if !ok {
		return &match.Refusal{Why: match.BadValue}
	}
	choose := b.match.Choose
	if here {
		choose = b.match.ChooseForServer
	}
	_, err := choose(ctx, r.by(), r.args[0], value)
	return err
}

// serverSettings shows those of the server, and to its managers who is hidden there.
func (b *Bot) serverSettings(ctx context.Context, r request) ([]Note, error) {
	_, server, err := b.match.Visit(ctx, r.msg.Place, r.msg.Server)
	if err != nil {
		return nil, err
	}
	var hidden []string
	for _, p := range server.Settings.Hidden {
		if !r.msg.Manager {
			break
		}
		name, err := b.match.Name(ctx, p)
		if err != nil {
			return nil, err
		}
		hidden = append(hidden, name)
	}
	return r.answer(serverSettingsWords(match.ServerSettings(server.Settings, r.here.Address), hidden)), nil
}

// hide takes a person off the server's leaderboards, or puts him there again.
func (b *Bot) hide(ctx context.Context, r request) ([]Note, error) {
	if len(r.args) != 2 {
		return r.answer(hideWhom(strings.ToLower(r.args[0]))), nil
	}
	whom, err := b.named(ctx, r, r.args[1])
	if err != nil {
		return nil, err
	}
	hidden := strings.EqualFold(r.args[0], "hide")
	if _, err := b.match.Hide(ctx, r.by(), whom.ID, hidden); err != nil {
		return nil, err
	}
	return r.answer(hiddenWords(whom, hidden)), nil
}

// annul lets a game of the server change no ratings, at the second word.
func (b *Bot) annul(ctx context.Context, r request) ([]Note, error) {
	if len(r.args) == 2 && r.game == 0 {
		if n, err := strconv.ParseUint(r.args[1], 10, 63); err == nil {
			r.game, r.args = storage.GameID(n), r.args[:1]
		}
	}
	if len(r.args) != 1 || r.game == 0 {
		return r.answer(annulWhat()), nil
	}
	return b.annulSurely(ctx, r, false)
}

func (b *Bot) annulSurely(ctx context.Context, r request, sure bool) ([]Note, error) {
	d, err := b.match.Annul(ctx, r.by(), r.game, sure)
	if err == nil && d.What == match.Chose {
		return r.answer(annulledWords(r.game)), nil
	}
	return b.done(r, d, err)
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
