package training

// Lessons lead people through the games' courses, lesson by lesson.
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

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/message"
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

// NewCourses makes Courses of the games. now is the wall clock.
func NewCourses(store *storage.Store, variants []*rules.Variant, now func() time.Time) *Courses {
	return &Courses{store, variants, now}
}

// fresh is for how long a lesson or a puzzle is believed to be what somebody looks at.
const fresh = time.Hour

// Learner is somebody who learns, where they do.
type Learner struct {
	Person  storage.Person
	Place   storage.PlaceID
	Private bool // nobody else is there: what is written is for the bot
}

// Before reports whether somebody still has before them what was shown to them at a place.
func (at *Learner) Before(place storage.PlaceID, shown, now time.Time) bool {
	return (place == at.Place || at.Private) && now.Sub(shown) <= fresh
}

// A Lesson is one of a game's course, as somebody has it before them.
type Lesson struct {
	exercise
	*rules.Lesson
	courses *Courses
	at      Learner
	variant *rules.Variant
	number  int // from 0
}

// Named is the lesson of a game's key and a number, from 0; nil if there is none.
func (c *Courses) Named(at Learner, key, number string) *Lesson {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil
	}
	return c.lesson(at, rules.Find(c.variants, key), n)
}

func (c *Courses) lesson(at Learner, v *rules.Variant, number int) *Lesson {
	if v == nil || number < 0 || number >= len(v.Course) {
		return nil
	}
	pos, err := v.Position(v.Course[number].FEN)
	if err != nil {
		return nil
	}
	e := exercise{
		to: at.Person.ID, pos: pos, show: "lesson", pick: "lesson-pick", play: "lesson-try", args: []string{v.Key, strconv.Itoa(number)}, shown: 2,
		title: func(said words.Text) words.Text { return words.Lesson(v, number, said) },
	}
	return &Lesson{e, &v.Course[number], c, at, v, number}
}

// Next is the lesson to which somebody has come in a game's course, the first if they have come to
// its end; nil if there is no course.
func (c *Courses) Next(at Learner, v *rules.Variant) *Lesson {
	done := at.Person.Studies.Done[v.Key]
	if done >= len(v.Course) {
		done = 0
	}
	return c.lesson(at, v, done)
}

// after is the lesson after this one; nil after the last.
func (l *Lesson) after() *Lesson { return l.courses.lesson(l.at, l.variant, l.number+1) }

// Begun is the game whose course somebody has begun last, and not ended; nil if there is none.
func (c *Courses) Begun(p *storage.Person) *rules.Variant {
	v := rules.Find(c.variants, p.Studies.Game)
	if v == nil || p.Studies.Done[v.Key] >= len(v.Course) {
		return nil
	}
	return v
}

// Open is the lesson that somebody has before them; nil if there is none.
func (c *Courses) Open(at Learner) *Lesson {
	s := at.Person.Studies
	if !at.Before(s.Place, s.At, c.now()) {
		return nil
	}
	return c.lesson(at, rules.Find(c.variants, s.Game), s.Lesson)
}

// Shown is when it was shown, if it is the one that was last.
func (l *Lesson) Shown() time.Time { return l.at.Person.Studies.At }

// Solved reports whether that one was answered.
func (l *Lesson) Solved() bool { return l.at.Person.Studies.Solved }

// Choose asks which course somebody wants.
func (c *Courses) Choose(at Learner) message.Message {
	said := message.Message{To: at.Person.ID, Text: words.Say("course.choose"), Step: true}
	for _, v := range c.variants {
		if len(v.Course) > 0 {
			next := c.Next(at, v)
			label := words.CourseLabel(v.Name, at.Person.Studies.Done[v.Key], len(v.Course))
			said.Buttons = append(said.Buttons, next.button(label, "lesson").Choose(phrase.As("")))
		}
	}
	return said
}

// Show shows a lesson.
func (l *Lesson) Show(ctx context.Context) (message.Message, error) {
	text := words.Of(l.Task())
	if l.number == 0 {
		text = words.Of(text, " ", words.Say("course.how", "move", words.Label("move"), "alone", l.at.Private))
	}
	return l.wait(text), l.study(ctx, func(s *storage.Studies) { s.Tries, s.Solved, s.Helped = 0, false, false })
}

// Next shows the lesson after this one where it was solved, and else this one again.
func (l *Lesson) Next(ctx context.Context) (message.Message, error) {
	if next := l.after(); next != nil && l.Solved() {
		return next.Show(ctx)
	}
	return l.Show(ctx)
}

