package discord

import (
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

func TestACardCallsWhoIsToMoveAboveIt(t *testing.T) {
	text := words.Text{
		{Words: "Chess #1", Style: words.Bold},
		{Words: ": alice against bob\n"},
		{Words: "1. f3", Style: words.Bold},
		{Words: ": f2 to f3\n"},
		{Words: "bob", Person: 2},
		{Words: " is to move."},
	}
	accounts := map[storage.PersonID]string{2: "12"}
	calling, c := cardOf(text, accounts, colorTurn)
	if calling != "<@12> is to move." || c.Title != "Chess #1" || c.Description != "alice against bob\n**1. f3**: f2 to f3" {
		t.Errorf("%q above %+v", calling, c)
	}
	calling, c = cardOf(text[4:], accounts, colorQuestion)
	if calling != "<@12>" || c.Title != "" || c.Description != "<@12> is to move." {
		t.Errorf("%q above %+v", calling, c)
	}
}

func TestACardHasATitleWhateverStandsAboveItAndInAnyLanguage(t *testing.T) {
	for _, l := range phrase.Languages() {
		title := words.Text{{Phrase: words.Book().Say("board.title", "kind", "Chess", "game", "#1", "white", "alice", "black", "bob")}}
		for above, text := range map[string]words.Text{"": title, "Takeback accepted.\n": words.Of(words.Say("board.took-back", "n", 1), "\n", title)} {
			calling, c := cardOf(text.In(l), nil, colorTurn)
			last := c.Description[strings.LastIndex(c.Description, "\n")+1:]
			if calling != "" || c.Title != "Chess #1" || !strings.HasPrefix(last, "alice") || strings.Contains(c.Description, "\n") != (above != "") {
				t.Errorf("%v: %q above %+v", l, calling, c)
			}
		}
	}
	daily := words.Text{{Words: "Solution: "}, {Words: "Rd8", Style: words.Bold}, {Words: ".\n"}, {Words: "Puzzle of the day", Style: words.Bold}, {Words: ": Chess\nWhite to move."}}
	if _, c := cardOf(daily, nil, colorTurn); c.Title != "Puzzle of the day" || c.Description != "Solution: **Rd8**.\nChess\nWhite to move." {
		t.Errorf("%+v", c)
	}
}

func TestTheColourOfACardTellsHowThingsStand(t *testing.T) {
	board, checked := &diagram.Diagram{}, &diagram.Diagram{Marks: []diagram.Mark{{Kind: diagram.Check}}}
	button := func(verb string) []message.Button { return []message.Button{{Label: verb, Do: verb + " 1 0"}} }
	for name, c := range map[string]struct {
		note message.Message
		want color
	}{
		"your move":    {message.Message{Board: board, Buttons: button("pick")}, colorTurn},
		"check":        {message.Message{Board: checked, Buttons: button("pick")}, colorCheck},
		"mate":         {message.Message{Board: checked, Buttons: button("rematch")}, colorOver},
		"a challenge":  {message.Message{Buttons: button("join")}, colorQuestion},
		"a draw offer": {message.Message{Buttons: button("agree-draw")}, colorQuestion},
		"help":         {message.Message{}, 0},
		"a yes or no":  {message.Message{Buttons: button("resign-yes")}, 0},
	} {
		if got := colorOf(&c.note); got != c.want {
			t.Errorf("%s has the colour %x, want %x", name, got, c.want)
		}
	}
}

func TestButtonsLookAsWhatTheyDoInAnyLanguage(t *testing.T) {
	for do, want := range map[string]discordgo.ButtonStyle{
		"pick 1 0 - - 0": discordgo.PrimaryButton, "join 1 -": discordgo.PrimaryButton, "draw-yes 1 0": discordgo.PrimaryButton,
		"resign 1 0": discordgo.DangerButton, "flip 1 0": discordgo.SecondaryButton, "pick 1 0 e2 - 0": discordgo.SecondaryButton,
	} {
		if got := style(message.Button{Label: "Knopf", Do: do}); got != want {
			t.Errorf("%s has the style %d, want %d", do, got, want)
		}
	}
}
