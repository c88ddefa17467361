package training

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// An Attempt is a task that somebody has before them.
type Attempt struct {
	exercise
	*Task
	day int // the day it is the puzzle of, since 1970; 0 for none
}

// Attempt is an attempt at a turn of a game's puzzle with a number, both from 0, as the puzzle of a
// day (0 for none); nil if there is no such turn.
func (s *Service) Attempt(at Learner, v *rules.Variant, number, turn, day int) *Attempt {
	t := s.Task(v, number, turn)
	if t == nil {
		return nil
	}
	kind := words.Either(day == 0, "puzzle", "day")
	a := &Attempt{exercise{
		training: s, at: at, pos: t.Position(), last: t.last(), kind: kind, show: kind + "-at",
		name: []string{v.Key, strconv.Itoa(t.number), strconv.Itoa(t.turn)},
		title: func(said words.Text) words.Text {
			return words.Either(day == 0, words.Of(words.Say("puzzle.title", "kind", v.Title(), "n", t.number+1), "\n", said), words.Daily(v, said))
		},
		asks: t.Asks(),
	}, t, day}
	a.further = another(words.Label("next"), v, a.theme())
	return a
}

// Shown implements [Exercise].
func (a *Attempt) Shown() time.Time { return a.at.Person.Training.At }

// Solved implements [Exercise].
func (a *Attempt) Solved() bool { return a.tried(&a.at.Person.Training).Solved }

// tried is what is stored of the puzzle, while it is before them.
func (a *Attempt) tried(s *storage.Training) *storage.Tried {
	return words.Either(a.day == 0, &s.Tried, &s.Day)
}

// ChoosePuzzle asks which game somebody wants puzzles of.
func (s *Service) ChoosePuzzle(who *storage.Person) *message.Message {
	said := &message.Message{To: who.ID, Text: words.Say("puzzle.choose"), Step: true}
	for _, v := range s.variants {
		said.Buttons = append(said.Buttons, words.If(s.Count(v) > 0, another(v.Title(), v, "").Choose(phrase.As("")))...)
	}
	return said
}

// another leads to a new puzzle of a game with a theme, "" for any.
func another(label phrase.Phrase, v *rules.Variant, theme given.Theme) message.Button {
	return message.NewButton(label, "puzzle", 0, message.None, v.Key, cmp.Or(string(theme), message.None))
}

// NextPuzzle shows a puzzle of a game that somebody has not seen yet, and that suits their rating;
// once they have seen all, any may come again. A theme of "" is any.
func (s *Service) NextPuzzle(ctx context.Context, at Learner, v *rules.Variant, theme given.Theme) (*message.Message, error) {
	number := s.Choose(&at.Person, v, theme)
	if number < 0 {
		themes := slices.DeleteFunc(given.Themes(), func(t given.Theme) bool { return len(s.given(v, t)) == 0 })
		none := words.Either(theme == "" || len(themes) == 0, "puzzle.none", "puzzle.no-theme")
		return &message.Message{To: at.Person.ID, Text: words.Say(none, "kind", v.Title(), "theme", theme, "themes", words.Themes(themes))}, nil
	}
	at.Person.Training.Theme = string(theme)
	a := s.Attempt(at, v, number, 0, 0)
	if a == nil {
		return nil, nil
	}
	err := a.train(ctx, func(t *storage.Training) {
		if t.Seen.Has(v.Key, number) { // all were seen: begin anew
			for i := range s.of(v) {
				t.Seen.Mark(v.Key, i, t.Seen.Has(v.Key, i) && !s.about(v, i, theme))
			}
		}
		t.Seen.Mark(v.Key, number, true)
		delete(t.Left, v.Key)
		t.Theme, t.Counted, t.Solved, t.Hinted, t.Missed = string(theme), false, false, false, ""
	})
	return a.ask(), err
}

// Next implements [Exercise].
func (a *Attempt) Next(ctx context.Context) (*message.Message, error) {
	return a.training.NextPuzzle(ctx, a.at, a.variant, a.theme())
}

// theme is the theme that somebody has asked for; "" for any.
func (a *Attempt) theme() given.Theme { return given.Named(a.at.Person.Training.Theme) }

// Show implements [Exercise].
func (a *Attempt) Show(ctx context.Context) (*message.Message, error) {
	err := a.train(ctx, func(s *storage.Training) {
		if a.counts(s) {
			s.Helped = 0
		}
	})
	return a.ask(), err
}

// ask is what asks for the move of a task.
func (a *Attempt) ask() *message.Message {
	more := words.If(a.counts(&a.at.Person.Training), words.Say("puzzle.counts")...)
	said := a.wait(words.Join(" ", a.Asks(), words.If(a.turn == 0, a.how()...), more))
	said.Exercise.Told, said.Exercise.Rated = nil, more
	return said
}

