package telegram

import (
	"cmp"
	"context"
	"errors"
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
	s := &saying{receipt: outbox.Receipt{}}
	asking := adapter.Retry{First: time.Second / 2, Tries: tries, Pause: a.pause, Verdict: a.verdict}
	err := asking.Do(ctx, func() error {
		if err := a.another(ctx, place); err != nil {
			return err
		}
		err := a.say(ctx, s, place, to, 0, n)
		place, _ = a.moved(ctx, place, err)
		a.heed(place, err)
		return err
	})
	switch {
	case err == nil:
		a.state.PutAllSoon(s.receipt)
	case ctx.Err() == nil:
		a.failed(ctx, slog.LevelWarn, "not answered", err)
	}
	return err
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

// answerPress answers a button: with a toast that its presser alone sees, by a change of the message above it,
// or with a message, which waits for those before it.
func (a *Adapter) answerPress(ctx context.Context, q *models.CallbackQuery, press string, m *models.Message, notes []message.Message) (rest answer) {
	private := m.Chat.Type == models.ChatTypePrivate
	if !private && slices.ContainsFunc(notes, func(n message.Message) bool { return n.Alone }) {
		return a.answerAlone(ctx, q, notes)
	}
	toast, alert, said := "", false, false
	word := func(text string, loud bool) { toast, alert, said = cmp.Or(toast, text), alert || loud, true }
	var changes []func()
	change := func(what part, n message.Message) { changes = append(changes, func() { a.change(m, what, n) }) }
	var replies []message.Message
	for _, n := range notes {
		text, page := bare(n.Text), isPage(m, n)
		plain := !n.Pictured() && n.File == nil && len(n.Buttons) == 0
		enough, there := true, false
		redrawn := redraws(press, m, n)
		if !redrawn && (n.Back || page || n.Step && n.Chart == nil && n.Game() != 0) {
			enough, there = a.count(atOf(m), n.Buttons, n.Back || page)
		}
		switch {
		case !said && plain && concludes(q, press, m, n):
			word("", false)
			if n.Ack && !n.Settles { // it says nothing
				change(itsButtons, message.Message{})
			} else {
				change(itsText, n)
			}
		case n.Ack:
		case page:
			word("", false)
			if !there {
				change(wordsIn(m), n)
			}
		case redrawn:
			word("", false)
			change(itsPicture, n)
		case !enough:
			word(adapter.Clip(text, maxToast), false)
			if !there {
				change(itsButtons, n)
			}
		case !said && plain && n.Replay == nil && adapter.Length(text) <= maxToast:
			word(text, true)
		default:
			said = true
			replies = append(replies, n)
		}
	}
	a.toast(ctx, q.ID, toast, alert)
	for _, change := range changes {
		change()
	}
	if len(replies) == 0 {
		return nil
	}
	if !private {
		nameAsked(named(&q.From), replies)
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
