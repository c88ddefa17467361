package discord

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/words"
	"chimera/rules/phrase"
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
	kvtest.Must(t, err)
	const golden = "testdata/commands.json"
	if update {
		kvtest.Must(t, os.WriteFile(golden, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(golden)
	kvtest.Must(t, err)
	if string(got)+"\n" != string(want) {
		t.Errorf("shown are\n%s", got)
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
	l.answered(l.Slash(room0, alice, "vacation", "days=off"), "Your vacation is over")
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
		if n := longest(c.Name, c.Names); n > 32 {
			t.Errorf("%s is called by a name of %d characters", c.Name, n)
		}
	}
}

func TestASentenceThatProposesACommandSaysItsFields(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	for _, c := range []struct{ typed, without, with, german string }{
		{"games", "`/games`", "</games:1>", "</games:1>"},
		{"accept ABC", "`/accept ABC`", "</accept:2> `ABC`", "</accept:2> `ABC`"},
		{"accept ABCDEFGHJKLM", "`/accept game:ABCDEFGHJKLM`", "</accept:2> `game:ABCDEFGHJKLM`", "</accept:2> `partie:ABCDEFGHJKLM`"},
		{"accept @name", "`/accept game:@name`", "</accept:2> `game:@name`", "</accept:2> `partie:@name`"},
		{"settings here days 5", "`/settings server setting:days value:5`", "</settings server:3> `setting:days value:5`", "</settings server:3> `einstellung:days wert:5`"},
		{"settings here hide @name", "", "</settings server:3> `setting:hide person:@name`", ""},
		{"settings timezone Europe/Zurich", "", "</settings mine:3> `setting:timezone value:Europe/Zurich`", ""},
		{
			"challenge @bob stealth 3d white unrated", "", "</challenge:4> `opponent:@bob game:Stealth Bomber Chess days:3d colour:White rated:False`",
			"</challenge:4> `gegen:@bob spiel:Stealth Bomber Chess tage:3d farbe:Weiß gewertet:Falsch`",
		},
		{"challenge chess 1d+10d", "", "</challenge:4> `game:Chess days:1d+10d`", "</challenge:4> `spiel:Schach tage:1d+10d`"},
		{"vacation off", "", "</vacation:5> `days:off`", "</vacation:5> `tage:off`"},
		{"if e5 then Nf3, if Nc6 then Bb5", "`/if lines:e5 then Nf3, if Nc6 then Bb5`", "`/if lines:e5 then Nf3, if Nc6 then Bb5`", ""},
		{"link ABCDEFGHJKLM yes", "`/link code:ABCDEFGHJKLM yes`", "`/link code:ABCDEFGHJKLM yes`", ""},
		{"#2 …", "`game:#2`", "`game:#2`", "`partie:#2`"},
		{"Nf3", "`Nf3`", "`Nf3`", "`Nf3`"},
		{"#2", "`#2`", "`#2`", "`#2`"},
	} {
		text := words.Text{{Words: c.typed, Style: words.Code}}
		l.chat.ids.Store(nil)
		if got := markdown(l.chat.clickable(text, phrase.English), nil); c.without != "" && got != c.without {
			t.Errorf("without ids, %q is %s, want %s", c.typed, got, c.without)
		}
		l.chat.ids.Store(&map[string]string{"games": "1", "accept": "2", "settings": "3", "challenge": "4", "vacation": "5"})
		if got := markdown(l.chat.clickable(text, phrase.English), nil); got != c.with {
			t.Errorf("with ids, %q is %s, want %s", c.typed, got, c.with)
		}
		if got := markdown(l.chat.clickable(text, phrase.German), nil); c.german != "" && got != c.german {
			t.Errorf("in German, %q is %s, want %s", c.typed, got, c.german)
		}
	}
	same := words.Text{{Words: "draw", Style: words.Same}}
	if got := markdown(l.chat.clickable(same, phrase.English), nil); got != "`draw`" {
		t.Errorf("what is no command is %s", got)
	}
}

var (
	quoted     = regexp.MustCompile("(^|[^`])`([a-z]+ [^`]+)`")
	optionForm = regexp.MustCompile(`\{[a-z]+:[a-z-]+=([^|{}]*)[^{}]*\}`)
	part       = regexp.MustCompile(`\{([a-z-]+)\}`)
)

// TestEveryCommandThatASentenceProposesCanBeFilledIn reads the sentences of all languages, and what
// help shows as examples.
func TestEveryCommandThatASentenceProposesCanBeFilledIn(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	filler := filler{Games: l.chat.games(), Language: phrase.English}
	fills := func(where, typed string) {
		name, _, fields := filler.fill(typed)
		if _, rest, _ := strings.Cut(typed, " "); name != "" && rest != "here" && (fields == "" || strings.HasSuffix(rest, fields)) {
			t.Errorf("%s: %q is not filled in: %q", where, typed, fields)
		}
	}
	for _, c := range bot.Commands() {
		for _, e := range c.Examples {
			if e != "" {
				fills("help "+c.Name, c.Name+" "+e)
			}
		}
	}
	stands := map[string]string{
		"setting": "quiet", "piece": "N", "kind": "stealth", "key": "stealth", "near": "Europe/Zurich", "example": "stealth", "code": "ABCDEFGHJKLM", "verb": "hide",
		"game": "#5", "command": "follow", "option": "game",
	}
	files, err := filepath.Glob("../words/words/*.toml")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		kvtest.Must(t, err)
		for _, line := range strings.Split(string(text), "\n") {
			key, _, _ := strings.Cut(line, " =")
			for _, found := range quoted.FindAllStringSubmatch(line, -1) {
				typed := optionForm.ReplaceAllString(found[2], "$1")
				typed = part.ReplaceAllStringFunc(typed, func(p string) string { return stands[strings.Trim(p, "{}")] })
				fills(filepath.Base(file)+" "+key, strings.ReplaceAll(strings.ReplaceAll(typed, "##", "#"), `\\#`, "#"))
				n++
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d were found", n)
	}
}

func TestIDsOfCommandsAreKnownAfterARestart(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.posted("PUT applications/")
	l.stopped()
	l.End()
	l = l.again()
	l.Wait("a second session", func() bool { return l.Session > 1000 && l.chat.ids.Load() != nil })
	l.answered(l.Slash(room0, carol, "resign"), "</challenge:800000>")
	if n := l.count("PUT applications/"); n != 1 {
		t.Errorf("commands were registered %d times", n)
	}
}

func TestFieldsAreNamedAsTheReadersClientNamesThem(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Wait("ids of commands", func() bool { return l.chat.ids.Load() != nil })
	l.Say(room0, alice, "<@999> settings language fr")
	l.posted("POST channels/711/messages", "C’est fait", "Français")
	top := map[string]any{"name": "top", "type": 1}
	l.answered(l.Interact(room0, alice, isCommand, top, inGerman), "Écris </challenge:800000> `gegen:@nom gewertet:Wahr`")
	l.Say(room0, alice, "<@999> settings language de")
	l.posted("POST channels/711/messages", "Sprache: Deutsch")
	l.answered(l.Slash(room0, alice, "play", "level=99"), "`game:Combine Chess level:3 colour:White`")
}

func TestWhichGameIsAskedWithButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.begun()
	l.Slash("502", alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	l.posted("POST channels/502/messages", "challenges <@12>")
	l.Slash("502", bob, "accept", "game=#2")
	l.posted("#2", "board.png")
	l.answered(l.Slash("503", alice, "move", "move=e4"), "Which game", "#1 Chess")
	l.Press("503", alice, l.buttonOf("#2 Chess"))
	l.posted("POST channels/", "Chess #2", "1. e4")
}
