package bot

import (
	"context"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Language is the one in which a message is answered.
func (b *Bot) Language(ctx context.Context, m message.Incoming) phrase.Language {
	r, _ := b.Asker(ctx, m)
	return r.Language()
}

// LanguageOf is the one in which a person is told what they alone see.
func LanguageOf(p storage.Person) phrase.Language { return words.LanguageOf(p) }
