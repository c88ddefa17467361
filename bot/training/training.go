// Package training teaches people: lessons, puzzles and the puzzle of the day.
//
// # Design
//
// An exercise is a move to find, and is solved in the same way whether it is a lesson, a puzzle, or a
// server's puzzle of the day. Its moves belong to no game in progress. Each button names its exercise,
// so that no button is ever stale, and pressing it twice does no harm; [Service.Press] reads all of
// them.
//
// A [Task] is a turn of a puzzle, and judges moves. It knows nothing of who solves it, so that the
// same tasks serve single people and whole servers.
//
// Stored with a person are how far they are in each course, their current lesson and puzzle, a bit for
// each puzzle that they were shown, and a Glicko-2 rating, in which a puzzle is an opponent of fixed
// strength: the first answer counts, but no puzzle changes much. A hint halves the gain; being told
// the move counts as a wrong answer. A stranger learns too, but nothing is stored. The presses of
// puzzles are
//
//	puzzle <game> <theme>                                 shows a new puzzle, "-" for any theme
//	puzzle-at <game> <number> <turn>                      shows a task, both counted from 0
//	puzzle-hint <game> <number> <turn>                    tells where the move begins
//	puzzle-piece <game> <number> <turn>                   tells the piece
//	puzzle-tell <game> <number> <turn>                    tells the move, which is still to be played
//	puzzle-move <game> <number> <turn>                    tells the move, and shows the solution
//	puzzle-pick <game> <number> <turn> <from> <to> <page> lets a move be picked, as package message does
//	puzzle-try <game> <number> <turn> <move>              answers, with a coordinate text
//
// and, with day instead of puzzle, those of the puzzle of the day on pages, which is the same for
// everybody.
package training

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// Service gives people lessons, puzzles and the puzzle of the day. It is safe for concurrent use.
type Service struct {
	store    *storage.Store
	now      func() time.Time
	variants []*rules.Variant
	puzzles  map[string]func() []given.Puzzle // by the keys of games
}

// New makes the Service for some games, whose puzzles are read when first asked for. now is the wall
// clock.
func New(store *storage.Store, variants []*rules.Variant, now func() time.Time) *Service {
	s := &Service{store, now, variants, map[string]func() []given.Puzzle{}}
	for _, v := range variants {
		s.puzzles[v.Key] = sync.OnceValue(func() []given.Puzzle {
			all, _ := given.Read(v) // tests of the game report an error; a game without puzzles is still a game
			return all
		})
	}
	return s
}

// fresh is how long somebody is taken to be looking at a lesson or a puzzle.
const fresh = time.Hour

// Learner is a person who learns, and where.
type Learner struct {
	Person  storage.Person
	Place   storage.PlaceID
	Private bool // nobody else is there: what they write is for the bot
}

// before reports whether something shown to the learner at a place is still before them.
func (at *Learner) before(place storage.PlaceID, shown, now time.Time) bool {
	return (place == at.Place || at.Private) && now.Sub(shown) <= fresh
}

// Exercise is what a learner has before them: a [Lesson] or an [Attempt] at a puzzle.
type Exercise interface {
	// Shown is when the exercise was shown, if it was the last one shown.
	Shown() time.Time
	// Solved reports whether the exercise shown last was solved.
	Solved() bool
	// Legal reports whether a text is a legal move in it.
	Legal(text string) bool
	// Show shows it.
	Show(ctx context.Context) (*message.Message, error)
	// Try tries a move.
	Try(ctx context.Context, text string) (*message.Message, error)
	// Help helps, a step further each time.
	Help(ctx context.Context) (*message.Message, error)
	// Pick lets a move be picked: from a square to another, [message.None] where that is not chosen
	// yet; page counts the pages of choices.
	Pick(from, to, page string) *message.Message
	// Next goes on to the next exercise; in a course, only once this one is answered.
	Next(ctx context.Context) (*message.Message, error)

	hint(ctx context.Context) (*message.Message, error)
	piece(ctx context.Context) (*message.Message, error)
	tell(ctx context.Context) (*message.Message, error)
	position() *rules.Position
}

