package telegram

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Send says something at a place.
func (a *Adapter) Send(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	select {
	case <-a.begun: // who the bot is, is known from here on
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s := &saying{receipt: outbox.Receipt{}}
	defer a.tellPosted(ctx, &d)
	d.Note.Festive = d.Ends() && d.Place.Owner != 0 && !a.solemn.Load() && a.bot.Mood(ctx, d.Entry.Game, d.Place.Owner) == bot.Won
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
	err = a.say(ctx, s, a.inTopic(ctx, &d), 0, d.Entry.Game, d.Note)
	if err == nil && s.sent != nil {
		if d.Asks() != "" && len(d.Note.Buttons) > 0 {
			a.state.SetOffers(s.receipt, d.Place.Address.ID, d.Entry.Game, append(a.offers(ctx, &d), adapter.Offer{Ref: refTo(s.sent), About: d.Asks()}))
		}
		a.tellBegun(ctx, s, &d)
	}
	if _, ok := a.moved(ctx, d.Place.Address, err); ok {
		return nil, errors.New("telegram: the group has a new number") // the next try finds its new address
	}
	a.state.Overtake(s.receipt)
	return s.receipt, a.verdict(err)
}

// redrawLast changes the last board of a delivery's game, if there is one and that is enough. It notifies nobody.
func (a *Adapter) redrawLast(ctx context.Context, s *saying, d *bot.Delivery) (redrawn bool, err error) {
	boards := a.state.Boards(ctx, d.Place.Address.ID, d.Entry.Game)
	if d.Note.Instead == nil || d.Note.Festive || len(boards) == 0 {
		return false, nil // it becomes a new message
	}
	s.sent, err = a.become(ctx, messageOf(d.Place.Address, boards[0]), itsPicture, *d.Note.Instead)
	if s.sent == nil || err != nil {
		return false, err
	}
	a.shows(ctx, s, d.Place.Address, d.Entry.Game, *d.Note.Instead)
	return true, nil
}

// saying is the progress of a message in several parts. If one fails, those before it are not sent again.
type saying struct {
	said     int             // number of parts sent
	sent     *models.Message // the last of them with buttons, if there are any
	receipt  outbox.Receipt  // what to remember about them
	accepted []messageAt     // the messages of the challenge that became this game
}

// say sends the parts that were not sent yet, in reply to a message unless that is 0, and remembers which game they
// show.
func (a *Adapter) say(ctx context.Context, s *saying, place storage.Address, to int, game storage.GameID, n message.Message) error {
	err := a.sendAll(ctx, s, place, to, n)
	if chat, thread := chatOf(place); thread != 0 && refusedAs(err, "thread not found", "TOPIC_CLOSED", "TOPIC_DELETED") {
		if chat > 0 {
			a.setTopics(ctx, chat, slices.DeleteFunc(a.topics(ctx, chat), func(t gameTopic) bool { return t.Topic == thread }))
		}
		place = address(chat, 0) // the topic is gone, but not the chat
		err = a.sendAll(ctx, s, place, to, n)
	}
	if refusedAs(err, "rights to send photos", "rights to send animations") {
		n = inWords(n)
		s.said, s.sent = 0, nil
		err = a.sendAll(ctx, s, place, to, n)
	}
	if less, ok := a.simpler(ctx, err, n); ok {
		s.said, s.sent = 0, nil
		err = a.sendAll(ctx, s, place, to, less)
	}
	study := n.Exercise != nil
	if game = words.Either(study, 0, cmp.Or(game, n.Game())); err == nil && (game != 0 || study) && s.sent != nil {
		a.shows(ctx, s, place, game, n)
	}
	return err
}

// inWords is a message without pictures, for chats where they may not be sent.
func inWords(n message.Message) message.Message {
	if n.Board != nil {
		n.Text = append(slices.Clone(n.Text), words.Span{Words: "\n\n" + n.Alt()})
	}
	n.Board, n.Replay, n.Chart = nil, nil, nil
	return n
}

// sendAll sends the parts that were not sent yet, as fast as the place allows.
func (a *Adapter) sendAll(ctx context.Context, s *saying, place storage.Address, to int, n message.Message) error {
	return a.asTable(ctx, n, s.said > 0, func(n message.Message) error { return a.sendParts(ctx, s, place, to, n) })
}

// sendParts is sendAll for a message whose table, if it has one, is to be tried.
func (a *Adapter) sendParts(ctx context.Context, s *saying, place storage.Address, to int, n message.Message) error {
	for i, part := range parts(n) {
		if i < s.said {
			continue
		}
		behind := i > 0 && part.File != nil // after everything else
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

// parts are a message cut to Telegram's sizes: its picture with the text as caption or, if the text is too long for
// that, pages of text and then the picture. The last part has the buttons, and the file follows as one more.
func parts(n message.Message) (all []message.Message) {
	shown, short := n.Shows(), adapter.Length(n.Text.Plain()) <= maxCaption
	if n.Table != nil || n.File != nil && !shown && short && len(n.Buttons) == 0 {
		return []message.Message{n}
	}
	file := n.File
	n.File = nil
	if n.Replay != nil || shown && short {
		all = append(all, n)
	} else {
		pages := adapter.Pages(n.Text, maxText, func(s words.Span) int { return adapter.Length(s.Words) })
		all = phrase.Each(pages, func(page words.Text) message.Message { return message.Message{Text: page, Asks: n.Asks} })
		if shown {
			n.Text = nil
			all = append(all, n)
		} else if len(all) > 0 {
			all[len(all)-1].Buttons = n.Buttons
		}
	}
	return append(all, words.If(file != nil, message.Message{File: file})...)
}

// another waits until one more message may be sent to a place.
func (a *Adapter) another(ctx context.Context, place storage.Address) error {
	for _, wait := range []func(storage.Address) time.Duration{a.post.Line, a.post.Take, a.post.Held} { // during the others, a hold may begin
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
	if len(n.Buttons) > 0 {
		buttons = a.keyboard(ctx, chat, n)
	} else if n.Asks && to != 0 { // with privacy mode, the bot still hears replies to its messages
		buttons = &models.ForceReply{ForceReply: true, Selective: true}
	}
	switch {
	case n.File != nil:
		return a.library.SendDocument(ctx, &library.SendDocumentParams{
			ChatID: chat, MessageThreadID: thread, Document: &models.InputFileUpload{Filename: n.File.Name, Data: strings.NewReader(n.File.Content)},
			Caption: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, ReplyParameters: reply,
		})
	case n.Table != nil || !n.Shows():
		in, p, err := a.text(ctx, n)
		if err != nil {
			return nil, err
		}
		p.ChatID, p.MessageThreadID, p.ReplyParameters, p.ReplyMarkup = chat, thread, reply, buttons
		return a.library.SendMessage(in, p)
	}
	picture, name, _, err := n.Picture(ctx)
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
		photo := words.Either[models.InputFile](known == "", upload, &models.InputFileString{Data: known})
		return a.library.SendPhoto(ctx, &library.SendPhotoParams{
			ChatID: chat, MessageThreadID: thread, Photo: photo,
			Caption: caption, ParseMode: models.ParseModeHTML, ReplyParameters: reply, ReplyMarkup: buttons, MessageEffectID: words.Either(n.Festive, fireworks, ""),
		})
	})
}

// withPicture sends something with a picture: by Telegram's name for it or, for "", uploaded. It remembers the names of
// pictures that may be sent again.
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

// noPreview keeps Telegram from showing a preview of a linked page.
func noPreview() *models.LinkPreviewOptions { return &models.LinkPreviewOptions{IsDisabled: new(true)} }

// format is a text as HTML, in which people are mentioned by their accounts here.
func (a *Adapter) format(ctx context.Context, t words.Text) string {
	return format(a.told(t), a.bot.Users.AccountsOn(ctx, t.People(), Platform))
}

// caption is the text of a message and, if that is wanted and there is room, its picture in words.
func (a *Adapter) caption(ctx context.Context, n message.Message) string {
	const least = 60 // shorter ones are of no use
	text := a.format(ctx, n.Text)
	room := maxCaption - adapter.Length(n.Text.Plain()) - 2
	if !n.Words || n.Replay != nil || room < least {
		return text
	}
	words := format(words.Text{{Words: adapter.Clip(n.Alt(), room)}}, nil)
	return strings.TrimPrefix(text+"\n\n<blockquote expandable>"+words+"</blockquote>", "\n\n")
}

// shows remembers which game a message shows, 0 for a lesson or a puzzle, and takes the buttons off the messages made
// stale by its board.
func (a *Adapter) shows(ctx context.Context, s *saying, place storage.Address, game storage.GameID, n message.Message) {
	at, ref := atOf(s.sent), refTo(s.sent)
	maps.Copy(s.receipt, adapter.Shows(strconv.FormatInt(at.chat, 10), ref.ID, game))
	if game == 0 || n.Board == nil && !n.Step || len(n.Buttons) == 0 {
		return
	}
	if at.chat > 0 { // its topics are one place
		place = address(at.chat, 0)
	}
	for _, old := range a.state.Posted(s.receipt, place.ID, game, ref, n.Board != nil, a.state.Boards(ctx, place.ID, game)) {
		if stale := messageOf(place, old); stale != at {
			a.edited.Remove(stale)
			a.whenSpare(at.chat, func(ctx context.Context) { a.strip(ctx, stale) })
		}
	}
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

// settle closes the questions that a delivery answers. If its text says everything, a question becomes that text; told
// reports that no other message is needed.
func (a *Adapter) settle(ctx context.Context, s *saying, d *bot.Delivery) (told bool, err error) {
	if d.Asks() != "" || !d.AnswersOffers() {
		return false, nil
	}
	var left []adapter.Offer
	open := a.offers(ctx, d)
	for _, q := range open {
		switch at := messageOf(d.Place.Address, q.Ref); {
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
			n := message.Message{Text: d.Note.Text}
			if d.Note.Board != nil { // the answer is in another message
				n.Text = say("challenge.offer-over", "game", d.Entry.Game, "outcome", d.OfferOutcome(q.About)).In(d.Note.Language)
			}
			a.becomeWhenSpare(at, n)
		}
	}
	if len(open) > len(left) {
		a.state.SetOffers(s.receipt, d.Place.Address.ID, d.Entry.Game, left)
	}
	return told, nil
}

// tellBegun adds to the messages of a challenge who accepted it and, if messages have addresses there, where the board
// is.
func (a *Adapter) tellBegun(ctx context.Context, s *saying, d *bot.Delivery) {
	if len(s.accepted) == 0 {
		return
	}
	chat, thread := chatOf(d.Place.Address)
	n := message.Message{Text: a.accepted(ctx, d)}
	if at := addressOf(chat, thread, s.sent.ID); at != "" {
		n.Text = words.Join("\n", n.Text, say("challenge.board-at", "link", words.Address(at)).In(d.Note.Language))
	}
	for _, at := range s.accepted {
		a.becomeWhenSpare(at, n)
	}
}

// accepted says who accepted the challenge of a beginning game, and who plays which side.
func (a *Adapter) accepted(ctx context.Context, d *bot.Delivery) words.Text {
	title := adapter.Lines(d.Note.Text)[0]
	player, err := a.bot.Users.Name(ctx, d.Entry.By)
	if err != nil {
		return title
	}
	return words.Join("\n", say("challenge.joined", "player", player).In(d.Note.Language), title)
}

// addressOf is the address of a message on the web, "" where it has none.
func addressOf(chat int64, thread, message int) string {
	const supergroups = "-100" // begins their numbers, before at least ten digits
	id, ok := strings.CutPrefix(strconv.FormatInt(chat, 10), supergroups)
	switch {
	case !ok || len(id) < 10:
		return ""
	case thread != 0:
		return fmt.Sprintf("https://t.me/c/%s/%d/%d", id, thread, message)
	}
	return fmt.Sprintf("https://t.me/c/%s/%d", id, message)
}

// concludes reports whether a note replaces the message whose button was pressed: it answers the question there, or is
// the outcome of a form that the presser asked for.
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

// Telegram's limits, in UTF-16 units without markup.
const (
	maxText    = 4000 // slightly less than its limit
	maxCaption = 1024
	maxToast   = 200
)

// format is a text as HTML. accounts are those of the people it mentions. Commands have their slash, so that tapping
// one without arguments sends it.
func format(t words.Text, accounts map[storage.PersonID]string) string {
	var b strings.Builder
	for _, s := range t {
		switch marked := marks.Replace(slashed(s)); {
		case !s.Moment.IsZero(): // shown in the reader's time zone; the text in brackets after it stays
			at, _, _ := strings.Cut(marked, " (")
			fmt.Fprintf(&b, `<tg-time unix="%d" format="wdt">%s</tg-time>%s`, s.Moment.Unix(), at, marked[len(at):])
		case accounts[s.Person] != "":
			fmt.Fprintf(&b, `<a href="tg://user?id=%s">%s</a>`, accounts[s.Person], marked)
		case s.Person != 0, s.Style == words.Bold: // an "@" would mention somebody else with that name here
			b.WriteString("<b>" + marked + "</b>")
		case s.Style == words.Link:
			fmt.Fprintf(&b, `<a href="%s">%s</a>`, marked, marked)
		case s.Style == words.Same, s.Style == words.Code && !bot.IsCommand(s.Words):
			b.WriteString("<code>" + marked + "</code>")
		default:
			b.WriteString(marked)
		}
	}
	return b.String()
}

// slashed is the text of a span; commands begin with their slash.
func slashed(s words.Span) string {
	first, _, _ := strings.Cut(s.Words, " ")
	return words.Either(s.Style == words.Code && bot.IsCommand(first), "/", "") + s.Words
}

// bare is a text without markup.
func bare(t words.Text) string {
	plain := slices.Clone(t)
	for i, s := range plain {
		plain[i].Words = slashed(s)
	}
	return plain.Plain()
}

// marks escapes the characters that mean something in HTML.
var marks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;") //nolint:gochecknoglobals // never written

// maxData is how many bytes a button can carry.
const maxData = 64

// perRow is how many buttons to put in a row: as many as their labels allow, so that no row is much shorter than the
// others.
func perRow(buttons []message.Button) int {
	longest := 0
	for _, b := range buttons {
		longest = max(longest, utf8.RuneCountInString(b.Label))
	}
	most := 2
	switch {
	case longest <= 5:
		most = 5
	case longest <= 8:
		most = 4
	case longest <= 12:
		most = 3
	}
	rows := max((len(buttons)+most-1)/most, 1)
	return max((len(buttons)+rows-1)/rows, 1)
}

// keyboard is the buttons below a message. The library's own type also writes fields that no button here has.
type keyboard struct {
	Rows [][]key `json:"inline_keyboard"` // never nil, so that an edit removes the buttons
}

type key struct {
	Text string             `json:"text"`
	Data string             `json:"callback_data,omitempty"`
	URL  string             `json:"url,omitempty"`
	App  *models.WebAppInfo `json:"web_app,omitempty"`
}

// keyboard lays out the buttons of a message in a chat: in private, a board begins with the pieces that can move.
func (a *Adapter) keyboard(ctx context.Context, chat int64, n message.Message) *keyboard {
	if chat < 0 && a.app { // a link that serves everyone in the group
		n.AddPage()
	}
	if chat < 0 || len(n.Pieces) == 0 {
		return a.rows(ctx, chat, n.Buttons)
	}
	all := a.rows(ctx, chat, n.Pieces)
	rest := a.rows(ctx, chat, slices.DeleteFunc(slices.Clone(n.Buttons), func(b message.Button) bool { return message.VerbOf(b.Do) == "pick" }))
	return &keyboard{append(all.Rows, rest.Rows...)}
}

// rows are buttons in rows. Mini Apps open only in private chats, and only from https.
func (a *Adapter) rows(ctx context.Context, chat int64, buttons []message.Button) *keyboard {
	keys := make([]key, len(buttons))
	for i, b := range buttons {
		keys[i].Text = b.Label
		if page := a.bot.PageOf(b); chat > 0 && strings.HasPrefix(page, "https://") {
			keys[i].App = &models.WebAppInfo{URL: page}
			continue
		}
		if page := a.bot.PageOf(b); chat < 0 && a.app && page != "" {
			_, game, _ := strings.Cut(page, "=")
			b.Opens = "https://t.me/" + a.me.Username + "?startapp=g" + game
		}
		if keys[i].URL = b.Opens; b.Opens == "" {
			keys[i].Data = a.state.Pack(ctx, b.Do, maxData)
		}
	}
	return &keyboard{slices.AppendSeq([][]key{}, slices.Chunk(keys, perRow(buttons)))}
}
