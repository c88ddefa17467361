package telegram

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/render/text"
	"chimera/storage"
)

// Send says something at a place.
func (a *Adapter) Send(ctx context.Context, p bot.Delivery) (outbox.Receipt, error) {
	select {
	case <-a.begun: // before, nobody knows who the bot is
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	said := parts{}
	a.concludeInline(ctx, &p)
	a.sharing(ctx, &p)
	if p.Renews() {
		return nil, a.verdict(a.renew(ctx, &p))
	}
	told, err := a.settle(ctx, &said, &p)
	if !told && err == nil {
		told, err = a.redrawLast(ctx, &said, &p)
	}
	if told || err != nil {
		return said.receipt, a.verdict(err)
	}
	err = a.say(ctx, &said, p.Place.Address, 0, p.Entry.Game, p.Note)
	if err == nil {
		a.asks(ctx, &said, &p)
		a.tellBegun(ctx, &said, &p)
	}
	if _, ok := a.moved(ctx, p.Place.Address, err); ok {
		return nil, errors.New("telegram: the group has a new number") // and is found under it the next time
	}
	a.state.Overtake(said.receipt)
	return said.receipt, a.verdict(err)
}

// redrawLast changes the last board of a delivery's game, if that is enough and there is one. Nobody is
// notified of that.
func (a *Adapter) redrawLast(ctx context.Context, p *parts, d *bot.Delivery) (redrawn bool, err error) {
	n := d.Note.Instead
	if n == nil {
		return false, nil
	}
	boards := a.state.Boards(ctx, d.Place.Address.ID, d.Entry.Game)
	if len(boards) == 0 {
		return false, nil // then it is a message of its own
	}
	p.sent, err = a.redraw(ctx, d.Place.Address, idOf(boards[0]), *n)
	if errors.Is(err, library.ErrorBadRequest) {
		a.failed(ctx, slog.LevelDebug, "board not redrawn", err)
		return false, nil
	}
	if err == nil {
		a.note(ctx, p, d.Place.Address, d.Entry.Game, *n)
	}
	return err == nil, err
}

// redraw gives a message another board, with its caption and its buttons.
func (a *Adapter) redraw(ctx context.Context, place storage.Address, message int, n message.Message) (*models.Message, error) {
	chat, _ := chatOf(place)
	picture, file, err := n.Still(ctx)
	if err != nil {
		return nil, err
	}
	params := &library.EditMessageMediaParams{ChatID: chat, MessageID: message}
	if params.ReplyMarkup, err = a.keyboard(ctx, chat, n.Buttons); err != nil {
		return nil, err
	}
	media := &models.InputMediaPhoto{Caption: a.caption(ctx, n), ParseMode: models.ParseModeHTML}
	params.Media = media
	sent, err := a.withPicture(picture, true, func(name string) (*models.Message, error) {
		if media.Media = name; name == "" {
			media.Media, media.MediaAttachment = "attach://"+file, bytes.NewReader(picture)
		}
		sent, err := a.library.EditMessageMedia(ctx, params)
		if refusedAs(err, "not modified") {
			return &models.Message{ID: message, Chat: models.Chat{ID: chat}}, nil
		}
		return sent, err
	})
	if err == nil {
		a.edited.end(messageAt{chat, message})
	}
	return sent, err
}

// moved is the new address of a group, if an error says that it has one.
func (a *Adapter) moved(ctx context.Context, place storage.Address, err error) (storage.Address, bool) {
	migrated, ok := errors.AsType[*library.MigrateError](err)
	if !ok {
		return place, false
	}
	chat, thread := chatOf(place)
	a.migrate(ctx, chat, int64(migrated.MigrateToChatID))
	return address(int64(migrated.MigrateToChatID), thread), true
}

// verdict is what a refusal of Telegram's means to the outbox.
func (a *Adapter) verdict(err error) error {
	var later *library.TooManyRequestsError
	var held *outbox.Later
	switch {
	case err == nil:
		return nil
	case errors.As(err, &held):
		return held
	case errors.As(err, &later):
		return &outbox.Later{After: time.Duration(later.RetryAfter) * time.Second, Err: errors.New(a.clean(err))}
	case errors.Is(err, library.ErrorForbidden), refusedAs(err, "chat not found", "CHAT_WRITE_FORBIDDEN", "PEER_ID_INVALID", "rights to send"):
		return &outbox.Never{Gone: true, Err: errors.New(a.clean(err))}
	case errors.Is(err, library.ErrorBadRequest):
		return &outbox.Never{Err: errors.New(a.clean(err))}
	}
	return errors.New(a.clean(err))
}

// refusedAs reports whether an error is a refusal of Telegram's that contains one of these words.
func refusedAs(err error, words ...string) bool {
	return errors.Is(err, library.ErrorBadRequest) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(err.Error(), w) })
}

