package discord

import (
	"slices"
	"strings"
	"unicode"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/storage"
)

// card is an embed; its colour tells at a glance how things stand.
type card struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Color       color  `json:"color,omitempty"`
	Image       *image `json:"image,omitempty"`
}

type image struct {
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
}

// color is that of the edge of a card.
type color int

const (
	colorTurn     color = 0x3B82F6 // somebody is to move
	colorCheck    color = 0xDC2626
	colorOver     color = 0x6B7280
	colorQuestion color = 0xF59E0B // somebody is asked
)

// maxTitle is how long the title of a card is at most.
const maxTitle = 256

// colorOf is the colour of a note's card, 0 if it has none: boards have one, and public questions.
func colorOf(n *message.Message) color {
	checked := n.Board != nil && slices.ContainsFunc(n.Board.Marks, func(m diagram.Mark) bool { return m.Kind == diagram.Check })
	asks, goesOn := false, n.Board != nil && len(n.Buttons) == 0
	for _, b := range n.Buttons {
		switch verbOf(b.Do) {
		case "join", "call-off", "agree-draw", "agree-takeback", "claim":
			asks = true
		case "pick", "play", "play-game", "resign":
			goesOn = true
		}
	}
	switch {
	case n.Board != nil && !goesOn:
		return colorOver
	case checked:
		return colorCheck
	case n.Board != nil:
		return colorTurn
	case asks && !n.Step:
		return colorQuestion
	}
	return 0
}

// verbOf is what a button does.
func verbOf(do string) string {
	verb, _, _ := strings.Cut(do, " ")
	return verb
}

// cardOf is a text as a card of a colour. Lines that mention somebody stand above it, since Discord
// notifies nobody of cards; the first bold beginning of a line is the title.
func cardOf(t words.Text, accounts map[storage.PersonID]string, c color) (calling string, e card) {
	e.Color = c
	var said, rest []string
	for _, line := range adapter.Lines(t) {
		first := slices.IndexFunc(line, func(s words.Span) bool { return s.Words != "" })
		if e.Title == "" && first >= 0 && line[first].Style == words.Bold && line[first].Person == 0 && adapter.Length(line[first].Words) <= maxTitle {
			if e.Title, line = line[first].Words, line[first+1:]; len(line) > 0 {
				line[0].Words = strings.TrimLeftFunc(line[0].Words, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(":.,", c) })
			}
		}
		text := strings.TrimSpace(markdown(line, accounts))
		if len(line.People()) > 0 {
			said = append(said, text)
		} else {
			rest = append(rest, text)
		}
	}
	e.Description = strings.TrimSpace(strings.Join(rest, "\n"))
	if e.Description != "" || e.Title != "" {
		return strings.Join(said, "\n"), e
	}
	e.Description = strings.Join(said, "\n")
	var called []string
	for _, p := range t.People() {
		if accounts[p] != "" {
			called = append(called, "<@"+accounts[p]+">")
		}
	}
	return strings.Join(called, " "), e
}

// conclude adds the outcome to a change of a message.
func conclude(content string, embeds []card, outcome string, change map[string]any) {
	if len(embeds) == 0 {
		change["content"] = adapter.Clip(strings.TrimSuffix(content, "\n"+outcome), maxContent-adapter.Length(outcome)-1) + "\n" + outcome
		return
	}
	e := embeds[0]
	e.Description, e.Color = strings.TrimSuffix(e.Description, "\n"+outcome)+"\n"+outcome, colorOver
	change["embeds"] = []card{e}
}
