package telegram

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// messageAt locates a message: in a chat or, if somebody posted it through the bot, anywhere.
type messageAt struct {
	chat   int64
	id     int
	posted string // Telegram's name for a posted message, else ""
	to     int64  // the only one who sees it, if it is a whisper, else 0
}

// place is the chat of a message in Telegram's format, nil for a posted one.
func (m messageAt) place() any {
	return words.Either[any](m.posted != "", nil, m.chat)
}

func atOf(m *models.Message) messageAt { return messageAt{chat: m.Chat.ID, id: m.ID} }

func refTo(m *models.Message) adapter.Ref { return adapter.Ref{ID: strconv.Itoa(m.ID)} }

// messageOf is a remembered message at a place.
func messageOf(place storage.Address, r adapter.Ref) messageAt {
	chat, _ := chatOf(place)
	id, _ := strconv.Atoi(r.ID)
	return messageAt{chat: chat, id: id}
}

// part is the part of a message to edit, together with its buttons.
type part int

const (
	itsButtons part = iota // alone
	itsText
	itsCaption
	itsPicture // and its caption
)

// wordsIn is the part of a message that holds its text.
func wordsIn(m *models.Message) part {
	return words.Either(pictured(m), itsCaption, itsText)
}

// edit gives a part of a message, and its buttons, the content of another.
func (a *Adapter) edit(ctx context.Context, at messageAt, what part, n message.Message) (sent *models.Message, err error) {
	buttons := a.keyboard(ctx, at.chat, n)
	if at.to != 0 {
		ctx = (&whisper{to: at.to, id: at.id}).in(ctx)
	}
	switch what {
	case itsButtons:
		sent, err = a.library.EditMessageReplyMarkup(ctx, &library.EditMessageReplyMarkupParams{
			ChatID: at.place(), MessageID: at.id, InlineMessageID: at.posted, ReplyMarkup: buttons,
		})
	case itsText:
		err = a.asTable(ctx, n, false, func(n message.Message) error {
			in, p, err := a.text(ctx, n)
			if err != nil {
				return err
			}
			sent, err = at.edited(a.library.EditMessageText(in, &library.EditMessageTextParams{
				ChatID: at.place(), MessageID: at.id, InlineMessageID: at.posted, ParseMode: p.ParseMode, LinkPreviewOptions: p.LinkPreviewOptions,
				Text: words.Either(at.posted == "", p.Text, format(a.told(n.Text), nil)), ReplyMarkup: buttons, // in the chats of others nobody is mentioned
			}))
			return err
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

// edited is an edited message. That it was like this already is no failure, and for posted or whispered messages
// Telegram reports only success.
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

// become is edit; it returns nil if the message is gone, or cannot be changed any more.
func (a *Adapter) become(ctx context.Context, at messageAt, what part, n message.Message) (*models.Message, error) {
	sent, err := a.edit(ctx, at, what, n)
	if errors.Is(err, library.ErrorBadRequest) {
		a.failed(ctx, slog.LevelDebug, "message not changed", err)
		return nil, nil
	}
	return sent, err
}

// alter is edit with some retries. An error has been logged.
func (a *Adapter) alter(ctx context.Context, at messageAt, what part, n message.Message) error {
	err := a.insist(ctx, func() error {
		_, err := a.edit(ctx, at, what, n)
		return err
	})
	a.failed(ctx, slog.LevelDebug, "message not changed", err)
	a.heed(address(at.chat, 0), err)
	return err
}

// strip takes the buttons off a message.
func (a *Adapter) strip(ctx context.Context, at messageAt) {
	_ = a.alter(ctx, at, itsButtons, message.Message{}) // it has been logged
}

// change is alter for somebody who has pressed a button, in the queue of the chat's edits. If it fails, they get a
// message below the button.
func (a *Adapter) change(m *models.Message, what part, n message.Message) {
	place := beside(m)
	a.later(fmt.Sprint(m.Chat.ID, " edits"), func(ctx context.Context) {
		if a.mayEdit(ctx, place, what) && a.alter(ctx, atOf(m), what, n) == nil {
			return
		}
		if now, ok := a.edited.Get(atOf(m)); ok {
			a.edited.Add(atOf(m), edited{times: now.times}) // its buttons are no longer known
		}
		a.later(fmt.Sprint(m.Chat.ID), func(ctx context.Context) {
			_ = a.reply(ctx, place, m.ID, n) // it has been logged
		})
	})
}

// mayEdit waits until a message may be edited; false if that would be too late. In private, where the reader has asked
// for the edit, it waits only if Telegram demands it. Edits of buttons never wait, since somebody is looking at them
// and they change only a few times.
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

// whenSpare changes an old message when its chat has nothing else to be told. If that takes too long, the message stays
// as it is, and its buttons answer that they are too old.
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

// becomeWhenSpare changes a text, or else takes off its buttons, when its chat has nothing else to be told.
func (a *Adapter) becomeWhenSpare(at messageAt, n message.Message) {
	a.whenSpare(at.chat, func(ctx context.Context) {
		if a.alter(ctx, at, itsText, n) != nil {
			a.strip(ctx, at)
		}
	})
}

// maxEdits is how often the buttons of a message are edited for one move: after more, Telegram's clients stall.
const maxEdits = 3

// edited is the known state of a message's buttons, until they are stale.
type edited struct {
	times   int              // changes so far
	buttons []message.Button // now; nil if not known
}

// count counts a change of a message's buttons, unless it goes back to the first ones. It reports whether the limit is
// reached, and whether the message has these buttons already because somebody has pressed twice. Presses of a message
// are counted one after the other.
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

// whisper is a message in a group that only one person sees, or a change of one. Telegram accepts it for a while after
// that person has pressed a button, or written something hidden; it guarantees no delivery, so nothing is whispered
// that must arrive. The library does not support whispers: if the context has one, its requests are changed on their
// way.
type whisper struct {
	to    int64  // who sees it
	press string // the press that it answers, by Telegram's name, or ""
	id    int    // the whisper that it answers or changes, or 0
}

// hider changes a request of the library's, and returns its new body.
type hider func(r *http.Request, body []byte) []byte

// hidden is the key of a hider in a context.
type hidden struct{}

func (w *whisper) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, hidden{}, hider(w.hide))
}

// isWhisper reports whether only one person sees a message: [readable] gives such a message a negative number.
func isWhisper(m *models.Message) bool { return m.ID <= 0 }

// hide turns a request to say something into a whisper.
func (w *whisper) hide(r *http.Request, body []byte) []byte {
	fields := map[string]any{"receiver_user_id": w.to}
	if before, method, _ := strings.Cut(r.URL.Path, "/send"); method != "" {
		about := map[string]any{"receiver_user_id": w.to}
		if fields = map[string]any{"ephemeral_message_parameters": about}; w.press != "" {
			about["callback_query_id"] = w.press
		} else {
			fields["reply_parameters"] = map[string]any{"ephemeral_message_id": w.id}
		}
	} else {
		r.URL.Path = strings.Replace(before, "Message", "EphemeralMessage", 1)
		body = bytes.Replace(body, []byte(`name="message_id"`), []byte(`name="ephemeral_message_id"`), 1)
	}
	for name, value := range fields {
		text, _ := json.Marshal(value) // it is plain
		body = withField(r, body, name, text)
	}
	return body
}

// withField is a form of the library's with one more field.
func withField(r *http.Request, body []byte, name string, value []byte) []byte {
	_, form, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	end := "--" + form["boundary"] + "--\r\n"
	body = bytes.TrimSuffix(body, []byte(end))
	return fmt.Appendf(body, "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n%s", form["boundary"], name, value, end)
}

var (
	// errPublic is returned for a whisper that everyone could see.
	errPublic = errors.New("a server that does not know ephemeral messages has posted one for all")

	errNoRoom = errors.New("it would have to wait")
)

// heard makes sure that nobody else could see a whisper. A whisper that was posted for everyone is deleted, and the bot
// stops whispering.
func (c caller) heard(answer *http.Response) error {
	body, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	var said struct { // about the posted message
		Result struct {
			ID      int `json:"message_id"`
			Whisper int `json:"ephemeral_message_id"`
			Chat    struct{ ID int64 }
		}
	}
	if json.Unmarshal(body, &said) != nil || said.Result.ID == 0 || said.Result.Whisper != 0 {
		return nil // it was refused, or is private
	}
	if c.a.whispers.Swap(false) {
		c.a.log.Error("telegram: private answers go to private chats from now on", "err", errPublic)
	}
	_ = c.a.insist(c.a.talking, asking(c.a.talking, c.a.library.DeleteMessage, &library.DeleteMessageParams{ChatID: said.Result.Chat.ID, MessageID: said.Result.ID}))
	return &outbox.Never{Err: errPublic}
}

// probe finds out whether Telegram's server supports whispers, by deleting one that does not exist.
func (a *Adapter) probe(ctx context.Context) {
	ask := asking((&whisper{to: 1}).in(ctx), a.library.DeleteMessage, &library.DeleteMessageParams{ChatID: 1, MessageID: 1})
	err := a.persist(ctx, "not known whether there are ephemeral messages", ask)
	if a.whispers.Store(err == nil || errors.Is(err, library.ErrorBadRequest)); !a.whispers.Load() {
		a.log.InfoContext(ctx, "telegram: no ephemeral messages, so private answers go to private chats", "err", a.clean(err))
	}
}

// hasRoom takes a message from the place's limits, for somebody who is looking at it. It is false if the message would
// have to wait; if it cannot be said in another way, a short wait is allowed.
func (a *Adapter) hasRoom(place storage.Address, only bool) bool {
	const patience = 3 * time.Second
	return a.post.Held(place) == 0 && (a.post.Spare(place) == 0 || only && a.post.Line(place) <= patience)
}

// whisper says something to one person alone, for as long as Telegram lets it. only says that no other way would be as
// fast.
func (a *Adapter) whisper(ctx context.Context, w whisper, place storage.Address, n message.Message, only bool) error {
	const patience = 10 * time.Second // of Telegram's 15
	if !a.whispers.Load() || !a.hasRoom(place, only) {
		return errNoRoom
	}
	ctx, end := context.WithTimeout(w.in(ctx), patience)
	defer end()
	s := &saying{}
	err := a.insist(ctx, func() error { return a.sendAll(ctx, s, place, 0, n) })
	a.failed(ctx, slog.LevelDebug, "not whispered", err)
	a.heed(place, err)
	return err
}

// concerns reports whether an answer to a button concerns only its presser, and does not fit a toast.
func (a *Adapter) concerns(q *models.CallbackQuery, press string, m *models.Message, n message.Message) bool {
	if n.Alone {
		return true
	}
	picker := n.Step && n.Game() != 0
	if now, _ := a.edited.Get(atOf(m)); picker && (n.Back || now.buttons != nil) {
		return false // the game goes on below the board
	}
	more := n.Step || len(n.Buttons) > 0 || n.File != nil || adapter.Length(bare(n.Text)) > maxToast
	return n.To != 0 && !n.Ack && more && !concludes(q, press, m, n)
}

// whispered answers a button of a group so that only its presser sees the answer. If it reports false, nothing was
// said.
func (a *Adapter) whispered(ctx context.Context, q *models.CallbackQuery, press string, m *models.Message, notes []message.Message) bool {
	if !a.whispers.Load() || m.Chat.Type == models.ChatTypePrivate || len(notes) == 0 {
		return false
	}
	place, w := address(m.Chat.ID, topic(m)), whisper{to: q.From.ID, press: q.ID}
	if isWhisper(m) {
		return a.goOn(ctx, q, place, w, m, notes)
	}
	if slices.ContainsFunc(notes, func(n message.Message) bool { return !a.concerns(q, press, m, n) }) {
		return false
	}
	for i, n := range notes {
		if aboveIt(n) {
			n = message.Message{Text: n.Text, Buttons: n.Buttons}
		}
		if a.whisper(ctx, w, place, n, n.Alone) != nil {
			return i > 0
		}
	}
	a.toast(ctx, q.ID, adapter.Clip(bare(notes[0].Text), maxToast), false) // old apps may not show the whisper
	return true
}

// goOn answers a button of a whisper, in the whisper's place if that can show the answer.
func (a *Adapter) goOn(ctx context.Context, q *models.CallbackQuery, place storage.Address, w whisper, m *models.Message, notes []message.Message) (done bool) {
	at, n := messageAt{chat: m.Chat.ID, id: -m.ID, to: q.From.ID}, notes[0]
	text := !n.Shows() && n.File == nil
	word, alert := "", text && len(n.Buttons) == 0 && adapter.Length(bare(n.Text)) <= maxToast
	var err error
	switch {
	case n.Ack && !n.Settles:
		a.takeBack(ctx, at)
		alert = false
	case alert && !n.Settles:
		word = bare(n.Text)
	case n.Pictured() && pictured(m) && !n.Moves():
		err = a.alter(ctx, at, itsPicture, n)
	case isTable(m) && n.Table != nil, (text || aboveIt(n)) && adapter.Length(n.Text.Plain()) <= maxCaption: // a longer caption is refused, even without a picture
		err = a.alter(ctx, at, wordsIn(m), n)
	default:
		if err = a.whisper(ctx, w, place, n, true); err == nil && n.Step {
			a.takeBack(ctx, at)
		}
	}
	for _, n := range notes[1:] {
		err = cmp.Or(err, a.whisper(ctx, w, place, n, true))
	}
	if err != nil && n.Alone {
		return false
	}
	if err != nil {
		word, alert = adapter.Clip(bare(n.Text), maxToast), true
	}
	a.toast(ctx, q.ID, word, alert)
	return true
}

// aboveIt reports whether the board of a note is shown above the whisper.
func aboveIt(n message.Message) bool { return n.Step && n.Game() != 0 && !n.Alone }

// takeBack deletes a whisper that is no longer of use.
func (a *Adapter) takeBack(ctx context.Context, at messageAt) {
	_, err := a.library.DeleteMessage((&whisper{to: at.to, id: at.id}).in(ctx), &library.DeleteMessageParams{ChatID: at.chat, MessageID: at.id})
	a.failed(ctx, slog.LevelDebug, "whisper not taken back", err)
}

// numberWhispers gives an update's whisper its number: Telegram's own, made negative.
func numberWhispers(u *models.Update, text []byte) {
	type numbered struct {
		ID int `json:"ephemeral_message_id"`
	}
	var said struct {
		Message  numbered
		Callback struct{ Message numbered } `json:"callback_query"`
	}
	_ = json.Unmarshal(text, &said) // else there are no whispers
	if u.Message != nil && u.Message.ID == 0 {
		u.Message.ID = -said.Message.ID
	}
	if q := u.CallbackQuery; q != nil && q.Message.Message != nil && q.Message.Message.ID == 0 {
		q.Message.Message.ID = -said.Callback.Message.ID
	}
}

// tabled is the context key of a table: its value is the picture that goes with it, or nil. The library does not know
// tables: the requests for their texts are changed on their way.
type tabled struct{}

// tabulate turns a request to send or edit a text into one for a table.
func tabulate(r *http.Request, body, picture []byte) []byte {
	r.URL.Path = strings.Replace(r.URL.Path, "/sendMessage", "/sendRichMessage", 1)
	body = bytes.Replace(body, []byte(`name="text"`), []byte(`name="rich_message"`), 1)
	if picture == nil {
		return body
	}
	return withField(r, body, `chart"; filename="chart.png`, picture)
}

// isTable reports whether a message of the bot's shows a table: then it has nothing that the library knows.
func isTable(m *models.Message) bool { return m.Text == "" && m.Document == nil && !pictured(m) }

// turnsTable reports whether a note is a table that replaces the one above the button: the next page or, in a private
// chat, any.
func turnsTable(press string, m *models.Message, n message.Message) bool {
	return n.Step && n.Table != nil && isTable(m) && (message.VerbOf(press) == "top" || m.Chat.Type == models.ChatTypePrivate)
}

// asTable says a message, with its table unless plainly is set. If that is refused as by a server without tables, it
// says the message without the table; if that works, later messages have none either.
func (a *Adapter) asTable(ctx context.Context, n message.Message, plainly bool, say func(message.Message) error) error {
	if plainly || a.tableless.Load() {
		n.Table = nil
	}
	refusal := say(n)
	if n.Table == nil || !errors.Is(refusal, library.ErrorBadRequest) && !errors.Is(refusal, library.ErrorNotFound) {
		return refusal
	}
	n.Table = nil
	err := say(n)
	if err == nil && !a.tableless.Swap(true) {
		a.failed(ctx, slog.LevelInfo, "no tables", refusal)
	}
	return err
}

// text is the text of a message, or its table, and the context in which to send it.
func (a *Adapter) text(ctx context.Context, n message.Message) (in context.Context, said *library.SendMessageParams, err error) {
	if n.Table == nil {
		return ctx, &library.SendMessageParams{Text: a.format(ctx, n.Text), ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview()}, nil
	}
	var picture []byte
	var html strings.Builder
	rich := map[string]any{"skip_entity_detection": true}
	fmt.Fprintf(&html, "<p>%s</p>", strings.ReplaceAll(a.format(ctx, words.Either(len(n.Brief) > 0, n.Brief, n.Text)), "\n", "<br>"))
	if n.Pictured() {
		if picture, _, err = n.Still(ctx); err != nil {
			return nil, nil, err
		}
		html.WriteString(`<img src="tg://photo?id=chart"/>`)
		rich["media"] = []any{map[string]any{"id": "chart", "media": map[string]string{"type": "photo", "media": "attach://chart"}}}
	}
	html.WriteString("<table bordered striped compact>")
	wide := len(slices.MaxFunc(n.Table, func(one, other []words.Text) int { return len(one) - len(other) }))
	for i, row := range n.Table {
		html.WriteString("<tr>")
		for j, cell := range row {
			fmt.Fprintf(&html, `<%s align="%s" valign="middle" colspan="%d">%s</%[1]s>`, words.Either(i == 0, "th", "td"), words.Either(j == 0, "left", "right"),
				words.Either(j == len(row)-1, wide-j, 1), format(cell.In(n.Language), nil))
		}
		html.WriteString("</tr>")
	}
	rich["html"] = html.String() + "</table>"
	content, err := json.Marshal(rich)
	return context.WithValue(ctx, tabled{}, picture), &library.SendMessageParams{Text: string(content)}, err
}
