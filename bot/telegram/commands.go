package telegram

import (
	"context"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
)

// maxDescription is how long Telegram lets a command's description be.
const maxDescription = 256

// setCommands says which commands there are, where that has changed.
func (a *Adapter) setCommands(ctx context.Context) error {
	var private, group, managers []models.BotCommand
	for _, c := range bot.Commands() {
		command := models.BotCommand{Command: c.Name, Description: bot.Clip(c.Help, maxDescription)}
		private = append(private, command)
		if c.Whose == bot.AskerAlone {
			continue
		}
		group = append(group, command)
		if c.ToManage != "" {
			command.Description = c.ToManage
		}
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
