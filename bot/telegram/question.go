package telegram

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
)

// asks remembers that a message of a delivery asks something.
func (a *Adapter) asks(ctx context.Context, s *saying, d *bot.Delivery) {
	if d.Asks() == "" || s.sent == nil || len(d.Note.Buttons) == 0 {
		return
	}
	a.state.SetOffers(s.receipt, d.Place.Address.ID, d.Entry.Game, append(a.offers(ctx, d), adapter.Offer{Ref: refTo(s.sent), About: d.Asks()}))
}

// offers are the open questions about the game of a delivery at its place.
func (a *Adapter) offers(ctx context.Context, d *bot.Delivery) []adapter.Offer {
	return a.state.Offers(ctx, d.Place.Address.ID, d.Entry.Game)
}

// renew gives the messages of a challenge new buttons, as far as they can still be changed.
func (a *Adapter) renew(ctx context.Context, d *bot.Delivery) error {
	for _, q := range a.offers(ctx, d) {
		if _, err := a.become(ctx, messageOf(d.Place.Address, q.Ref), itsButtons, d.Note); err != nil {
			return err
		}
	}
	return nil
}

// settle ends the questions that a delivery answers. If its text says everything, a question becomes that
// text, and it needs no message of its own; told reports that.
func (a *Adapter) settle(ctx context.Context, s *saying, d *bot.Delivery) (told bool, err error) {
	if d.Asks() != "" || !d.AnswersOffers() {
		return false, nil
	}
	var left []adapter.Offer
	open := a.offers(ctx, d)
	for _, q := range open {
		at := messageOf(d.Place.Address, q.Ref)
		switch {
		case !d.Answers(q.About):
			left = append(left, q)
		case d.Note.Board == nil && !told && (d.KnownAt() || d.Note.Instead != nil):
			became, err := a.become(ctx, at, itsText, d.Note)
			if err != nil {
				return false, err
			}
			told = became != nil
		case d.Begins():
			s.accepted = append(s.accepted, at)
		default:
			a.becomeWhenSpare(at, over(d))
		}
	}
	if len(open) > len(left) {
		a.state.SetOffers(s.receipt, d.Place.Address.ID, d.Entry.Game, left)
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
func (a *Adapter) tellBegun(ctx context.Context, s *saying, d *bot.Delivery) {
	if len(s.accepted) == 0 || s.sent == nil {
		return
	}
	chat, thread := chatOf(d.Place.Address)
	n := message.Message{Text: a.accepted(ctx, d)}
	if at := addressOf(chat, thread, s.sent.ID); at != "" {
		n.Text = slices.Concat(n.Text, words.Text{{Words: "\n"}}, say("challenge.board-at", "link", link(at)).In(d.Note.Language))
	}
	for _, at := range s.accepted {
		a.becomeWhenSpare(at, n)
	}
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
