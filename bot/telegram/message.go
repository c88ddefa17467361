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

// message carries out what somebody wrote, and returns how to answer it.
func (a *Adapter) message(ctx context.Context, update int64, m *models.Message) answer {
	switch {
	case m.MigrateToChatID != 0:
		a.migrate(ctx, m.Chat.ID, m.MigrateToChatID)
		return nil
	case m.MigrateFromChatID != 0:
		a.migrate(ctx, m.MigrateFromChatID, m.Chat.ID)
		return nil
	case m.From == nil || m.From.IsBot || m.Text == "":
		return nil
	}
	a.meet(ctx, m.From)
	text, users, addressed := a.address(m)
	said := bot.Message{
		ID: fmt.Sprint("u", update), Place: address(m.Chat.ID, topic(m)), Private: m.Chat.Type == models.ChatTypePrivate,
		From: bot.Person{Address: account(m.From.ID), Name: named(m.From)}, Text: text, ReplyTo: a.gameOf(ctx, m.ReplyToMessage),
		People: a.people(ctx, text, users),
	}
	if !said.Private {
		said.Server = address(m.Chat.ID, 0)
	}
	if !addressed && !a.bot.IsMove(ctx, said) {
		return nil
	}
	if !said.Private && bot.IsForManagers(text) {
		said.Manager = a.manages(ctx, m.Chat.ID, m.From.ID)
	}
	notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
	a.post.Wake()
	a.explain(ctx, m, &said, notes)
	return func(ctx context.Context) answer {
		a.answer(ctx, &said, m, notes)
		return nil
	}
}

func topic(m *models.Message) int {
	if m.IsTopicMessage {
		return m.MessageThreadID
	}
	return 0
}

// address is what a text says to the bot, without the signs of a command or the bot's
// name, who is named in it without a name of his own, and whether it is addressed to the
// bot.
func (a *Adapter) address(m *models.Message) (text string, named []*models.User, addressed bool) {
	addressed = m.Chat.Type == models.ChatTypePrivate
	if r := m.ReplyToMessage; r != nil && r.From != nil && r.From.ID == a.me.ID {
		addressed = true
	}
	units := utf16.Encode([]rune(m.Text))
	command, at := "", 0
	var rest strings.Builder
	for _, e := range m.Entities {
		if e.Offset < at || e.Length < 0 || e.Offset+e.Length > len(units) {
			continue
		}
		words := string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
		switch {
		case e.Type == models.MessageEntityTypeBotCommand && e.Offset == 0:
			name, to, other := strings.Cut(strings.TrimPrefix(words, "/"), "@")
			if other && !strings.EqualFold(to, a.me.Username) {
				return "", nil, false // another bot's
			}
			command, addressed = name, true
		case e.Type == models.MessageEntityTypeMention && strings.EqualFold(words, "@"+a.me.Username):
			rest.WriteString(string(utf16.Decode(units[at:e.Offset])))
			addressed = true
		case e.Type == models.MessageEntityTypeTextMention && e.User != nil:
			rest.WriteString(string(utf16.Decode(units[at:e.Offset])) + " " + unnamed(e.User) + " ")
			named = append(named, e.User)
		default:
			continue
		}
		at = e.Offset + e.Length
	}
	rest.WriteString(string(utf16.Decode(units[at:])))
	text = strings.TrimSpace(rest.String())
	if command != "" {
		text = strings.TrimSpace(spelled(command, text))
	}
	return strings.TrimLeft(text, " ,:;"), named, addressed
}

// unnamed is how somebody is written who has no name to be mentioned by.
func unnamed(u *models.User) string { return fmt.Sprintf("@user%d", u.ID) }

// inGroup is what somebody begins with who has added the bot to a group.
const inGroup = "group"

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
	case rest != "" && rest != inGroup && !strings.Contains(rest, " "):
		return "accept " + rest
	}
	return "help"
}

// people are those whom a text names.
func (a *Adapter) people(ctx context.Context, text string, users []*models.User) map[string]bot.Person {
	people := map[string]bot.Person{}
	for _, u := range users {
		a.meet(ctx, u)
		people[unnamed(u)] = bot.Person{Address: account(u.ID), Name: named(u)}
	}
	for word := range strings.FieldsSeq(text) {
		low := strings.ToLower(word)
		if !strings.HasPrefix(word, "@") || people[low].Name != "" {
			continue
		}
		if person, ok := a.known(ctx, low); ok {
			people[low] = person
		}
	}
	return people
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

// pressed carries a button out, and returns how to answer it.
func (a *Adapter) pressed(ctx context.Context, update int64, q *models.CallbackQuery) answer {
	m := q.Message.Message
	if m == nil { // too old for Telegram to show
		return func(ctx context.Context) answer {
			a.toast(ctx, q.ID, "That message is too old: write /board for a new one.")
			return nil
		}
	}
	press, err := a.memory.Unpack(ctx, q.Data)
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
	a.post.Wake()
	return func(ctx context.Context) answer { return a.answerPress(ctx, q, m, notes) }
}
