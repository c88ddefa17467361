package telegram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// message carries out what somebody wrote, and returns how to answer it.
func (a *Adapter) message(ctx context.Context, update int64, m *models.Message) answer {
	switch {
	case m.MigrateToChatID != 0, m.MigrateFromChatID != 0: // the other number is this chat's
		a.migrate(ctx, cmp.Or(m.MigrateFromChatID, m.Chat.ID), cmp.Or(m.MigrateToChatID, m.Chat.ID))
		return nil
	case m.LeftChatMember != nil:
		a.failed(ctx, slog.LevelError, "who left is not withdrawn", a.bot.Left(ctx, address(m.LeftChatMember.ID, 0), address(m.Chat.ID, 0)))
		return nil
	case m.From == nil || m.From.IsBot && m.SenderChat == nil || m.IsAutomaticForward || m.Text == "":
		return nil
	}
	said := incoming(update, m, author(m))
	text, users, to := a.address(m)
	said.Text, said.Picks, said.Public = text, true, !said.Private && !said.Alone
	if r := m.ReplyToMessage; r != nil {
		said.ReplyTo, said.ToStudy = a.state.GameOf(ctx, strconv.FormatInt(r.Chat.ID, 10), strconv.Itoa(r.ID))
	}
	if said.Private && m.IsTopicMessage && !said.ToStudy {
		said.ReplyTo = cmp.Or(said.ReplyTo, a.gameIn(ctx, m.Chat.ID, m.MessageThreadID))
	}
	begin, code, _ := strings.Cut(m.Text, " ")
	var watched storage.GameID
	if said.Arrived = begin == "/start"; said.Arrived && said.Private {
		var wish string
		wish, said.Press = bot.Wished(code)
		watched = a.watchedBy(m.From.ID, code)
		said.Text = cmp.Or(wish, words.Either(watched != 0, hello, said.Text))
	}
	added := !said.Private && text == hello && strings.HasSuffix(m.Text, " "+inGroup)
	if !a.bot.IsMeant(ctx, &said, to) || added && !a.greetsNow(ctx, m.Chat.ID) {
		return nil
	}
	said.People = a.people(ctx, text, users)
	if no := a.admit(ctx, m, &said); no != nil {
		refusal := []message.Message{{Text: no.In(a.bot.Language(ctx, said))}}
		if isWhisper(m) {
			return whole(func(ctx context.Context) { a.answer(ctx, &said, m, refusal) })
		}
		return a.replies(beside(m), m.ID, refusal)
	}
	return a.heard(ctx, m, &said, watched)
}

// heard carries out what is for the bot, lets its author watch a game unless that is 0, and returns how to answer it.
func (a *Adapter) heard(ctx context.Context, m *models.Message, said *message.Incoming, watched storage.GameID) answer {
	notes, _ := a.bot.Handle(ctx, *said) // an error has been logged, and has its note
	if watched != 0 {
		boards, _ := a.bot.Watch(ctx, *said, watched) // likewise
		notes = append(notes, boards...)
	}
	if m.SenderChat == nil {
		a.rememberName(ctx, m.From)
	}
	return a.together(said, whole(func(ctx context.Context) {
		a.explain(ctx, m, said, notes)
		a.answer(ctx, said, m, notes)
	}))
}

// incoming is what somebody does in the chat of a message.
func incoming(update int64, m *models.Message, from message.Account) message.Incoming {
	said := message.Incoming{
		ID: fmt.Sprint("u", update), Place: address(m.Chat.ID, topic(m)), Private: m.Chat.Type == models.ChatTypePrivate, From: from,
	}
	if !said.Private {
		said.Server, said.Called, said.Group, said.Alone = address(m.Chat.ID, 0), m.Chat.Title, true, isWhisper(m)
	}
	return said
}

// author is who wrote a message. A group stands for its anonymous administrators, a channel for whoever writes as it.
func author(m *models.Message) message.Account {
	if m.SenderChat == nil {
		return personOf(m.From)
	}
	return message.Account{Address: address(m.SenderChat.ID, 0), Name: cmp.Or(m.SenderChat.Title, fmt.Sprint(m.SenderChat.ID))}
}

func personOf(u *models.User) message.Account {
	p := message.Account{Address: address(u.ID, 0), Name: named(u), Locale: u.LanguageCode}
	if u.Username != "" {
		p.Mention = "@" + u.Username
	}
	return p
}

// admit finds out whether the author of a message manages the group, if that matters, and says why the message cannot
// be carried out, nil if it can: nothing is done if its answer could not be given.
func (a *Adapter) admit(ctx context.Context, m *models.Message, said *message.Incoming) words.Text {
	var err error
	switch {
	case said.Private:
	case m.SenderChat != nil:
		if bot.CommandIn(said).Whose != bot.Everybody {
			return say(words.Either(m.SenderChat.ID == m.Chat.ID, "refused.as-group", "refused.as-channel"))
		}
		said.Manager = m.SenderChat.ID == m.Chat.ID
	case bot.ForManagers(said):
		if said.Manager, err = a.manages(ctx, m.Chat.ID, m.From.ID); err != nil {
			return say("refused.manager-unknown")
		}
	case bot.CommandIn(said).Whose == bot.AskerAlone && !said.Alone:
		switch reached, err := a.reaches(ctx, m.From.ID); {
		case err != nil:
			return say("refused.private-unknown")
		case !reached:
			return a.forYouAlone(said)
		}
	}
	return nil
}

