package discord

import (
	"context"
	"fmt"
	"strings"

	"chimera/bot/words"
	"chimera/storage"
)

// room is where something is said.
type room struct {
	channel string         // Discord's, which may be a thread
	place   string         // the channel as the bot knows it: that of a game's thread is the one that it was opened in
	game    storage.GameID // whose thread it is, or 0
	why     words.Text     // what is said of that the game has no thread, or cannot use it now
}

// roomOf is what is known of a channel.
func (a *Adapter) roomOf(ctx context.Context, channel string) room {
	parent, game, ok := strings.Cut(a.state.Get(ctx, "room/"+channel), " ")
	if !ok {
		return room{channel: channel, place: channel}
	}
	return room{channel: channel, place: parent, game: number(game)}
}

// threadOf is the thread of a game that goes on in a channel, "" if it has none.
func (a *Adapter) threadOf(ctx context.Context, channel string, game storage.GameID) string {
	thread := a.state.Get(ctx, threadKey(channel, game))
	if thread == noThread {
		return ""
	}
	return thread
}

func number(text string) storage.GameID { return storage.GameID(snowflake(text)) }

// threadKey names the thread of a game that goes on in a channel.
func threadKey(channel string, game storage.GameID) string {
	return fmt.Sprintf("thread/%s/%d", channel, game)
}
