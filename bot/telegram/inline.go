package telegram

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
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

// propose answers what somebody writes after the bot's name in any chat, with the challenges that they can post there.
// A challenge is made only when somebody joins it.
func (a *Adapter) propose(q *models.InlineQuery) answer {
	return whole(func(ctx context.Context) {
		said := message.Incoming{Place: address(q.From.ID, 0), Private: true, From: personOf(q.From), Text: q.Query}
		results, button := []models.InlineQueryResult{}, (*models.InlineQueryResultsButton)(nil)
		if a.hasChat(ctx, q.From.ID) {
			for _, p := range a.bot.Proposals(ctx, said) {
				if r := a.proposal(ctx, q.From.ID, said, p); r != nil {
					results = append(results, r)
				}
			}
		} else { // somebody without a chat could not see the game
			button = &models.InlineQueryResultsButton{Text: a.sayTo(ctx, said, "label.press-start"), StartParameter: hello}
		}
		const briefly = 1 // seconds; the library leaves 0 out, which Telegram takes for 300
		_, err := a.library.AnswerInlineQuery(ctx, &library.AnswerInlineQueryParams{
			InlineQueryID: q.ID, Results: results, Button: button, CacheTime: briefly, IsPersonal: true,
		})
		a.failed(ctx, slog.LevelDebug, "inline query not answered", err) // typing on repeats the query
	})
}

// postedFor is how long the button below a posted challenge is good: less than the bot remembers its outcome, see
// storage.Remember.
const postedFor = 48 * time.Hour

// posting is a challenge that somebody may post in any chat, as its button carries it. Telegram does not say who posted
// the message of a button, and anybody who sees the button can copy it to a message of their own. So a posting makes at
// most one challenge, which belongs to the message whose button is pressed first, and none after a while: a copy leads
// to the same game and never to another.
type posting struct {
	maker int64
	at    time.Time // when it was offered; distinguishes postings of the same terms
	terms string
}

// signed is how many bytes of a signature buttons and links have room for.
const signed = 7

// carried is a posting in the data of its button, with a signature: presses can be forged, and could otherwise make
// challenges in the names of others.
func (a *Adapter) carried(p posting) string {
	text := strconv.FormatInt(p.maker, 36) + " " + strconv.FormatInt(p.at.Unix(), 36) + " " + p.terms
	return text + " " + base64.RawURLEncoding.EncodeToString(sign([]byte(a.config.Token), text)[:signed])
}

// posting reads the data of a button; false if its signature is not the bot's.
func (a *Adapter) posting(data string) (p posting, ok bool) {
	words := strings.Split(data, " ")
	last := len(words) - 1
	if last < 3 {
		return p, false
	}
	maker, err := strconv.ParseInt(words[0], 36, 64)
	at, err2 := strconv.ParseInt(words[1], 36, 64)
	p = posting{maker, time.Unix(at, 0), strings.Join(words[2:last], " ")}
	return p, err == nil && err2 == nil && hmac.Equal([]byte(a.carried(p)), []byte(data))
}

// proposal is a challenge that somebody can post, nil if it does not fit its button.
func (a *Adapter) proposal(ctx context.Context, maker int64, said message.Incoming, p bot.Proposal) models.InlineQueryResult {
	terms := strings.TrimPrefix(p.Command, "challenge ")
	data := a.carried(posting{maker, time.Now(), terms})
	if len(data) > maxData {
		return nil
	}
	text := slices.Concat(p.Text, words.Text{{Words: " "}}, a.openFor("challenge.open-for").In(a.bot.Language(ctx, said)))
	return &models.InlineQueryResultArticle{
		ID: terms, Title: p.Game, Description: p.Terms.Plain(),
		InputMessageContent: &models.InputTextMessageContent{MessageText: a.format(ctx, text), ParseMode: models.ParseModeHTML},
		ReplyMarkup:         &keyboard{[][]key{{{Text: a.sayTo(ctx, said, "label.join"), Data: data}}}},
	}
}

// sayTo is a sentence of the book for the author of a message.
func (a *Adapter) sayTo(ctx context.Context, m message.Incoming, sentence string) string {
	return say(sentence).In(a.bot.Language(ctx, m)).Plain()
}

