package bot_test

import (
	"archive/zip"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/storage"
)

// everyCommand calls tell for the commands and all subcommands, each with its full name.
func everyCommand(all bot.Table, before string, tell func(c bot.Command, name string)) {
	for _, c := range all {
		name := strings.TrimSpace(before + " " + c.Name)
		tell(c, name)
		everyCommand(c.Subs, name, tell)
	}
}

func TestEachCommandIsComplete(t *testing.T) {
	seen := map[string]bool{}
	everyCommand(bot.Commands(), "", func(c bot.Command, name string) {
		if c.Run == nil || len(c.Examples) == 0 || seen[name] {
			t.Errorf("%s: stands twice, or has no handler or no example", name)
		}
		seen[name] = true
		for _, example := range c.Examples {
			text := strings.TrimSpace(name + " " + example)
			if r := bot.Commands().Read(text); r.Fault != nil || r.Name != name || r.Command.Name != c.Name || len(r.Args) > c.Words {
				t.Errorf("%q is read as %q with %q: %v", text, r.Name, r.Args, r.Fault.Plain())
			}
		}
	})
}

// TestExamplesAreUnderstood writes the examples where there is a game and an offer.
func TestExamplesAreUnderstood(t *testing.T) {
	faults := []string{"I do not know", "I don't know", "know anyone", "isn't a", "Name the", "Write the", "is no square"}
	everyCommand(bot.Commands(), "", func(c bot.Command, name string) {
		for _, example := range c.Examples {
			o := newOffice(t)
			o.talks("bob challenge @alice chess black", "alice accept", "bob challenge @alice chess")
			text := strings.TrimSpace(name + " " + example)
			for _, n := range o.hear("room", "alice", message.Incoming{Text: text, Server: storage.Address{Platform: "test", ID: "server"}, Manager: true}) {
				if answer := n.Text.Plain(); slices.ContainsFunc(faults, func(fault string) bool { return strings.Contains(answer, fault) }) {
					t.Errorf("%q is answered with %q", text, answer)
				}
			}
		}
	})
}

func TestTimeZonesAreKnownByTheirCities(t *testing.T) {
	all, err := zip.OpenReader(filepath.Join(build.Default.GOROOT, "lib/time/zoneinfo.zip"))
	must(t, err)
	defer all.Close()
	for _, f := range all.File {
		region, city, _ := strings.Cut(f.Name, "/")
		if city == "" || slices.Contains([]string{"Brazil", "Canada", "Chile", "Etc", "Mexico", "US"}, region) {
			continue // each is another name of one that is called after a city, or of no place
		}
		said := strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(path.Base(city)))
		if zone, byCity := bot.ZoneLike(f.Name), bot.ZoneLike("is "+said); zone != f.Name || path.Base(byCity) != path.Base(f.Name) {
			t.Errorf("%s is %q, and %s is %q", f.Name, zone, said, byCity)
		}
	}
	lines, err := os.ReadFile("zones.txt")
	must(t, err)
	for line := range strings.Lines(string(lines)) {
		called := strings.Fields(line)
		for _, name := range called[1:] {
			if zone := bot.ZoneLike("is " + strings.ReplaceAll(name, "_", " ")); zone != called[0] {
				t.Errorf("%s is %q rather than %q", name, zone, called[0])
			}
		}
	}
}
