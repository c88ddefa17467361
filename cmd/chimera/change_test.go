package main

import (
	"os"
	"strings"
	"testing"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(text), 0o600))
}

func TestImportAndForget(t *testing.T) {
	export := string(contents(t, "testdata/export.pgn"))
	t.Chdir(t.TempDir())
	write(t, "game.pgn", export)
	bot := start(t, "play", "--data", "a.db")
	bot.say(aGame)
	bot.until("carol")
	change := func(status int, out, errs string, args ...string) {
		t.Helper()
		prints(t, status, out, errs, append(args, "--data", "a.db")...)
	}
	const remains = `.*free space in the file.*\n`
	change(allWell, `game 3\n`, "", "import", "game.pgn")
	change(allWell, `person 3 is forgotten\n`, remains, "forget", "console:carol")
	change(allWell, `person 3 is forgotten\n`, remains, "forget", "3") // as often as it is asked for
	change(badInput, "", `.*there is no person "console:carol".*\n`, "forget", "console:carol")
	change(badInput, "", `.*there is no person "99".*\n`, "forget", "99")
	change(allWell, `2 games, 0 faults\n`, "", "verify")
	bot.say("alice: score #3")
	bot.until("1. f3 e5 2. g4 Qh4# 0-1")
	bot.say("bob: score #1")
	bot.until("1. e4 *")
	bot.ends()
	change(badInput, "", `.*stored already, as game 3.*\n`, "import", "game.pgn")
	write(t, "other.pgn", strings.Replace(export, "12:00:00", "12:00:01", 1))
	change(allWell, `game 4\n`, "", "import", "other.pgn")
	change(allWell, `person 1 is forgotten\n`, remains, "forget", "1")
	change(allWell, `3 games, 0 faults\n`, "", "verify")
}