// hasChat reports whether somebody has a private chat with the bot.
func (a *Adapter) hasChat(ctx context.Context, user int64) bool {
	who, err := a.bot.Users.Known(ctx, address(user, 0), address(user, 0))
	return err == nil && who.Place.Gone.IsZero()
}

// openFor is a sentence that says how long a posting is open.
func (a *Adapter) openFor(sentence string) words.Text {
	return say(sentence, "n", int(postedFor.Hours()/24), "bot", a.me.Username)
}

// joined carries out the button of a posted challenge. Somebody without a private chat with the bot is led to one, with
// the challenge's code.
func (a *Adapter) joined(ctx context.Context, update int64, q *models.CallbackQuery) answer {
	said := message.Incoming{ID: fmt.Sprint("u", update), Place: address(q.From.ID, 0), Private: true, From: personOf(&q.From)}
	if strings.HasPrefix(q.Data, toWatch) {
		return a.watched(ctx, q, said)
	}
	p, ok := a.posting(q.Data)
	no, code, closes := say("challenge.gone"), "", ok
	switch {
	case !ok:
	case time.Since(p.at) > postedFor:
		no = a.openFor("challenge.over")
	case p.maker == q.From.ID:
		no, closes = say("challenge.own"), false
	default:
		code = a.made(ctx, q, p)
	}
	if code == "" {
		text := no.In(a.bot.Language(ctx, said)).Plain()
		return whole(func(ctx context.Context) {
			a.toast(ctx, q.ID, text, true)
			if closes {
				a.later("inline", func(ctx context.Context) { a.strip(ctx, messageAt{posted: q.InlineMessageID}) })
			}
		})
	}
	if !a.hasChat(ctx, q.From.ID) {
		return whole(func(ctx context.Context) { a.lead(ctx, q.ID, code) })
	}
	said.Text = "accept " + code
	notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
	a.rememberName(ctx, &q.From)
	text := ""
	if len(notes) > 0 && !notes[0].Ack {
		text = adapter.Clip(bare(notes[0].Text), maxToast)
	}
	return whole(func(ctx context.Context) { a.toast(ctx, q.ID, text, text != "") })
}

// lead answers a button by opening the private chat with the bot, with a code.
func (a *Adapter) lead(ctx context.Context, id, code string) {
	a.answerButton(ctx, &library.AnswerCallbackQueryParams{CallbackQueryID: id, URL: a.start(code)})
}

// start is the link to begin a chat with the bot, with a code.
func (a *Adapter) start(code string) string {
	return "https://t.me/" + a.me.Username + "?start=" + code
}

// made is the code of the challenge that a posting makes when somebody joins it; "" if it is no longer open, or belongs
// to another message.
func (a *Adapter) made(ctx context.Context, q *models.CallbackQuery, p posting) (code string) {
	who, err := a.bot.Users.Known(ctx, address(p.maker, 0), address(p.maker, 0))
	if err != nil || !who.Place.Gone.IsZero() {
		return ""
	}
	notes, err := a.bot.Handle(ctx, message.Incoming{
		ID: "i" + a.state.Digest([]byte(q.Data)), Place: address(p.maker, 0), Private: true, Posted: true, Text: "challenge " + p.terms,
		From: message.Account{Address: address(p.maker, 0), Name: who.Person.Name, Locale: who.Person.Locale},
	})
	if err != nil || len(notes) != 1 || !notes[0].Ack {
		return ""
	}
	c, err := a.bot.Match.ChallengeOf(ctx, notes[0].About)
	if err != nil {
		return ""
	}
	key := inlineKey(c.ID)
	message, err := a.state.Load(ctx, key)
	if message == "" && err == nil {
		message, err = q.InlineMessageID, a.state.Put(ctx, key, []byte(q.InlineMessageID))
	}
	return words.Either(err == nil && message == q.InlineMessageID, c.Code, "")
}

// inlineKey names the message in which somebody has posted a challenge.
func inlineKey(challenge storage.GameID) string { return fmt.Sprintf("inline/%d", challenge) }

