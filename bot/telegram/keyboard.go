package telegram

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-telegram/bot/models"

	"chimera/bot/message"
)

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

// keyboard lays out the buttons of a message in a chat. Mini Apps open only in private chats, and only from
// https.
func (a *Adapter) keyboard(ctx context.Context, chat int64, buttons []message.Button) (*keyboard, error) {
	keys := make([]key, len(buttons))
	for i, b := range buttons {
		keys[i].Text = b.Label
		if page := a.bot.PageOf(b); chat > 0 && strings.HasPrefix(page, "https://") {
			keys[i].App = &models.WebAppInfo{URL: page}
			continue
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
