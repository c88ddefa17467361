package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// noteSeen remembers the last message of a room that was looked at.
func (a *Adapter) noteSeen(ctx context.Context, m *discordgo.Message) {
	if err := a.memory.Put(ctx, "seen/"+m.ChannelID, []byte(m.ID)); err != nil {
		a.log.ErrorContext(ctx, "discord: message not noted", "err", err)
	}
}

// catchUp reads what was written in rooms with games in progress while nobody listened.
func (a *Adapter) catchUp(ctx context.Context) {
	places, err := a.match.Lively(ctx, Platform)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: rooms not known", "err", err)
		return
	}
	for _, channel := range places {
		seen, err := a.memory.Get(ctx, "seen/"+channel)
		if err != nil || len(seen) == 0 {
			continue
		}
		const most = 100
		missed, err := a.rest.ChannelMessages(channel, most, "", string(seen), "", discordgo.WithContext(ctx))
		if err != nil {
			a.log.WarnContext(ctx, "discord: room not read", "err", verdict(err))
			continue
		}
		slices.SortFunc(missed, func(x, y *discordgo.Message) int { return compareIDs(x.ID, y.ID) })
		for _, m := range missed {
			a.inOrder(channel, func() { a.message(ctx, m) })
		}
	}
}

// compareIDs orders messages by when they were written.
func compareIDs(x, y string) int {
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(x, y)
}
