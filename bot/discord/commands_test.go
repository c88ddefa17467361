package discord

import (
	"encoding/json"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"chimera/storage/kv/kvtest"
)

// update rewrites what is stored of this.
var update = os.Getenv("CHIMERA_UPDATE") != ""

// TestTheCommandsThatDiscordShows compares names, options and their order with testdata:
// they are what people know.
func TestTheCommandsThatDiscordShows(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Posted("PUT applications/")
	got, err := json.MarshalIndent(l.chat.commands(), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/commands.json"
	if update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got)+"\n" != string(want) {
		t.Errorf("shown are\n%s", got)
	}
}

func TestTheMenuOfAPersonIsInAllLanguages(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	all := l.chat.commands()
	menu := all[len(all)-1]
	const longest = 32
	for _, locale := range []discordgo.Locale{
		discordgo.German, discordgo.French, discordgo.SpanishES, discordgo.SpanishLATAM, discordgo.PortugueseBR, discordgo.Russian,
	} {
		if name := menu.Names[locale]; name == "" || len([]rune(name)) > longest {
			t.Errorf("in %s it is called %q", locale, name)
		}
	}
	if book.Say("label.menu-challenge").String() != menuChallenge || menu.Descriptions != nil {
		t.Errorf("it is %+v", menu)
	}
}

// inGerman lets an interaction come from a client that speaks German.
func inGerman(i map[string]any) { i["locale"] = "de" }

func TestHelpSuggestsCommandsAsOnesClientCallsThem(t *testing.T) {
	l := ready(t)
	for _, text := range []string{"heraus", "challe"} {
		l.answered(l.Interact(room0, alice, isAutocomplete, typing("help", "command", text), inGerman), `"name": "herausfordern – `, `"value": "challenge"`)
	}
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("challenge", "days", "4"), inGerman), `"name": "4 Tage pro Zug"`, `"value": "4d"`)
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("challenge", "days", "1d+")), `"name": "1 day per move plus 10 days in reserve"`, `"value": "1d+10d"`)
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("vacation", "days", "")), `"name": "5 days"`, `"value": "off"`)
}

func TestHelpListsWhatCanBeChosenAsItIsCalled(t *testing.T) {
	l := ready(t)
	option := map[string]any{"name": "command", "type": 3, "value": "challenge"}
	asked := map[string]any{"id": "1", "name": "help", "type": 1, "options": []any{option}}
	l.answered(l.Interact(room0, alice, isCommand, asked), "colour: The colour you play (White, Black, Random)", "(Combine Chess, ")
	l.answered(l.Interact(room0, bob, isCommand, asked, inGerman), "farbe: Mit welcher Farbe du spielst (Weiß, Schwarz, Zufällig)")
}

func TestDaysAreFilledInAsTheyAreTyped(t *testing.T) {
	l := ready(t)
	for days, pace := range map[string]string{"1d+10d": "1 day per move plus 10 days in reserve", "2": "2 days per move", " 3D ": "3 days per move", "0": "no time limit"} {
		data := map[string]any{"id": "1", "name": "challenge", "type": 1, "options": []any{map[string]any{"name": "days", "type": 3, "value": days}}}
		l.Interact(room0, alice, isCommand, data)
		l.posted("POST channels/"+room0+"/messages", "alice is looking for an opponent", pace)
	}
	l.answered(l.Slash(room0, alice, "vacation", "days=5d"), "You're on vacation")
	l.answered(l.Slash(room0, alice, "vacation", "days=off"), "You aren't on vacation")
}

func TestChoicesAreCalledAsOnesClientCallsThem(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	for _, c := range l.chat.commands() {
		for _, f := range c.Options {
			for _, choice := range f.Choices {
				if f.Name == "game" || f.Name == "theme" {
					continue // what games are called is English, and themes some languages call as English does
				}
				if len(choice.Names) < 6 {
					t.Errorf("%s %s: %s is called %v", c.Name, f.Name, choice.Value, choice.Names)
				}
			}
		}
	}
}

// TestCommandsAreShortEnough counts as Discord does: each text in its longest language.
func TestCommandsAreShortEnough(t *testing.T) {
	const most = 8000
	longest := func(text string, others map[discordgo.Locale]string) int {
		n := utf8.RuneCountInString(text)
		for _, other := range others {
			n = max(n, utf8.RuneCountInString(other))
		}
		return n
	}
	var all func(fields []field) int
	all = func(fields []field) (n int) {
		for _, f := range fields {
			n += longest(f.Name, f.Names) + longest(f.Description, f.Descriptions) + all(f.Fields)
			for _, c := range f.Choices {
				n += longest(c.Name, c.Names) + len(c.Value)
			}
		}
		return n
	}
	for _, c := range live(t, newFake(t), &kvtest.Disk{}).chat.commands() {
		if n := longest(c.Name, c.Names) + longest(c.Description, c.Descriptions) + all(c.Options); n > most {
			t.Errorf("%s has %d characters", c.Name, n)
		}
	}
}
