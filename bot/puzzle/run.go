package puzzle

import (
	"context"
	"errors"
	"strconv"
	"time"

	"chimera/bot/course"
	"chimera/bot/note"
	"chimera/bot/picker"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	given "chimera/rules/puzzle"
	"chimera/storage"
	"chimera/storage/careers"
)

// Puzzles give people puzzles. It is safe for concurrent use.
type Puzzles struct {
	*Collection
	store    *storage.Store
	variants []*rules.Variant
	now      func() time.Time
}

// New makes Puzzles of the games. now is the wall clock.
func New(store *storage.Store, variants []*rules.Variant, now func() time.Time) *Puzzles {
	return &Puzzles{NewCollection(variants), store, variants, now}
}

// Named is the task of a game's key and two numbers, both from 0; nil if there is none.
func (p *Puzzles) Named(key, number, turn string) *Task {
	n, err := strconv.Atoi(number)
	t, err2 := strconv.Atoi(turn)
	if err != nil || err2 != nil {
		return nil
	}
	return p.Task(rules.Find(p.variants, key), n, t)
}

// Open is the task that somebody has before them, solved or not; nil if there is none.
func (p *Puzzles) Open(at course.Seat) *Task {
	t := &at.Person.Training
	if !at.Before(t.Place, t.At, p.now()) {
		return nil
	}
	return p.Task(rules.Find(p.variants, t.Game), t.Number, t.Turn)
}

// Choose asks of which game somebody wants puzzles.
func (p *Puzzles) Choose(who *storage.Person) note.Note {
	said := note.Note{To: who.ID, Text: words.Say("puzzle.choose"), Step: true}
	for _, v := range p.variants {
		if p.Count(v) > 0 {
			said.Buttons = append(said.Buttons, another(phrase.As(v.Name), v, "").Choose(phrase.As("")))
		}
	}
	return said
}

// another leads to a new puzzle of a game, about a theme, "" for any.
func another(label phrase.Phrase, v *rules.Variant, theme given.Theme) note.Button {
	if theme == "" {
		theme = note.None
	}
	return note.NewButton(label, "puzzle", 0, note.None, v.Key, string(theme))
}

// Next shows a puzzle of a game that somebody has not seen yet and that is about as hard as they are
// strong; of all, if they have seen all. A theme of "" is any.
func (p *Puzzles) Next(ctx context.Context, at course.Seat, v *rules.Variant, theme given.Theme) (note.Note, error) {
	number := p.choose(&at.Person, v, theme)
	if number < 0 {
		return note.Note{To: at.Person.ID, Text: words.NoPuzzles(v, string(theme), p.themes(v))}, nil
	}
	t := p.Task(v, number, 0)
	if t == nil {
		return note.Note{To: at.Person.ID, Text: words.Say("request.old-button")}, nil
	}
	at.Person.Training.Theme = string(theme)
	err := p.train(ctx, at, t, func(s *storage.Training) {
		if s.Has(v.Key, number) { // all were seen: they begin anew
			for i := range p.of(v) {
				s.Mark(v.Key, i, s.Has(v.Key, i) && !p.about(v, i, theme))
			}
		}
		s.Mark(v.Key, number, true)
		s.Theme, s.Counted, s.Solved = string(theme), false, false
	})
	return t.ask(at), err
}

// GoOn shows the next puzzle where that of a task was solved, and else the task again.
func (p *Puzzles) GoOn(ctx context.Context, at course.Seat, t *Task) (note.Note, error) {
	if at.Person.Training.Solved {
		return p.Next(ctx, at, t.variant, themeOf(&at.Person.Training))
	}
	return p.Show(ctx, at, t)
}

// themeOf is the theme that somebody has asked for; "" for any.
func themeOf(s *storage.Training) given.Theme { return given.Named(s.Theme) }

// Show shows a task, which somebody has before them or goes back to.
func (p *Puzzles) Show(ctx context.Context, at course.Seat, t *Task) (note.Note, error) {
	return t.ask(at), p.train(ctx, at, t, func(*storage.Training) {})
}

// ask is what asks for the move of a task.
func (t *Task) ask(at course.Seat) note.Note {
	text := t.Asks()
	if t.turn == 0 {
		text = words.Of(text, " ", words.Say("course.how", "move", words.Label("move"), "alone", at.Private))
	}
	return t.note(at, text, t.buttons("puzzle-hint", themeOf(&at.Person.Training)))
}

// Hint tells which piece moves; it counts as a wrong answer.
func (p *Puzzles) Hint(ctx context.Context, at course.Seat, t *Task) (note.Note, error) {
	said, err := p.count(ctx, at, t, 0)
	return t.note(at, words.Of(words.HintPiece(t.Position(), t.step().Move), said), t.buttons("puzzle-move", themeOf(&at.Person.Training))), err
}

// Tell tells the move of a task, and leaves it to be played; it counts as a wrong answer.
func (p *Puzzles) Tell(ctx context.Context, at course.Seat, t *Task) (note.Note, error) {
	said, err := p.count(ctx, at, t, 0)
	m, chat := t.step().Move, t.Position().Chat(t.step().Move)
	return t.note(at, words.Of(words.Say("course.move", "move", chat), said), []note.Button{
		t.button(phrase.As(chat), "puzzle-try", t.variant.Coordinate(m)), t.button(words.Label("back"), "puzzle-at"),
	}), err
}

