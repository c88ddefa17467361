package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// Telegram's bounds, in UTF-16 units after the marks are taken out.
const (
	maxText    = 4000 // and a little more
	maxCaption = 1024
	maxToast   = 200
)

// format is a text as HTML. accounts are those of the people it mentions. Commands are written with their
// slash, so that a touch sends those that need no more words.
func format(t words.Text, accounts map[storage.PersonID]string) string {
	var b strings.Builder
	for _, s := range t {
		marked := marks.Replace(slashed(s))
		switch {
		case !s.Moment.IsZero(): // in the reader's clock; what follows it in brackets stays
			at, _, _ := strings.Cut(marked, " (")
			fmt.Fprintf(&b, `<tg-time unix="%d" format="wdt">%s</tg-time>%s`, s.Moment.Unix(), at, marked[len(at):])
		case accounts[s.Person] != "":
			fmt.Fprintf(&b, `<a href="tg://user?id=%s">%s</a>`, accounts[s.Person], marked)
		case s.Person != 0, s.Style == words.Bold: // an "@" would call somebody else who has that name here
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
	if first, _, _ := strings.Cut(s.Words, " "); s.Style == words.Code && bot.IsCommand(first) {
		return "/" + s.Words
	}
	return s.Words
}

// bare is a text without markup.
func bare(t words.Text) string {
	plain := slices.Clone(t)
	for i, s := range plain {
		plain[i].Words = slashed(s)
	}
	return plain.Plain()
}

// marks are the characters that mean something in HTML, and how they are escaped.
var marks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;") //nolint:gochecknoglobals // never written

// maxData is how many bytes a button can carry.
const maxData = 64

// perRow is how many buttons stand in a row: as many as their labels allow, and so that no row is much shorter
// than the others.
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

// keyboard is the buttons below a message. The library's own type writes fields that no button of ours has.
type keyboard struct {
	Rows [][]key `json:"inline_keyboard"` // never nil, so that an edit can take them away
}

type key struct {
	Text string             `json:"text"`
	Data string             `json:"callback_data,omitempty"`
	URL  string             `json:"url,omitempty"`
	App  *models.WebAppInfo `json:"web_app,omitempty"`
}

// keyboard lays out the buttons of a message in a chat: in private, a board begins with the pieces that can move.
func (a *Adapter) keyboard(ctx context.Context, chat int64, n message.Message) (*keyboard, error) {
	buttons := a.openers(chat, n)
	if chat < 0 || len(n.Pieces) == 0 {
		return a.rows(ctx, chat, buttons)
	}
	all, err := a.rows(ctx, chat, n.Pieces)
	rest, err2 := a.rows(ctx, chat, slices.DeleteFunc(slices.Clone(buttons), func(b message.Button) bool { return strings.HasPrefix(b.Do, "pick ") }))
	if err = errors.Join(err, err2); err != nil {
		return nil, err
	}
	return &keyboard{append(all.Rows, rest.Rows...)}, nil
}

// rows are buttons in rows. Mini Apps open only in private chats, and only from https.
func (a *Adapter) rows(ctx context.Context, chat int64, buttons []message.Button) (*keyboard, error) {
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
		if keys[i].URL = b.Opens; b.Opens != "" {
			continue
		}
		var err error
		if keys[i].Data, err = a.state.Pack(ctx, b.Do, maxData); err != nil {
			return nil, err
		}
	}
	return &keyboard{slices.AppendSeq([][]key{}, slices.Chunk(keys, perRow(buttons)))}, nil
}