// sharing adds a button to somebody's own open challenge in their private chat; with it they can pass it on to another
// chat.
func (a *Adapter) sharing(ctx context.Context, d *bot.Delivery) {
	if !d.Challenges() && !d.Renews() || d.Place.Owner == 0 || d.Place.Owner != d.Entry.By {
		return
	}
	l := d.Note.Language
	text, code := a.bot.Invitation(ctx, d.Entry.Game, l)
	if code == "" {
		return
	}
	query := url.Values{"url": {a.start(code)}, "text": {text}}
	d.Note.Buttons = append(d.Note.Buttons, message.Button{
		Label: say("label.share").In(l).Plain(), Opens: "https://t.me/share/url?" + strings.ReplaceAll(query.Encode(), "+", "%20"),
	})
}

// How old Telegram's signed data about the user of a Mini App may be, and how far in the future.
const (
	wordLasts = time.Hour
	wordAhead = 5 * time.Minute // clocks differ
)

// SignedInBy is SignedIn with a fixed token and a clock.
func SignedInBy(token string, now func() time.Time) func(initData string) (message.Account, string, bool) {
	return func(initData string) (message.Account, string, bool) { return SignedIn(token, initData, now()) }
}

// SignedIn is who opens a Mini App of the bot with this token, according to the data that Telegram signed (initData).
// mark identifies the data if it comes again; ok is false if the signature is wrong or too old. The library's own check
// is not constant-time, and decodes values twice.
func SignedIn(token, initData string, now time.Time) (p message.Account, mark string, ok bool) {
	said, err := url.ParseQuery(initData)
	sum, err2 := hex.DecodeString(said.Get("hash"))
	if err != nil || err2 != nil {
		return p, "", false
	}
	said.Del("hash")
	var lines []string
	for name, values := range said {
		for _, v := range values {
			lines = append(lines, name+"="+v)
		}
	}
	slices.Sort(lines)
	if !hmac.Equal(sum, sign(sign([]byte("WebAppData"), token), strings.Join(lines, "\n"))) {
		return p, "", false
	}
	seconds, err := strconv.ParseInt(said.Get("auth_date"), 10, 64)
	age := now.Sub(time.Unix(seconds, 0))
	var user models.User
	if err != nil || age > wordLasts || age < -wordAhead || json.Unmarshal([]byte(said.Get("user")), &user) != nil || user.ID == 0 || user.IsBot {
		return p, "", false
	}
	return personOf(&user), hex.EncodeToString(sum), true
}

// Prepare makes a message about a game, with a button that opens an address, which an account may pass on from the Mini
// App, and returns the message's id there. The Adapter need not be running.
func (a *Adapter) Prepare(ctx context.Context, account, title, button, address string) (string, error) {
	user, _ := strconv.ParseInt(account, 10, 64) // Telegram knows no user 0
	m, err := a.library.SavePreparedInlineMessage(ctx, &library.SavePreparedInlineMessageParams{
		UserID: user, AllowUserChats: true, AllowGroupChats: true, AllowChannelChats: true,
		Result: &models.InlineQueryResultArticle{
			ID: "game", Title: title, InputMessageContent: &models.InputTextMessageContent{MessageText: title + "\n" + address},
			ReplyMarkup: &keyboard{[][]key{{{Text: button, URL: address}}}},
		},
	})
	if err != nil {
		return "", fmt.Errorf("telegram: %s", a.clean(err))
	}
	return m.ID, nil
}

func sign(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// The bot's pages are a Mini App. In private chats, its button is beside the input field and below boards. If the bot's
// owner has told BotFather the address of the pages, a link opens it at a game from groups too.

// appPath is the page that opens as a Mini App.
const appPath = "/in"

// appears finds out whether links can open the Mini App; the library cannot ask that.
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

// showApp puts the Mini App's button beside the input field, or removes it.
func (a *Adapter) showApp(ctx context.Context) error {
	const name = "menu button"
	at := a.bot.Pages()
	var button models.InputMenuButton = &models.MenuButtonWebApp{Type: models.MenuButtonTypeWebApp, Text: "Chimera", WebApp: models.WebAppInfo{URL: at + appPath}}
	if !strings.HasPrefix(at, "https://") {
		if before, err := a.state.Load(ctx, name); before == "" {
			return err // the owner may have chosen another button
		}
		button = &models.MenuButtonDefault{Type: models.MenuButtonTypeDefault}
	}
	return a.state.Once(ctx, name, at, func() error {
		set := asking(ctx, a.library.SetChatMenuButton, &library.SetChatMenuButtonParams{MenuButton: button})
		return a.persist(ctx, "menu button not set", set)
	})
}

// A challenge that was posted in any chat becomes a card, which shows its game until the end.

// toWatch begins the data of a card's button; the number of its game follows.
const toWatch = "watch "

// tellPosted updates the message of a posted challenge with its outcome, or with its game, once a delivery has told
// that. Telegram accepts only uploaded pictures there.
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
		n.Text = words.Join("\n", adapter.Lines(a.accepted(ctx, d))[0], n.Text)
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
		a.state.PutSoon(key, words.Either(ends, nil, []byte(posted+" "+shown)))
	})
}