// Hint helps with a lesson.
func (l *Lesson) Hint(ctx context.Context) (message.Message, error) {
	return l.say(words.Of(l.Lesson.Hint()), l.buttons("lesson-move")...), l.study(ctx, func(s *storage.Studies) { s.Helped = true })
}

// Help helps with a lesson, and then tells its move.
func (l *Lesson) Help(ctx context.Context) (message.Message, error) {
	if l.at.Person.Studies.Helped {
		return l.Tell(ctx)
	}
	return l.Hint(ctx)
}

// Tell tells the move of a lesson, and leaves it to be played.
func (l *Lesson) Tell(context.Context) (message.Message, error) {
	m, err := l.pos.ParseCoordinate(l.Right[0])
	if err != nil {
		return message.Message{}, err
	}
	return l.tell(m, nil), nil
}

// Pick shows the next choice on the way to a move.
func (l *Lesson) Pick(from, to, page string) message.Message {
	untitled := l.exercise
	untitled.title = func(said words.Text) words.Text { return said }
	return untitled.Pick(from, to, page)
}

// Try tries a move in a lesson.
func (l *Lesson) Try(ctx context.Context, text string) (message.Message, error) {
	m, err := l.pos.Parse(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		return l.refuse(no, l.buttons("lesson-hint")...), nil
	}
	if err != nil {
		return message.Message{}, err
	}
	if l.among(l.Right, m) {
		return l.right(ctx, m)
	}
	tries := 1
	if s := l.at.Person.Studies; s.Game == l.variant.Key && s.Lesson == l.number {
		tries += s.Tries
	}
	said := words.Say("course.wrong", "move", l.pos.Chat(m))
	if l.among(l.Near, m) {
		said = words.Of(l.Nearly())
	}
	const patience = 2
	if tries >= patience {
		said = words.Of(said, "\n", l.Lesson.Hint())
	}
	return l.wait(said), l.study(ctx, func(s *storage.Studies) { s.Tries, s.Solved = tries, false })
}

// right praises a right answer, and leads on.
func (l *Lesson) right(ctx context.Context, m rules.Move) (message.Message, error) {
	after, err := l.pos.Play(m)
	if err != nil {
		return message.Message{}, err
	}
	d := diagram.Of(after, l.pos.Effects(m), l.pos.Turn()).ShowZones(after.Influences())
	said := message.Message{To: l.at.Person.ID, Board: &d, Step: true}
	chat, well := l.pos.Chat(m), l.Well()
	named := strings.Contains(well.String(), strings.TrimRight(chat, "+#"))
	text := words.Say("course.right", "move", chat, "well", well, "named", named)
	if next := l.after(); next != nil {
		said.Buttons = []message.Button{next.button(words.Label("next"), "lesson")}
	} else {
		text = words.Of(text, " ", words.Say("course.end", "kind", l.variant.Name))
		said.Buttons = []message.Button{message.NewButton(words.Label("play-me"), "level", 0, message.None, l.variant.Key, "1", "random")}
		if l.variant.Puzzles != "" {
			said.Buttons = append(said.Buttons, message.NewButton(words.Label("puzzles"), "puzzle", 0, message.None, l.variant.Key, message.None))
		}
	}
	said.Buttons = append(said.Buttons, l.button(words.Label("again"), "lesson"))
	said.Text = l.title(text)
	return said, l.study(ctx, func(s *storage.Studies) {
		s.Solved = true
		if s.Done == nil {
			s.Done = map[string]int{}
		}
		s.Done[l.variant.Key] = max(s.Done[l.variant.Key], l.number+1)
	})
}

// study keeps that somebody is at a lesson, and what else has changed.
func (l *Lesson) study(ctx context.Context, change func(*storage.Studies)) error {
	return l.courses.store.Update(ctx, func(w storage.Writer) error {
		return w.People().Change(l.at.Person.ID, func(p *storage.Person) {
			s := &p.Studies
			s.Game, s.Lesson, s.Place, s.At = l.variant.Key, l.number, l.at.Place, l.courses.now()
			change(s)
		})
	})
}

func (l *Lesson) among(texts []string, m rules.Move) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		one, err := l.pos.ParseCoordinate(text)
		return err == nil && one == m
	})
}

// wait is what is said at a lesson that waits for its move, before any hint.
func (l *Lesson) wait(text words.Text) message.Message {
	return l.say(text, l.buttons("lesson-hint")...)
}

// buttons are those below a lesson that waits for its move.
func (l *Lesson) buttons(hint string) []message.Button {
	return []message.Button{l.moveButton(), l.button(words.Label("hint"), hint), l.button(words.Label("again"), "lesson")}
}
