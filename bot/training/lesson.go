package training

// Lessons lead people through the games' courses, lesson by lesson.
//
// # Design
//
// A lesson is answered by a move, which belongs to no game in progress: only people's progress is
// stored. Each button names its lesson, so that no button is ever stale, and pressing it twice does no
// harm. Its presses are
//
//	lesson <game> <number>                       shows a lesson, counted from 0
//	lesson-hint <game> <number>                  helps
//	lesson-piece <game> <number>                 tells the piece
//	lesson-move <game> <number>                  tells the move
//	lesson-pick <game> <number> <from> <to> <page>   lets a move be picked, as package message does
//	lesson-try <game> <number> <move>            answers, with a coordinate text

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// A Lesson is a lesson of a game's course, as a learner has it before them.
type Lesson struct {
	exercise
	*rules.Lesson
	variant *rules.Variant
	number  int // from 0
}

// lesson is the lesson with a number, from 0, of a game's course; nil if there is none.
func (s *Service) lesson(at Learner, v *rules.Variant, number int) *Lesson {
	if v == nil || number < 0 || number >= len(v.Course) {
		return nil
	}
	pos, _ := v.Position(v.Course[number].FEN) // it is the course's own
	l := &Lesson{exercise{
		training: s, at: at, pos: pos, kind: "lesson", show: "lesson", name: []string{v.Key, strconv.Itoa(number)},
		title: func(said words.Text) words.Text {
			return words.Of(words.Say("course.title", "kind", v.Title(), "n", number+1, "all", len(v.Course)), "\n", said)
		},
		asks: words.Of(v.Course[number].Task()),
	}, &v.Course[number], v, number}
	l.further = l.button(words.Label("again"), "lesson")
	return l
}

// NextLesson is a step of a game's course, counted from 1; without such a step, the lesson that the
// learner has reached, or the first if they have finished; nil if there is no course.
func (s *Service) NextLesson(at Learner, v *rules.Variant, step int) *Lesson {
	if step < 1 || step > len(v.Course) {
		done := at.Person.Studies.Done[v.Key]
		step = words.Either(done < len(v.Course), done, 0) + 1
	}
	return s.lesson(at, v, step-1)
}

// AsLeft is the press that shows lesson n of a game, from 0; as solved if the learner was last there
// and has solved it.
func (s *Service) AsLeft(p *storage.Person, key string, n int) string {
	if v, at := s.game(key), p.Studies; v != nil && at.Solved && at.Game == key && at.Lesson == n && n < len(v.Course) {
		return fmt.Sprintf("lesson-try 0 - %s %d %s", key, n, v.Course[n].Right[0])
	}
	return fmt.Sprintf("lesson 0 - %s %d", key, n)
}

// after is the lesson after this one; nil after the last.
func (l *Lesson) after() *Lesson { return l.training.lesson(l.at, l.variant, l.number+1) }

// Begun is the game whose course somebody began last and has not finished; nil if there is none.
func (s *Service) Begun(p *storage.Person) *rules.Variant {
	if v := s.game(p.Studies.Game); v != nil && p.Studies.Done[v.Key] < len(v.Course) {
		return v
	}
	return nil
}

// ChooseCourse asks which course somebody wants.
func (s *Service) ChooseCourse(at Learner) *message.Message {
	said := &message.Message{To: at.Person.ID, Text: words.Say("course.choose"), Step: true}
	for _, v := range s.variants {
		if next := s.NextLesson(at, v, 0); next != nil {
			done := at.Person.Studies.Done[v.Key]
			label := words.Either(done == 0, v.Title(), words.Book().Say("course.label", "kind", v.Title(), "done", done, "all", len(v.Course)))
			said.Buttons = append(said.Buttons, next.button(label, "lesson").Choose(phrase.As("")))
		}
	}
	return said
}

// Shown implements [Exercise].
func (l *Lesson) Shown() time.Time { return l.at.Person.Studies.At }

// Solved implements [Exercise].
func (l *Lesson) Solved() bool { return l.at.Person.Studies.Solved }

// Show implements [Exercise].
func (l *Lesson) Show(ctx context.Context) (*message.Message, error) {
	text := words.Join(" ", words.Of(l.Task()), words.If(l.number == 0, l.how()...))
	said := l.say(text, l.buttons("hint")...)
	said.Exercise.Told = nil
	return said, l.study(ctx, func(s *storage.Studies) { s.Tries, s.Solved, s.Helped = 0, false, false })
}

