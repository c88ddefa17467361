package message

import (
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Exercise is the move to find that a message is about, for those who make it on the board itself.
type Exercise struct {
	Name     string          // its kind and the words that name it, as on buttons
	Position *rules.Position // in which the move is to be found; nil once all were
	Task     words.Text      // what is to be done
	Told     words.Text      // what there is to say beside that
	Rated    words.Text      // what has become of a rating
	From     *rules.Position // where Line begins
	Line     []rules.Move    // moves that were made, and are to be shown one after the other
	Own      bool            // the first of them was tried
	Missed   bool            // and is wrong
}

// speak puts it into a language.
func (e *Exercise) speak(l phrase.Language) {
	e.Task, e.Told, e.Rated = e.Task.In(l), e.Told.In(l), e.Rated.In(l)
}
