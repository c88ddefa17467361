package telegram

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"chimera/rules/phrase"
	"chimera/storage/kv/kvtest"
)

// update rewrites what is stored of this.
var update = os.Getenv("CHIMERA_UPDATE") != ""

// TestTheCommandsThatTelegramShows compares the lists of all kinds of chats with testdata:
// they are what people know.
func TestTheCommandsThatTelegramShows(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	var lists []call
	l.Wait("commands", func() bool {
		lists = nil
		for _, c := range l.Calls {
			if c.Method == "setMyCommands" {
				lists = append(lists, c)
			}
		}
		return len(lists) == 3*len(phrase.Languages())
	})
	var got bytes.Buffer
	for _, c := range lists {
		if c.Fields["language_code"] != "" {
			continue
		}
		got.WriteString(c.Fields["scope"] + "\n")
		if err := json.Indent(&got, []byte(c.Fields["commands"]), "", "\t"); err != nil {
			t.Fatal(err)
		}
		got.WriteString("\n")
	}
	const golden = "testdata/commands.txt"
	if update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("shown are\n%s", got.Bytes())
	}
}
