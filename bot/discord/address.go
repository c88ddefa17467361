package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"chimera/bot"
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
	parent, game, ok := strings.Cut(a.recall(ctx, "room/"+channel), " ")
	if !ok {
		return room{channel: channel, place: channel}
	}
	return room{channel: channel, place: parent, game: number(game)}
}

// threadOf is the thread of a game that goes on in a channel, "" if it has none.
func (a *Adapter) threadOf(ctx context.Context, channel string, game storage.GameID) string {
	thread := a.recall(ctx, gameKey("thread", channel, game))
	if thread == noThread {
		return ""
	}
	return thread
}

// recall is what was remembered under a name, "" if nothing.
func (a *Adapter) recall(ctx context.Context, name string) string {
	value, err := a.state.Get(ctx, name)
	a.failed(ctx, slog.LevelError, "memory not read", err)
	return string(value)
}

// note remembers something; "" forgets it.
func (a *Adapter) note(ctx context.Context, name, value string) {
	a.noteAll(ctx, map[string]string{name: value})
}

// noteAll remembers several things at once.
func (a *Adapter) noteAll(ctx context.Context, notes map[string]string) {
	values := map[string][]byte{}
	for name, value := range notes {
		values[name] = nil
		if value != "" {
			values[name] = []byte(value)
		}
	}
	if err := a.state.PutAll(ctx, values); err != nil && !errors.Is(err, bot.ErrNotSaved) { // that is logged once for all
		a.log.ErrorContext(ctx, "discord: memory not written", "err", err)
	}
}

func number(text string) storage.GameID { return storage.GameID(snowflake(text)) }

func messageKey(channel, message string) string { return "message/" + channel + "/" + message }

func gameKey(kind, channel string, game storage.GameID) string {
	return fmt.Sprintf("%s/%s/%d", kind, channel, game)
}
