package telegram

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	library "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// The bot's pages are a Mini App. In private chats, its button is beside the field in which people write, and below
// their boards. Where the bot's owner has told BotFather the address of the pages, a link opens it from groups too,
// at a game.

// appPath is the page that opens as a Mini App.
const appPath = "/in"

// appears finds out whether links can open the Mini App, of which the library does not know.
func (a *Adapter) appears(ctx context.Context) {
	var said struct {
		Result struct {
			App bool `json:"has_main_web_app"`
		}
	}
	err := a.ask(ctx, "not known whether links open the Mini App", func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.config.APIURL+"/bot"+a.config.Token+"/getMe", http.NoBody)
		if err != nil {
			return err
		}
		answer, err := a.poller.client.Do(r)
		if err != nil {
			return err
		}
		return errors.Join(json.NewDecoder(answer.Body).Decode(&said), answer.Body.Close())
	})
	a.app = err == nil && said.Result.App && a.bot.Pages() != ""
}

// showApp puts the Mini App beside the field in which people write, or takes it away from there.
func (a *Adapter) showApp(ctx context.Context) error {
	const name = "menu button"
	at := a.bot.Pages()
	var button models.InputMenuButton = &models.MenuButtonWebApp{Type: models.MenuButtonTypeWebApp, Text: "Chimera", WebApp: models.WebAppInfo{URL: at + appPath}}
	if !strings.HasPrefix(at, "https://") {
		if before, err := a.state.Load(ctx, name); before == nil {
			return err // its owner may have chosen one
		}
		button = &models.MenuButtonDefault{Type: models.MenuButtonTypeDefault}
	}
	return a.state.Once(ctx, name, at, func() error {
		return a.persist(ctx, "menu button not set", func() error {
			_, err := a.library.SetChatMenuButton(ctx, &library.SetChatMenuButtonParams{MenuButton: button})
			return err
		})
	})
}

// openers are the buttons of a message in a chat; below a board that many see, with the one that opens it.
func (a *Adapter) openers(chat int64, n message.Message) []message.Button {
	opens := func(b message.Button) bool { return a.bot.PageOf(b) != "" }
	if chat >= 0 || !a.app || slices.ContainsFunc(n.Buttons, opens) {
		return n.Buttons
	}
	more := message.Message{Buttons: slices.Clip(n.Buttons)}
	more.AddPage()
	more.Speak(n.Language)
	return more.Buttons
}

// A challenge that was posted in any chat becomes a card, which shows its game until that is over.

// toWatch begins what the button of a card carries; the number of its game follows.
const toWatch = "watch "

// tellPosted lets the message of a posted challenge say what has become of it, or of its game, once a delivery has
// told that. Telegram takes only pictures there that it has.
func (a *Adapter) tellPosted(ctx context.Context, d *bot.Delivery) {
	key, n := inlineKey(d.Entry.Game), message.Message{Text: d.Note.Text}
	plays := d.Place.Owner != 0 && d.Note.Board != nil
	if d.Outcome() == "" && !plays || a.state.Get(ctx, key) == "" {
		return
	}
	file, shown := "", ""
	if plays {
		var err error
		if n, shown, err = a.bot.Posted(ctx, d); err != nil || shown == "" {
			a.failed(ctx, slog.LevelWarn, "no card of a game", err)
			return
		}
		if picture, _, err := d.Note.Still(ctx); err == nil {
			file, _ = a.uploaded.Get(sha256.Sum256(picture))
		}
	}
	if d.Begins() {
		n.Text = slices.Concat(adapter.Lines(a.accepted(ctx, d))[0], words.Text{{Words: "\n"}}, n.Text)
	}
	if plays && !d.Ends() {
		n.Buttons = []message.Button{{Label: say("label.watch").In(d.Note.Language).Plain(), Do: fmt.Sprint(toWatch, uint64(d.Entry.Game))}}
	}
	ends := !plays || d.Ends()
	a.later("inline", func(ctx context.Context) {
		posted, before, _ := strings.Cut(a.state.Get(ctx, key), " ")
		if posted == "" || before == shown && before != "" || file == "" && before != "" {
			return
		}
		a.showCard(ctx, posted, file, n)
		now := []byte(posted + " " + shown)
		if ends {
			now = nil
		}
		a.state.PutSoon(key, now)
	})
}

// showCard lets a posted message show a picture that Telegram has, or words alone.
func (a *Adapter) showCard(ctx context.Context, posted, file string, n message.Message) {
	at := messageAt{posted: posted}
	if file == "" {
		_ = a.alter(ctx, at, itsText, n) // it has been logged
		return
	}
	buttons, err := a.keyboard(ctx, 0, n)
	if err == nil {
		media := &models.InputMediaPhoto{Media: file, Caption: format(a.told(n.Text), nil), ParseMode: models.ParseModeHTML}
		err = a.insist(ctx, func() error {
			_, err := at.edited(a.library.EditMessageMedia(ctx, &library.EditMessageMediaParams{InlineMessageID: posted, Media: media, ReplyMarkup: buttons}))
			return err
		})
	}
	a.failed(ctx, slog.LevelDebug, "card not changed", err)
}

// watched lets somebody who presses the button of a card follow its game in their own chat, where they see its board. Telegram
// says in which message was pressed: nobody can say so of a card that they do not see.
func (a *Adapter) watched(ctx context.Context, q *models.CallbackQuery, said message.Incoming) answer {
	number, _ := strconv.ParseUint(strings.TrimPrefix(q.Data, toWatch), 10, 64)
	game := storage.GameID(number)
	posted, _, _ := strings.Cut(a.state.Get(ctx, inlineKey(game)), " ")
	if posted != q.InlineMessageID {
		return whole(func(ctx context.Context) { a.toast(ctx, q.ID, a.sayTo(ctx, said, "refused.message-too-old"), true) })
	}
	if !a.hasChat(ctx, q.From.ID) {
		return whole(func(ctx context.Context) { a.lead(ctx, q.ID, inGroup) })
	}
	notes, _ := a.bot.Watch(ctx, said, game) // an error has been logged, and has its note
	return func(ctx context.Context) answer {
		a.toast(ctx, q.ID, a.sayTo(ctx, said, "refused.sent-alone"), false)
		return a.replies(said.Place, 0, notes)
	}
}

// feelings are the reactions to what somebody has done.
var feelings = map[bot.Mood]string{bot.Won: "🏆", bot.Drew: "🤝", bot.Struck: "⚡"} //nolint:gochecknoglobals // never written

// fireworks are the effect with which somebody is told in private that they have won.
const fireworks = "5046509860389126442"

// simpler is a message without what Telegram has just refused to know, from then on; false if that was nothing such.
func (a *Adapter) simpler(ctx context.Context, err error, n message.Message) (message.Message, bool) {
	unknown := &a.timeless
	switch {
	case n.Festive && refusedAs(err, "EFFECT", "effect"):
		n.Festive, unknown = false, &a.solemn
	case !refusedAs(err, "tg-time"):
		return n, false
	}
	if !unknown.Swap(true) {
		a.failed(ctx, slog.LevelInfo, "said without what is not known there", err)
	}
	return n, true
}

// told is a text with its moments as words alone, where Telegram does not know moments.
func (a *Adapter) told(t words.Text) words.Text {
	if !a.timeless.Load() {
		return t
	}
	plain := slices.Clone(t)
	for i := range plain {
		plain[i].Moment = time.Time{}
	}
	return plain
}
