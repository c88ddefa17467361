package telegram

import (
	"context"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/rules/phrase"
)

// maxDescription is how long Telegram lets a command's description be.
const maxDescription = 256

// introduce says what Telegram shall show of the bot, where that has changed.
func (a *Adapter) introduce(ctx context.Context) error {
	if err := a.setCommands(ctx); err != nil {
		return err
	}
	for _, l := range phrase.Languages() {
		code := string(l)
		if l == phrase.English {
			code = "" // for everybody else
		}
		about, description := book.Say("profile.about"), book.Say("profile.description")
		err := a.memory.Told(ctx, "profile/"+string(l), about.Text(l)+"\n"+description.Text(l), func() error {
			return a.persist(ctx, "description not set", func() error {
				_, err := a.library.SetMyShortDescription(ctx, &library.SetMyShortDescriptionParams{ShortDescription: about.Text(l), LanguageCode: code})
				if err != nil {
					return err
				}
				_, err = a.library.SetMyDescription(ctx, &library.SetMyDescriptionParams{Description: description.Text(l), LanguageCode: code})
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// setCommands says which commands there are, where that has changed.
func (a *Adapter) setCommands(ctx context.Context) error {
	var private, group, managers []models.BotCommand
	for _, c := range bot.Commands() {
		command := models.BotCommand{Command: c.Name, Description: bot.Clip(c.About().String(), maxDescription)}
		private = append(private, command)
		if c.Whose == bot.AskerAlone {
			continue
		}
		group = append(group, command)
		command.Description = bot.Clip(c.ToManage().String(), maxDescription)
		managers = append(managers, command)
	}
	for _, s := range []struct {
		name     string
		scope    models.BotCommandScope
		commands []models.BotCommand
	}{
		{"private", &models.BotCommandScopeAllPrivateChats{}, private},
		{"groups", &models.BotCommandScopeAllGroupChats{}, group},
		{"managers", &models.BotCommandScopeAllChatAdministrators{}, managers},
	} {
		err := a.memory.Told(ctx, "commands/"+s.name, s.commands, func() error {
			return a.persist(ctx, "commands not set", func() error {
				_, err := a.library.SetMyCommands(ctx, &library.SetMyCommandsParams{Commands: s.commands, Scope: s.scope})
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