// hint tells the square that the move starts from, or the kind of piece that makes it, whichever
// leaves several pieces possible.
func (a *Attempt) hint(ctx context.Context) (*message.Message, error) {
	from, board, file := a.step().Move.From, a.pos.Board(), a.variant.Shape.FileName
	text := words.Say("puzzle.where", "file", file(from))
	var near, alike rules.Set
	for _, m := range a.pos.Moves() {
		near |= words.Either(file(m.From) == file(from), m.From.Set(), 0)
		alike |= words.Either(board[m.From] == board[from], m.From.Set(), 0)
	}
	if near.Len() == 1 && alike.Len() > 1 {
		text = words.Say("puzzle.kind", "piece", a.variant.Noun(board[from]))
	}
	return a.say(text, a.buttons("piece")...), a.helped(ctx, 1)
}

// Help implements [Exercise]: it tells where the move begins, then the piece, then the move.
func (a *Attempt) Help(ctx context.Context) (*message.Message, error) {
	helps := [...]func(context.Context) (*message.Message, error){a.hint, a.piece, a.tell}
	return helps[min(a.tried(&a.at.Person.Training).Helped, len(helps)-1)](ctx)
}

// helped stores how much help somebody had with a task.
func (a *Attempt) helped(ctx context.Context, times int) error {
	return cmp.Or(a.note(ctx, storage.WithHint, false), a.train(ctx, func(s *storage.Training) { a.tried(s).Helped, a.tried(s).Hinted = times, true }))
}

// piece tells which piece moves, and what more would cost.
func (a *Attempt) piece(ctx context.Context) (*message.Message, error) {
	m, err := a.step().Move, a.helped(ctx, 2)
	more := words.Say(words.Either(a.day == 0, "puzzle.hint-counts", "daily.hint-counts"), "counts", a.counts(&a.at.Person.Training))
	said := a.say(words.Join(" ", words.HintPiece(a.pos, m), more), a.buttons("tell")...)
	a.mark(said, m.From)
	return said, err
}

// tell tells the move of a task, and leaves it to be played; it counts as a wrong answer.
func (a *Attempt) tell(ctx context.Context) (*message.Message, error) {
	said, err := a.count(ctx, storage.Told)
	_, line := a.Line()
	return rated(a.tells(a.step().Move, line[2*a.turn+1:]...), said), err
}

// Try implements [Exercise].
func (a *Attempt) Try(ctx context.Context, text string) (*message.Message, error) {
	m, refused, err := a.read(text, a.buttons("hint")...)
	if refused != nil || err != nil {
		return refused, err
	}
	switch j := a.Judge(m); {
	case j.Solved:
		return a.solved(ctx, m)
	case j.Next != nil:
		next := a.training.Attempt(a.at, a.variant, a.number, a.turn+1, a.day)
		said := next.wait(words.Say("puzzle.right", "move", j.Chat, "reply", j.Reply, "side", next.pos.Turn().Other()))
		return a.answered(said, false, m, a.steps[2*a.turn+1].Move), cmp.Or(a.note(ctx, storage.AtOnce, false), next.train(ctx, func(*storage.Training) {}))
	default:
		said, err := a.count(ctx, storage.AfterMiss)
		return a.answered(rated(a.wait(words.Say("puzzle.wrong", "move", j.Chat, "near", j.Near)), said), true, m), err
	}
}

// solved says that a move has solved a puzzle, and what it has won, and leads on.
func (a *Attempt) solved(ctx context.Context, m rules.Move) (*message.Message, error) {
	now, err := a.count(ctx, storage.AtOnce)
	again := message.NewButton(words.Label("again"), a.show, 0, message.None, a.variant.Key, strconv.Itoa(a.number), "0")
	told := []words.Text{words.Say("puzzle.solved", "line", a.Solution()), words.Of(a.variant.Describe(a.pos.Effects(m)))}
	themes := slices.DeleteFunc(slices.Clone(a.puzzle.Themes), func(t given.Theme) bool { return t == given.Gain }) // it says nothing
	told = append(told, words.If(len(themes) > 0, words.Say("puzzle.themes", "n", len(themes), "themes", phrase.Commas(phrase.Each(themes, func(t given.Theme) phrase.Phrase { return words.Called(string(t)) }))))...)
	said := a.answered(a.say(words.Lines(told), a.further, again), false, m)
	a.draw(rated(said, now), a.end()).Exercise.Position = nil
	said.Exercise.Told = words.Lines(told[2:]) // the board steps through the moves
	return said, err
}

// rated is a message that tells how a rating has changed.
func rated(said *message.Message, now words.Text) *message.Message {
	said.Text, said.Exercise.Rated = words.Of(said.Text, now), now
	return said
}

