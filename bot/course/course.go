// Package course leads people through the games' courses, lesson by lesson.
//
// # Design
//
// A lesson is answered by a move, which is no move of any game that is played: nothing but how far
// somebody has come is kept, with the person. Each button names its lesson, so that none is ever
// stale, and what is done twice does no harm. Its presses are
//
//	lesson <game> <number>                       shows a lesson, counted from 0
//	lesson-hint <game> <number>                  helps
//	lesson-move <game> <number>                  tells the move
//	lesson-pick <game> <number> <from> <to> <page>   lets a move be picked, as package picker does
//	lesson-try <game> <number> <move>            answers, with a coordinate text
package course

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"chimera/bot/note"
	"chimera/bot/picker"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Courses lead people through courses. It is safe for concurrent use.
type Courses struct {
	store    *storage.Store
	variants []*rules.Variant
	now      func() time.Time
}

// New makes Courses of the games. now is the wall clock.
func New(store *storage.Store, variants []*rules.Variant, now func() time.Time) *Courses {
	return &Courses{store, variants, now}
}

// fresh is for how long a lesson or a puzzle is believed to be what somebody looks at.
const fresh = time.Hour

// Seat is somebody who learns, where they do.
type Seat struct {
	Person  storage.Person
	Place   storage.PlaceID
	Private bool // nobody else is there: what is written is for the bot
}

// Before reports whether somebody still has before them what was shown to them at a place.
func (at *Seat) Before(place storage.PlaceID, shown, now time.Time) bool {
	return (place == at.Place || at.Private) && now.Sub(shown) <= fresh
}

// A Lesson is one of a game's course.
type Lesson struct {
	variant *rules.Variant
	number  int // from 0
	pos     *rules.Position
}

// Named is the lesson of a game's key and a number, from 0; nil if there is none.
func (c *Courses) Named(key, number string) *Lesson {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil
	}
	return lesson(rules.Find(c.variants, key), n)
}

func lesson(v *rules.Variant, number int) *Lesson {
	if v == nil || number < 0 || number >= len(v.Course) {
		return nil
	}
	pos, err := v.Position(v.Course[number].FEN)
	if err != nil {
		return nil
	}
	return &Lesson{v, number, pos}
}

// Next is the lesson to which somebody has come in a game's course, the first if they have come to
// its end; nil if there is no course.
func (c *Courses) Next(p *storage.Person, v *rules.Variant) *Lesson {
	done := p.Studies.Done[v.Key]
	if done >= len(v.Course) {
		done = 0
	}
	return lesson(v, done)
}

// Next is the lesson after this one; nil after the last.
func (l *Lesson) Next() *Lesson { return lesson(l.variant, l.number+1) }

// Begun is the game whose course somebody has begun last, and not ended; nil if there is none.
func (c *Courses) Begun(p *storage.Person) *rules.Variant {
	v := rules.Find(c.variants, p.Studies.Game)
	if v == nil || p.Studies.Done[v.Key] >= len(v.Course) {
		return nil
	}
	return v
}

// Open is the lesson that somebody has before them; nil if there is none.
func (c *Courses) Open(at Seat) *Lesson {
	s := at.Person.Studies
	if !at.Before(s.Place, s.At, c.now()) {
		return nil
	}
	return lesson(rules.Find(c.variants, s.Game), s.Lesson)
}

// Choose asks which course somebody wants.
func (c *Courses) Choose(p *storage.Person) note.Note {
	said := note.Note{To: p.ID, Text: words.Say("course.choose"), Step: true}
	for _, v := range c.variants {
		if len(v.Course) > 0 {
			next := c.Next(p, v)
			label := words.CourseLabel(v.Name, p.Studies.Done[v.Key], len(v.Course))
			said.Buttons = append(said.Buttons, next.button(label, "lesson").Choose(phrase.As("")))
		}
	}
	return said
}

// Show shows a lesson.
func (c *Courses) Show(ctx context.Context, at Seat, l *Lesson) (note.Note, error) {
	text := words.Lesson(l.variant, l.number, words.Of(l.facts().Task()))
	if l.number == 0 {
		text = words.Of(text, " ", words.Say("course.how", "move", words.Label("move"), "alone", at.Private))
	}
	return l.note(at, text, l.buttons("lesson-hint")), c.study(ctx, at, l, func(s *storage.Studies) { s.Tries, s.Solved = 0, false })
}

// Hint helps with a lesson.
func (c *Courses) Hint(at Seat, l *Lesson) note.Note {
	text := words.Lesson(l.variant, l.number, words.Of(l.facts().Hint()))
	return l.note(at, text, l.buttons("lesson-move"))
}

// Tell tells the move of a lesson, and leaves it to be played.
func (c *Courses) Tell(at Seat, l *Lesson) (note.Note, error) {
	m, err := l.pos.ParseCoordinate(l.facts().Right[0])
	if err != nil {
		return note.Note{}, err
	}
	chat := l.pos.Chat(m)
	said := l.note(at, words.Lesson(l.variant, l.number, words.Say("course.move", "move", chat)), nil)
	said.Buttons = []note.Button{l.button(phrase.As(chat), "lesson-try", l.variant.Coordinate(m)), l.button(words.Label("back"), "lesson")}
	return said, nil
}

// Pick shows the next choice on the way to a move.
func (c *Courses) Pick(at Seat, l *Lesson, from, to, page string) note.Note {
	shape := l.variant.Shape
	piece, target := shape.Parse(from), shape.Parse(to)
	n, _ := strconv.Atoi(page)
	said := l.note(at, words.PickLesson(shape, piece, target), picker.New(l.pos, l.picks).Page(piece, target, n))
	if piece != rules.NoSquare {
		d := said.Board.ShowMoves(piece, l.pos.Moves())
		said.Board = &d
	}
	return said
}

