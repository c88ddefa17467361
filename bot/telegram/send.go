package telegram

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
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
func (a *Adapter) Send(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	select {
	case <-a.begun: // before, nobody knows who the bot is
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s := &saying{receipt: outbox.Receipt{}}
	a.concludeInline(ctx, &d)
	a.sharing(ctx, &d)
	if d.Renews() {
		return nil, a.verdict(a.renew(ctx, &d))
	}
	told, err := a.settle(ctx, s, &d)
	if !told && err == nil {
		told, err = a.redrawLast(ctx, s, &d)
	}
	if told || err != nil {
		return s.receipt, a.verdict(err)
	}
	err = a.say(ctx, s, d.Place.Address, 0, d.Entry.Game, d.Note)
	if err == nil {
		a.asks(ctx, s, &d)
		a.tellBegun(ctx, s, &d)
	}
	if _, ok := a.moved(ctx, d.Place.Address, err); ok {
		return nil, errors.New("telegram: the group has a new number") // and is found under it the next time
	}
	a.state.Overtake(s.receipt)
	return s.receipt, a.verdict(err)
}

// redrawLast changes the last board of a delivery's game, if that is enough and there is one. Nobody is
// notified of that.
func (a *Adapter) redrawLast(ctx context.Context, s *saying, d *bot.Delivery) (redrawn bool, err error) {
	boards := a.state.Boards(ctx, d.Place.Address.ID, d.Entry.Game)
	if d.Note.Instead == nil || len(boards) == 0 {
		return false, nil // then it is a message of its own
	}
	s.sent, err = a.become(ctx, messageOf(d.Place.Address, boards[0]), itsPicture, *d.Note.Instead)
	if s.sent == nil {
		return false, err
	}
	a.shows(ctx, s, d.Place.Address, d.Entry.Game, *d.Note.Instead)
	return true, nil
}

// saying is what is being said. If one of its messages fails, those before it are not sent again.
type saying struct {
	said     int             // how many of its messages were sent
	sent     *models.Message // the last of them with buttons, if there are any
	receipt  outbox.Receipt  // what is to be remembered of them
	accepted []messageAt     // the messages of the challenge that has become the game of which they tell
}

// say sends the messages that were not sent yet, in reply to a message unless that is 0, and remembers which
// game they show.
func (a *Adapter) say(ctx context.Context, s *saying, place storage.Address, to int, game storage.GameID, n message.Message) error {
	err := a.sendAll(ctx, s, place, to, n)
	if chat, thread := chatOf(place); thread != 0 && refusedAs(err, "thread not found", "TOPIC_CLOSED", "TOPIC_DELETED") {
		place = address(chat, 0) // the topic is gone, and the group is not
		err = a.sendAll(ctx, s, place, to, n)
	}
	if refusedAs(err, "rights to send photos", "rights to send animations") {
		n = inWords(n)
		s.said, s.sent = 0, nil
		err = a.sendAll(ctx, s, place, to, n)
	}
	if game = cmp.Or(game, n.Game()); err == nil && game != 0 && s.sent != nil {
		a.shows(ctx, s, place, game, n)
	}
	return err
}

// inWords is a message without pictures, for where none may be sent.
func inWords(n message.Message) message.Message {
	if n.Board != nil {
		n.Text = append(slices.Clone(n.Text), words.Span{Words: "\n\n" + text.Words(*n.Board).Text(n.Language)})
	}
	n.Board, n.Replay, n.Chart = nil, nil, nil
	return n
}

// sendAll sends the messages that were not sent yet, as fast as the place allows.
func (a *Adapter) sendAll(ctx context.Context, s *saying, place storage.Address, to int, n message.Message) error {
	for i, part := range parts(n) {
		if i < s.said {
			continue
		}
		behind := i > 0 && part.File != nil // all else that is said
		if behind {
			to = 0
		}
		if i > 0 {
			if err := a.another(ctx, place); err != nil {
				return err
			}
		}
		sent, err := a.sendOne(ctx, place, to, part)
		if err != nil {
			return err
		}
		s.said++
		if !behind {
			s.sent = sent
		}
	}
	return nil
}

// parts are what of a message fits one of Telegram's each: pages of its text, of which the last has the
// buttons, what the caption of its picture cannot hold before that, and its file behind all else.
func parts(n message.Message) (all []message.Message) {
	shown, short := n.Pictured() || n.Replay != nil, adapter.Length(n.Text.Plain()) <= maxCaption
	if n.File != nil && !shown && short && len(n.Buttons) == 0 {
		return []message.Message{n}
	}
	file := n.File
	n.File = nil
	switch {
	case n.Replay != nil, shown && short:
		all = append(all, n)
	default:
		for _, page := range adapter.Pages(n.Text, maxText, lengthOf) {
			all = append(all, message.Message{Text: page, Asks: n.Asks})
		}
		if shown {
			n.Text = nil
			all = append(all, n)
		} else if len(all) > 0 {
			all[len(all)-1].Buttons = n.Buttons
		}
	}
	if file != nil {
		all = append(all, message.Message{File: file})
	}
	return all
}

// another waits until one more message may be sent to a place.
func (a *Adapter) another(ctx context.Context, place storage.Address) error {
	for _, wait := range []func(storage.Address) time.Duration{a.post.Line, a.post.Take, a.post.Held} { // what is held may have come meanwhile
		if err := a.pause(ctx, wait(place)); err != nil {
			return err
		}
	}
	return nil
}

// sendOne sends what fits one message: a file, a moving or a still picture, or a text.
func (a *Adapter) sendOne(ctx context.Context, place storage.Address, to int, n message.Message) (*models.Message, error) {
	chat, thread := chatOf(place)
	var reply *models.ReplyParameters
	if to != 0 {
		reply = &models.ReplyParameters{MessageID: to, AllowSendingWithoutReply: true}
	}
	var buttons models.ReplyMarkup
	switch {
	case len(n.Buttons) > 0:
		keys, err := a.keyboard(ctx, chat, n.Buttons)
		if err != nil {
			return nil, err
		}
		buttons = keys
	case n.Asks && to != 0: // an answer to this message is heard in spite of privacy mode
		buttons = &models.ForceReply{ForceReply: true, Selective: true}
	}
	switch {
	case n.File != nil:
		return a.library.SendDocument(ctx, &library.SendDocumentParams{
			ChatID: chat, MessageThreadID: thread, Document: &models.InputFileUpload{Filename: n.File.Name, Data: strings.NewReader(n.File.Content)},
			Caption: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, ReplyParameters: reply,
		})
	case !n.Pictured() && n.Replay == nil:
		return a.library.SendMessage(ctx, &library.SendMessageParams{
			ChatID: chat, MessageThreadID: thread, Text: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, ReplyParameters: reply, ReplyMarkup: buttons,
			LinkPreviewOptions: noPreview(),
		})
	}
	picture, name, err := pictureOf(ctx, n)
	if err != nil {
		return nil, err
	}
	upload := &models.InputFileUpload{Filename: name, Data: bytes.NewReader(picture)}
	caption := a.caption(ctx, n)
	if n.Replay != nil || n.Moves() {
		return a.library.SendAnimation(ctx, &library.SendAnimationParams{
			ChatID: chat, MessageThreadID: thread, Animation: upload,
			Caption: caption, ParseMode: models.ParseModeHTML, ReplyParameters: reply, ReplyMarkup: buttons,
		})
	}
	return a.withPicture(picture, n.Chart == nil, func(known string) (*models.Message, error) {
		var photo models.InputFile = &models.InputFileString{Data: known}
		if known == "" {
			photo = upload
		}
		return a.library.SendPhoto(ctx, &library.SendPhotoParams{
			ChatID: chat, MessageThreadID: thread, Photo: photo,
			Caption: caption, ParseMode: models.ParseModeHTML, ReplyParameters: reply, ReplyMarkup: buttons,
		})
	})
}

// pictureOf is the replay of a message, or its board or chart, with the name of its file.
func pictureOf(ctx context.Context, n message.Message) (picture []byte, name string, err error) {
	if n.Replay == nil {
		return n.Still(ctx)
	}
	picture, _, err = n.Moving(ctx)
	return picture, "game.gif", err
}

// withPicture says something with a picture: by the name that Telegram has given it or, for "", uploaded.
// Only pictures that may be sent again are remembered.
func (a *Adapter) withPicture(picture []byte, again bool, say func(name string) (*models.Message, error)) (*models.Message, error) {
	key := sha256.Sum256(picture)
	if name, ok := a.uploaded.Get(key); ok {
		if sent, err := say(name); !errors.Is(err, library.ErrorBadRequest) {
			return sent, err
		}
	}
	sent, err := say("")
	if err == nil && again && len(sent.Photo) > 0 {
		a.uploaded.Add(key, sent.Photo[len(sent.Photo)-1].FileID)
	}
	return sent, err
}

// noPreview keeps Telegram from showing a part of a page that a text links to.
func noPreview() *models.LinkPreviewOptions { return &models.LinkPreviewOptions{IsDisabled: new(true)} }

// format is a text as HTML, in which people are mentioned by their accounts here.
func (a *Adapter) format(ctx context.Context, t words.Text) string {
	return format(t, a.bot.Users.AccountsOn(ctx, t.People(), Platform))
}

// caption is the text of a message and, if that is wanted and there is room, its picture in words.
func (a *Adapter) caption(ctx context.Context, n message.Message) string {
	const least = 60 // less says nothing
	text := a.format(ctx, n.Text)
	room := maxCaption - adapter.Length(n.Text.Plain()) - 2
	if !n.Words || n.Replay != nil || room < least {
		return text
	}
	words := format(words.Text{{Words: adapter.Clip(n.Alt(), room)}}, nil)
	return strings.TrimPrefix(text+"\n\n<blockquote expandable>"+words+"</blockquote>", "\n\n")
}

// shows remembers which game a message shows, and takes the buttons off the messages that its board makes
// stale.
func (a *Adapter) shows(ctx context.Context, s *saying, place storage.Address, game storage.GameID, n message.Message) {
	at, ref := atOf(s.sent), refTo(s.sent)
	maps.Copy(s.receipt, adapter.Shows(strconv.FormatInt(at.chat, 10), ref.ID, game))
	if n.Board == nil && !n.Step || len(n.Buttons) == 0 {
		return
	}
	for _, old := range a.state.Posted(ctx, s.receipt, place.ID, game, ref, n.Board != nil) {
		if stale := messageOf(place, old); stale != at {
			a.edited.Remove(stale)
			a.whenSpare(at.chat, func(ctx context.Context) { a.strip(ctx, stale) })
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
