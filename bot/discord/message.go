package discord

import (
	"cmp"
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// ready notes who the bot is, says which commands there are, and reads what was missed.
func (a *Adapter) ready(ctx context.Context, r *discordgo.Ready) {
	if r.User == nil || r.Application == nil {
		return
	}
	a.mu.Lock()
	a.me = r.User.ID
	a.mu.Unlock()
	a.log.InfoContext(ctx, "discord: connected", "name", r.User.Username, "servers", len(r.Guilds))
	a.inOrder("", func() {
		if err := a.setCommands(ctx, r.Application.ID); err != nil {
			a.log.WarnContext(ctx, "discord: commands were not set", "err", verdict(err))
		}
		a.catchUp(ctx)
	})
}

// message answers what somebody wrote.
func (a *Adapter) message(ctx context.Context, m *discordgo.Message) {
	if m.Author == nil || m.Author.Bot || m.Content == "" {
		return
	}
	me := a.self()
	text, addressed := m.Content, m.GuildID == ""
	said := bot.Message{
		ID: m.ID, Place: room(m.ChannelID), Server: server(m.GuildID), Private: m.GuildID == "",
		From: bot.Person{Address: account(m.Author.ID), Name: called(m.Author, m.Member)}, People: map[string]bot.Person{},
	}
	for _, u := range m.Mentions {
		if u == nil {
			continue
		}
		for _, form := range []string{"<@" + u.ID + ">", "<@!" + u.ID + ">"} {
			if u.ID == me {
				addressed = addressed || strings.Contains(text, form)
				text = strings.ReplaceAll(text, form, " ")
				continue
			}
			text = strings.ReplaceAll(text, form, " @"+u.ID+" ")
			said.People["@"+u.ID] = bot.Person{Address: account(u.ID), Name: called(u, nil)}
		}
	}
	if r := m.ReferencedMessage; r != nil && r.Author != nil && r.Author.ID == me {
		addressed = true
		said.ReplyTo = a.gameOf(ctx, r.ID)
	}
	said.Text = strings.TrimSpace(text)
	a.noteSeen(ctx, m)
	if !addressed && !a.bot.IsMove(ctx, said) {
		return
	}
	if strings.HasPrefix(strings.ToLower(said.Text), "settings here") && m.GuildID != "" {
		said.Manager = a.manages(ctx, m)
	}
	notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
	for _, n := range notes {
		if n.Ack {
			if err := a.rest.MessageReactionAdd(m.ChannelID, m.ID, "✅", discordgo.WithContext(ctx)); err != nil {
				a.log.DebugContext(ctx, "discord: no reaction", "err", verdict(err))
			}
			continue
		}
		a.reply(ctx, m, n)
	}
	a.post.Wake()
}

// called is the name by which somebody goes.
func called(u *discordgo.User, m *discordgo.Member) string {
	nick := ""
	if m != nil {
		nick = m.Nick
	}
	return cmp.Or(nick, u.GlobalName, u.Username, u.ID)
}

// manages reports whether the author of a message manages its server.
func (a *Adapter) manages(ctx context.Context, m *discordgo.Message) bool {
	guild, err := a.rest.Guild(m.GuildID, discordgo.WithContext(ctx))
	if err != nil {
		a.log.WarnContext(ctx, "discord: server not known", "err", verdict(err))
		return false
	}
	if guild.OwnerID == m.Author.ID {
		return true
	}
	if m.Member == nil {
		return false
	}
	for _, role := range guild.Roles {
		for _, has := range m.Member.Roles {
			if role.ID == has && role.Permissions&(discordgo.PermissionManageGuild|discordgo.PermissionAdministrator) != 0 {
				return true
			}
		}
	}
	return false
}

// reply says a note at once, as an answer to a message.
func (a *Adapter) reply(ctx context.Context, m *discordgo.Message, n bot.Note) {
	if pause(ctx, a.post.Take(room(m.ChannelID))) != nil {
		return
	}
	before, last, files, err := a.make(ctx, n)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: not answered", "err", err)
		return
	}
	last.Reference = &reference{Message: m.ID}
	for _, b := range before {
		if _, err := a.create(ctx, m.ChannelID, b, nil); err != nil {
			a.log.WarnContext(ctx, "discord: not answered", "err", verdict(err))
			return
		}
	}
	sent, err := a.create(ctx, m.ChannelID, last, files)
	if err != nil {
		a.log.WarnContext(ctx, "discord: not answered", "err", verdict(err))
		return
	}
	if game := n.Game(); game != 0 && n.Board != nil {
		a.remember(ctx, m.ChannelID, sent, game, true)
	}
}
