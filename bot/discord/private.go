package discord

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

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
		private, err := a.whisper(ctx, account, fmt.Sprint(nonce, ".", who.ID), said, bot.LanguageOf(who))
		if err == nil && who.Home == 0 {
			err = a.makeHome(ctx, who, account, private)
		}
		a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
		switch {
		case err != nil && a.never(err):
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