// reaches reports whether the bot can write to somebody in private, if Telegram answers soon.
func (a *Adapter) reaches(ctx context.Context, user int64) (reached bool, _ error) {
	err := a.ask(ctx, "chat not known", func(ctx context.Context) error {
		_, err := a.library.SendChatAction(ctx, &library.SendChatActionParams{ChatID: user, Action: models.ChatActionTyping})
		reached = err == nil
		_, refused := errors.AsType[*outbox.Never](a.verdict(err))
		return words.Either(refused, nil, err)
	})
	return reached, err
}

// topic is the topic of a message's group, or 0. The topics of a private chat are one place.
func topic(m *models.Message) int {
	return words.Either(m.IsTopicMessage && m.Chat.Type != models.ChatTypePrivate, m.MessageThreadID, 0)
}

// beside is the place where a message is answered.
func beside(m *models.Message) storage.Address {
	return address(m.Chat.ID, words.Either(m.IsTopicMessage, m.MessageThreadID, 0))
}

// address is the text of a message without the slash of its command and anything before it, or without the bot's name;
// the people it mentions who have no username; and whom it is for.
func (a *Adapter) address(m *models.Message) (text string, named []*models.User, to message.Addressee) {
	units := utf16.Encode([]rune(m.Text))
	command, at, others := a.command(m, units)
	if others {
		return "", nil, message.Nobody
	}
	if r := m.ReplyToMessage; m.Chat.Type == models.ChatTypePrivate || isWhisper(m) || command != "" {
		to = message.TheBot
	} else if r != nil && r.From != nil && r.From.ID == a.me.ID {
		to = message.WhatWasSaid
	}
	called := command != ""
	for _, e := range m.Entities {
		words := wordsOf(units, e)
		if e.Offset < at || words == "" {
			continue
		}
		instead := ""
		switch {
		case e.Type == models.MessageEntityTypeMention && strings.EqualFold(words, "@"+a.me.Username) && !called:
			called, to = true, message.TheBot
		case e.Type == models.MessageEntityTypeTextMention && e.User != nil:
			instead = " " + unnamed(e.User) + " "
			named = append(named, e.User)
		default:
			continue
		}
		text += string(utf16.Decode(units[at:e.Offset])) + instead
		at = e.Offset + e.Length
	}
	text = strings.TrimSpace(text + string(utf16.Decode(units[at:])))
	if command != "" {
		text = strings.TrimSpace(inBotsWords(command, text))
	}
	return strings.TrimLeft(text, " ,:;"), named, to
}

// command is the command in a text that names this bot, or else the first that names none, and where it
// ends. others reports that the text is for other bots.
func (a *Adapter) command(m *models.Message, units []uint16) (name string, end int, others bool) {
	for _, e := range m.Entities {
		words := wordsOf(units, e)
		if e.Type != models.MessageEntityTypeBotCommand || words == "" {
			continue
		}
		switch word, to, named := strings.Cut(strings.TrimPrefix(words, "/"), "@"); {
		case named && strings.EqualFold(to, a.me.Username):
			return word, e.Offset + e.Length, false
		case named:
			others = true
		case name == "" && (e.Offset == 0 || bot.IsCommand(word)):
			name, end = word, e.Offset+e.Length
		}
	}
	return name, end, others && (name == "" || m.Chat.Type != models.ChatTypePrivate)
}

// wordsOf is the text that an entity marks, "" if it is out of range.
func wordsOf(units []uint16, e models.MessageEntity) string {
	if e.Offset < 0 || e.Length < 0 || e.Offset > len(units) || e.Length > len(units)-e.Offset {
		return ""
	}
	return string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
}

// unnamed stands for somebody without a username.
func unnamed(u *models.User) string { return fmt.Sprintf("@user%d", u.ID) }

// inGroup is the start code of a bot added to a group.
const inGroup = "group"

// inBotsWords translates a command to the bot's own: Telegram begins a chat with /start, perhaps with a code.
func inBotsWords(name, rest string) string {
	if !strings.EqualFold(name, "start") {
		return name + " " + rest
	}
	switch code, links := strings.CutPrefix(rest, bot.LinkCode); {
	case links:
		return "link " + code
	case rest != "" && rest != hello && rest != inGroup && !strings.Contains(rest, " "):
		return "accept " + rest
	}
	return hello
}

// hello stands for the Start button, and is the start code of one elsewhere.
const hello = "hello"

// isMention matches usernames on Telegram, which have at least four letters.
var isMention = regexp.MustCompile(`^@[A-Za-z][A-Za-z0-9_]{3,31}$`)

