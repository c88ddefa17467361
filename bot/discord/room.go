package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// room is where something is said.
type room struct {
	channel string         // Discord's, which may be a thread
	place   string         // the channel that the bot knows: for a game's thread, the one in which it was opened
	game    storage.GameID // whose thread it is, or 0
	why     words.Text     // why the game has no thread, or cannot use it now; said with its board
}

// keyRoom begins the names under which it is noted whose thread a channel is.
const keyRoom = "room/"

// noThread is noted for a game that has no thread and gets none.
const noThread = "-"

// roomOf is what is known of a channel.
func (a *Adapter) roomOf(ctx context.Context, channel string) room {
	parent, game, ok := strings.Cut(a.state.Get(ctx, keyRoom+channel), " ")
	if !ok {
		return room{channel: channel, place: channel}
	}
	return room{channel: channel, place: parent, game: storage.GameID(snowflake(game))}
}

// threadOf is the thread of a game that goes on in a channel, "" if it has none.
func (a *Adapter) threadOf(ctx context.Context, channel string, game storage.GameID) string {
	thread := a.state.Get(ctx, threadKey(channel, game))
	if thread == noThread {
		return ""
	}
	return thread
}

// threadKey names the thread of a game that goes on in a channel.
func threadKey(channel string, game storage.GameID) string {
	return fmt.Sprintf("thread/%s/%d", channel, game)
}

// threadFor is where something is said: in the thread of its game, if there is one, or "". Threads are opened from
// the challenge when the game begins.
func (a *Adapter) threadFor(ctx context.Context, d bot.Delivery, known string) (room, error) {
	place, game := d.Place.Address.ID, d.Entry.Game
	plain := room{channel: place, place: place}
	if game == 0 || d.Place.Server == 0 {
		return plain, nil
	}
	if after := d.After(); after != 0 { // a challenge to play that again
		if known := a.threadOf(ctx, place, after); known != "" {
			return room{channel: known, place: place, game: after}, nil
		}
	}
	key := threadKey(place, game)
	switch {
	case known == noThread, known == "" && !d.Begins():
		return plain, nil
	case known != "":
		return room{channel: known, place: place, game: game}, nil
	}
	thread, why, err := a.openThread(ctx, d)
	switch {
	case err != nil:
		return plain, err
	case thread == "":
		a.state.Set(ctx, key, noThread)
		plain.why = why
		return plain, nil
	}
	a.state.SetAll(ctx, map[string]string{
		key: thread, keyRoom + thread: fmt.Sprintf("%s %d", place, game),
		keySeen + thread: thread, // it is read from its beginning
	})
	a.work.Add(thread, func() { a.invite(ctx, thread, game) })
	return room{channel: thread, place: place, game: game}, nil
}

// invite adds the players of a game to its thread.
func (a *Adapter) invite(ctx context.Context, thread string, game storage.GameID) {
	ctx = context.WithoutCancel(ctx)
	defer a.rescue(ctx, "players")
	players, err := a.bot.Users.Concerned(ctx, game)
	for _, p := range players {
		if account, ok := p.On(Platform); ok && err == nil {
			err = a.call(ctx, http.MethodPut, "channels/"+thread+"/thread-members/"+account, nil, nil)
		}
	}
	a.failed(ctx, slog.LevelInfo, "players not added to their thread", err) // its first board calls them
}