// parts are the messages of a note. If one fails, those before it are not sent again.
type parts struct {
	said, now int
	sent      *models.Message // the last of them with buttons, if there are any
	receipt   outbox.Receipt  // what is to be remembered of them
	accepted  []int           // the messages of the challenge that has become the game of which they tell
}

// kept is the receipt, to which can be added.
func (p *parts) kept() outbox.Receipt {
	if p.receipt == nil {
		p.receipt = outbox.Receipt{}
	}
	return p.receipt
}

// next sends the next part, unless that was done.
func (p *parts) next(say func() (*models.Message, error)) error {
	if p.now++; p.now <= p.said {
		return nil
	}
	sent, err := say()
	if err != nil {
		return err
	}
	p.said, p.sent = p.now, sent
	return nil
}

// say sends the parts of a note that were not sent yet, in reply to a message unless that is 0, and notes
// which game they show.
func (a *Adapter) say(ctx context.Context, p *parts, place storage.Address, to int, game storage.GameID, n message.Message) error {
	err := a.send(ctx, p, place, to, n)
	if chat, thread := chatOf(place); thread != 0 && refusedAs(err, "thread not found", "TOPIC_CLOSED", "TOPIC_DELETED") {
		place = address(chat, 0) // the topic is gone, and the group is not
		err = a.send(ctx, p, place, to, n)
	}
	if refusedAs(err, "rights to send photos", "rights to send animations") {
		n = inWords(n)
		p.said, p.sent = 0, nil
		err = a.send(ctx, p, place, to, n)
	}
	if err != nil {
		return err
	}
	sent := p.sent
	if n.File != nil && !onlyFile(n) {
		err := p.next(func() (*models.Message, error) {
			if err := a.another(ctx, place); err != nil {
				return nil, err
			}
			_, err := a.sendOne(ctx, place, 0, message.Message{File: n.File})
			return sent, err
		})
		if err != nil {
			return err
		}
	}
	if game == 0 {
		game = n.Game()
	}
	if game != 0 && sent != nil {
		a.note(ctx, p, place, game, n)
	}
	return nil
}

// send sends a note, without its file unless that and a short text are all of it.
func (a *Adapter) send(ctx context.Context, p *parts, place storage.Address, to int, n message.Message) error {
	p.now = 0
	switch {
	case n.Replay != nil, onlyFile(n):
		return p.next(func() (*models.Message, error) { return a.sendOne(ctx, place, to, n) })
	case n.Pictured():
		return a.sendPhoto(ctx, p, place, to, n)
	default:
		return a.sendText(ctx, p, place, to, n)
	}
}

// inWords is a note without pictures, for where none may be sent.
func inWords(n message.Message) message.Message {
	if n.Board != nil {
		n.Text = append(slices.Clone(n.Text), words.Span{Words: "\n\n" + text.Words(*n.Board).Text(n.Language)})
	}
	n.Board, n.Replay, n.Chart = nil, nil, nil
	return n
}

