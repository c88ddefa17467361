package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"chimera/bot"
	"chimera/storage"
)

// house lets people be told privately what cannot be said in a channel any more, and tells
// them why. The nonce lets each be told once. An error is one that may pass: not everybody
// was reached yet.
func (a *Adapter) house(ctx context.Context, people []storage.Person, channel, nonce string, why error) error {
	var missed error
	for _, who := range people {
		account, ok := a.match.AccountOn(ctx, who.ID, Platform)
		if !ok {
			continue
		}
		private, err := a.privately(ctx, account)
		if err == nil && who.Home == 0 {
			err = a.settle(ctx, who, private)
		}
		if err == nil {
			l := sentence(shutOut(channel, why))
			l.Nonce, l.Enforce = fmt.Sprint(nonce, ".", who.ID), true
			err = a.call(ctx, http.MethodPost, "channels/"+private+"/messages", l.post, nil)
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

// settle makes a private chat the place where somebody is told what concerns nobody else.
func (a *Adapter) settle(ctx context.Context, who storage.Person, private string) error {
	home, _, err := a.match.Visit(ctx, address(private), storage.Address{})
	if err != nil {
		return err
	}
	return a.match.AtHome(ctx, who, home.ID)
}

// acquaint lets somebody be told privately of what another wants of him, if Discord lets
// the bot write to him.
func (a *Adapter) acquaint(ctx context.Context, p bot.Person) {
	who, err := a.match.Meet(ctx, p.Address, p.Name)
	if err != nil || who.Home != 0 || p.Bot {
		return
	}
	private, err := a.privately(ctx, p.Address.ID)
	if err == nil {
		err = a.settle(ctx, who, private)
	}
	if err != nil {
		a.log.InfoContext(ctx, "discord: somebody is not reached", "err", a.clean(err))
	}
}

// shutOut says why nothing can be said in a channel.
func shutOut(channel string, why error) string {
	switch code(why) {
	case codeMissingAccess:
		return "I cannot see <#" + channel + ">. Who manages the server can give me the permission View Channel there. Until then, I tell you here."
	case codeMissingPermit:
		return "I may not write in <#" + channel + ">. Who manages the server can give me the permissions Send Messages, Send Messages in Threads and Attach Files there. Until then, I tell you here."
	}
	return "A channel in which you play is gone. Your games go on, and I tell you of them here."
}

// lacking are the permissions that the bot lacks where something was done.
func lacking(i *interaction) []string {
	has, err := strconv.ParseUint(i.Permissions, 10, 64)
	if err != nil || i.GuildID == "" || has&permitAdministrator != 0 {
		return nil
	}
	speak, called := uint64(permitSend), "Send Messages"
	if i.Channel != nil && isThread(i.Channel.Type) {
		speak, called = permitSendInThreads, "Send Messages in Threads"
	}
	var lacks []string
	for _, p := range []struct {
		bit    uint64
		called string
	}{{permitView, "View Channel"}, {speak, called}, {permitAttach, "Attach Files"}} {
		if has&p.bit == 0 {
			lacks = append(lacks, p.called)
		}
	}
	return lacks
}

// warn adds to what is answered that others will not see it, where that is so.
func warn(i *interaction, notes []bot.Note) []bot.Note {
	lacks := lacking(i)
	if len(lacks) == 0 {
		return notes
	}
	for _, n := range notes {
		if n.Ack {
			return append(notes, bot.Note{To: n.To, Text: bot.Text{{Words: "That is done, but I may not show it here: I lack the permissions "}, {Words: strings.Join(lacks, ", "), Style: bot.Bold}, {Words: ". Who manages the server can give me them."}}})
		}
	}
	return notes
}

// plainly is a letter without its files, where only those were refused.
func (l *letter) plainly() letter {
	plain := *l
	plain.files, plain.Attached = nil, []attachment{}
	const missing = "\n(No picture: I lack the permission Attach Files here.)"
	plain.Content = clip(plain.Content, maxContent-len(missing)) + missing
	return plain
}

// refusedFiles reports whether a letter was refused, perhaps for its files.
func refusedFiles(l *letter, err error) bool {
	return len(l.files) > 0 && status(err) == http.StatusForbidden && code(err) == codeMissingPermit
}
