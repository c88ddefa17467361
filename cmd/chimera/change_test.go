package main

import (
	"os"
	"strings"
	"testing"
)

const export = `[Event "Unrated game"]
[White "Ann"]
[Black "Ben"]
[Result "0-1"]
[Variant "chess"]
[TimeControl "1/86400"]
[UTCDate "2026.12.01"]
[UTCTime "12:00:00"]
[Termination "checkmate"]

1. f3 {a weak move} e5 2. g4 Qh4# 0-1
`

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestImportAndForget(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "game.pgn", export)
	bot := start(t, "play", "--data", "a.db")
	bot.say(aGame)
	bot.until("carol")
	change := func(want string, wantStatus int, args ...string) {
		t.Helper()
		args = append([]string{args[0], "--data", "a.db"}, args[1:]...)
		status, out, errs := call(t, "", args...)
		if status != wantStatus || !strings.Contains(out+errs, want) {
			t.Errorf("%v: status %d, %q %q; want %d, %q", args, status, out, errs, wantStatus, want)
		}
	}
	change("game 3", 0, "import", "game.pgn")
	change("person 3 is forgotten", 0, "forget", "console:carol")
	change("free space in the file", 0, "forget", "3") // as often as it is asked for
	change(`there is no person "console:carol"`, 2, "forget", "console:carol")
	change(`there is no person "99"`, 2, "forget", "99")
	change("2 games, 0 faults", 0, "verify")
	bot.say("alice: score #3")
	bot.until("1. f3 e5 2. g4 Qh4# 0-1")
	bot.say("bob: score #1")
	bot.until("1. e4 *")
	if status, _ := bot.end(); status != 0 {
		t.Errorf("play: status %d, errors %s", status, bot.errs.String())
	}
	change("stored already, as game 3", 2, "import", "game.pgn")
	write(t, "other.pgn", strings.Replace(export, "12:00:00", "12:00:01", 1))
	change("game 4", 0, "import", "other.pgn")
	change("person 1 is forgotten", 0, "forget", "1")
	change("3 games, 0 faults", 0, "verify")
}

func TestGamesInFilesAreReplayed(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "good.pgn", export)
	for name, text := range map[string]string{
		"move":    strings.Replace(export, "g4", "Ke5", 1),
		"result":  strings.ReplaceAll(export, "0-1", "1-0"),
		"end":     strings.Replace(export, "checkmate", "agreement", 1),
		"variant": strings.Replace(export, `"chess"`, `"checkers"`, 1),
		"player":  strings.Replace(export, "[White", "[Whyte", 1),
		"cut":     export[:len(export)-10],
		"empty":   "",
		"noise":   "\x00\xff\xfe",
	} {
		write(t, "bad.pgn", text)
		status, out, _ := call(t, "", "verify", "good.pgn", "bad.pgn")
		if status != 1 || !strings.HasPrefix(out, "bad.pgn: ") || !strings.HasSuffix(out, "2 games, 1 fault\n") {
			t.Errorf("%s: status %d, %q", name, status, out)
		}
		if status, _, errs := call(t, "", "import", "--data", "none.db", "bad.pgn"); status != 2 || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: import: status %d, %q", name, status, errs)
		}
	}
	write(t, "copy.pgn", strings.Replace(export, "Ann", "ann", 1))
	if status, out, _ := call(t, "", "verify", "good.pgn", "copy.pgn"); status != 1 || out != "copy.pgn: it is the same game as that in good.pgn\n2 games, 1 fault\n" {
		t.Errorf("the same game twice: status %d, %q", status, out)
	}
	if status, out, _ := call(t, "", "verify", "good.pgn"); status != 0 || out != "1 game, 0 faults\n" {
		t.Errorf("status %d, %q", status, out)
	}
}
