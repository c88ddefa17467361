package discord

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
)

// keyRoll names the last day on which it was looked who has left servers.
const keyRoll = "roll"

// callRolls looks once a day who has left the servers in whose leagues they are, until the context is done: Discord
// tells only bots with a privileged intent.
func (a *Adapter) callRolls(ctx context.Context) {
	for ctx.Err() == nil {
		if today := time.Now().UTC().Format(time.DateOnly); a.state.Get(ctx, keyRoll) != today {
			err := a.bot.Seasons.Absent(ctx, Platform, func(server, account string) bool { return a.has(ctx, server, account) })
			a.failed(ctx, slog.LevelWarn, "who has left servers is not known", err)
			if err == nil {
				a.state.Set(ctx, keyRoll, today)
			}
		}
		_ = adapter.Pause(ctx, time.Hour)
	}
}

// has reports whether somebody is a member of a server, or may be.
func (a *Adapter) has(ctx context.Context, server, account string) bool {
	const tries = 6
	err := adapter.Retry{First: a.pace.retry, Tries: tries, Pause: adapter.Pause, Verdict: refusedForGood}.Do(ctx, func() error {
		return a.call(ctx, http.MethodGet, "guilds/"+server+"/members/"+account, nil, nil)
	})
	return code(err) != discordgo.ErrCodeUnknownMember && code(err) != discordgo.ErrCodeUnknownUser
}
