package telegram

import (
	"context"
	"sync"

	"chimera/bot"
	"chimera/bot/limit"
)

// maxData is how many bytes a button can carry.
const maxData = 64

// perRow is how many buttons stand beside each other, by the length of their labels.
func perRow(buttons []bot.Button) int {
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

// keyboard is buttons as they stand below a message. The library's own type writes a
// field into each that no button of ours has.
type keyboard struct {
	Rows [][]key `json:"inline_keyboard"` // never nil, so that an edit can take them away
}

type key struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
}

// keyboard lays buttons out.
func (a *Adapter) keyboard(ctx context.Context, buttons []bot.Button) (*keyboard, error) {
	rows := [][]key{}
	width := perRow(buttons)
	for i, b := range buttons {
		data, err := a.memory.Pack(ctx, b.Do, maxData)
		if err != nil {
			return nil, err
		}
		if i%width == 0 {
			rows = append(rows, nil)
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], key{b.Label, data})
	}
	return &keyboard{rows}, nil
}

// maxEdits is how often a message is edited for a move: Telegram's clients stall after
// more.
const maxEdits = 3

// edits count how often messages were edited, until they are of no more use, or until there
// are so many of them that each may be edited anew.
type edits struct {
	mu    sync.Mutex
	times map[string]int
}

// add counts an edit of a message; false means that there were enough.
func (e *edits) add(message string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.times == nil {
		e.times = map[string]int{}
	}
	if e.times[message] >= maxEdits {
		return false
	}
	if e.times[message] == 0 && len(e.times) >= limit.Watched {
		clear(e.times)
	}
	e.times[message]++
	return true
}

// end forgets a message, and returns how often it was edited.
func (e *edits) end(message string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.times[message]
	delete(e.times, message)
	return n
}