// note notes which game a message shows, and takes the buttons off the messages that its board makes stale.
func (a *Adapter) note(ctx context.Context, p *parts, place storage.Address, game storage.GameID, n message.Message) {
	chat := p.sent.Chat.ID
	at := adapter.Ref{ID: strconv.Itoa(p.sent.ID)}
	maps.Copy(p.kept(), adapter.Shows(strconv.FormatInt(chat, 10), at.ID, game))
	if n.Board == nil && !n.Step || len(n.Buttons) == 0 {
		return
	}
	for _, stale := range a.state.Posted(ctx, p.kept(), place.ID, game, at, n.Board != nil) {
		if id := idOf(stale); stale != at {
			a.edited.end(messageAt{chat, id})
			a.stripKeyboard(chat, id)
		}
	}
}

// gameOf is the game that a message of the bot's shows, 0 if none.
func (a *Adapter) gameOf(ctx context.Context, m *models.Message) storage.GameID {
	if m == nil {
		return 0
	}
	return a.state.GameOf(ctx, strconv.FormatInt(m.Chat.ID, 10), strconv.Itoa(m.ID))
}

// format is a text as HTML, in which people are mentioned by their accounts here.
func (a *Adapter) format(ctx context.Context, t words.Text) string {
	return format(t, a.bot.Users.AccountsOn(ctx, t.People(), Platform))
}

func replying(to int) *models.ReplyParameters {
	if to == 0 {
		return nil
	}
	return &models.ReplyParameters{MessageID: to, AllowSendingWithoutReply: true}
}

// another waits until one more message may be sent to a place.
func (a *Adapter) another(ctx context.Context, place storage.Address) error {
	if err := a.pause(ctx, a.post.Line(place)); err != nil {
		return err
	}
	if err := a.pause(ctx, a.post.Take(place)); err != nil {
		return err
	}
	return a.pause(ctx, a.post.Held(place)) // which may have come meanwhile
}

