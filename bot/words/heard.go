package words

import (
	"strings"
	"sync"
	"unicode"

	"chimera/bot/match"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Saying is something that people say to the bot in plain words.
type Saying string

// What people say so.
const (
	Greeting   Saying = "greeting"
	HowToBegin Saying = "begin"
	HowToMove  Saying = "move"
	TheRules   Saying = "rules"
	WhoseTurn  Saying = "turn"
	Thanks     Saying = "thanks"
	Farewell   Saying = "bye"
	GivingUp   Saying = "resign"
)

// plain is something that is said in a language.
type plain struct {
	saying   Saying
	language phrase.Language
}

// heard is what is said by which words. Those of two languages are the first one's.
var heard = sync.OnceValue(func() map[string]plain { //nolint:gochecknoglobals // made once, never written
	said := map[string]plain{}
	for _, saying := range []Saying{Greeting, HowToBegin, HowToMove, TheRules, WhoseTurn, Thanks, Farewell, GivingUp} {
		for _, l := range phrase.Languages() {
			for words := range strings.SplitSeq(book.Say("heard."+string(saying)).Text(l), ",") {
				if _, known := said[bare(words)]; !known {
					said[bare(words)] = plain{saying, l}
				}
			}
		}
	}
	return said
})

// bare is a text without capitals, accents and signs. Figures stay: Na4 is a move, and "na" a greeting.
func bare(text string) string {
	text = strings.ReplaceAll(phrase.Fold(text), "’", "'")
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '\'' && c != '-' }), " ")
}

// Heard is what all of a text says in plain words, and in which language; "" if it says something
// else.
func Heard(text string) (Saying, phrase.Language) {
	said := heard()[bare(text)]
	return said.saying, said.language
}

// IsQuestion reports whether that asks how something is done, and is not for other people.
func (s Saying) IsQuestion() bool {
	return s == HowToBegin || s == HowToMove || s == TheRules || s == WhoseTurn
}

// Turn tells the asker who is to move.
func Turn(s *match.GameView, asker storage.PersonID) Text {
	to := match.ToMove(&s.Game)
	return Say("heard-answer.turn", "game", s.Game.ID, "mine", to == asker, "player", called(0, s.Names[s.Now.Position.Turn()]))
}
