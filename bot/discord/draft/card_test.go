package draft

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/render/diagram"
)

func TestACardCallsWhoIsToMoveAboveIt(t *testing.T) {
	text := bot.Text{
		{Words: "Chess #1", Style: bot.Bold},
		{Words: ": alice against bob\n"},
		{Words: "1. f3", Style: bot.Bold},
		{Words: ": f2 to f3\n"},
		{Words: "bob", Person: 2},
		{Words: " is to move."},
	}
	accounts := map[bot.PersonID]string{2: "12"}
	calling, c := cardOf(text, accounts, colorTurn)
	if calling != "<@12> is to move." || c.Title != "Chess #1" || c.Description != "alice against bob\n**1. f3**: f2 to f3" {
		t.Errorf("%q above %+v", calling, c)
	}
	calling, c = cardOf(text[4:], accounts, colorQuestion)
	if calling != "<@12>" || c.Title != "" || c.Description != "<@12> is to move." {
		t.Errorf("%q above %+v", calling, c)
	}
}

func TestTheColourOfACardTellsHowThingsStand(t *testing.T) {
	board, checked := &diagram.Diagram{}, &diagram.Diagram{Marks: []diagram.Mark{{Kind: diagram.Check}}}
	button := func(verb string) []bot.Button { return []bot.Button{{Label: verb, Do: verb + " 1 0"}} }
	for name, c := range map[string]struct {
		note bot.Note
		want color
	}{
		"your move":    {bot.Note{Board: board, Buttons: button("pick")}, colorTurn},
		"check":        {bot.Note{Board: checked, Buttons: button("pick")}, colorCheck},
		"mate":         {bot.Note{Board: checked, Buttons: button("rematch")}, colorOver},
		"a challenge":  {bot.Note{Buttons: button("join")}, colorQuestion},
		"a draw offer": {bot.Note{Buttons: button("agree-draw")}, colorQuestion},
		"help":         {bot.Note{}, 0},
		"a yes or no":  {bot.Note{Buttons: button("resign-yes")}, 0},
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
		if got := style(bot.Button{Label: "Knopf", Do: do}); got != want {
			t.Errorf("%s has the style %d, want %d", do, got, want)
		}
	}
}