// sendText sends a text in as many messages as it needs, with the buttons below the last.
func (a *Adapter) sendText(ctx context.Context, p *parts, place storage.Address, to int, n message.Message) error {
	texts := adapter.Pages(n.Text, maxText, lengthOf)
	for i, text := range texts {
		err := p.next(func() (*models.Message, error) {
			if i > 0 {
				if err := a.another(ctx, place); err != nil {
					return nil, err
				}
			}
			page := message.Message{Text: text, Asks: n.Asks}
			if i == len(texts)-1 {
				page.Buttons = n.Buttons
			}
			return a.sendOne(ctx, place, to, page)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// markup is buttons as they stand below a message, nil if there are none.
func (a *Adapter) markup(ctx context.Context, chat int64, buttons []message.Button) (models.ReplyMarkup, error) {
	if len(buttons) == 0 {
		return nil, nil
	}
	return a.keyboard(ctx, chat, buttons)
}

// sendPhoto sends a picture; what its caption cannot hold comes in messages before it.
func (a *Adapter) sendPhoto(ctx context.Context, p *parts, place storage.Address, to int, n message.Message) error {
	if adapter.Length(n.Text.Plain()) <= maxCaption {
		return p.next(func() (*models.Message, error) { return a.sendOne(ctx, place, to, n) })
	}
	if err := a.sendText(ctx, p, place, to, message.Message{Text: n.Text}); err != nil {
		return err
	}
	n.Text = nil
	return p.next(func() (*models.Message, error) {
		if err := a.another(ctx, place); err != nil {
			return nil, err
		}
		return a.sendOne(ctx, place, to, n)
	})
}

// caption is the text of a note and, if that is wanted and there is room, its picture in words.
func (a *Adapter) caption(ctx context.Context, n message.Message) string {
	text := a.format(ctx, n.Text)
	if !n.Words || n.Replay != nil {
		return text
	}
	const least = 60 // less says nothing
	room := maxCaption - adapter.Length(n.Text.Plain()) - 2
	if room < least {
		return text
	}
	words := format(words.Text{{Words: adapter.Clip(n.Alt(), room)}}, nil)
	return strings.TrimPrefix(text+"\n\n<blockquote expandable>"+words+"</blockquote>", "\n\n")
}

// withPicture says something with a picture: by the name that Telegram has given it or, for "",
// uploaded. Only pictures that may be sent again are remembered.
func (a *Adapter) withPicture(picture []byte, again bool, say func(name string) (*models.Message, error)) (*models.Message, error) {
	key := sha256.Sum256(picture)
	if name, ok := a.uploaded.Get(key); ok {
		if sent, err := say(name); err == nil || !errors.Is(err, library.ErrorBadRequest) {
			return sent, err
		}
	}
	sent, err := say("")
	if err == nil && again && len(sent.Photo) > 0 {
		a.uploaded.Add(key, sent.Photo[len(sent.Photo)-1].FileID)
	}
	return sent, err
}

// onlyFile reports whether a note is a file with a few words, which are one message.
func onlyFile(n message.Message) bool {
	return n.File != nil && !n.Pictured() && n.Replay == nil && len(n.Buttons) == 0 && adapter.Length(n.Text.Plain()) <= maxCaption
}

// sendOne sends what fits one message: a moving or a still picture, a file, or a text.
func (a *Adapter) sendOne(ctx context.Context, place storage.Address, to int, n message.Message) (*models.Message, error) {
	chat, thread := chatOf(place)
	buttons, err := a.markup(ctx, chat, n.Buttons)
	if err != nil {
		return nil, err
	}
	switch {
	case n.Replay != nil, n.Moves():
		picture, name, err := moving(ctx, n)
		if err != nil {
			return nil, err
		}
		return a.library.SendAnimation(ctx, &library.SendAnimationParams{
			ChatID: chat, MessageThreadID: thread, Animation: &models.InputFileUpload{Filename: name, Data: bytes.NewReader(picture)},
			Caption: a.caption(ctx, n), ParseMode: models.ParseModeHTML, ReplyParameters: replying(to), ReplyMarkup: buttons,
		})
	case n.Pictured():
		picture, name, err := n.Still(ctx)
		if err != nil {
			return nil, err
		}
		return a.withPicture(picture, n.Chart == nil, func(known string) (*models.Message, error) {
			var photo models.InputFile = &models.InputFileString{Data: known}
			if known == "" {
				photo = &models.InputFileUpload{Filename: name, Data: bytes.NewReader(picture)}
			}
			return a.library.SendPhoto(ctx, &library.SendPhotoParams{
				ChatID: chat, MessageThreadID: thread, Photo: photo,
				Caption: a.caption(ctx, n), ParseMode: models.ParseModeHTML, ReplyParameters: replying(to), ReplyMarkup: buttons,
			})
		})
	case n.File != nil:
		return a.library.SendDocument(ctx, &library.SendDocumentParams{
			ChatID: chat, MessageThreadID: thread, Document: &models.InputFileUpload{Filename: n.File.Name, Data: strings.NewReader(n.File.Content)},
			Caption: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, ReplyParameters: replying(to),
		})
	}
	if n.Asks && to != 0 { // an answer to this message is heard in spite of privacy mode
		buttons = &models.ForceReply{ForceReply: true, Selective: true}
	}
	return a.library.SendMessage(ctx, &library.SendMessageParams{
		ChatID: chat, MessageThreadID: thread, Text: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, ReplyParameters: replying(to), ReplyMarkup: buttons,
		LinkPreviewOptions: noPreview(),
	})
}

// moving is the replay of a note, or its board in motion.
func moving(ctx context.Context, n message.Message) (picture []byte, name string, err error) {
	if n.Replay == nil {
		return n.Still(ctx)
	}
	picture, _, err = n.Moving(ctx)
	return picture, "game.gif", err
}

// noPreview keeps Telegram from showing a part of a page that a text links to.
func noPreview() *models.LinkPreviewOptions {
	disabled := true
	return &models.LinkPreviewOptions{IsDisabled: &disabled}
}
