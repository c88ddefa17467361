package rules

import (
	"strings"
	"unicode/utf8"
)

// filesByEar are files before a rank, written with the letters that sound like them. х is not among
// them: х3 means something else.
var filesByEar = func() *strings.Replacer { //nolint:gochecknoglobals // never written
	var pairs []string
	for rank := range strings.SplitSeq("123456789", "") {
		for _, file := range []struct{ heard, latin string }{
			{"б", "b"}, {"ц", "c"}, {"д", "d"}, {"э", "e"}, {"ф", "f"}, {"г", "g"}, {"ж", "g"},
		} {
			pairs = append(pairs, file.heard+rank, file.latin+rank)
		}
	}
	return strings.NewReplacer(pairs...)
}()

// russianPieces are the letters that pieces have in Russian, as move text has them.
var russianPieces = strings.NewReplacer( //nolint:gochecknoglobals // never written
	"Кр", "K", "К", "N", "Ф", "Q", "Л", "R", "С", "B", "П", "P",
)

// fromRussian is a text with the letters of pieces that it has in Russian as move text has them,
// and the first of those; false if it has none. С before a rank is the file that it looks like.
func fromRussian(text string) (latin, letters string, ok bool) {
	for rank := range strings.SplitSeq("123456789", "") {
		text = strings.ReplaceAll(text, "С"+rank, "c"+rank)
	}
	at := strings.IndexAny(text, "КФЛСП")
	if at < 0 {
		return text, "", false
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	letters = text[at : at+size]
	if strings.HasPrefix(text[at:], "Кр") {
		letters = "Кр"
	}
	return russianPieces.Replace(text), letters, true
}
