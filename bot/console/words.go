package console

import (
	"embed"

	"chimera/bot/words"
	"chimera/rules/phrase"
)

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book has what the console says beside what the bot does.
func Book() *phrase.Book { return book }

// say is a sentence of the console with its parts.
func say(key string, parts ...any) words.Text { return words.Text{{Phrase: book.Say(key, parts...)}} }
