package words

import (
	"strconv"
	"strings"
	"sync"

	"chimera/rules/phrase"
)

// CommandCalled is the command that is called so in any language, "" if none or several are.
func CommandCalled(word string) string { return commandNames()[strings.ToLower(word)] }

// commandNames are the commands by what they are called in all languages.
var commandNames = sync.OnceValue(func() map[string]string { //nolint:gochecknoglobals // read once, never written
	names := map[string]string{}
	for _, l := range phrase.Languages() {
		for key, called := range book.All(l) {
			name, ok := strings.CutPrefix(key, "command-name.")
			if !ok {
				continue
			}
			if other, taken := names[called.String()]; taken && other != name {
				name = "" // it could mean both
			}
			names[called.String()] = name
		}
	}
	return names
})

// Choice tells what a word is that can be chosen for an argument, so that it fits where platforms
// list such words.
func Choice(argument, word string) phrase.Phrase {
	switch {
	case argument == "level":
		level, _ := strconv.Atoi(word) // it is one of those
		return Level(level)
	case book.Has("settings.about." + word):
		return book.Say("settings.in-list", "setting", word, "about", AboutSetting(word))
	default:
		return Called(word)
	}
}

// Called is what such a word is called.
func Called(word string) phrase.Phrase {
	if book.Has("choice." + word) {
		return book.Say("choice." + word)
	}
	return phrase.As(word)
}
