package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"

	library "github.com/go-telegram/bot"

	"chimera/bot"
	"chimera/storage"
)

// If the bot's owner has switched topics on, each game of a private chat has its own, up to a limit. The topic of an
// ended game is renamed for another; none is deleted, since its messages would go too. On any error, a game is told of
// outside topics.

// mostTopics is how many topics for games a chat has at most.
const mostTopics = 20

// gameTopic is a topic, and the game that it is named for.
type gameTopic struct {
	Topic int
	Game  storage.GameID
}

func topicsOf(chat int64) string { return fmt.Sprintf("topics/%d", chat) }

// topics are the topics of a private chat that are named for games.
func (a *Adapter) topics(ctx context.Context, chat int64) (all []gameTopic) {
	_ = json.Unmarshal([]byte(a.state.Get(ctx, topicsOf(chat))), &all) // at first there are none
	return all
}

func (a *Adapter) setTopics(ctx context.Context, chat int64, all []gameTopic) {
	value, _ := json.Marshal(all) // numbers always marshal
	a.state.Set(ctx, topicsOf(chat), string(value))
}

// gameIn is the game of a topic of a private chat, 0 if none.
func (a *Adapter) gameIn(ctx context.Context, chat int64, topic int) storage.GameID {
	for _, t := range a.topics(ctx, chat) {
		if t.Topic == topic {
			return t.Game
		}
	}
	return 0
}

// inTopic is where a delivery is said: in its game's topic, or else at its place.
func (a *Adapter) inTopic(ctx context.Context, d *bot.Delivery) storage.Address {
	chat, _ := chatOf(d.Place.Address)
	if !a.me.HasTopicsEnabled || chat < 0 || d.Entry.Game == 0 {
		return d.Place.Address
	}
	a.naming.Lock() // or two deliveries could give two games one topic
	defer a.naming.Unlock()
	all := a.topics(ctx, chat)
	i := slices.IndexFunc(all, func(t gameTopic) bool { return t.Game == d.Entry.Game })
	if i >= 0 {
		return address(chat, all[i].Topic)
	}
	if a.undivided.Contains(chat) {
		return d.Place.Address
	}
	topic, err := a.nameTopic(ctx, chat, all, d)
	a.failed(ctx, slog.LevelInfo, "no topic for a game", err)
	return address(chat, topic)
}

// nameTopic names a topic of a private chat for a game in progress: that of an ended game, or a new one if there is
// room. It is 0 if there is none. all are the chat's topics so far.
func (a *Adapter) nameTopic(ctx context.Context, chat int64, all []gameTopic, d *bot.Delivery) (topic int, err error) {
	free, name := -1, ""
	err = a.bot.Store.View(ctx, func(r storage.Reader) error {
		g, err := r.Games().Get(d.Entry.Game)
		v := a.bot.Games.Variant(g.Variant)
		if err != nil || g.Over() || v == nil {
			return err // without an error, it is over or not a game yet
		}
		side, _ := g.SideOf(d.Place.Owner)
		name = fmt.Sprintf("#%d %s", g.ID, v.Name)
		if other := g.Players[1-side]; other != 0 {
			called, err := r.NameOf(other)
			if name += ": " + called; err != nil {
				return err
			}
		}
		free = slices.IndexFunc(all, func(t gameTopic) bool {
			old, err := r.Games().Get(t.Game)
			return storage.Missing(err) || err == nil && old.Over()
		})
		return nil
	})
	switch {
	case storage.Missing(err):
		return 0, nil
	case err != nil, name == "", free < 0 && len(all) >= mostTopics:
		return 0, err
	case free < 0:
		made, err := a.library.CreateForumTopic(ctx, &library.CreateForumTopicParams{ChatID: chat, Name: name})
		if err != nil {
			a.undivided.Add(chat, true)
			return 0, err
		}
		topic, all = made.MessageThreadID, append(all, gameTopic{made.MessageThreadID, d.Entry.Game})
	default:
		topic, all[free].Game = all[free].Topic, d.Entry.Game
		_, err = a.library.EditForumTopic(ctx, &library.EditForumTopicParams{ChatID: chat, MessageThreadID: topic, Name: name})
		switch {
		case refusedAs(err, "thread not found", "TOPIC_DELETED", "TOPIC_ID_INVALID"):
			topic, all = 0, slices.Delete(all, free, free+1)
		case err != nil:
			return 0, err
		}
	}
	a.setTopics(ctx, chat, all)
	return topic, err
}
