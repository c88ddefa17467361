package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// answer gives answers to a message: in private if they concern nobody but its author.
func (a *Adapter) answer(ctx context.Context, said *message.Incoming, to *models.Message, notes []message.Message) {
	alone := !said.Private && bot.CommandIn(said).Whose == bot.AskerAlone
	for _, n := range notes {
		switch {
		case n.Ack:
			a.react(ctx, to)
		case alone:
			switch err := a.reply(ctx, address(to.From.ID, 0), 0, n); {
			case err == nil:
				a.react(ctx, to)
			case errors.Is(err, library.ErrorForbidden):
				_ = a.reply(ctx, said.Place, to.ID, message.Message{Text: a.forYouAlone().In(a.bot.Language(ctx, *said))}) // it has been logged
			}
		default:
			_ = a.reply(ctx, said.Place, to.ID, n) // likewise
		}
	}
}

// reply gives an answer at once, within the limits of its place. An error has been logged.
func (a *Adapter) reply(ctx context.Context, place storage.Address, to int, n message.Message) error {
	const tries = 5
	var said parts
	for try := 1; ; try++ {
		if err := a.another(ctx, place); err != nil {
			return err
		}
		err := a.say(ctx, &said, place, to, 0, n)
		if err == nil {
			a.state.PutAllSoon(said.receipt)
			return nil
		}
		if moved, ok := a.moved(ctx, place, err); ok && try < tries {
			place = moved
			continue
		}
		a.heed(place, err)
		var later *outbox.Later
		var never *outbox.Never
		verdict := a.verdict(err)
		switch {
		case errors.As(verdict, &never), try == tries:
			a.failed(ctx, slog.LevelWarn, "not answered", err)
			return err
		case errors.As(verdict, &later):
		case a.pause(ctx, time.Second/4<<try) != nil:
			return err
		}
	}
}

// react marks a message as carried out whose outcome everyone sees anyway.
func (a *Adapter) react(ctx context.Context, m *models.Message) {
	_, err := a.library.SetMessageReaction(ctx, &library.SetMessageReactionParams{
		ChatID: m.Chat.ID, MessageID: m.ID,
		Reaction: []models.ReactionType{{
			Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Type: models.ReactionTypeTypeEmoji, Emoji: "👌"},
		}},
	})
	if err != nil {
		a.failed(ctx, slog.LevelDebug, "no reaction", err)
		a.heed(address(m.Chat.ID, topic(m)), err)
	}
}

// insist asks Telegram for something again, a little later, if that may help.
func (a *Adapter) insist(ctx context.Context, ask func() error) error {
	const tries, most = 4, 10 * time.Second
	asking := adapter.Retry{First: time.Second / 2, Tries: tries, Pause: a.pause, Verdict: func(err error) error {
		verdict := a.verdict(err)
		var later *outbox.Later
		if moved := (*library.MigrateError)(nil); errors.As(err, &moved) || errors.As(verdict, &later) && later.After > most {
			return &outbox.Never{Err: err}
		}
		return verdict
	}}
	return asking.Do(ctx, ask)
}

// heed lets all that is to be said at a place wait, if an error asks for that.
func (a *Adapter) heed(place storage.Address, err error) {
	if later, ok := errors.AsType[*outbox.Later](a.verdict(err)); ok {
		a.post.Hold(place, later)
	}
}

// answerPress answers a button: with a toast that its presser alone sees, with another keyboard below the
// same message, or with a message, which waits for those before it.
func (a *Adapter) answerPress(ctx context.Context, q *models.CallbackQuery, press string, m *models.Message, notes []message.Message) (rest answer) {
	if m.Chat.Type != models.ChatTypePrivate && slices.ContainsFunc(notes, func(n message.Message) bool { return n.Alone }) {
		return a.answerAlone(ctx, q, notes)
	}
	said := false
	word := func(text string, alert bool) {
		a.toast(ctx, q.ID, text, alert)
		said = true
	}
	var replies []message.Message
	for _, n := range notes {
		text, page := bare(n.Text), isPage(m, n)
		plain := !n.Pictured() && n.File == nil && len(n.Buttons) == 0
		enough, there := true, false
		redrawn := redraws(press, m, n)
		if !redrawn && (n.Back || page || n.Step && n.Chart == nil && n.Game() != 0) {
			enough, there = a.edited.add(messageAt{m.Chat.ID, m.ID}, n.Buttons, n.Back || page)
		}
		switch {
		case !said && concludes(q, press, m, n) && plain:
			word("", false)
			a.conclude(m, n)
		case n.Ack:
		case page:
			word("", false)
			if !there {
				a.turnTo(m, n)
			}
		case redrawn:
			word("", false)
			a.flip(m, n)
		case !enough:
			word(adapter.Clip(text, maxToast), false)
			if !there {
				a.turn(m, n)
			}
		case !said && plain && n.Replay == nil && adapter.Length(text) <= maxToast:
			word(text, true)
		default:
			if !said {
				word("", false)
			}
			replies = append(replies, n)
		}
	}
	if m.Chat.Type != models.ChatTypePrivate {
		nameAsked(personOf(&q.From).Name, replies)
	}
	if !said {
		word("", false)
	}
	if len(replies) == 0 {
		return nil
	}
	return whole(func(ctx context.Context) {
		for _, n := range replies {
			_ = a.reply(ctx, address(m.Chat.ID, topic(m)), m.ID, n) // it has been logged
		}
	})
}

// nameAsked names in a question that others see the only person who can answer it.
func nameAsked(name string, notes []message.Message) {
	for i, n := range notes {
		if len(n.Buttons) > 0 && strings.Contains(n.Buttons[0].Do, "-yes ") {
			notes[i].Text = slices.Concat(words.Text{{Words: name + ": "}}, n.Text)
		}
	}
}

