package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/storage"
)

// messageAt is where a message is: in a chat or, if somebody has posted it through the bot, anywhere.
type messageAt struct {
	chat   int64
	id     int
	posted string // Telegram's name for what was posted, else ""
	to     int64  // who alone sees it, if it is a whisper, else 0
}

// place is the chat of a message as Telegram wants it, nil for what was posted.
func (m messageAt) place() any {
	if m.posted != "" {
		return nil
	}
	return m.chat
}

func atOf(m *models.Message) messageAt { return messageAt{chat: m.Chat.ID, id: m.ID} }

func refTo(m *models.Message) adapter.Ref { return adapter.Ref{ID: strconv.Itoa(m.ID)} }

// messageOf is a message at a place that was remembered.
func messageOf(place storage.Address, r adapter.Ref) messageAt {
	chat, _ := chatOf(place)
	id, _ := strconv.Atoi(r.ID)
	return messageAt{chat: chat, id: id}
}

// part is what of a message is edited, together with its buttons.
type part int

const (
	itsButtons part = iota // alone
	itsText
	itsCaption
	itsPicture // and its caption
)

// wordsIn is the part of a message that holds its text.
func wordsIn(m *models.Message) part {
	if pictured(m) {
		return itsCaption
	}
	return itsText
}

// edit gives a part of a message, and its buttons, the content of another.
func (a *Adapter) edit(ctx context.Context, at messageAt, what part, n message.Message) (sent *models.Message, err error) {
	buttons, err := a.keyboard(ctx, at.chat, n)
	if err != nil {
		return nil, err
	}
	if at.to != 0 {
		ctx = (&whisper{to: at.to, id: at.id}).in(ctx)
	}
	switch what {
	case itsButtons:
		sent, err = a.library.EditMessageReplyMarkup(ctx, &library.EditMessageReplyMarkupParams{
			ChatID: at.place(), MessageID: at.id, InlineMessageID: at.posted, ReplyMarkup: buttons,
		})
	case itsText:
		text := a.format(ctx, n.Text)
		if at.posted != "" {
			text = format(a.told(n.Text), nil) // nobody is mentioned in chats of others
		}
		sent, err = a.library.EditMessageText(ctx, &library.EditMessageTextParams{
			ChatID: at.place(), MessageID: at.id, InlineMessageID: at.posted, Text: text, ParseMode: models.ParseModeHTML,
			ReplyMarkup: buttons, LinkPreviewOptions: noPreview(),
		})
	case itsCaption:
		sent, err = a.library.EditMessageCaption(ctx, &library.EditMessageCaptionParams{
			ChatID: at.place(), MessageID: at.id, Caption: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, ReplyMarkup: buttons,
		})
	case itsPicture:
		sent, err = a.editPicture(ctx, at, n, buttons)
	}
	return at.edited(sent, err)
}

// edited is an edited message. A message that is like that already is none that failed, and of what was posted
// or whispered Telegram says only that it is done.
func (m messageAt) edited(sent *models.Message, err error) (*models.Message, error) {
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); odd && (m.posted != "" || m.to != 0) || refusedAs(err, "not modified") {
		return &models.Message{ID: m.id, Chat: models.Chat{ID: m.chat}}, nil
	}
	return sent, err
}

func (a *Adapter) editPicture(ctx context.Context, at messageAt, n message.Message, buttons *keyboard) (*models.Message, error) {
	picture, file, err := n.Still(ctx)
	if err != nil {
		return nil, err
	}
	media := &models.InputMediaPhoto{Caption: a.caption(ctx, n), ParseMode: models.ParseModeHTML}
	sent, err := a.withPicture(picture, true, func(name string) (*models.Message, error) {
		if media.Media = name; name == "" {
			media.Media, media.MediaAttachment = "attach://"+file, bytes.NewReader(picture)
		}
		return at.edited(a.library.EditMessageMedia(ctx, &library.EditMessageMediaParams{ChatID: at.chat, MessageID: at.id, Media: media, ReplyMarkup: buttons}))
	})
	if err == nil {
		a.edited.Remove(at)
	}
	return sent, err
}