// openThread opens a thread for a game: a private one against the computer, so that the channel stays as it is, where
// that can be. If there shall or can be none, it returns "" and perhaps why.
func (a *Adapter) openThread(ctx context.Context, d bot.Delivery) (thread string, why words.Text, err error) {
	place, game := d.Place.Address.ID, d.Entry.Game
	home, server, err := a.bot.Users.Home(ctx, game)
	if err != nil || home.ID != d.Place.ID || server.Settings.Threads == "off" {
		return "", nil, err
	}
	s, err := a.bot.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return "", nil, err
	}
	challenge := ""
	for _, o := range a.state.Offers(ctx, place, game) { // before a game has begun, its challenge alone asks for it
		if o.Channel == place {
			challenge = o.ID
		}
	}
	kind := discordgo.ChannelTypeGuildPublicThread
	if me := a.self(ctx); me != nil {
		has, err := a.permitsIn(ctx, place, me.User)
		_, level := s.Game.Computer()
		creates := int64(discordgo.PermissionCreatePublicThreads)
		if level != 0 && challenge == "" && err == nil && lacks(has, discordgo.PermissionCreatePrivateThreads) == nil {
			kind, creates = discordgo.ChannelTypeGuildPrivateThread, discordgo.PermissionCreatePrivateThreads
		}
		if missing := lacks(has, creates, discordgo.PermissionSendMessagesInThreads); err == nil && len(missing) > 0 {
			return "", below(without("thread", missing)), nil
		}
		a.failed(ctx, slog.LevelInfo, "permissions not known", err)
	}
	const most, week = 100, 10080 // characters, and minutes without a message: the next one brings the thread back
	about := fmt.Sprintf(": %s #%d", s.Variant.Name, game)
	names := strings.Join(strings.Fields(s.Names[0]+" – "+s.Names[1]), " ")
	body := map[string]any{"name": adapter.Clip(names, most-adapter.Length(about)) + about, "auto_archive_duration": week}
	var made struct{ ID string }
	if challenge != "" {
		err = a.call(ctx, http.MethodPost, pathOfMessage(adapter.Ref{Channel: place, ID: challenge})+"/threads", body, &made)
	}
	if challenge == "" || code(err) == discordgo.ErrCodeUnknownMessage { // that was deleted
		body["type"] = kind
		err = a.call(ctx, http.MethodPost, "channels/"+place+"/threads", body, &made)
		if public := discordgo.ChannelTypeGuildPublicThread; kind != public && err != nil && !passing(err) { // as in a channel of news
			body["type"] = public
			err = a.call(ctx, http.MethodPost, "channels/"+place+"/threads", body, &made)
		}
	}
	const patientTries = 2
	switch {
	case err == nil:
		return made.ID, nil, nil
	case code(err) == discordgo.ErrCodeThreadAlreadyCreatedForThisMessage && challenge != "":
		return challenge, nil, nil // a thread has the id of the message that it was opened from
	case !passing(err), status(err) != 0 && d.Entry.Tries > patientTries:
		a.log.InfoContext(ctx, "discord: no thread", "game", uint64(game), "err", a.clean(err))
		return "", nil, nil
	}
	return "", nil, err
}

// retire lets the thread of an ended game be archived after a day without a message.
func (a *Adapter) retire(ctx context.Context, thread string) {
	defer a.rescue(ctx, "thread")
	const soon = 1440 // minutes
	err := a.call(context.WithoutCancel(ctx), http.MethodPatch, "channels/"+thread, map[string]any{"auto_archive_duration": soon}, nil)
	a.failed(ctx, slog.LevelInfo, "thread stays", err)
}

// closeThread lets a game go on in the channel, because its thread is gone.
func (a *Adapter) closeThread(ctx context.Context, r room) {
	a.state.SetAll(ctx, map[string]string{threadKey(r.place, r.game): noThread, keyRoom + r.channel: ""})
}

var numberSign = regexp.MustCompile(`#[0-9]{1,18}`)

// withThreads is a text that names games, each with a link to its thread.
func (a *Adapter) withThreads(ctx context.Context, t words.Text) (linked words.Text) {
	for _, s := range t {
		at := numberSign.FindStringIndex(s.Words)
		if at == nil || s.Style == words.Code || s.Style == words.Same || s.Style == words.Link || s.Person != 0 {
			linked = append(linked, s)
			continue
		}
		game := storage.GameID(snowflake(s.Words[at[0]+1 : at[1]]))
		home, _, err := a.bot.Users.Home(ctx, game)
		thread := a.threadOf(ctx, home.Address.ID, game)
		if err != nil || home.Address.Platform != Platform || thread == "" {
			linked = append(linked, s)
			continue
		}
		before, behind := s, s
		before.Words, behind.Words = s.Words[:at[1]], s.Words[at[1]:]
		linked = append(linked, before, words.Span{Words: " "}, channelNamed(thread))
		linked = append(linked, a.withThreads(ctx, words.Text{behind})...)
	}
	return linked
}