// Pick shows the next choice on the way to a move.
func (p *Puzzles) Pick(at course.Seat, t *Task, from, to, page string) note.Note {
	shape := t.variant.Shape
	piece, target := shape.Parse(from), shape.Parse(to)
	n, _ := strconv.Atoi(page)
	said := t.note(at, words.PickLesson(shape, piece, target), picker.New(t.Position(), t.picks).Page(piece, target, n))
	if piece != rules.NoSquare {
		d := said.Board.ShowMoves(piece, t.Position().Moves())
		said.Board = &d
	}
	return said
}

// picks makes the picker's buttons: a puzzle asks nobody whether a move is meant.
func (t *Task) picks(label phrase.Phrase, verb string, more ...string) note.Button {
	return t.button(label, map[string]string{"pick": "puzzle-pick", "sure": "puzzle-try", "back": "puzzle-at"}[verb], more...)
}

// Answer tries a move in a task.
func (p *Puzzles) Answer(ctx context.Context, at course.Seat, t *Task, text string) (note.Note, error) {
	j, err := t.Try(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		return t.refuse(at, no), nil
	}
	switch {
	case err != nil:
		return note.Note{}, err
	case j.Solved():
		return p.solved(ctx, at, t)
	case j.Verdict == Right:
		said := j.Next.note(at, words.PuzzleRight(j.Chat, j.Reply), j.Next.buttons("puzzle-hint", themeOf(&at.Person.Training)))
		return said, p.train(ctx, at, j.Next, func(*storage.Training) {})
	}
	said, err := p.count(ctx, at, t, 0)
	return t.note(at, words.Of(words.PuzzleWrong(j.Chat, j.Verdict == Near), said), t.buttons("puzzle-hint", themeOf(&at.Person.Training))), err
}

// refuse says why the rules do not allow a move, with those close to it as buttons.
func (t *Task) refuse(at course.Seat, no *rules.Illegal) note.Note {
	var buttons []note.Button
	for _, chat := range no.Close() {
		if m, err := t.Position().Parse(chat); err == nil {
			buttons = append(buttons, t.button(phrase.As(chat), "puzzle-try", t.variant.Coordinate(m)))
		}
	}
	return t.note(at, words.Of(no.Phrase()), append(buttons, t.buttons("puzzle-hint", themeOf(&at.Person.Training))...))
}

// solved says that a puzzle is, and leads on.
func (p *Puzzles) solved(ctx context.Context, at course.Seat, t *Task) (note.Note, error) {
	rated, err := p.count(ctx, at, t, 1)
	if err != nil {
		return note.Note{}, err
	}
	said := t.note(at, words.Of(words.Say("puzzle.solved", "line", t.Solution()), "\n", words.PuzzleThemes(t.Themes()), rated), nil)
	said.Board = t.End()
	first := *t
	first.turn = 0
	said.Buttons = []note.Button{another(words.Label("next"), t.variant, themeOf(&at.Person.Training)), first.button(words.Label("again"), "puzzle-at")}
	return said, nil
}

// count lets a score, 1 or 0, count for somebody's rating, if the puzzle of a task is the one before
// them and nothing has counted there yet; and says what has become of the rating then.
func (p *Puzzles) count(ctx context.Context, at course.Seat, t *Task, score float64) (said words.Text, err error) {
	err = p.train(ctx, at, t, func(s *storage.Training) {
		s.Solved = s.Solved || score == 1
		if said = nil; s.Counted || s.Game != t.variant.Key || s.Number != t.number {
			return
		}
		s.Counted = true
		before := standing(&s.Standing)
		after := rating.Usual().Update(before, since(&s.Standing, p.now()), rating.Result{Opponent: strength(t.puzzle), Score: score}).Round()
		s.Standing.Value, s.Standing.Deviation, s.Standing.Volatility, s.Standing.At = after.Value, after.Deviation, after.Volatility, p.now()
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
func standing(s *careers.Standing) rating.Rating {
	if s.Games() == 0 {
		return rating.New()
	}
	return rating.Rating{Value: s.Value, Deviation: s.Deviation, Volatility: s.Volatility}
}

func since(s *careers.Standing, now time.Time) time.Duration {
	if s.At.IsZero() {
		return 0
	}
	return now.Sub(s.At)
}

// train keeps that somebody is at a task, and what else has changed. What they are shown for the
// second time, or as another's, counts no more.
func (p *Puzzles) train(ctx context.Context, at course.Seat, t *Task, change func(*storage.Training)) error {
	return p.store.Update(ctx, func(w storage.Writer) error {
		return w.ChangePerson(at.Person.ID, func(who *storage.Person) {
			s := &who.Training
			same := s.Game == t.variant.Key && s.Number == t.number
			if !same {
				s.Game, s.Number, s.Counted, s.Solved = t.variant.Key, t.number, true, false
			}
			s.Turn, s.Place, s.At = t.turn, at.Place, p.now()
			change(s)
		})
	})
}

// note is one with the board of a task.
func (t *Task) note(at course.Seat, text words.Text, buttons []note.Button) note.Note {
	return note.Note{To: at.Person.ID, Text: words.Puzzle(t.variant, t.number, text), Board: t.Board(), Buttons: buttons, Step: true}
}

// buttons are those below a task that waits for its move.
func (t *Task) buttons(hint string, theme given.Theme) []note.Button {
	return []note.Button{
		t.button(words.Label("move"), "puzzle-pick", note.None, note.None, "0"),
		t.button(words.Label("hint"), hint), another(words.Label("next"), t.variant, theme),
	}
}

func (t *Task) button(label phrase.Phrase, verb string, more ...string) note.Button {
	return note.NewButton(label, verb, 0, note.None, append([]string{t.variant.Key, strconv.Itoa(t.number), strconv.Itoa(t.turn)}, more...)...)
}
