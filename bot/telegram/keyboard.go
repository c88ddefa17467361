package telegram

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/go-telegram/bot/models"

	"chimera/bot/limit"
	"chimera/bot/message"
)

// maxData is how many bytes a button can carry.
const maxData = 64

// perRow is how many buttons stand in a row, so that no row is much shorter than the others.
func perRow(buttons []message.Button) int {
	most := mostPerRow(buttons)
	rows := max((len(buttons)+most-1)/most, 1)
	return max((len(buttons)+rows-1)/rows, 1)
}

// mostPerRow is how many buttons can stand beside each other, by the length of their labels.
func mostPerRow(buttons []message.Button) int {
	longest := 0
	for _, b := range buttons {
		longest = max(longest, len([]rune(b.Label)))
	}
	switch {
	case longest <= 5:
		return 5
	case longest <= 8:
		return 4
	case longest <= 12:
		return 3
	}
	return 2
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

// app is the Mini App that a button opens in a chat, nil for none: they open only in private chats, and
// only from https.
func (a *Adapter) app(chat int64, b message.Button) *models.WebAppInfo {
	address := a.bot.PageOf(b)
	if chat < 0 || !strings.HasPrefix(address, "https://") { // groups and channels have negative numbers
		return nil
	}
	return &models.WebAppInfo{URL: address}
}

// keyboard lays out the buttons of a message in a chat.
func (a *Adapter) keyboard(ctx context.Context, chat int64, buttons []message.Button) (*keyboard, error) {
	rows := [][]key{}
	width := perRow(buttons)
	for i, b := range buttons {
		pressed := key{Text: b.Label, URL: b.Opens, App: a.app(chat, b)}
		switch {
		case pressed.App != nil:
			pressed.URL = ""
		case b.Opens == "":
			var err error
			if pressed.Data, err = a.state.Pack(ctx, b.Do, maxData); err != nil {
				return nil, err
			}
		}
		if i%width == 0 {
			rows = append(rows, nil)
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], pressed)
	}
	return &keyboard{rows}, nil
}

// maxEdits is how often a message is edited for a move: Telegram's clients stall after
// more.
const maxEdits = 3

// messageAt is where a message is.
type messageAt struct {
	chat int64
	id   int
}

// edits count how often messages were edited, and know what buttons they have now, until the messages are
// stale. If there are too many of them, counting begins anew.
type edits struct {
	mu    sync.Mutex
	known map[messageAt]edited
}

// edited is what is known of a message.
type edited struct {
	times   int
	buttons []message.Button // nil if that is not known
}

// add counts an edit of a message, unless that takes it back to its first buttons. It reports whether there
// have been enough edits, and whether the message has these buttons already: somebody has pressed twice.
func (e *edits) add(message messageAt, buttons []message.Button, back bool) (enough, there bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil {
		e.known = map[messageAt]edited{}
	}
	now, ok := e.known[message]
	if !ok && len(e.known) >= limit.Watched {
		clear(e.known)
	}
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
	e.known[message] = now
	return false, false
}

// failed notes that it is not known what buttons a message has.
func (e *edits) failed(message messageAt) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now, ok := e.known[message]; ok {
		e.known[message] = edited{times: now.times}
	}
}

// end forgets a message.
func (e *edits) end(message messageAt) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.known, message)
}