// privately is the channel of somebody's private chat with the bot.
func (a *Adapter) privately(ctx context.Context, account string) (string, error) {
	if known, ok := a.chats.Get(account); ok {
		return known, nil
	}
	toThem := "chat with " + account
	if err := a.refused(toThem); err != nil {
		return "", err
	}
	c, err := a.rest.UserChannelCreate(account, discordgo.WithContext(ctx))
	switch {
	case err == nil:
		a.readFrom(ctx, c.ID, cmp.Or(c.LastMessageID, c.ID))
		a.chats.Add(account, c.ID)
		return c.ID, nil
	case status(err) == http.StatusForbidden:
		a.refuse(toThem, err)
	}
	return "", err
}

// whisper tells somebody something in their private chat with the bot, once for each nonce.
func (a *Adapter) whisper(ctx context.Context, account, nonce string, said words.Text, l phrase.Language) (private string, err error) {
	if private, err = a.privately(ctx, account); err != nil {
		return "", err
	}
	p := plainPost(said, l)
	p.Nonce, p.Enforce = nonce, true
	return private, a.postTo(ctx, private, &p, nil)
}

// makeHome makes a private chat somebody's home.
func (a *Adapter) makeHome(ctx context.Context, who storage.Person, account, private string) error {
	_, err := a.bot.Users.Welcome(ctx, user.Visit{Person: address(account), Name: who.Name, Place: address(private), Private: true})
	return err
}

// keyShut begins the names under which accounts are noted that take no messages from the bot.
const keyShut = "shut/"

// tellPrivately tells people something in their private chats, once for each nonce. That chat becomes the
// home, where they are told what concerns nobody else, of those who have none. An error may pass: somebody
// could not be reached yet.
func (a *Adapter) tellPrivately(ctx context.Context, people []storage.Person, nonce string, said words.Text) (missed error) {
	for _, who := range people {
		account, ok := who.On(Platform)
		if !ok {
			continue
		}
		private, err := a.whisper(ctx, account, fmt.Sprint(nonce, ".", who.ID), said, words.LanguageOf(who))
		if err == nil && who.Home == 0 {
			err = a.makeHome(ctx, who, account, private)
		}
		a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
		_, never := errors.AsType[*outbox.Never](a.verdict(err))
		switch {
		case never:
			a.state.Set(ctx, keyShut+account, "yes")
		case err != nil:
			missed = err
		}
	}
	return missed
}

// acquaint makes sure that somebody has a private chat with the bot, if Discord lets it write to them.
func (a *Adapter) acquaint(ctx context.Context, p message.Account) {
	if p.Bot {
		return
	}
	who, err := a.bot.Users.Meet(ctx, p.Address, p.Name)
	if err != nil || who.Home != 0 {
		return
	}
	private, err := a.privately(ctx, p.Address.ID)
	if err == nil {
		err = a.makeHome(ctx, who, p.Address.ID, private)
	}
	a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
}

// complain tells the author of a message privately that it cannot be answered in its channel.
func (a *Adapter) complain(ctx context.Context, m *posted) {
	said := without("answering", []int64{discordgo.PermissionViewChannel, discordgo.PermissionSendMessages, discordgo.PermissionSendMessagesInThreads, discordgo.PermissionAttachFiles}, "channel", channelNamed(m.ChannelID))
	language := a.bot.Language(ctx, message.Incoming{From: a.person(m.Author), Place: address(m.ChannelID)})
	_, err := a.whisper(ctx, m.Author.ID, "c"+m.ID, said, language)
	a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
}
