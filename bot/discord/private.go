package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// tellPrivately moves what people are told from a channel to their private chats, and tells them why, once
// for each nonce. An error may pass: somebody could not be reached yet.
func (a *Adapter) tellPrivately(ctx context.Context, people []storage.Person, channel, nonce string, why error) error {
	var missed error
	for _, who := range people {
		account, ok := who.On(Platform)
		if !ok {
			continue
		}
		err := a.reach(ctx, who, account, nonce, shutOut(channel, why))
		a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
		if never := (*outbox.Never)(nil); err != nil && !errors.As(a.verdict(err), &never) {
			missed = err
		}
	}
	return missed
}

// reach tells somebody something privately, once for each nonce. That chat becomes their home, where they
// are told what concerns nobody else, if they have none.
func (a *Adapter) reach(ctx context.Context, who storage.Person, account, nonce string, said words.Text) error {
	private, err := a.privately(ctx, account)
	if err == nil {
		err = a.whisper(ctx, private, fmt.Sprint(nonce, ".", who.ID), said, bot.LanguageOf(who))
	}
	if err == nil && who.Home == 0 {
		err = a.makeHome(ctx, who, account, private)
	}
	return err
}

// whisper writes something into a private channel, once for each nonce.
func (a *Adapter) whisper(ctx context.Context, private, nonce string, said words.Text, l phrase.Language) error {
	p := plainPost(said, l)
	p.Nonce, p.Enforce = nonce, true
	return a.postTo(ctx, private, &p, nil)
}

// makeHome makes a private chat somebody's home.
func (a *Adapter) makeHome(ctx context.Context, who storage.Person, account, private string) error {
	_, err := a.bot.Users.Welcome(ctx, user.Visit{Person: address(account), Name: who.Name, Place: address(private), Private: true})
	return err
}

// acquaint makes sure that somebody has a private chat with the bot, if Discord lets it write to them.
func (a *Adapter) acquaint(ctx context.Context, p message.Account) {
	who, err := a.bot.Users.Meet(ctx, p.Address, p.Name)
	if err != nil || who.Home != 0 || p.Bot {
		return
	}
	private, err := a.privately(ctx, p.Address.ID)
	if err == nil {
		err = a.makeHome(ctx, who, p.Address.ID, private)
	}
	a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
}

// shutOut says why nothing can be said in a channel.
func shutOut(channel string, why error) words.Text {
	switch code(why) {
	case discordgo.ErrCodeMissingAccess:
		return without("seeing", []permit{mayView}, "channel", channelNamed(channel))
	case discordgo.ErrCodeMissingPermissions:
		return without("posting", []permit{maySend, maySendInThreads, mayAttach}, "channel", channelNamed(channel))
	}
	return say("channel-gone")
}

// lacking are the permissions that the bot would need to show something where an interaction was made.
func lacking(i *interaction) []permit {
	if i.Permissions == nil || i.GuildID == "" || i.away() {
		return nil
	}
	speak := maySend
	if i.Channel != nil && i.Channel.IsThread() {
		speak = maySendInThreads
	}
	return lacks(*i.Permissions, mayView, speak)
}

// warn adds to the answers that others will not see the outcome, if that is so.
func warn(i *interaction, notes []message.Message) []message.Message {
	missing := lacking(i)
	if len(missing) == 0 {
		return notes
	}
	for _, n := range notes {
		if n.Ack {
			more := message.Message{To: n.To, Text: without("showing", missing)}
			more.Speak(n.Language)
			return append(notes, more)
		}
	}
	return notes
}

// notPermitted reports whether a message was refused for want of permissions, perhaps only for its files
// or its card.
func notPermitted(err error) bool {
	return status(err) == http.StatusForbidden && code(err) == discordgo.ErrCodeMissingPermissions
}