// counts reports whether an answer would count for somebody's rating, given their record.
func (a *Attempt) counts(s *storage.Training) bool {
	at := s.Game == a.variant.Key && s.Number == a.number
	return at && !s.Counted && !a.puzzle.Withdrawn && a.at.Person.ID != 0 && a.day == 0
}

// mostChange is the most that one puzzle changes a rating by.
const mostChange = 40

// count applies an answer to somebody's rating, if it is to their current puzzle and the first that
// counts, and says how the rating has changed.
func (a *Attempt) count(ctx context.Context, how byte) (said words.Text, err error) {
	now, score := a.training.now(), words.Either(how == storage.AtOnce, 1., 0)
	err = a.train(ctx, func(s *storage.Training) {
		switch tried := a.tried(s); {
		case how == storage.Told && !tried.Solved:
			tried.Missed = string(how)
		case score == 1:
			tried.Solved = true
			s.Found.Mark(a.variant.Key, a.number, tried.Missed != string(storage.Told) || s.Found.Has(a.variant.Key, a.number))
		}
		if said = nil; !a.counts(s) {
			return
		}
		s.Counted = true
		before := rating.At(&s.Standing, now)
		rating.Rate(&s.Standing, strength(a.puzzle), now, score)
		change := min(max(s.Standing.Value-before.Value, -mostChange), mostChange)
		if s.Hinted && change > 0 {
			change /= 2
		}
		s.Standing.Value = before.Value + change
		switch {
		case score == 0:
			s.Standing.Losses++
			s.Missed = string(how)
		case s.Hinted: // so it was not solved at the first try
			s.Standing.Draws++
		default:
			s.Standing.Wins++
		}
		said = words.Of("\n", words.PuzzleRating(before.Value, s.Standing.Value, strength(a.puzzle).Value))
	})
	return said, cmp.Or(err, a.note(ctx, how, how == storage.AtOnce))
}

// train stores that somebody is at a task, and any other change. A puzzle seen before, or from another
// person, does not count.
func (a *Attempt) train(ctx context.Context, change func(*storage.Training)) error {
	return a.keep(ctx, func(who *storage.Person) {
		s, t := &who.Training, a.tried(&who.Training)
		switch {
		case a.day == 0:
			s.Turns(a.variant.Key, a.number)
			s.Day = storage.Tried{}
		case t.Game != a.variant.Key || t.Number != a.number: // their own puzzle stays
			*t = storage.Tried{Game: a.variant.Key, Number: a.number}
		}
		t.Helped = words.Either(t.Turn == a.turn, t.Helped, 0)
		t.Turn, s.Place, s.At = a.turn, a.at.Place, a.training.now()
		change(s)
		a.at.Person.Training = *s
	})
}

// wait is what is said at a task that waits for its move, before any hint.
func (a *Attempt) wait(text words.Text) *message.Message { return a.say(text, a.buttons("hint")...) }

func (s *Service) of(v *rules.Variant) []given.Puzzle { return s.puzzles[v.Key]() }

// game is the game with a key, nil if there is none.
func (s *Service) game(key string) *rules.Variant { return rules.Find(s.variants, key) }

// Count is how many puzzles a game has.
func (s *Service) Count(v *rules.Variant) int { return len(s.given(v, "")) }

