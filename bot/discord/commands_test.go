package discord

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

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
	for language, spoken := range locales {
		for _, locale := range spoken {
			if name := menu.Names[locale]; name == "" || len([]rune(name)) > longest {
				t.Errorf("in %s it is called %q", language, name)
			}
		}
	}
	if book.Say("label.menu-challenge").String() != menuChallenge || menu.Descriptions != nil {
		t.Errorf("it is %+v", menu)
	}
}
