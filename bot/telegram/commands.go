package telegram

import (
	"context"
	"slices"
	"strings"

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
		about, description := book.Say("profile.about"), book.Say("profile.description")
		err := a.memory.Told(ctx, "profile/"+string(l), about.Text(l)+"\n"+description.Text(l), func() error {
			return a.persist(ctx, "description not set", func() error {
				_, err := a.library.SetMyShortDescription(ctx, &library.SetMyShortDescriptionParams{ShortDescription: about.Text(l), LanguageCode: codeOf(l)})
				if err != nil {
					return err
				}
				_, err = a.library.SetMyDescription(ctx, &library.SetMyDescriptionParams{Description: description.Text(l), LanguageCode: codeOf(l)})
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// setCommands says which commands the menus of chats show, in each language, where that has
// changed: a dozen that people look for there. All others are in the help.
func (a *Adapter) setCommands(ctx context.Context) error {
	about := func(c bot.Command) phrase.Phrase { return c.About() }
	private := strings.Fields("challenge games next board moves draw resign rules top profile settings help")
	group := strings.Fields("challenge accept move board moves games draw resign rules top help")
	managers := append(slices.Clone(group), "settings")
	for _, s := range []struct {
		name  string
		scope models.BotCommandScope
		names []string
		about func(bot.Command) phrase.Phrase
	}{
		{"private", &models.BotCommandScopeAllPrivateChats{}, private, about},
		{"groups", &models.BotCommandScopeAllGroupChats{}, group, about},
		{"managers", &models.BotCommandScopeAllChatAdministrators{}, managers, func(c bot.Command) phrase.Phrase { return c.ToManage() }},
	} {
		for _, l := range phrase.Languages() {
			var commands []models.BotCommand
			for _, name := range s.names {
				description := bot.Clip(s.about(bot.CommandNamed(name)).Text(l), maxDescription)
				commands = append(commands, models.BotCommand{Command: name, Description: description})
			}
			err := a.memory.Told(ctx, "commands/"+s.name+"/"+string(l), commands, func() error {
				return a.persist(ctx, "commands not set", func() error {
					_, err := a.library.SetMyCommands(ctx, &library.SetMyCommandsParams{Commands: commands, Scope: s.scope, LanguageCode: codeOf(l)})
					return err
				})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// codeOf is how Telegram names a language: what is English is for everybody else.
func codeOf(l phrase.Language) string {
	if l == phrase.English {
		return ""
	}
	return string(l)
}