// Open is the current lesson or puzzle of somebody, solved or not; nil if there is none.
func (s *Service) Open(at Learner) (found Exercise) {
	studies, puzzle := &at.Person.Studies, &at.Person.Training
	if at.before(studies.Place, studies.At, s.now()) {
		if l := s.lesson(at, s.game(studies.Game), studies.Lesson); l != nil {
			found = l
		}
	}
	if at.before(puzzle.Place, puzzle.At, s.now()) && (found == nil || !puzzle.At.Before(studies.At)) {
		t, day := puzzle.Tried, 0
		if puzzle.Day.Game != "" {
			t, day = puzzle.Day, s.DayOf(s.game(puzzle.Day.Game), puzzle.Day.Number)
		}
		if a := s.Attempt(at, s.game(t.Game), t.Number, t.Turn, day); a != nil {
			found = a
		}
	}
	return found
}

// Press does what one of this package's buttons says: a verb and the words that follow. It returns nil
// if they name nothing that exists.
func (s *Service) Press(ctx context.Context, at Learner, verb string, args []string) (*message.Message, error) {
	kind, act, _ := strings.Cut(verb, "-")
	switch v := s.game(args[0]); {
	case kind == "daily":
		return s.daily(ctx, at, act, args)
	case verb == "puzzle" && v != nil:
		return s.NextPuzzle(ctx, at, v, given.Named(args[1]))
	}
	e, args := s.named(at, kind, args)
	if e == nil {
		return nil, nil
	}
	switch act {
	case "hint":
		return e.hint(ctx)
	case "piece":
		return e.piece(ctx)
	case "tell":
		said, err := e.tell(ctx)
		said.Exercise.Line = nil
		return said, err
	case "move":
		return e.tell(ctx)
	case "pick":
		return e.Pick(args[0], args[1], args[2]), nil
	case "try":
		return e.Try(ctx, args[0])
	default:
		return e.Show(ctx)
	}
}

// named is the exercise of a kind that words name, and the words after those; nil if there is none.
func (s *Service) named(at Learner, kind string, args []string) (Exercise, []string) {
	if v := s.game(args[0]); kind == "lesson" && len(args) > 1 {
		if l := s.lesson(at, v, index(args[1])); l != nil {
			return l, args[2:]
		}
	} else if (kind == "puzzle" || kind == "day") && len(args) > 2 {
		day := 0
		if kind == "day" {
			day = s.DayOf(v, index(args[1]))
		}
		if a := s.Attempt(at, v, index(args[1]), index(args[2]), day); a != nil && (day != 0 || kind == "puzzle") {
			return a, args[3:]
		}
	}
	return nil, nil
}

// Position is the position of an exercise, named as in [message.Exercise]; nil if there is none.
func (s *Service) Position(name []string) *rules.Position {
	if len(name) < 2 {
		return nil
	}
	if e, _ := s.named(Learner{}, name[0], name[1:]); e != nil {
		return e.position()
	}
	return nil
}

// index is a number from 0 on a button, -1 if it is not one.
func index(text string) int {
	n, err := strconv.Atoi(text)
	return words.Either(err == nil, n, -1)
}

// exercise is a move to find, as one person has it before them: lessons, puzzles and the puzzle of the
// day are all solved through it.
type exercise struct {
	training *Service
	at       Learner
	pos      *rules.Position
	last     []rules.Effect // of the move that has led to the position
	kind     string         // the beginning of its buttons' verbs
	show     string         // the verb that shows it
	name     []string       // the words that name it on its buttons
	only     []string       // words that follow on the buttons for this move only
	further  message.Button // leads elsewhere
	title    func(words.Text) words.Text
	asks     words.Text // what is to be done
}

func (e *exercise) position() *rules.Position { return e.pos }

func (e *exercise) button(label phrase.Phrase, verb string, more ...string) message.Button {
	return message.NewButton(label, verb, 0, message.None, slices.Concat(e.name, words.If(verb != e.show, e.only...), more)...)
}

// choice makes the picker's buttons.
func (e *exercise) choice(label phrase.Phrase, verb string, more ...string) message.Button {
	return e.button(label, map[string]string{"pick": e.kind + "-pick", "sure": e.kind + "-try", "back": e.show}[verb], more...)
}

func (e *exercise) moveButton() message.Button {
	return e.button(words.Label("move"), e.kind+"-pick", message.None, message.None, "0")
}

func (e *exercise) playButton(m rules.Move) message.Button {
	return e.button(phrase.As(e.pos.Chat(m)), e.kind+"-try", e.pos.Variant().Coordinate(m))
}

