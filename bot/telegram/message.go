package telegram

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf16"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/storage"
)

// message answers what somebody wrote.
func (a *Adapter) message(ctx context.Context, update int64, m *models.Message) {
	switch {
	case m.MigrateToChatID != 0:
		a.migrate(ctx, m.Chat.ID, m.MigrateToChatID)
		return
	case m.MigrateFromChatID != 0:
		a.migrate(ctx, m.MigrateFromChatID, m.Chat.ID)
		return
	case m.From == nil || m.From.IsBot || m.Text == "":
		return
	}
	a.meet(ctx, m.From)
	text, addressed := a.address(m)
	said := bot.Message{
		ID: fmt.Sprint("u", update), Place: address(m.Chat.ID, topic(m)), Private: m.Chat.Type == models.ChatTypePrivate,
		From: bot.Person{Address: account(m.From.ID), Name: named(m.From)}, Text: text, ReplyTo: a.gameOf(ctx, m.ReplyToMessage),
	}
	if !said.Private {
		said.Server = address(m.Chat.ID, 0)
	}
	a.people(ctx, &said, m)
	if !addressed && !a.bot.IsMove(ctx, said) {
		return
	}
	if !said.Private && strings.HasPrefix(strings.ToLower(text), "settings here") {
		said.Manager = a.manages(ctx, m.Chat.ID, m.From.ID)
	}
	notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
	a.answer(ctx, &said, m, notes)
	a.post.Wake()
}

func topic(m *models.Message) int {
	if m.IsTopicMessage {
		return m.MessageThreadID
	}
	return 0
}

// address is what a text says to the bot, without the signs of a command or the bot's
// name, and whether it is addressed to it.
func (a *Adapter) address(m *models.Message) (text string, addressed bool) {
	units := utf16.Encode([]rune(m.Text))
	addressed = m.Chat.Type == models.ChatTypePrivate
	if r := m.ReplyToMessage; r != nil && r.From != nil && r.From.ID == a.me.ID {
		addressed = true
	}
	me := "@" + strings.ToLower(a.me.Username)
	for _, e := range m.Entities {
		if e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > len(units) {
			continue
		}
		words := string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
		switch {
		case e.Type == models.MessageEntityTypeBotCommand && e.Offset == 0:
			name, to, named := strings.Cut(strings.TrimPrefix(words, "/"), "@")
			if named && !strings.EqualFold(to, a.me.Username) {
				return "", false // another bot's
			}
			rest := strings.TrimSpace(string(utf16.Decode(units[e.Length:])))
			return strings.TrimSpace(spelled(name, rest)), true
		case e.Type == models.MessageEntityTypeMention && strings.ToLower(words) == me:
			addressed = true
			text = strings.Replace(m.Text, words, "", 1)
		}
	}
	if text == "" {
		text = m.Text
	}
	return strings.TrimSpace(strings.TrimLeft(text, " ,:;")), addressed
}

// spelled is a command in the bot's words: Telegram begins a chat with a command of its
// own, which may bring a code along.
func spelled(name, rest string) string {
	if !strings.EqualFold(name, "start") {
		return name + " " + rest
	}
	code, links := strings.CutPrefix(rest, bot.LinkCode)
	switch {
	case links:
		return "link " + code
	case rest != "" && !strings.Contains(rest, " "):
		return "accept " + rest
	}
	return "help"
}

// people notes whom a message names.
func (a *Adapter) people(ctx context.Context, said *bot.Message, m *models.Message) {
	said.People = map[string]bot.Person{}
	for _, e := range m.Entities {
		if e.Type == models.MessageEntityTypeTextMention && e.User != nil {
			a.meet(ctx, e.User)
			units := utf16.Encode([]rune(m.Text))
			if e.Offset < 0 || e.Offset+e.Length > len(units) {
				continue
			}
			words := string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
			key := fmt.Sprintf("@user%d", e.User.ID)
			said.Text = strings.Replace(said.Text, words, key, 1)
			said.People[key] = bot.Person{Address: account(e.User.ID), Name: named(e.User)}
		}
	}
	for word := range strings.FieldsSeq(said.Text) {
		low := strings.ToLower(word)
		if !strings.HasPrefix(word, "@") || said.People[low].Name != "" {
			continue
		}
		if person, ok := a.known(ctx, low); ok {
			said.People[low] = person
		}
	}
}

// meet remembers by what name somebody is mentioned.
func (a *Adapter) meet(ctx context.Context, u *models.User) {
	if u.Username == "" {
		return
	}
	key, value := "user/@"+strings.ToLower(u.Username), fmt.Sprintf("%d %s", u.ID, named(u))
	before, err := a.memory.Get(ctx, key)
	if err == nil && string(before) != value {
		err = a.memory.Put(ctx, key, []byte(value))
	}
	if err != nil {
		a.log.ErrorContext(ctx, "telegram: name not remembered", "err", err)
	}
}

func (a *Adapter) known(ctx context.Context, mention string) (bot.Person, bool) {
	value, err := a.memory.Get(ctx, "user/"+mention)
	id, name, ok := strings.Cut(string(value), " ")
	if err != nil || !ok {
		return bot.Person{}, false
	}
	return bot.Person{Address: storage.Address{Platform: Platform, ID: id}, Name: name}, true
}

// manages reports whether somebody may choose for a group.
func (a *Adapter) manages(ctx context.Context, chat, user int64) bool {
	member, err := a.library.GetChatMember(ctx, &library.GetChatMemberParams{ChatID: chat, UserID: user})
	if err != nil {
		a.log.WarnContext(ctx, "telegram: member not known", "err", a.clean(err))
		return false
	}
	return member.Type == models.ChatMemberTypeOwner || member.Type == models.ChatMemberTypeAdministrator
}

// migrate follows a group that has become a supergroup, with a new number.
func (a *Adapter) migrate(ctx context.Context, from, to int64) {
	if err := a.match.Rename(ctx, address(from, 0), address(to, 0)); err != nil {
		a.log.ErrorContext(ctx, "telegram: group not moved", "err", err)
	}
}

// pressed answers a button.
func (a *Adapter) pressed(ctx context.Context, update int64, q *models.CallbackQuery) {
	m := q.Message.Message
	if m == nil { // too old for Telegram to show
		a.toast(ctx, q.ID, "That message is too old: write board for a new one.")
		return
	}
	press, err := a.unpack(ctx, q.Data)
	if err != nil {
		a.log.ErrorContext(ctx, "telegram: button not read", "err", err)
	}
	a.meet(ctx, &q.From)
	said := bot.Message{
		ID: fmt.Sprint("u", update), Place: address(m.Chat.ID, topic(m)), Private: m.Chat.Type == models.ChatTypePrivate,
		From: bot.Person{Address: account(q.From.ID), Name: named(&q.From)}, Press: press,
	}
	if !said.Private {
		said.Server = address(m.Chat.ID, 0)
	}
	notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
	a.answerPress(ctx, q, m, notes)
	a.post.Wake()
}
