package training

import (
	"context"
	"errors"
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

// Puzzles give people puzzles. It is safe for concurrent use.
type Puzzles struct {
	*Collection
	store    *storage.Store
	variants []*rules.Variant
	now      func() time.Time
}

// NewPuzzles makes Puzzles of the games. now is the wall clock.
func NewPuzzles(store *storage.Store, variants []*rules.Variant, now func() time.Time) *Puzzles {
	return &Puzzles{NewCollection(variants), store, variants, now}
}

// An Attempt is a task that somebody has before them.
type Attempt struct {
	exercise
	*Task
	puzzles *Puzzles
	at      Learner
}

// At is an attempt at a turn of a game's puzzle of a number, both from 0; nil if there is none.
func (p *Puzzles) At(at Learner, v *rules.Variant, number, turn int) *Attempt {
	if t := p.Task(v, number, turn); t != nil {
		return p.attempt(at, t)
	}
	return nil
}

func (p *Puzzles) attempt(at Learner, t *Task) *Attempt {
	e := exercise{
		to: at.Person.ID, pos: t.Position(), last: t.last(), show: "puzzle-at", pick: "puzzle-pick", play: "puzzle-try",
		args: []string{t.variant.Key, strconv.Itoa(t.number), strconv.Itoa(t.turn)}, shown: 3,
		title: func(said words.Text) words.Text { return words.Puzzle(t.variant, t.number, said) },
	}
	return &Attempt{e, t, p, at}
}

// Named is the attempt at the task of a game's key and two numbers, both from 0; nil if there is none.
func (p *Puzzles) Named(at Learner, key, number, turn string) *Attempt {
	n, err := strconv.Atoi(number)
	t, err2 := strconv.Atoi(turn)
	if err != nil || err2 != nil {
		return nil
	}
	return p.At(at, rules.Find(p.variants, key), n, t)
}

// Open is the one that somebody has before them, solved or not; nil if there is none.
func (p *Puzzles) Open(at Learner) *Attempt {
	t := &at.Person.Training
	if !at.Before(t.Place, t.At, p.now()) {
		return nil
	}
	return p.At(at, rules.Find(p.variants, t.Game), t.Number, t.Turn)
}

// Shown is when it was shown, if it is the one that was last.
func (a *Attempt) Shown() time.Time { return a.at.Person.Training.At }

// Solved reports whether that one's puzzle was.
func (a *Attempt) Solved() bool { return a.at.Person.Training.Solved }

// Choose asks of which game somebody wants puzzles.
func (p *Puzzles) Choose(who *storage.Person) message.Message {
	said := message.Message{To: who.ID, Text: words.Say("puzzle.choose"), Step: true}
	for _, v := range p.variants {
		if p.Count(v) > 0 {
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

// Next shows a puzzle of a game that somebody has not seen yet and that is about as hard as they are
// strong; of all, if they have seen all. A theme of "" is any.
func (p *Puzzles) Next(ctx context.Context, at Learner, v *rules.Variant, theme given.Theme) (message.Message, error) {
	number := p.choose(&at.Person, v, theme)
	if number < 0 {
		return message.Message{To: at.Person.ID, Text: words.NoPuzzles(v, string(theme), p.themes(v))}, nil
	}
	at.Person.Training.Theme = string(theme)
	a := p.At(at, v, number, 0)
	if a == nil {
		return message.Message{To: at.Person.ID, Text: words.Say("request.old-button")}, nil
	}
	err := a.train(ctx, func(s *storage.Training) {
		if s.Has(v.Key, number) { // all were seen: they begin anew
			for i := range p.of(v) {
				s.Mark(v.Key, i, s.Has(v.Key, i) && !p.about(v, i, theme))
			}
		}
		s.Mark(v.Key, number, true)
		s.Theme, s.Counted, s.Solved = string(theme), false, false
	})
	return a.ask(), err
}

// Next shows the next puzzle where this one was solved, and else the task again.
func (a *Attempt) Next(ctx context.Context) (message.Message, error) {
	if a.Solved() {
		return a.puzzles.Next(ctx, a.at, a.variant, a.theme())
	}
	return a.Show(ctx)
}

// theme is the one that somebody has asked for; "" for any.
func (a *Attempt) theme() given.Theme { return given.Named(a.at.Person.Training.Theme) }

// Show shows a task, which somebody has before them or goes back to.
func (a *Attempt) Show(ctx context.Context) (message.Message, error) {
	return a.ask(), a.train(ctx, func(s *storage.Training) {
		if a.counts(s) {
			s.Helped = 0
		}
	})
}

// ask is what asks for the move of a task.
func (a *Attempt) ask() message.Message {
	text := a.Asks()
	if a.turn == 0 {
		text = words.Of(text, " ", words.Say("course.how", "move", words.Label("move"), "alone", a.at.Private))
	}
	if a.counts(&a.at.Person.Training) {
		text = words.Of(text, " ", words.Say("puzzle.counts"))
	}
	return a.wait(text)
}

// Hint warns that a hint counts as a wrong answer; where nothing counts any more, it gives one.
func (a *Attempt) Hint(ctx context.Context) (message.Message, error) {
	if !a.counts(&a.at.Person.Training) {
		return a.Piece(ctx)
	}
	return a.say(words.Say("puzzle.hint-counts"), a.buttons("puzzle-piece")...), a.help(ctx, 1)
}

// Help helps with a task more than before: it warns, tells the piece, then the move.
func (a *Attempt) Help(ctx context.Context) (message.Message, error) {
	switch a.at.Person.Training.Helped {
	case 0:
		return a.Hint(ctx)
	case 1:
		return a.Piece(ctx)
	default:
		return a.Tell(ctx)
	}
}

// help keeps how much somebody was helped with a task.
func (a *Attempt) help(ctx context.Context, times int) error {
	return a.train(ctx, func(s *storage.Training) { s.Helped = times })
}

// Piece tells which piece moves; it counts as a wrong answer.
func (a *Attempt) Piece(ctx context.Context) (message.Message, error) {
	said, err := a.count(ctx, 0)
	err = errors.Join(err, a.help(ctx, 2))
	return a.say(words.Of(words.HintPiece(a.pos, a.step().Move), said), a.buttons("puzzle-move")...), err
}

// Tell tells the move of a task, and leaves it to be played; it counts as a wrong answer.
func (a *Attempt) Tell(ctx context.Context) (message.Message, error) {
	said, err := a.count(ctx, 0)
	return a.tell(a.step().Move, said), err
}

// Try tries a move in a task.
func (a *Attempt) Try(ctx context.Context, text string) (message.Message, error) {
	j, err := a.Task.Try(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		return a.refuse(no, a.buttons("puzzle-hint")...), nil
	}
	switch {
	case err != nil:
		return message.Message{}, err
	case j.Solved():
		return a.solved(ctx)
	case j.Verdict == Right:
		next := a.puzzles.attempt(a.at, j.Next)
		return next.wait(words.PuzzleRight(j.Chat, j.Reply)), next.train(ctx, func(*storage.Training) {})
	}
	said, err := a.count(ctx, 0)
	return a.wait(words.Of(words.PuzzleWrong(j.Chat, j.Verdict == Near), said)), err
}

// solved says that a puzzle is, and leads on.
func (a *Attempt) solved(ctx context.Context) (message.Message, error) {
	rated, err := a.count(ctx, 1)
	if err != nil {
		return message.Message{}, err
	}
	first := a.exercise
	first.args = []string{a.variant.Key, strconv.Itoa(a.number), "0"}
	said := a.say(words.Of(words.Say("puzzle.solved", "line", a.Solution()), "\n", words.PuzzleThemes(a.puzzle.Themes), rated),
		another(words.Label("next"), a.variant, a.theme()), first.button(words.Label("again"), "puzzle-at"))
	said.Board = a.end()
	return said, nil
}

// counts reports whether an answer would count for the rating of somebody who has done so much.
func (a *Attempt) counts(s *storage.Training) bool {
	return !s.Counted && !a.puzzle.Withdrawn && s.Game == a.variant.Key && s.Number == a.number
}

// count lets a score, 1 or 0, count for somebody's rating, if the puzzle of a task is the one before
// them and nothing has counted there yet; and says what has become of the rating then.
func (a *Attempt) count(ctx context.Context, score float64) (said words.Text, err error) {
	now := a.puzzles.now()
	err = a.train(ctx, func(s *storage.Training) {
		s.Solved = s.Solved || score == 1
		if said = nil; !a.counts(s) {
			return
		}
		s.Counted = true
		before := standing(&s.Standing)
		after := rating.Usual().Update(before, since(&s.Standing, now), rating.Result{Opponent: strength(a.puzzle), Score: score}).Round()
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

func since(s *storage.Standing, now time.Time) time.Duration {
	if s.At.IsZero() {
		return 0
	}
	return now.Sub(s.At)
}

// train keeps that somebody is at a task, and what else has changed. What they are shown for the
// second time, or as another's, counts no more.
func (a *Attempt) train(ctx context.Context, change func(*storage.Training)) error {
	return a.puzzles.store.Update(ctx, func(w storage.Writer) error {
		return w.People().Change(a.at.Person.ID, func(who *storage.Person) {
			s := &who.Training
			same := s.Game == a.variant.Key && s.Number == a.number
			if !same {
				s.Game, s.Number, s.Counted, s.Solved = a.variant.Key, a.number, true, false
			}
			if !same || s.Turn != a.turn {
				s.Helped = 0
			}
			s.Turn, s.Place, s.At = a.turn, a.at.Place, a.puzzles.now()
			change(s)
			a.at.Person.Training = *s
		})
	})
}

// wait is what is said at a task that waits for its move, before any hint.
func (a *Attempt) wait(text words.Text) message.Message {
	return a.say(text, a.buttons("puzzle-hint")...)
}

// buttons are those below a task that waits for its move.
func (a *Attempt) buttons(hint string) []message.Button {
	return []message.Button{a.moveButton(), a.button(words.Label("hint"), hint), another(words.Label("next"), a.variant, a.theme())}
}
