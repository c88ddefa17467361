package rules

import (
	"slices"

	"chimera/rules/phrase"
)

// A Lesson is one of the steps of a game's course: a position in which one thing is to be done, by
// one move. A course is a list of them, as JSON objects with these fields.
type Lesson struct {
	// Topic names what the lesson is about, and its sentences: they are those of the game's Words
	// under "course.<topic>".
	Topic string
	FEN   string
	// Right are the moves that do it, as coordinate texts; all others are wrong.
	Right []string
	// Near are wrong moves of which there is more to say.
	Near []string
	// Happens is what each right move makes happen.
	Happens []EffectKind
	// Ends is set where each right move ends the game.
	Ends bool
	// Explains are the reasons for refusals that the lesson makes clear, each of which can be met in
	// its position or after a right move. No other lesson of the course has them.
	Explains []Reason
	// Shows are the codes of pieces that the lesson is about, likewise; a piece that both sides own
	// stands for all such.
	Shows []string

	book *phrase.Book // which NewVariant sets
}

func (l *Lesson) say(about string) phrase.Phrase {
	return l.book.Say("course." + l.Topic + "." + about)
}

// Task tells in two or three sentences what the position shows and what is to be done.
func (l *Lesson) Task() phrase.Phrase { return l.say("task") }

// Hint helps somebody who does not find it.
func (l *Lesson) Hint() phrase.Phrase { return l.say("hint") }

// Nearly tells why what was Near is not it.
func (l *Lesson) Nearly() phrase.Phrase { return l.say("near") }

// Well tells what a right move has done.
func (l *Lesson) Well() phrase.Phrase { return l.say("well") }

// Lead is where a game's course explains something. The zero Lead is nowhere.
type Lead struct {
	Variant *Variant
	Number  int // of the lesson, from 1
}

// Explaining is the lesson that makes clear why something is refused.
func (v *Variant) Explaining(why Reason) Lead {
	return v.lead(func(l *Lesson) bool { return slices.Contains(l.Explains, why) })
}

// Showing is the lesson that is about a piece.
func (v *Variant) Showing(p Piece) Lead {
	if p == (Piece{}) {
		return Lead{}
	}
	return v.lead(func(l *Lesson) bool {
		return slices.ContainsFunc(l.Shows, func(code string) bool {
			shown := v.Called(code)
			return p.Shared() && shown.Shared() || !p.Shared() && shown == Piece{White: p.White | p.Black}
		})
	})
}

func (v *Variant) lead(wanted func(*Lesson) bool) Lead {
	for i := range v.Course {
		if wanted(&v.Course[i]) {
			return Lead{v, i + 1}
		}
	}
	return Lead{}
}
