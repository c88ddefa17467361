package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/render"
)

// tellPrivately lets people be told privately what cannot be said in a channel any more, and tells
// them why. The nonce lets each be told once. An error is one that may pass: not everybody
// was reached yet.
func (a *Adapter) tellPrivately(ctx context.Context, people []bot.Member, channel, nonce string, why error) error {
	var missed error
	for _, who := range people {
		account, ok := who.On(Platform)
		if !ok {
			continue
		}
		private, err := a.privately(ctx, account)
		if err == nil && who.Home == 0 {
			err = a.makeHome(ctx, who, account, private)
		}
		if err == nil {
			p := sentence(shutOut(channel, why))
			p.Nonce, p.Enforce = fmt.Sprint(nonce, ".", who.ID), true
			err = a.call(ctx, http.MethodPost, "channels/"+private+"/messages", p.post, nil)
		}
		if err != nil {
			a.log.InfoContext(ctx, "discord: somebody is not reached", "err", a.clean(err))
		}
		if never := (*bot.Never)(nil); err != nil && !errors.As(a.verdict(err), &never) {
			missed = err
		}
	}
	return missed
}

// makeHome makes a private chat the place where somebody is told what concerns nobody else.
func (a *Adapter) makeHome(ctx context.Context, who bot.Member, account, private string) error {
	_, err := a.services.People.Welcome(ctx, bot.Visit{Person: address(account), Name: who.Name, Place: address(private), Private: true})
	return err
}

// acquaint lets somebody be told privately of what another wants of them, if Discord lets
// the bot write to them.
func (a *Adapter) acquaint(ctx context.Context, p bot.Person) {
	who, err := a.services.People.Meet(ctx, p.Address, p.Name)
	if err != nil || who.Home != 0 || p.Bot {
		return
	}
	private, err := a.privately(ctx, p.Address.ID)
	if err == nil {
		err = a.makeHome(ctx, who, p.Address.ID, private)
	}
	if err != nil {
		a.log.InfoContext(ctx, "discord: somebody is not reached", "err", a.clean(err))
	}
}

// shutOut says why nothing can be said in a channel.
func shutOut(channel string, why error) string {
	switch code(why) {
	case discordgo.ErrCodeMissingAccess:
		return "I cannot see <#" + channel + ">. Who manages the server can give me the permission View Channel there. Until then, I tell you here."
	case discordgo.ErrCodeMissingPermissions:
		return "I may not write in <#" + channel + ">. Who manages the server can give me the permissions Send Messages, Send Messages in Threads and Attach Files there. Until then, I tell you here."
	}
	return "A channel in which you play is gone. Your games go on, and I tell you of them here."
}

// lacking are the permissions without which nothing can be shown where something was done.
func lacking(i *interaction) []string {
	if i.Permissions == nil || i.GuildID == "" {
		return nil
	}
	speak := permit{discordgo.PermissionSendMessages, "Send Messages"}
	if i.Channel != nil && i.Channel.IsThread() {
		speak = permit{discordgo.PermissionSendMessagesInThreads, "Send Messages in Threads"}
	}
	return lacks(*i.Permissions, permit{discordgo.PermissionViewChannel, "View Channel"}, speak)
}

// warn adds to what is answered that others will not see it, where that is so.
func warn(i *interaction, notes []bot.Note) []bot.Note {
	missing := lacking(i)
	if len(missing) == 0 {
		return notes
	}
	for _, n := range notes {
		if n.Ack {
			return append(notes, bot.Note{To: n.To, Text: bot.Text{
				{Words: "That's done, but I can't show it here: I need "}, {Words: strings.Join(missing, " and "), Style: bot.Bold}, {Words: ". Server managers can give me that."},
			}})
		}
	}
	return notes
}

// plainly is a payload without its files, where only those were refused: with the board in
// characters.
func (p *payload) plainly() payload {
	plain := *p
	plain.files, plain.Attached = nil, []attachment{}
	missing := "\n(No picture: I need the permission Attach Files here.)"
	if p.board != nil {
		missing = "\n```\n" + render.Text(*p.board) + "```" + missing[1:]
	}
	plain.Content = bot.Clip(plain.Content, maxContent-bot.Length(missing)) + missing
	return plain
}

// refusedFiles reports whether a payload was refused, perhaps for its files.
func refusedFiles(p *payload, err error) bool {
	return len(p.files) > 0 && status(err) == http.StatusForbidden && code(err) == discordgo.ErrCodeMissingPermissions
}
