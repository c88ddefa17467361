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
	place   string         // the channel that the bot knows: for a game's thread, the one in which it was opened
	game    storage.GameID // whose thread it is, or 0
	why     words.Text     // why the game has no thread, or cannot use it now; said with its board
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
