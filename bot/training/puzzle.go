package training

import (
	"context"
	"strconv"
	"time"

	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// An Attempt is a task that somebody has before them.
type Attempt struct {
	exercise
	*Task
}

// Attempt is one at a turn of a game's puzzle of a number, both from 0; nil if there is none.
func (s *Service) Attempt(at Learner, v *rules.Variant, number, turn int) *Attempt {
	if t := s.Task(v, number, turn); t != nil {
		return s.attempt(at, t)
	}
	return nil
}

func (s *Service) attempt(at Learner, t *Task) *Attempt {
	v := t.variant
	a := &Attempt{exercise{
		training: s, at: at, pos: t.Position(), last: t.last(), kind: "puzzle", show: "puzzle-at",
		name:  []string{v.Key, strconv.Itoa(t.number), strconv.Itoa(t.turn)},
		title: func(said words.Text) words.Text { return words.Puzzle(v, t.number, said) },
	}, t}
	a.further = another(words.Label("next"), v, a.theme())
	return a
}

// Shown implements [Exercise].
func (a *Attempt) Shown() time.Time { return a.at.Person.Training.At }

// Solved implements [Exercise].
func (a *Attempt) Solved() bool { return a.at.Person.Training.Solved }

// ChoosePuzzle asks of which game somebody wants puzzles.
func (s *Service) ChoosePuzzle(who *storage.Person) *message.Message {
	said := &message.Message{To: who.ID, Text: words.Say("puzzle.choose"), Step: true}
	for _, v := range s.variants {
		if s.Count(v) > 0 {
			said.Buttons = append(said.Buttons, another(phrase.As(v.Name), v, "").Choose(phrase.As("")))
		}
	}
	return said
}

// another leads to a new puzzle of a game, about a theme, "" for any.
func another(label phrase.Phrase, v *rules.Variant, theme given.Theme) message.Button {
	if theme == "" {
		theme = message.None
	}
	return message.NewButton(label, "puzzle", 0, message.None, v.Key, string(theme))
}

// NextPuzzle shows a puzzle of a game that somebody has not seen yet and that is about as hard as they
// are strong; of all, if they have seen all. A theme of "" is any.
func (s *Service) NextPuzzle(ctx context.Context, at Learner, v *rules.Variant, theme given.Theme) (*message.Message, error) {
	number := s.choose(&at.Person, v, theme)
	if number < 0 {
		return &message.Message{To: at.Person.ID, Text: words.NoPuzzles(v, string(theme), s.themes(v))}, nil
	}
	at.Person.Training.Theme = string(theme)
	a := s.Attempt(at, v, number, 0)
	if a == nil {
		return nil, nil
	}
	err := a.train(ctx, func(t *storage.Training) {
		if t.Has(v.Key, number) { // all were seen: they begin anew
			for i := range s.of(v) {
				t.Mark(v.Key, i, t.Has(v.Key, i) && !s.about(v, i, theme))
			}
		}
		t.Mark(v.Key, number, true)
		t.Theme, t.Counted, t.Solved = string(theme), false, false
	})
	return a.ask(), err
}

// Next implements [Exercise].
func (a *Attempt) Next(ctx context.Context) (*message.Message, error) {
	if a.Solved() {
		return a.training.NextPuzzle(ctx, a.at, a.variant, a.theme())
	}
	return a.Show(ctx)
}

// theme is the one that somebody has asked for; "" for any.
func (a *Attempt) theme() given.Theme { return given.Named(a.at.Person.Training.Theme) }

// Show implements [Exercise].
func (a *Attempt) Show(ctx context.Context) (*message.Message, error) {
	return a.ask(), a.train(ctx, func(s *storage.Training) {
		if a.counts(s) {
			s.Helped = 0
		}
	})
}

// ask is what asks for the move of a task.
func (a *Attempt) ask() *message.Message {
	text := a.Asks()
	if a.turn == 0 {
		text = words.Of(text, " ", a.how())
	}
	if a.counts(&a.at.Person.Training) {
		text = words.Of(text, " ", words.Say("puzzle.counts"))
	}
	return a.wait(text)
}

// hint warns that a hint counts as a wrong answer; where nothing counts any more, it gives one.
func (a *Attempt) hint(ctx context.Context) (*message.Message, error) {
	if !a.counts(&a.at.Person.Training) {
		return a.piece(ctx)
	}
	return a.say(words.Say("puzzle.hint-counts"), a.buttons("piece")...), a.helped(ctx, 1)
}

// Help implements [Exercise]: it warns, tells the piece, then the move.
func (a *Attempt) Help(ctx context.Context) (*message.Message, error) {
	switch a.at.Person.Training.Helped {
	case 0:
		return a.hint(ctx)
	case 1:
		return a.piece(ctx)
	default:
		return a.tell(ctx)
	}
}

// helped keeps how much somebody was helped with a task.
func (a *Attempt) helped(ctx context.Context, times int) error {
	return a.train(ctx, func(s *storage.Training) { s.Helped = times })
}

// piece tells which piece moves; it counts as a wrong answer.
func (a *Attempt) piece(ctx context.Context) (*message.Message, error) {
	said, err := a.count(ctx, 0)
	if err == nil {
		err = a.helped(ctx, 2)
	}
	return a.say(words.Of(words.HintPiece(a.pos, a.step().Move), said), a.buttons("move")...), err
}

// tell tells the move of a task, and leaves it to be played; it counts as a wrong answer.
func (a *Attempt) tell(ctx context.Context) (*message.Message, error) {
	said, err := a.count(ctx, 0)
	return a.tells(a.step().Move, said), err
}

// Try implements [Exercise].
func (a *Attempt) Try(ctx context.Context, text string) (*message.Message, error) {
	m, refused, err := a.read(text, a.buttons("hint")...)
	if refused != nil || err != nil {
		return refused, err
	}
	switch j := a.Judge(m); {
	case j.Solved():
		return a.solved(ctx)
	case j.Verdict == Right:
		next := a.training.attempt(a.at, j.Next)
		return next.wait(words.PuzzleRight(j.Chat, j.Reply)), next.train(ctx, func(*storage.Training) {})
	default:
		said, err := a.count(ctx, 0)
		return a.wait(words.Of(words.PuzzleWrong(j.Chat, j.Verdict == Near), said)), err
	}
}

// solved says that a puzzle is, and leads on.
func (a *Attempt) solved(ctx context.Context) (*message.Message, error) {
	rated, err := a.count(ctx, 1)
	again := message.NewButton(words.Label("again"), "puzzle-at", 0, message.None, a.variant.Key, strconv.Itoa(a.number), "0")
	said := a.say(words.Of(words.Say("puzzle.solved", "line", a.Solution()), "\n", words.PuzzleThemes(a.puzzle.Themes), rated), a.further, again)
	said.Board = a.end()
	return said, err
}

// counts reports whether an answer would count for the rating of somebody who has done so much.
func (a *Attempt) counts(s *storage.Training) bool {
	return !s.Counted && !a.puzzle.Withdrawn && a.is(s)
}

// is reports whether somebody was last at the puzzle of a task.
func (a *Attempt) is(s *storage.Training) bool {
	return s.Game == a.variant.Key && s.Number == a.number
}

// count lets a score, 1 or 0, count for somebody's rating, if the puzzle of a task is the one before
// them and nothing has counted there yet; and says what has become of the rating then.
func (a *Attempt) count(ctx context.Context, score float64) (said words.Text, err error) {
	now := a.training.now()
	err = a.train(ctx, func(s *storage.Training) {
		s.Solved = s.Solved || score == 1
		if said = nil; !a.counts(s) {
			return
		}
		s.Counted = true
		before, idle := standing(&s.Standing), time.Duration(0)
		if !s.Standing.At.IsZero() {
			idle = now.Sub(s.Standing.At)
		}
		after := rating.Usual().Update(before, idle, rating.Result{Opponent: strength(a.puzzle), Score: score}).Round()
		s.Standing.Value, s.Standing.Deviation, s.Standing.Volatility, s.Standing.At = after.Value, after.Deviation, after.Volatility, now
		if score == 1 {
			s.Standing.Wins++
		} else {
			s.Standing.Losses++
		}
		said = words.Of("\n", words.PuzzleRating(before.Value, after.Value))
	})
	return said, err
}

// standing is somebody's rating.
func standing(s *storage.Standing) rating.Rating {
	if s.Games() == 0 {
		return rating.Initial()
	}
	return rating.Rating{Value: s.Value, Deviation: s.Deviation, Volatility: s.Volatility}
}

// train keeps that somebody is at a task, and what else has changed. What they are shown for the
// second time, or as another's, counts no more.
func (a *Attempt) train(ctx context.Context, change func(*storage.Training)) error {
	return a.keep(ctx, func(who *storage.Person) {
		s := &who.Training
		same := a.is(s)
		if !same {
			s.Game, s.Number, s.Counted, s.Solved = a.variant.Key, a.number, true, false
		}
		if !same || s.Turn != a.turn {
			s.Helped = 0
		}
		s.Turn, s.Place, s.At = a.turn, a.at.Place, a.training.now()
		change(s)
		a.at.Person.Training = *s
	})
}

// wait is what is said at a task that waits for its move, before any hint.
func (a *Attempt) wait(text words.Text) *message.Message { return a.say(text, a.buttons("hint")...) }