// people are those named in a text.
func (a *Adapter) people(ctx context.Context, text string, users []*models.User) map[string]message.Account {
	people := map[string]message.Account{}
	for _, u := range users {
		people[unnamed(u)] = message.Account{Address: address(u.ID, 0), Name: named(u)}
	}
	people["@"+strings.ToLower(a.me.Username)] = message.Account{Address: address(a.me.ID, 0), Name: named(&a.me), Bot: true, Self: true}
	for word := range strings.FieldsSeq(text) {
		low := strings.ToLower(word)
		if !strings.HasPrefix(word, "@") || people[low] != (message.Account{}) {
			continue
		}
		if person, ok := a.byMention(ctx, low); ok {
			people[low] = person
		} else if isMention.MatchString(word) {
			people[low] = message.Account{Mention: word, Unmet: true}
		}
	}
	return people
}

// rememberName stores the username of somebody who has spoken to the bot, unless they have just been
// forgotten.
func (a *Adapter) rememberName(ctx context.Context, u *models.User) {
	if u.Username == "" {
		return
	}
	id := strconv.FormatInt(u.ID, 10)
	err := a.state.PutAbout(ctx, id, userKey("@"+u.Username), []byte(id+" "+named(u)))
	a.failed(ctx, slog.LevelError, "name not remembered", err)
}

func userKey(mention string) string { return "user/" + strings.ToLower(mention) }

// byMention is the person with a username, unless they were forgotten.
func (a *Adapter) byMention(ctx context.Context, mention string) (message.Account, bool) {
	id, name, ok := strings.Cut(a.state.Get(ctx, userKey(mention)), " ")
	if !ok {
		return message.Account{}, false
	}
	who := storage.Address{Platform: Platform, ID: id}
	met, err := a.bot.Users.Met(ctx, who)
	if err == nil && !met {
		a.state.PutSoon(userKey(mention), nil)
	}
	return message.Account{Address: who, Name: name}, met
}

// manages reports whether somebody may change a group's settings, if Telegram answers soon.
func (a *Adapter) manages(ctx context.Context, chat, user int64) (bool, error) {
	member, err := a.memberOf(ctx, chat, user)
	return err == nil && (member.Type == models.ChatMemberTypeOwner || member.Type == models.ChatMemberTypeAdministrator), err
}

// has reports whether somebody is in a group, or may be. It is asked of many, one after the other, and slowly.
func (a *Adapter) has(ctx context.Context, group, account string) bool {
	chat, _ := chatOf(storage.Address{ID: group})
	user, _ := chatOf(storage.Address{ID: account})
	_ = a.pause(ctx, time.Second/4)
	member, err := a.memberOf(ctx, chat, user)
	return err != nil || !isGone(*member)
}

func (a *Adapter) memberOf(ctx context.Context, chat, user int64) (member *models.ChatMember, err error) {
	err = a.ask(ctx, "member not known", func(ctx context.Context) (err error) {
		member, err = a.library.GetChatMember(ctx, &library.GetChatMemberParams{ChatID: chat, UserID: user})
		return err
	})
	return member, err
}

// migrate follows a group to its new number: it has become a supergroup.
func (a *Adapter) migrate(ctx context.Context, from, to int64) {
	a.greetsNow(ctx, to) // it is the same group
	a.failed(ctx, slog.LevelError, "group not moved", a.bot.Users.Rename(ctx, address(from, 0), address(to, 0)))
}

// greetsNow reports whether to greet a group that the bot was added to. Telegram reports that in several ways, so it is
// true only once.
func (a *Adapter) greetsNow(ctx context.Context, chat int64) bool {
	const once = 10 * time.Minute
	key, now := fmt.Sprint("greeted/", chat), time.Now()
	last, _ := strconv.ParseInt(a.state.Get(ctx, key), 10, 64)
	if now.Sub(time.Unix(last, 0)) < once {
		return false
	}
	a.state.Set(ctx, key, strconv.FormatInt(now.Unix(), 10))
	return true
}

// pressed carries a button out, and returns how to answer it.
func (a *Adapter) pressed(ctx context.Context, update int64, q *models.CallbackQuery) answer {
	if q.InlineMessageID != "" {
		return a.joined(ctx, update, q)
	}
	m := q.Message.Message
	if m == nil { // it is too old for Telegram to deliver
		return whole(func(ctx context.Context) {
			a.toast(ctx, q.ID, a.sayTo(ctx, message.Incoming{From: personOf(&q.From)}, "refused.message-too-old"), false)
		})
	}
	said := incoming(update, m, personOf(&q.From))
	said.Press = a.state.Unpack(ctx, q.Data)
	// What the message becomes, or what is posted below it, others see too.
	said.Public = !said.Private && !said.Alone && slices.Contains([]string{"flip", "unflip", "board", "replay", "share", "top"}, message.VerbOf(said.Press))
	if !said.Private && bot.ForManagers(&said) {
		var err error
		if said.Manager, err = a.manages(ctx, m.Chat.ID, q.From.ID); err != nil {
			return whole(func(ctx context.Context) { a.toast(ctx, q.ID, a.sayTo(ctx, said, "refused.manager-unknown"), true) })
		}
	}
	notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
	a.explain(ctx, m, &said, notes)
	a.rememberName(ctx, &q.From)
	return func(ctx context.Context) answer { return a.answerPress(ctx, q, &said, m, notes) }
}
