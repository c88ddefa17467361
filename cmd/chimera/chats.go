package main

import (
	"chimera/bot"
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
	return chats, nil
}
