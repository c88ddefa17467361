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
		text = slices.Concat(a.welcome(said.Private), text)
	}
	if !said.Private {
		all := a.me.CanReadAllGroupMessages
		if !all {
			all, _ = a.manages(ctx, m.Chat.ID, a.me.ID) // it has been logged
		}
		text = append(slices.Clone(text), whatIsRead(all, a.me.Username)...)
	}
	notes[0].Text = text
}

// welcome is how somebody is greeted who has not written before.
func (a *Adapter) welcome(private bool) bot.Text {
	const hello = "Hello! I play kinds of chess in which pieces combine. "
	if !private {
		return bot.Text{
			{Words: hello + "To begin, write "},
			{Words: "challenge @friend", Style: bot.Code},
			{Words: " here, or "},
			{Words: "challenge", Style: bot.Code},
			{Words: " for whoever joins first. "},
			{Words: "rules", Style: bot.Code},
			{Words: " lists the games.\n\n"},
		}
	}
	return bot.Text{
		{Words: hello + "Add me to a group, with "},
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

// whatIsRead says what the bot hears in a group. Commands that do not name it are heard only
// while it was the last bot to speak.
func whatIsRead(all bool, username string) bot.Text {
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

// forYouAlone asks somebody to press Start, who cannot be written to before.
func (a *Adapter) forYouAlone() bot.Text {
	return bot.Text{
		{Words: "The answer is for you alone, and I can't write to you in private yet. Open "},
		{Words: "https://t.me/" + a.me.Username, Style: bot.Link},
		{Words: ", press Start, and ask me there."},
	}
}

// faceless asks somebody to show who they are, who writes as a group or as a channel.
func faceless(group bool) bot.Text {
	if group {
		return bot.Text{{Words: "I can't tell who you are while you write as the group. To play, write as yourself: turn off “Remain anonymous” " +
			"among your rights as an administrator, then send that again."}}
	}
	return bot.Text{{Words: "I can't tell who you are while you write as a channel. To play, choose your own name beside the message field, then send that again."}}
}