// become is edit; nothing is returned if the message is gone, or cannot be changed any more.
func (a *Adapter) become(ctx context.Context, at messageAt, what part, n message.Message) (*models.Message, error) {
	sent, err := a.edit(ctx, at, what, n)
	if errors.Is(err, library.ErrorBadRequest) {
		a.failed(ctx, slog.LevelDebug, "message not changed", err)
		return nil, nil
	}
	return sent, err
}

// alter is edit, tried for a little while. An error has been logged.
func (a *Adapter) alter(ctx context.Context, at messageAt, what part, n message.Message) error {
	err := a.insist(ctx, func() error {
		_, err := a.edit(ctx, at, what, n)
		return err
	})
	if err != nil {
		a.failed(ctx, slog.LevelDebug, "message not changed", err)
		a.heed(address(at.chat, 0), err)
	}
	return err
}

// strip takes the buttons off a message.
func (a *Adapter) strip(ctx context.Context, at messageAt) {
	_ = a.alter(ctx, at, itsButtons, message.Message{}) // it has been logged
}

// change is alter for somebody who has pressed a button, in the queue of its chat's edits. If that fails,
// they get a message below the button.
func (a *Adapter) change(m *models.Message, what part, n message.Message) {
	place := address(m.Chat.ID, topic(m))
	a.later(fmt.Sprint(m.Chat.ID, " edits"), func(ctx context.Context) {
		if a.mayEdit(ctx, place, what) && a.alter(ctx, atOf(m), what, n) == nil {
			return
		}
		a.unknown(atOf(m))
		a.later(fmt.Sprint(m.Chat.ID), func(ctx context.Context) {
			_ = a.reply(ctx, place, m.ID, n) // it has been logged
		})
	})
}

// mayEdit waits until a message at a place may be edited; false if that is too late. In private, where its
// reader has asked for it, that is only as long as Telegram asks for. Buttons do not wait, since somebody
// looks at them and they are changed only a few times.
func (a *Adapter) mayEdit(ctx context.Context, place storage.Address, what part) bool {
	held := a.post.Held(place)
	if what == itsButtons {
		return held == 0
	}
	if chat, _ := chatOf(place); chat < 0 {
		held = a.post.Take(place)
	}
	return a.pause(ctx, held) == nil
}

// whenSpare changes an old message when nothing else is to be said in its chat. If that is not soon, the
// message stays, and its buttons say that they are too old.
func (a *Adapter) whenSpare(chat int64, change func(context.Context)) {
	until := time.Now().Add(stale)
	a.later(fmt.Sprint(chat, " old"), func(ctx context.Context) {
		waiting, end := context.WithDeadline(ctx, until)
		defer end()
		defer context.AfterFunc(a.running, end)()
		for wait := a.post.Spare(address(chat, 0)); wait > 0; wait = a.post.Spare(address(chat, 0)) {
			if a.pause(waiting, wait) != nil {
				return
			}
		}
		change(ctx)
	})
}

// becomeWhenSpare lets a text become another, or else lose its buttons, when its chat has nothing else to
// hear.
func (a *Adapter) becomeWhenSpare(at messageAt, n message.Message) {
	a.whenSpare(at.chat, func(ctx context.Context) {
		if a.alter(ctx, at, itsText, n) != nil {
			a.strip(ctx, at)
		}
	})
}

// maxEdits is how often the buttons of a message are edited for a move: Telegram's clients stall after more.
const maxEdits = 3

// edited is what is known of the buttons of a message, until they are stale.
type edited struct {
	times   int              // they were changed
	buttons []message.Button // now; nil if that is not known
}

// count counts a change of a message's buttons, unless that takes it back to its first ones. It reports
// whether there have been enough changes, and whether the message has these buttons already: somebody has
// pressed twice. Presses of a message are counted one after the other.
func (a *Adapter) count(at messageAt, buttons []message.Button, back bool) (enough, there bool) {
	now, _ := a.edited.Get(at)
	switch {
	case now.buttons != nil && slices.Equal(now.buttons, buttons):
		return false, true
	case back:
	case now.times >= maxEdits:
		return true, false
	default:
		now.times++
	}
	now.buttons = buttons
	a.edited.Add(at, now)
	return false, false
}

// unknown notes that it is not known what buttons a message has.
func (a *Adapter) unknown(at messageAt) {
	if now, ok := a.edited.Get(at); ok {
		a.edited.Add(at, edited{times: now.times})
	}
}
