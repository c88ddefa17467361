package telegram

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
)

// asks notes the message of a delivery that asks something.
func (a *Adapter) asks(ctx context.Context, p *parts, d *bot.Delivery) {
	if d.Asks() == "" || p.sent == nil || len(d.Note.Buttons) == 0 {
		return
	}
	o := adapter.Offer{Ref: adapter.Ref{ID: strconv.Itoa(p.sent.ID)}, About: d.Asks()}
	a.state.SetOffers(p.kept(), d.Place.Address.ID, d.Entry.Game, append(a.offers(ctx, d), o))
}

// offers are the open questions about the game of a delivery at its place.
func (a *Adapter) offers(ctx context.Context, d *bot.Delivery) []adapter.Offer {
	return a.state.Offers(ctx, d.Place.Address.ID, d.Entry.Game)
}

// idOf is the number of a message that was noted.
func idOf(m adapter.Ref) int {
	id, _ := strconv.Atoi(m.ID)
	return id
}

// renew gives the messages of a challenge new buttons.
func (a *Adapter) renew(ctx context.Context, d *bot.Delivery) error {
	chat, _ := chatOf(d.Place.Address)
	keys, err := a.keyboard(ctx, chat, d.Note.Buttons)
	for _, q := range a.offers(ctx, d) {
		if err == nil {
			_, err = a.library.EditMessageReplyMarkup(ctx, &library.EditMessageReplyMarkupParams{ChatID: chat, MessageID: idOf(q.Ref), ReplyMarkup: keys})
		}
		if refusedAs(err, "") { // it is gone, or can't be changed any more
			a.failed(ctx, slog.LevelDebug, "challenge not changed", err)
			err = nil
		}
	}
	return err
}

// settle ends the questions that a delivery answers. If its text says everything, a question becomes that
// text, and it needs no message of its own; told reports that.
func (a *Adapter) settle(ctx context.Context, p *parts, d *bot.Delivery) (told bool, err error) {
	if d.Asks() != "" || !d.AnswersOffers() {
		return false, nil
	}
	chat, _ := chatOf(d.Place.Address)
	var left []adapter.Offer
	open := a.offers(ctx, d)
	for _, q := range open {
		switch {
		case !d.Answers(q.About):
			left = append(left, q)
		case d.Note.Board == nil && !told && (d.KnownAt() || d.Note.Instead != nil):
			if told, err = a.become(ctx, chat, idOf(q.Ref), false, d.Note); err != nil {
				return false, err
			}
		case d.Begins():
			p.accepted = append(p.accepted, idOf(q.Ref))
		default:
			a.becomeWhenSpare(chat, idOf(q.Ref), over(d))
		}
	}
	if len(open) > len(left) {
		a.state.SetOffers(p.kept(), d.Place.Address.ID, d.Entry.Game, left)
	}
	return told, nil
}

// over is the text of a question after its answer was told by another message.
func over(d *bot.Delivery) message.Message {
	if d.Note.Board == nil {
		return message.Message{Text: d.Note.Text}
	}
	return message.Message{Text: say("challenge.offer-over", "game", d.Entry.Game, "agreed", d.OfferOutcome() == "agreed").In(d.Note.Language)}
}

// tellBegun lets the messages of a challenge say who has accepted it and, if messages have addresses there,
// where the board is.
func (a *Adapter) tellBegun(ctx context.Context, p *parts, d *bot.Delivery) {
	if len(p.accepted) == 0 || p.sent == nil {
		return
	}
	chat, thread := chatOf(d.Place.Address)
	n := message.Message{Text: a.accepted(ctx, d)}
	if at := addressOf(chat, thread, p.sent.ID); at != "" {
		n.Text = slices.Concat(n.Text, words.Text{{Words: "\n"}}, say("challenge.board-at", "link", link(at)).In(d.Note.Language))
	}
	for _, message := range p.accepted {
		a.becomeWhenSpare(chat, message, n)
	}
}

// becomeWhenSpare lets a message become a note, or else lose its buttons, when its chat has nothing
// else to hear.
func (a *Adapter) becomeWhenSpare(chat int64, id int, n message.Message) {
	a.whenSpare(chat, func(ctx context.Context) {
		if became, err := a.become(ctx, chat, id, false, n); !became || err != nil {
			a.changeKeyboard(ctx, chat, id, nil)
		}
	})
}