// Next implements [Exercise].
func (l *Lesson) Next(ctx context.Context) (*message.Message, error) {
	if next := l.after(); next != nil && l.Solved() {
		return next.Show(ctx)
	}
	return l.Show(ctx)
}

func (l *Lesson) hint(ctx context.Context) (*message.Message, error) {
	return l.say(words.Of(l.Hint()), l.buttons("piece")...), l.study(ctx, func(s *storage.Studies) { s.Helped = true })
}

func (l *Lesson) piece(context.Context) (*message.Message, error) {
	m, err := l.answer()
	said := l.say(words.HintPiece(l.pos, m), l.buttons("move")...)
	l.mark(said, m.From)
	return said, err
}

// answer is a right move.
func (l *Lesson) answer() (rules.Move, error) { return l.pos.ParseCoordinate(l.Right[0]) }

// Help implements [Exercise]: it helps with a lesson, and then tells its move.
func (l *Lesson) Help(ctx context.Context) (*message.Message, error) {
	return words.Either(l.at.Person.Studies.Helped, l.tell, l.hint)(ctx)
}

func (l *Lesson) tell(context.Context) (*message.Message, error) {
	m, err := l.answer()
	said := l.tells(m)
	said.Exercise.Line = nil // the learner plays it
	return said, err
}

// Pick implements [Exercise].
func (l *Lesson) Pick(from, to, page string) *message.Message {
	said := l.exercise.Pick(from, to, page)
	said.Text = said.Exercise.Told // without a title
	return said
}

// Try implements [Exercise].
func (l *Lesson) Try(ctx context.Context, text string) (*message.Message, error) {
	m, refused, err := l.read(text, l.buttons("hint")...)
	switch {
	case refused != nil || err != nil:
		return refused, err
	case l.among(l.Right, m):
		return l.right(ctx, m)
	}
	near := l.among(l.Near, m)
	said := words.Either(near, words.Of(l.Nearly()), words.Say("course.wrong", "move", l.pos.Chat(m)))
	tries := 1
	if s := l.at.Person.Studies; s.Game == l.variant.Key && s.Lesson == l.number {
		tries += s.Tries
	}
	const patience = 2
	helps := !near || tries >= patience
	said = words.Join("\n", said, words.If(helps, words.Of(l.Hint())...))
	return l.answered(l.say(said, l.buttons(words.Either(helps, "piece", "hint"))...), true, m), l.study(ctx, func(s *storage.Studies) { s.Tries, s.Solved = tries, false })
}

// right praises a right answer, and leads on.
func (l *Lesson) right(ctx context.Context, m rules.Move) (*message.Message, error) {
	after, err := l.pos.Play(m)
	if err != nil {
		return nil, err
	}
	text := words.Say("course.right", "well", l.Well())
	var buttons []message.Button
	if next := l.after(); next != nil {
		buttons = append(buttons, next.button(words.Label("next"), "lesson"))
	} else {
		text = words.Of(text, " ", words.Say("course.end", "kind", l.variant.Title()))
		buttons = append(buttons, message.NewButton(words.Label("play-me"), "level", 0, message.None, l.variant.Key, "1", "random"))
		buttons = append(buttons, words.If(l.variant.Puzzles != "", another(words.Label("puzzles"), l.variant, ""))...)
	}
	said := l.answered(l.say(text, append(buttons, l.further)...), false, m)
	l.draw(said, boardOf(after, l.pos.Effects(m), l.pos.Turn())).Exercise.Position = nil
	return said, l.study(ctx, func(s *storage.Studies) {
		s.Solved = true
		if s.Done == nil {
			s.Done = map[string]int{}
		}
		s.Done[l.variant.Key] = max(s.Done[l.variant.Key], l.number+1)
	})
}

// study stores that somebody is at a lesson, and any other change.
func (l *Lesson) study(ctx context.Context, change func(*storage.Studies)) error {
	return l.keep(ctx, func(p *storage.Person) {
		s := &p.Studies
		s.Game, s.Lesson, s.Place, s.At = l.variant.Key, l.number, l.at.Place, l.training.now()
		change(s)
	})
}

func (l *Lesson) among(texts []string, m rules.Move) bool {
	return slices.Contains(texts, l.variant.Coordinate(m))
}
