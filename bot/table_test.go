package bot

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
)

// TestCommandsAreToldOfInEachLanguage checks their descriptions against Discord's limits.
func TestCommandsAreToldOfInEachLanguage(t *testing.T) {
	name := regexp.MustCompile(`^[-_'\p{L}\p{N}]{1,32}$`)
	const longest = 100
	for _, l := range phrase.Languages() {
		told := func(where string, seen map[string]bool, spoken string, about ...phrase.Phrase) {
			if seen[spoken] || !name.MatchString(spoken) || spoken != strings.ToLower(spoken) {
				t.Errorf("%s in %s: the name %q is another's too, or cannot be one", where, l, spoken)
			}
			seen[spoken] = true
			for _, p := range about {
				if text := p.Text(l); len(p.Faults(l)) > 0 || text == "" || utf8.RuneCountInString(text) > longest {
					t.Errorf("%s in %s: is told of by %q %v", where, l, text, p.Faults(l))
				}
			}
		}
		var arguments func(where string, all []Arg)
		arguments = func(where string, all []Arg) {
			seen := map[string]bool{}
			for _, a := range all {
				told(where+" "+a.Name, seen, a.Title().Text(l), a.About())
				arguments(where+" "+a.Name, a.Args)
				for _, w := range a.Words {
					if text := a.Choice(w).Text(l); text == "" || utf8.RuneCountInString(text) > longest {
						t.Errorf("%s %s in %s: %s is told of by %q", where, a.Name, l, w, text)
					}
				}
			}
		}
		seen := map[string]bool{}
		for _, c := range Commands() {
			told(c.Name, seen, c.Spoken(l), c.About(), c.ToManage())
			arguments(c.Name, c.Args)
		}
	}
}

func TestWhatIsShownIsUnderstoodWhenTyped(t *testing.T) {
	games := variants.All()
	for _, l := range phrase.Languages() {
		check := func(shown phrase.Phrase, as string, read func(string) string) {
			if got := read(shown.Text(l)); got != as {
				t.Errorf("%s: %q is read as %q rather than %q", l, shown.Text(l), got, as)
			}
		}
		for _, c := range Commands() {
			check(words.Book().Say("command-name."+c.Name), c.Name, func(text string) string { return commands.Read(text).Name })
			for _, a := range c.Args {
				for _, w := range slices.Concat(a.Words, words.If(a.No != "", a.No), words.If(a.Kind == ArgFlag, a.Name)) {
					check(a.Choice(w), w, a.Value)
				}
			}
		}
		for _, pace := range []string{"1d", "3d", "14d", "1d+10d", "total 10d", "0d"} {
			p, _ := readPace(pace)
			check(words.Pace(p), pace, func(text string) string { return commands.Find("challenge").Arg("days").Value(words.ShortDays(text)) })
		}
		for _, v := range games {
			check(v.Title(), v.Key, func(text string) string { return variantNamed(games, text).Key })
		}
		for _, s := range append(usualSettings(false), usualSettings(true)...) {
			for _, value := range words.SettingValues(s.Name, games) {
				check(words.SettingValue(value, games), s.Name+" "+value, func(text string) string {
					return strings.Join(readSetting(games, settingFirst(strings.Fields(words.SettingName(s.Name).Text(l)+": "+text))), " ")
				})
			}
		}
	}
}

func TestEachCommandStandsInOneTopicOfHelp(t *testing.T) {
	var shown, all []string
	for _, topic := range topics() {
		shown = append(shown, topic.Commands...)
		if c := commands.Called(topic.Name); c != nil {
			t.Errorf("the topic %s is hidden by the command %s", topic.Name, c.Name)
		}
	}
	for _, c := range Commands() {
		all = append(all, c.Name)
	}
	slices.Sort(shown)
	slices.Sort(all)
	if !slices.Equal(shown, all) {
		t.Errorf("help shows %q, and there are %q", shown, all)
	}
}

func TestEachButtonIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range allPresses() {
		if seen[p.verb] || (p.run == nil) == (p.command == "") || p.command != "" && Commands().Read(p.command).Command == nil {
			t.Errorf("%s: stands twice, or is not one handler or command", p.verb)
		}
		seen[p.verb] = true
		game := 1
		if p.nowhere {
			game = 0
		}
		text := strings.TrimSpace(p.verb + " " + strconv.Itoa(game) + " - " + p.example)
		if read, id, _, rest, ok := pressed(text); !ok || read.verb != p.verb || int(id) != game || len(rest) != p.words() {
			t.Errorf("%q is read as %q", text, read.verb)
		}
		if _, _, _, _, ok := pressed(text + " more"); ok {
			t.Errorf("%q is read with a word too many", text)
		}
	}
}

func TestWhoIsBelow(t *testing.T) {
	const alice, bob, carol = 1, 2, 3
	for _, c := range []struct {
		name   string
		viewer onlooker
		fen    string
		result rules.Result
		want   rules.Color
	}{
		{"several see White", onlooker{}, blackToMove, rules.Unfinished, rules.White},
		{"several see who moves where boards turn", onlooker{Turns: true}, blackToMove, rules.Unfinished, rules.Black},
		{"several see White at the end", onlooker{}, blackToMove, rules.BlackWins, rules.White},
		{"several see the winner where boards turn", onlooker{Turns: true}, blackToMove, rules.WhiteWins, rules.White},
		{"several see White of a draw where boards turn", onlooker{Turns: true}, blackToMove, rules.Drawn, rules.White},
		{"a player alone sees their own side", onlooker{Alone: bob}, "", rules.Unfinished, rules.Black},
		{"whether boards turn elsewhere or not", onlooker{Alone: alice, Turns: true}, blackToMove, rules.Unfinished, rules.White},
		{"who follows alone sees White", onlooker{Alone: carol, Turns: true}, blackToMove, rules.Unfinished, rules.White},
	} {
		pos, err := fide.Chess().Position(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		ending := rules.ByResignation
		if c.result == rules.Unfinished {
			ending = ""
		}
		s := &match.GameView{Now: rules.Game{Position: pos}, Game: storage.Game{Players: [2]storage.PersonID{alice, bob}, Result: c.result.String(), Ending: string(ending)}}
		if got := c.viewer.bottom(s); got != c.want {
			t.Errorf("%s: %v is below, want %v", c.name, got, c.want)
		}
	}
}

const blackToMove = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