// answerAlone answers a button of a group in private, and says so to whoever pressed it.
func (a *Adapter) answerAlone(ctx context.Context, q *models.CallbackQuery, notes []message.Message) (rest answer) {
	language := notes[0].Language
	if reached, err := a.reaches(ctx, q.From.ID); err != nil || !reached {
		a.toast(ctx, q.ID, bare(a.forYouAlone().In(language)), true)
		return nil
	}
	a.toast(ctx, q.ID, bare(say("refused.sent-alone").In(language)), false)
	return whole(func(ctx context.Context) {
		for _, n := range notes {
			_ = a.reply(ctx, address(q.From.ID, 0), 0, n) // it has been logged
		}
	})
}

// pictured reports whether a message shows a picture or an animation.
func pictured(m *models.Message) bool { return len(m.Photo) > 0 || m.Animation != nil }

// isPage reports whether a note is another page of a message: about no game, and of text alone.
func isPage(m *models.Message, n message.Message) bool {
	fits := !pictured(m) || adapter.Length(n.Text.Plain()) <= maxCaption
	return n.Step && n.Game() == 0 && !n.Pictured() && fits
}

// redraws reports whether a note is a picture that replaces the one above the button: the board turned
// round, or the next step.
func redraws(press string, m *models.Message, n message.Message) bool {
	verb, _, _ := strings.Cut(press, " ")
	flips := verb == "flip" || verb == "unflip"
	leadsOn := verb == "moment" || verb == "reviewed" || slices.ContainsFunc([]string{"lesson", "puzzle", "daily"}, func(begins string) bool { return strings.HasPrefix(verb, begins) })
	return n.Pictured() && pictured(m) && (flips || leadsOn && n.Step && m.Chat.Type == models.ChatTypePrivate)
}

// change changes a message into a note, in the queue of its chat's edits. If that fails, the note becomes a
// message below it.
func (a *Adapter) change(m *models.Message, n message.Message, made func(context.Context) bool) {
	a.later(fmt.Sprint(m.Chat.ID, " edits"), func(ctx context.Context) {
		if made(ctx) {
			return
		}
		a.edited.failed(messageAt{m.Chat.ID, m.ID})
		a.later(fmt.Sprint(m.Chat.ID), func(ctx context.Context) {
			_ = a.reply(ctx, address(m.Chat.ID, topic(m)), m.ID, n) // it has been logged
		})
	})
}

// turn changes the buttons of a message to those of a note.
func (a *Adapter) turn(m *models.Message, n message.Message) {
	a.change(m, n, func(ctx context.Context) bool { return a.setKeyboard(ctx, m.Chat.ID, m.ID, n.Buttons) })
}

// flip turns the board of a message round.
func (a *Adapter) flip(m *models.Message, n message.Message) {
	place := address(m.Chat.ID, topic(m))
	a.change(m, n, func(ctx context.Context) bool {
		err := a.pause(ctx, a.ofPace(place))
		if err == nil {
			err = a.insist(ctx, func() error {
				_, err := a.redraw(ctx, place, m.ID, n)
				return err
			})
		}
		if err == nil {
			return true
		}
		a.failed(ctx, slog.LevelDebug, "board not flipped", err)
		a.heed(place, err)
		return false
	})
}

// toast answers a button with a few words that disappear or, as an alert, have to be closed.
func (a *Adapter) toast(ctx context.Context, id, text string, alert bool) {
	a.answerButton(ctx, &library.AnswerCallbackQueryParams{CallbackQueryID: id, Text: text, ShowAlert: alert})
}

func (a *Adapter) answerButton(ctx context.Context, params *library.AnswerCallbackQueryParams) {
	err := a.insist(ctx, func() error {
		_, err := a.library.AnswerCallbackQuery(ctx, params)
		return err
	})
	a.failed(ctx, slog.LevelDebug, "button not answered", err)
}

// setKeyboard changes the buttons of a message; false if they have to be shown in another way. Somebody is
// looking at them, and a message has only a few such changes: they wait only as long as Telegram asks for.
func (a *Adapter) setKeyboard(ctx context.Context, chat int64, message int, buttons []message.Button) bool {
	return a.post.Held(address(chat, 0)) == 0 && a.changeKeyboard(ctx, chat, message, buttons)
}

// ofPace is how long an edit at a place waits. In private, where its reader has asked for it, that is only
// as long as Telegram asks for.
func (a *Adapter) ofPace(place storage.Address) time.Duration {
	if chat, _ := chatOf(place); chat > 0 {
		return a.post.Held(place)
	}
	return a.post.Take(place)
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

// stripKeyboard takes the buttons off a message that is of no more use.
func (a *Adapter) stripKeyboard(chat int64, message int) {
	a.whenSpare(chat, func(ctx context.Context) { a.changeKeyboard(ctx, chat, message, nil) })
}

// changeKeyboard changes the buttons of a message at once.
func (a *Adapter) changeKeyboard(ctx context.Context, chat int64, message int, buttons []message.Button) bool {
	keyboard, err := a.keyboard(ctx, chat, buttons)
	if err == nil {
		err = a.insist(ctx, func() error {
			_, err := a.library.EditMessageReplyMarkup(ctx, &library.EditMessageReplyMarkupParams{ChatID: chat, MessageID: message, ReplyMarkup: keyboard})
			return err
		})
	}
	if err != nil {
		a.failed(ctx, slog.LevelDebug, "keyboard not changed", err)
		a.heed(address(chat, 0), err)
	}
	return err == nil || refusedAs(err, "not modified")
}
