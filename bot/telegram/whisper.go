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
	"strings"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/storage"
)

// whisper is a message in a group that one person alone sees, or a change of one. Telegram takes it for a while
// after that person has pressed a button, or written what nobody else sees; it promises nothing, so that
// nothing is said so which must arrive. The library knows nothing of it: its requests are changed on their way,
// where the context has a whisper.
type whisper struct {
	to    int64  // who sees it
	press string // Telegram's name for the press that it answers, or ""
	id    int    // the whisper that it answers or changes, or 0
}

// whispering is the key of a whisper in a context.
type whispering struct{}

func (w *whisper) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, whispering{}, w)
}

// isWhisper reports whether one person alone sees a message: [readable] gives it a number below 0.
func isWhisper(m *models.Message) bool { return m.ID <= 0 }

// hide makes a request to say something one to whisper it.
func (w *whisper) hide(r *http.Request, body []byte) []byte {
	fields := map[string]any{"receiver_user_id": w.to}
	switch before, method, _ := strings.Cut(r.URL.Path, "/send"); {
	case method != "":
		about := map[string]any{"receiver_user_id": w.to}
		if fields = map[string]any{"ephemeral_message_parameters": about}; w.press != "" {
			about["callback_query_id"] = w.press
		} else {
			fields["reply_parameters"] = map[string]any{"ephemeral_message_id": w.id}
		}
	default:
		r.URL.Path = strings.Replace(before, "Message", "EphemeralMessage", 1)
		body = bytes.Replace(body, []byte(`name="message_id"`), []byte(`name="ephemeral_message_id"`), 1)
	}
	_, form, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // of the library
	end := "--" + form["boundary"] + "--\r\n"
	body = bytes.TrimSuffix(body, []byte(end))
	for name, value := range fields {
		text, _ := json.Marshal(value) // it is plain
		body = fmt.Appendf(body, "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n", form["boundary"], name, text)
	}
	return append(body, end...)
}

var (
	// errPublic is the end of a whisper that everyone has heard.
	errPublic = errors.New("a server that does not know ephemeral messages has posted one for all")

	errNoRoom = errors.New("it would have to wait")
)

// posted is what Telegram has posted.
type posted struct {
	Result struct {
		ID      int `json:"message_id"`
		Whisper int `json:"ephemeral_message_id"`
		Chat    struct{ ID int64 }
	}
}

// heard makes sure that nobody else has heard a whisper that was sent.
func (c caller) heard(answer *http.Response) error {
	body, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	var said posted
	if json.Unmarshal(body, &said) != nil || said.Result.ID == 0 || said.Result.Whisper != 0 {
		return nil // it was refused, or is private
	}
	c.leaked(said.Result.Chat.ID, said.Result.ID)
	return &outbox.Never{Err: errPublic}
}

// leaked takes back what everyone can see though one alone should, and whispers no more.
func (a *Adapter) leaked(chat int64, message int) {
	if a.whispers.Swap(false) {
		a.log.Error("telegram: private answers go to private chats from now on", "err", errPublic)
	}
	_ = a.insist(a.talking, asking(a.talking, a.library.DeleteMessage, &library.DeleteMessageParams{ChatID: chat, MessageID: message}))
}

// probe finds out whether Telegram's server knows whispers, by taking back one that is not there.
func (a *Adapter) probe(ctx context.Context) {
	_, err := a.library.DeleteMessage((&whisper{to: 1}).in(ctx), &library.DeleteMessageParams{ChatID: 1, MessageID: 1})
	if a.whispers.Store(err == nil || errors.Is(err, library.ErrorBadRequest)); !a.whispers.Load() {
		a.log.InfoContext(ctx, "telegram: no ephemeral messages, so private answers go to private chats", "err", a.clean(err))
	}
}

// hasRoom takes a message from what a place may hear, for somebody who looks at it. It is false where they would
// have to wait, for so long that it would come too late if it cannot be said in another way.
func (a *Adapter) hasRoom(place storage.Address, only bool) bool {
	const patience = 3 * time.Second
	return a.post.Held(place) == 0 && (a.post.Spare(place) == 0 || only && a.post.Line(place) <= patience)
}

// whisper says something to one person alone, for as long as Telegram lets it. only says that there is no other way
// to say it as soon.
func (a *Adapter) whisper(ctx context.Context, w whisper, place storage.Address, n message.Message, only bool) error {
	const patience = 10 * time.Second // of Telegram's 15
	if !a.whispers.Load() || !a.hasRoom(place, only) {
		return errNoRoom
	}
	ctx, end := context.WithTimeout(w.in(ctx), patience)
	defer end()
	s := &saying{}
	err := a.insist(ctx, func() error { return a.sendAll(ctx, s, place, 0, n) })
	if err != nil {
		a.failed(ctx, slog.LevelDebug, "not whispered", err)
		a.heed(place, err)
	}
	return err
}

// concerns reports whether an answer to a button is for nobody but its presser, and more than a toast can say.
func (a *Adapter) concerns(q *models.CallbackQuery, press string, m *models.Message, n message.Message) bool {
	if n.Alone {
		return true
	}
	picker := n.Step && n.Game() != 0
	if now, _ := a.edited.Get(atOf(m)); picker && (n.Back || now.buttons != nil) {
		return false // it goes on below the board, where it has begun
	}
	more := n.Step || len(n.Buttons) > 0 || n.File != nil || adapter.Length(bare(n.Text)) > maxToast
	return n.To != 0 && !n.Ack && more && !concludes(q, press, m, n)
}

// whispered answers a button of a group so that nobody but its presser sees that. It reports whether that is
// done; else nothing was said.
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
	a.toast(ctx, q.ID, adapter.Clip(bare(notes[0].Text), maxToast), false) // old apps may show nothing else
	return true
}

// goOn answers a button of a whisper: in its place, where that can show the answer.
func (a *Adapter) goOn(ctx context.Context, q *models.CallbackQuery, place storage.Address, w whisper, m *models.Message, notes []message.Message) (done bool) {
	at, n := messageAt{chat: m.Chat.ID, id: -m.ID, to: q.From.ID}, notes[0]
	text := !n.Pictured() && n.Replay == nil && n.File == nil
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
	case (text || aboveIt(n)) && adapter.Length(n.Text.Plain()) <= maxCaption: // a longer one is refused, even without a picture
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

// aboveIt reports whether the board of a note stands above what is whispered.
func aboveIt(n message.Message) bool { return n.Step && n.Game() != 0 && !n.Alone }

// takeBack deletes a whisper that is not of use any more.
func (a *Adapter) takeBack(ctx context.Context, at messageAt) {
	_, err := a.library.DeleteMessage((&whisper{to: at.to, id: at.id}).in(ctx), &library.DeleteMessageParams{ChatID: at.chat, MessageID: at.id})
	a.failed(ctx, slog.LevelDebug, "whisper not taken back", err)
}

// numberWhispers numbers what an update is about, if one person alone sees that: Telegram's own number, below 0.
func numberWhispers(u *models.Update, text []byte) {
	type numbered struct {
		ID int `json:"ephemeral_message_id"`
	}
	var said struct {
		Message  numbered
		Callback struct{ Message numbered } `json:"callback_query"`
	}
	_ = json.Unmarshal(text, &said) // else there are none
	if u.Message != nil && u.Message.ID == 0 {
		u.Message.ID = -said.Message.ID
	}
	if q := u.CallbackQuery; q != nil && q.Message.Message != nil && q.Message.Message.ID == 0 {
		q.Message.Message.ID = -said.Callback.Message.ID
	}
}