// accepted says who has accepted the challenge of a game that begins, and who plays which side.
func (a *Adapter) accepted(ctx context.Context, d *bot.Delivery) words.Text {
	title := adapter.Lines(d.Note.Text)[0]
	player, err := a.bot.Users.Name(ctx, d.Entry.By)
	if err != nil {
		return title
	}
	return slices.Concat(say("challenge.joined", "player", player).In(d.Note.Language), words.Text{{Words: "\n"}}, title)
}

// addressOf is the address of a message on the web, "" where it has none.
func addressOf(chat int64, thread, message int) string {
	const supergroups = "-100" // begins their numbers, of at least ten digits more
	id, ok := strings.CutPrefix(strconv.FormatInt(chat, 10), supergroups)
	switch {
	case !ok || len(id) < 10:
		return ""
	case thread != 0:
		return fmt.Sprintf("https://t.me/c/%s/%d/%d", id, thread, message)
	}
	return fmt.Sprintf("https://t.me/c/%s/%d", id, message)
}

// become changes the text of a message, or the caption of its picture, and its buttons; false if that is not
// possible.
func (a *Adapter) become(ctx context.Context, chat int64, message int, pictured bool, n message.Message) (bool, error) {
	markup, err := a.markup(ctx, chat, n.Buttons)
	if err != nil {
		return false, err
	}
	text := a.format(ctx, n.Text)
	if pictured {
		_, err = a.library.EditMessageCaption(ctx, &library.EditMessageCaptionParams{
			ChatID: chat, MessageID: message, Caption: text, ParseMode: models.ParseModeHTML, ReplyMarkup: markup,
		})
	} else {
		_, err = a.library.EditMessageText(ctx, &library.EditMessageTextParams{
			ChatID: chat, MessageID: message, Text: text, ParseMode: models.ParseModeHTML, ReplyMarkup: markup,
			LinkPreviewOptions: noPreview(),
		})
	}
	switch {
	case err == nil, refusedAs(err, "not modified"):
		return true, nil
	case refusedAs(err, ""):
		a.failed(ctx, slog.LevelDebug, "message not changed", err)
		return false, nil
	}
	return false, err
}

// conclude lets a question become the answer to its button. If the answer says nothing, the question only
// loses its buttons.
func (a *Adapter) conclude(m *models.Message, n message.Message) {
	if n.Settles || !n.Ack {
		a.turnTo(m, n)
		return
	}
	a.later(fmt.Sprint(m.Chat.ID, " edits"), func(ctx context.Context) { a.setKeyboard(ctx, m.Chat.ID, m.ID, nil) })
}

// turnTo lets a message become a note.
func (a *Adapter) turnTo(m *models.Message, n message.Message) {
	place := address(m.Chat.ID, topic(m))
	a.change(m, n, func(ctx context.Context) bool {
		became, err := false, a.pause(ctx, a.ofPace(place))
		if err == nil {
			err = a.insist(ctx, func() (err error) {
				became, err = a.become(ctx, m.Chat.ID, m.ID, pictured(m), n)
				return err
			})
		}
		return became && err == nil
	})
}

// concludes reports whether a note replaces the message whose button was pressed: it answers the question
// there, or is the outcome of a form that the presser has asked for.
func concludes(q *models.CallbackQuery, press string, m *models.Message, n message.Message) bool {
	asked := m.ReplyToMessage
	own := m.Chat.Type == models.ChatTypePrivate || asked != nil && asked.From != nil && asked.From.ID == q.From.ID
	return !pictured(m) && (n.Settles && holds(m, q.Data) || own && strings.HasPrefix(press, "open "))
}

// holds reports whether a message has a button with this data; presses can be forged.
func holds(m *models.Message, data string) bool {
	return m.ReplyMarkup != nil && slices.ContainsFunc(m.ReplyMarkup.InlineKeyboard, func(row []models.InlineKeyboardButton) bool {
		return slices.ContainsFunc(row, func(b models.InlineKeyboardButton) bool { return b.CallbackData == data })
	})
}
