package discord

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/discord/slash"
	"chimera/storage/kv/kvtest"
)

var update = flag.Bool("update", false, "write the golden file anew")

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
	if *update {
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
	if book.Say("label.menu-challenge").String() != slash.MenuChallenge || menu.Descriptions != nil {
		t.Errorf("it is %+v", menu)
	}
}

// inGerman lets an interaction come from a client that speaks German.
func inGerman(i map[string]any) { i["locale"] = "de" }

func TestHelpSuggestsCommandsAsOnesClientCallsThem(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Ready()
	typing := func(command, option, text string) map[string]any {
		return map[string]any{"name": command, "type": 1, "options": []any{map[string]any{"name": option, "type": 3, "value": text, "focused": true}}}
	}
	for _, text := range []string{"heraus", "challe"} {
		l.answered(l.Interact(room0, alice, isAutocomplete, typing("help", "command", text), inGerman), `"name": "herausfordern – `, `"value": "challenge"`)
	}
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("challenge", "days", "4"), inGerman), `"name": "4 Tage pro Zug"`, `"value": "4d"`)
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("challenge", "days", "1d+")), `"name": "1 day per move plus 10 days in reserve"`, `"value": "1d+10d"`)
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("vacation", "days", "")), `"name": "5 days"`, `"value": "off"`)
}

func TestDaysAreFilledInAsTheyAreTyped(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Ready()
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
				if f.Name != "game" && len(choice.Names) < 6 { // what games are called is English
					t.Errorf("%s %s: %s is called %v", c.Name, f.Name, choice.Value, choice.Names)
				}
			}
		}
	}
}
