package main

import (
	"maps"
	"slices"

	"chimera/bot/discord"
	"chimera/bot/telegram"
)

// stations are the chats whose token is set.
func (s *serve) stations(p parts) ([]*station, error) {
	builds := map[string]func() (platform, error){}
	if s.DiscordToken != "" {
		builds[discord.Platform] = func() (platform, error) {
			return discord.New(discord.Config{Token: string(s.DiscordToken), APIURL: s.DiscordAPIURL},
				p.bot, p.log)
		}
	}
	if s.TelegramToken != "" {
		builds[telegram.Platform] = func() (platform, error) {
			return telegram.New(telegram.Config{
				Token: string(s.TelegramToken), APIURL: s.TelegramAPIURL,
				WebhookURL: s.TelegramWebhookURL, WebhookListen: s.TelegramWebhookListen, WebhookSecret: string(s.TelegramWebhookSecret),
			}, p.bot, p.log)
		}
	}
	var all []*station
	for _, platform := range slices.Sorted(maps.Keys(builds)) {
		st := &station{platform: platform, build: builds[platform], away: func(why error) { p.bot.Away(platform, why != nil) }}
		if err := st.start(); err != nil {
			return nil, err
		}
		p.services.Metrics.Platform(platform, func() bool { return st.Connected() == nil })
		all = append(all, st)
	}
	return all, nil
}