// showCard changes a posted message to a picture that Telegram has, or to words alone.
func (a *Adapter) showCard(ctx context.Context, posted, file string, n message.Message) {
	at := messageAt{posted: posted}
	if file == "" {
		_ = a.alter(ctx, at, itsText, n) // it has been logged
		return
	}
	media := &models.InputMediaPhoto{Media: file, Caption: format(a.told(n.Text), nil), ParseMode: models.ParseModeHTML}
	err := a.insist(ctx, func() error {
		_, err := at.edited(a.library.EditMessageMedia(ctx, &library.EditMessageMediaParams{InlineMessageID: posted, Media: media, ReplyMarkup: a.keyboard(ctx, 0, n)}))
		return err
	})
	a.failed(ctx, slog.LevelDebug, "card not changed", err)
}

// watched lets somebody who presses a card's button follow its game in their own chat, where they see its board.
// Telegram says which message was pressed, so nobody can pretend to see a card.
func (a *Adapter) watched(ctx context.Context, q *models.CallbackQuery, said message.Incoming) answer {
	number, _ := strconv.ParseUint(strings.TrimPrefix(q.Data, toWatch), 10, 64)
	game := storage.GameID(number)
	posted, _, _ := strings.Cut(a.state.Get(ctx, inlineKey(game)), " ")
	if posted != q.InlineMessageID {
		return whole(func(ctx context.Context) { a.toast(ctx, q.ID, a.sayTo(ctx, said, "refused.message-too-old"), true) })
	}
	if !a.hasChat(ctx, q.From.ID) {
		return whole(func(ctx context.Context) { a.lead(ctx, q.ID, a.watching(q.From.ID, game)) })
	}
	notes, _ := a.bot.Watch(ctx, said, game) // an error has been logged, and has its note
	return func(ctx context.Context) answer {
		a.toast(ctx, q.ID, a.sayTo(ctx, said, "refused.sent-alone"), false)
		return a.replies(said.Place, 0, notes)
	}
}

// watching is the start code with which somebody who has seen a card watches its game. It is of no use to anybody else.
func (a *Adapter) watching(user int64, game storage.GameID) string {
	code := fmt.Sprintf("watch-%d-", game)
	return code + base64.RawURLEncoding.EncodeToString(sign([]byte(a.config.Token), fmt.Sprint(code, user))[:signed])
}

// watchedBy is the game of a code that is somebody's of watching, 0 for another code.
func (a *Adapter) watchedBy(user int64, code string) storage.GameID {
	var game storage.GameID
	_, _ = fmt.Sscanf(code, "watch-%d-", &game) // another code is not equal
	return words.Either(hmac.Equal([]byte(code), []byte(a.watching(user, game))), game, 0)
}

// feelings are the bot's reactions to an action.
var feelings = map[bot.Mood]string{bot.Won: "🏆", bot.Drew: "🤝", bot.Struck: "⚡"} //nolint:gochecknoglobals // never written

// fireworks is the effect of the private message that tells somebody they have won.
const fireworks = "5046509860389126442"

// simpler is a message without the feature that Telegram has just refused, and later messages go without it too; false
// if that was not the reason.
func (a *Adapter) simpler(ctx context.Context, err error, n message.Message) (message.Message, bool) {
	unknown := &a.timeless
	if n.Festive && refusedAs(err, "EFFECT", "effect") {
		n.Festive, unknown = false, &a.solemn
	} else if !refusedAs(err, "tg-time") {
		return n, false
	}
	if !unknown.Swap(true) {
		a.failed(ctx, slog.LevelInfo, "said without what is not known there", err)
	}
	return n, true
}

// told is a text, with its moments in words if Telegram does not support moments.
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