// given are the numbers of a game's puzzles with a theme that are not withdrawn.
func (s *Service) given(v *rules.Variant, theme given.Theme) (numbers []int) {
	for number := range s.of(v) {
		if s.about(v, number, theme) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Daily is the puzzle of a game for a day, counted since 1970 or in any other way: the same for
// everybody, and not repeated before all had their day. It is nil for a game without puzzles.
func (s *Service) Daily(day int64, v *rules.Variant) *Task {
	given := s.given(v, "")
	all := int64(len(given))
	if all == 0 {
		return nil
	}
	step := all*5/8 + 1 // so that neighbors, which come from one game, are days apart
	for new(big.Int).GCD(nil, nil, big.NewInt(step), big.NewInt(all)).Int64() != 1 {
		step++
	}
	return s.Task(v, given[(day%all+all)%all*step%all], 0)
}

// Task is a turn of a game's puzzle with a number, both from 0; nil if there is none.
func (s *Service) Task(v *rules.Variant, number, turn int) *Task {
	if v == nil || number < 0 || number >= len(s.of(v)) {
		return nil
	}
	p := &s.of(v)[number]
	steps, err := p.Steps(v)
	return words.Either(err == nil && 0 <= turn && turn < p.Turns(), &Task{v, number, turn, p, steps}, nil)
}

// strength is the rating of a puzzle as an opponent: the computer's levels are about 200 apart.
func strength(p *given.Puzzle) rating.Rating {
	const easiest, apart, spread = 800, 200, 60
	return rating.Rating{Value: easiest + apart*float64(p.Level-1), Deviation: spread, Volatility: rating.MinVolatility}
}

// about reports whether a puzzle is about a theme ("" for any) and not withdrawn.
func (s *Service) about(v *rules.Variant, number int, theme given.Theme) bool {
	p := &s.of(v)[number]
	return !p.Withdrawn && (theme == "" || slices.Contains(p.Themes, theme))
}

// Choose is the number of the next puzzle for somebody, about a theme: one of the nearest to their
// rating among those they have not seen, or among all if they have seen all. It is -1 if there is
// none.
func (s *Service) Choose(who *storage.Person, v *rules.Variant, theme given.Theme) int {
	const near = 150
	seen := &who.Training
	all := s.given(v, theme)
	if len(all) == 0 {
		return -1
	}
	fresh := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return seen.Seen.Has(v.Key, i) })
	fresh = words.Either(len(fresh) > 0, fresh, all)
	mine := rating.At(&seen.Standing, seen.Standing.At).Value
	off := func(number int) float64 { return math.Abs(strength(&s.of(v)[number]).Value - mine) }
	nearest := slices.MinFunc(fresh, func(a, b int) int { return int(off(a) - off(b)) })
	fresh = slices.DeleteFunc(fresh, func(i int) bool { return off(i) > off(nearest)+near })
	first := slices.DeleteFunc(slices.Clone(fresh), func(i int) bool { // prefer puzzles that are more than one winning move
		p := &s.of(v)[i]
		return p.Turns() == 1 && slices.Equal(p.Themes, []given.Theme{given.Gain})
	})
	fresh = words.Either(len(first) > 0, first, fresh)
	if who.ID == 0 {
		return fresh[rand.IntN(len(fresh))]
	}
	// Different people get different puzzles first, and each the same if they ask again.
	draw := fnv.New32a()
	draw.Write([]byte(v.Key + strconv.FormatUint(uint64(who.ID), 10) + " " + strconv.Itoa(len(fresh))))
	return fresh[int(draw.Sum32()%uint32(len(fresh)))]
}

// A Task is a move to find: a turn of a puzzle.
type Task struct {
	variant      *rules.Variant
	number, turn int // from 0
	puzzle       *given.Puzzle
	steps        []given.Step
}

// Game is the key of the task's game.
func (t *Task) Game() string { return t.variant.Key }

// Ratings are the ratings of the puzzle and of a person at puzzles.
func (t *Task) Ratings(who *storage.Person) [2]string {
	s := &who.Training.Standing
	return [2]string{fmt.Sprintf("%.0f", strength(t.puzzle).Value), fmt.Sprintf("%.0f", rating.At(s, s.At).Value)}
}

// Number is the number of the puzzle, from 1.
func (t *Task) Number() int { return t.number + 1 }

// Position is where the move is to be found.
func (t *Task) Position() *rules.Position { return t.step().Before }

func (t *Task) step() *given.Step { return &t.steps[2*t.turn] }

// last are the effects of the answer that has led to the task.
func (t *Task) last() []rules.Effect {
	if t.turn == 0 {
		return nil
	}
	before := t.steps[2*t.turn-1]
	return before.Before.Effects(before.Move)
}

// end shows the position after the puzzle's last move.
func (t *Task) end() *diagram.Diagram {
	last := t.steps[len(t.steps)-1]
	return boardOf(last.After(), last.Before.Effects(last.Move), t.Position().Turn())
}

// Asks says what is to be done, without giving anything away.
func (t *Task) Asks() words.Text { return words.Say("puzzle.task", "side", t.Position().Turn()) }

// Line is the whole solution, and the position where it begins.
func (t *Task) Line() (from *rules.Position, line []rules.Move) {
	return t.steps[0].Before, phrase.Each(t.steps, func(s given.Step) rules.Move { return s.Move })
}

// Solution is the whole solution in move text, including the answers.
func (t *Task) Solution() words.Text {
	from, line := t.Line()
	return words.Of(words.Line(from, from.Line(line)))
}

// Judged is the result of a move at a task.
type Judged struct {
	Chat   string // the move as people write it
	Next   *Task  // the next turn, if it is the right move and not the last one
	Reply  string // the opponent's answer that leads there, as people write it
	Solved bool   // the move solves the puzzle
	Near   bool   // it is wrong, but another move of that piece is right
}

// Judge judges a legal move.
func (t *Task) Judge(m rules.Move) Judged {
	pos, right := t.Position(), t.step().Move
	j := Judged{Chat: pos.Chat(m)}
	switch next, err := pos.Play(m); {
	case m == right && t.turn+1 < t.puzzle.Turns():
		reply := t.steps[2*t.turn+1]
		j.Reply = reply.Before.Chat(reply.Move)
		j.Next = &Task{t.variant, t.number, t.turn + 1, t.puzzle, t.steps}
	case m == right, err == nil && given.Mates(next):
		j.Solved = true
	default:
		j.Near = m.From == right.From
	}
	return j
}
