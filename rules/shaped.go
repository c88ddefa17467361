package rules

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// MoveLike reports whether a text is written as a move of the game, legal or not, in any position:
// apart from marks of chat, all of it is letters of pieces, squares and signs in the order of move
// text. Talk with a square in it is not.
func (v *Variant) MoveLike(text string) bool {
	if len(text) > maxMoveText {
		return false
	}
	latin, _, _ := fromRussian(v.inLetters(text))
	body, kills, kill := strings.Cut(needless.Replace(plain(latin)), "*")
	body = trimEndings(body)
	if kill {
		body = strings.TrimRight(body, "x") // of what is shot, like the sign before it
	}
	like := v.like()
	switch {
	case kill && !like.kills.MatchString(kills):
		return false
	case castlingFiles(body) != 0:
		return true
	}
	return like.move.MatchString(body) || kill && like.subject.MatchString(body)
}

// likeness are the forms of move text in a game.
type likeness struct{ move, subject, kills *regexp.Regexp }

// likenesses makes them once. Squares may be the next beyond the board's edge, or holes. A single
// capital that is no piece's letter is one's name in another game or language.
func (v *Variant) likenesses() func() likeness {
	return sync.OnceValue(func() likeness {
		ranks := make([]string, v.Shape.Ranks+1)
		for i := range ranks {
			ranks[i] = strconv.Itoa(i + 1)
		}
		files := fileLetters[:min(v.Shape.Files+1, len(fileLetters))]
		names := strings.NewReplacer(
			"SUBJECT", "(?:LETTERSFILE?RANK?|[A-Z]RANK?)[x~]*",
			"SQUARE", "FILERANK",
		)
		parts := strings.NewReplacer(
			"LETTERS", "["+v.letters()+strings.ToLower(v.letters())+"]*",
			"FILE", "["+files+strings.ToUpper(files)+"]",
			"RANK", "(?:"+strings.Join(ranks, "|")+")",
		)
		like := func(pattern string) *regexp.Regexp {
			return regexp.MustCompile("^(?:" + parts.Replace(names.Replace(pattern)) + ")$")
		}
		const goal = "SUBJECT(?:[x~]+LETTERS)?SQUARELETTERS(?:x*SQUARELETTERS)*"
		return likeness{like("(?:SUBJECT[/+])?" + goal), like("SUBJECT"), like(`SQUARE(?:\*SQUARE)*`)}
	})
}

// letters are those of the game's pieces and promotions.
func (v *Variant) letters() (letters string) {
	for _, info := range v.Table {
		letters += info.Code + info.Short
	}
	return letters
}

// castlingFiles is how far the king of "OO" or "OOO" goes to the right; 0 of another text.
func castlingFiles(body string) int {
	switch strings.ToUpper(strings.ReplaceAll(body, "0", "O")) {
	case "OO":
		return 2
	case "OOO":
		return -2
	}
	return 0
}