// picks makes the picker's buttons: a lesson asks nobody whether a move is meant.
func (l *Lesson) picks(label phrase.Phrase, verb string, more ...string) note.Button {
	return l.button(label, map[string]string{"pick": "lesson-pick", "sure": "lesson-try", "back": "lesson"}[verb], more...)
}

// Answer tries a move in a lesson.
func (c *Courses) Answer(ctx context.Context, at Seat, l *Lesson, text string) (note.Note, error) {
	m, err := l.pos.Parse(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		return l.refuse(at, no), nil
	}
	if err != nil {
		return note.Note{}, err
	}
	if l.among(l.facts().Right, m) {
		return c.right(ctx, at, l, m)
	}
	tries := 1
	if s := at.Person.Studies; s.Game == l.variant.Key && s.Lesson == l.number {
		tries += s.Tries
	}
	said := words.Say("course.wrong", "move", l.pos.Chat(m))
	if l.among(l.facts().Near, m) {
		said = words.Of(l.facts().Nearly())
	}
	const patience = 2
	if tries >= patience {
		said = words.Of(said, "\n", l.facts().Hint())
	}
	return l.note(at, words.Lesson(l.variant, l.number, said), l.buttons("lesson-hint")),
		c.study(ctx, at, l, func(s *storage.Studies) { s.Tries, s.Solved = tries, false })
}

// refuse says why the rules do not allow a move, with those close to it as buttons.
func (l *Lesson) refuse(at Seat, no *rules.Illegal) note.Note {
	var buttons []note.Button
	for _, chat := range no.Close() {
		if m, err := l.pos.Parse(chat); err == nil {
			buttons = append(buttons, l.button(phrase.As(chat), "lesson-try", l.variant.Coordinate(m)))
		}
	}
	return l.note(at, words.Lesson(l.variant, l.number, words.Of(no.Phrase())), append(buttons, l.buttons("lesson-hint")...))
}

// right praises a right answer, and leads on.
func (c *Courses) right(ctx context.Context, at Seat, l *Lesson, m rules.Move) (note.Note, error) {
	after, err := l.pos.Play(m)
	if err != nil {
		return note.Note{}, err
	}
	d := diagram.Of(after, l.pos.Effects(m), l.pos.Turn()).ShowZones(after.Influences())
	said := note.Note{To: at.Person.ID, Board: &d, Step: true}
	chat, well := l.pos.Chat(m), l.facts().Well()
	named := strings.Contains(well.String(), strings.TrimRight(chat, "+#"))
	text := words.Say("course.right", "move", chat, "well", well, "named", named)
	if next := l.Next(); next != nil {
		said.Buttons = []note.Button{next.button(words.Label("next"), "lesson")}
	} else {
		text = words.Of(text, " ", words.Say("course.end", "kind", l.variant.Name))
		said.Buttons = []note.Button{note.NewButton(words.Label("play-me"), "level", 0, note.None, l.variant.Key, "1", "random")}
	}
	if l.Next() == nil && l.variant.Puzzles != "" {
		said.Buttons = append(said.Buttons, note.NewButton(words.Label("puzzles"), "puzzle", 0, note.None, l.variant.Key, note.None))
	}
	said.Buttons = append(said.Buttons, l.button(words.Label("again"), "lesson"))
	said.Text = words.Lesson(l.variant, l.number, text)
	return said, c.study(ctx, at, l, func(s *storage.Studies) {
		s.Solved = true
		if s.Done == nil {
			s.Done = map[string]int{}
		}
		s.Done[l.variant.Key] = max(s.Done[l.variant.Key], l.number+1)
	})
}

// study keeps that somebody is at a lesson, and what else has changed.
func (c *Courses) study(ctx context.Context, at Seat, l *Lesson, change func(*storage.Studies)) error {
	return c.store.Update(ctx, func(w storage.Writer) error {
		return w.ChangePerson(at.Person.ID, func(p *storage.Person) {
			s := &p.Studies
			s.Game, s.Lesson, s.Place, s.At = l.variant.Key, l.number, at.Place, c.now()
			change(s)
		})
	})
}

func (l *Lesson) facts() *rules.Lesson { return &l.variant.Course[l.number] }

// Legal reports whether a text is a legal move in a lesson.
func (l *Lesson) Legal(text string) bool {
	_, err := l.pos.Parse(text)
	return err == nil
}

func (l *Lesson) among(texts []string, m rules.Move) bool {
	for _, text := range texts {
		if one, err := l.pos.ParseCoordinate(text); err == nil && one == m {
			return true
		}
	}
	return false
}

// note is one with the board of a lesson, and what pieces lend there.
func (l *Lesson) note(at Seat, text words.Text, buttons []note.Button) note.Note {
	d := diagram.Of(l.pos, nil, l.pos.Turn()).ShowZones(l.pos.Influences())
	return note.Note{To: at.Person.ID, Text: text, Board: &d, Buttons: buttons, Step: true}
}

// buttons are those below a lesson that waits for its move.
func (l *Lesson) buttons(hint string) []note.Button {
	return []note.Button{
		l.button(words.Label("move"), "lesson-pick", note.None, note.None, "0"),
		l.button(words.Label("hint"), hint), l.button(words.Label("again"), "lesson"),
	}
}

func (l *Lesson) button(label phrase.Phrase, verb string, more ...string) note.Button {
	return note.NewButton(label, verb, 0, note.None, append([]string{l.variant.Key, strconv.Itoa(l.number)}, more...)...)
}
