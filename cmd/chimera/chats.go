package main

import (
	"chimera/bot"
	"chimera/bot/discord"
	"chimera/bot/telegram"
)

// adapters are the chats whose token is set, by platform.
func (s *serve) adapters(p parts) (map[string]adapter, error) {
	chats := map[string]adapter{}
	if s.TelegramToken != "" {
		chat, err := telegram.New(telegram.Config{
			Token: string(s.TelegramToken), APIURL: s.TelegramAPIURL,
			WebhookURL: s.TelegramWebhookURL, WebhookListen: s.TelegramWebhookListen, WebhookSecret: string(s.TelegramWebhookSecret),
		}, p.bot, p.match, bot.NewMemory(p.store, telegram.Platform), p.log)
		if err != nil {
			return nil, err
		}
		chats[telegram.Platform] = chat
	}
	if s.DiscordToken != "" {
		chat, err := discord.New(discord.Config{Token: string(s.DiscordToken), APIURL: s.DiscordAPIURL},
			p.bot, p.match, bot.NewMemory(p.store, discord.Platform), p.log)
		if err != nil {
			return nil, err
		}
		chats[discord.Platform] = chat
	}
	return chats, nil
}
