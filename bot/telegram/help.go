package telegram

import (
	"context"
	"slices"
	"strings"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
)

// explain adds to the help how games begin, and in a group how the bot is heard there.
func (a *Adapter) explain(ctx context.Context, m *models.Message, said *bot.Message, notes []bot.Note) {
	if !strings.EqualFold(said.Text, "help") || len(notes) == 0 {
		return
	}
	text := notes[0].Text
	if strings.HasPrefix(m.Text, "/start") {
		text = slices.Concat(a.welcome(), text)
	}
	if !said.Private {
		all := a.me.CanReadAllGroupMessages
		if !all {
			all, _ = a.manages(ctx, m.Chat.ID, a.me.ID) // it has been logged
		}
		text = append(slices.Clone(text), heard(all, a.me.Username)...)
	}
	notes[0].Text = text
}

// welcome is how somebody is greeted who has not written before.
func (a *Adapter) welcome() bot.Text {
	return bot.Text{
		{Words: "Hello! I play kinds of chess in which pieces combine. Add me to a group, with "},
		{Words: "https://t.me/" + a.me.Username + "?startgroup=" + inGroup, Style: bot.Link},
		{Words: ", and write "},
		{Words: "challenge @friend", Style: bot.Code},
		{Words: " there; or write "},
		{Words: "challenge", Style: bot.Code},
		{Words: " here, and send a friend the address that I give you. "},
		{Words: "rules", Style: bot.Code},
		{Words: " lists the games.\n\n"},
	}
}

// heard says what the bot hears in a group. Commands that do not name it are heard only
// while it was the last bot to speak.
func heard(all bool, username string) bot.Text {
	if all {
		return bot.Text{
			{Words: "\n\nIn this group I read everything: a move alone is enough, such as "}, {Words: "Nf3", Style: bot.Code}, {Words: "."},
		}
	}
	return bot.Text{
		{Words: "\n\nIn this group I hear commands, answers to my messages, and buttons. So press Move, write "},
		{Words: "/move@" + username + " Nf3", Style: bot.Code},
		{Words: ", or answer the board with "},
		{Words: "Nf3", Style: bot.Code},
		{Words: ". I read a move alone too if I am an administrator of the group."},
	}
}