// buttons are the buttons below an exercise that waits for its move.
func (e *exercise) buttons(hint string) []message.Button {
	return []message.Button{e.moveButton(), e.button(words.Label("hint"), e.kind+"-"+hint), e.further}
}

// boardOf shows a position as a side sees it.
func boardOf(pos *rules.Position, last []rules.Effect, side rules.Color) *diagram.Diagram {
	return new(diagram.Of(pos, last, side).ShowZones(pos.Influences()))
}

// say is a message with the board.
func (e *exercise) say(text words.Text, buttons ...message.Button) *message.Message {
	said := &message.Message{
		To: e.at.Person.ID, Text: e.title(text), Buttons: buttons, Step: true,
		Exercise: &message.Exercise{Name: strings.Join(append([]string{e.kind}, e.name...), " "), Position: e.pos, Task: e.asks, Told: text},
	}
	return e.draw(said, boardOf(e.pos, e.last, e.pos.Turn()))
}

// draw puts a board on a message, with what its signs mean.
func (e *exercise) draw(said *message.Message, d *diagram.Diagram) *message.Message {
	d.Legend = words.Legend(e.pos.Variant(), *d)
	said.Board = d
	return said
}

// mark marks on the board of a message a piece and where its moves lead.
func (e *exercise) mark(said *message.Message, piece rules.Square, moves ...rules.Move) {
	e.draw(said, new(said.Board.ShowMoves(piece, moves)))
}

// answered makes a message show the moves that have led on from the exercise; the first was tried by
// the learner.
func (e *exercise) answered(said *message.Message, missed bool, line ...rules.Move) *message.Message {
	shown := said.Exercise
	shown.From, shown.Line, shown.Own, shown.Missed = e.pos, line, true, missed
	return said
}

// Pick implements [Exercise].
func (e *exercise) Pick(from, to, page string) *message.Message {
	shape := e.pos.Variant().Shape
	piece, target := shape.Parse(from), shape.Parse(to)
	said := e.say(words.Pick(shape, piece, target, words.Say("course.pick-piece")), message.NewPicker(e.pos, e.choice).Page(piece, target, max(index(page), 0))...)
	if piece != rules.NoSquare {
		e.mark(said, piece, e.pos.Moves()...)
	}
	return said
}

// read reads a move. An illegal one is refused, with buttons for badly written moves that may be
// meant, and others after them.
func (e *exercise) read(text string, others ...message.Button) (m rules.Move, refused *message.Message, err error) {
	m, err = e.pos.Parse(text)
	no := (*rules.Illegal)(nil)
	if !errors.As(err, &no) {
		return m, nil, err
	}
	if len(no.Asked()) == 0 {
		no.Nearest = nil // one of the nearest moves may be the answer
	}
	var buttons []message.Button
	for _, chat := range no.Close() {
		if near, err := e.pos.Parse(chat); err == nil {
			buttons = append(buttons, e.playButton(near))
		}
	}
	return m, e.say(words.Of(no.Phrase()), append(buttons, others...)...), nil
}

// tells tells a move, which is still to be played; line are the moves from it on.
func (e *exercise) tells(m rules.Move, line ...rules.Move) *message.Message {
	said := e.say(words.Say("course.move", "move", e.pos.Chat(m), "did", e.pos.Variant().Describe(e.pos.Effects(m))), e.playButton(m), e.button(words.Label("back"), e.show))
	e.mark(said, m.From, m)
	said.Exercise.From, said.Exercise.Line = e.pos, append([]rules.Move{m}, line...)
	return said
}

// Legal implements [Exercise].
func (e *exercise) Legal(text string) bool {
	_, err := e.pos.Parse(text)
	return err == nil
}

// how says how to answer, at the first exercise somebody gets.
func (e *exercise) how() words.Text {
	return words.Say("course.how", "move", words.Label("move"), "alone", e.at.Private)
}

// keep changes what is stored of a person; nothing is stored of a stranger.
func (e *exercise) keep(ctx context.Context, change func(*storage.Person)) error {
	if e.at.Person.ID == 0 {
		change(&e.at.Person)
		return nil
	}
	return e.training.store.Update(ctx, func(w storage.Writer) error { return w.People().Change(e.at.Person.ID, change) })
}
