package bot

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Course is the course and the puzzles of a game, with a person's progress.
type Course struct {
	Guide
	All, Done int             // lessons
	Next      int             // from 1: the lesson that comes now, the first again after the last
	Board     diagram.Diagram // of that lesson
	Puzzles   int             // all that it has
	Opens     int             // the number of the puzzle that they get next, from 1; 0 if there is none
	Found     int             // how many they have solved
	Beaten    int             // the highest level of the computer that they have beaten, 0 for none
}

// Courses are the courses of all games, with the progress of the author of a message.
func (b *Bot) Courses(ctx context.Context, m message.Incoming) (all []Course, err error) {
	r, _ := b.Asker(ctx, m)
	for _, g := range b.Guides(r.Language()) {
		v := b.Games.Variant(g.Key)
		c := Course{Guide: g, All: len(v.Course), Done: r.Me.Studies.Done[v.Key], Puzzles: b.Training.Count(v), Opens: b.Training.Choose(&r.Me, v, "") + 1, Found: r.Me.Training.Found.Count(v.Key)}
		if left, waits := r.Me.Training.Waits(v.Key); waits {
			c.Opens = left.Number + 1
		}
		c.Next = words.Either(c.Done < c.All, c.Done+1, 1)
		pos, err := v.Position(v.Course[c.Next-1].FEN)
		feat, err2 := storage.Read(ctx, b.Store, func(read storage.Reader) (storage.BeatenLevel, error) { return read.BeatenLevel(r.Me.ID, v.Key) })
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		c.Beaten = feat.Level
		c.Board = diagram.Of(pos, nil, pos.Turn())
		c.Board.Coords, c.Board.Idle = diagram.NoCoords, true
		all = append(all, c)
	}
	return all, nil
}

// Study is a lesson or a puzzle, as shown to a person who can move pieces on its board.
type Study struct {
	*message.Exercise
	Touched
	Called        string         // their name
	Known         bool           // progress is stored
	Number        int            // of the lesson or the puzzle, from 1
	Found         storage.Solver // how they have found it, if it is the puzzle of a day; else its Number is 0
	Day, Tomorrow string         // the day, and the game of the next day's puzzle
	Lessons       int            // of its course; 0 for a puzzle
	Done          int            // of those
	Ratings       [2]string      // the puzzle's and theirs, unless it is that of a day
	Counts        bool           // it says that an answer counts for the rating
	How           string         // a puzzle was found: the worst mark of [storage.Solver], "" for at once
	Frames        []Frame        // the moves that led to the board; in a puzzle from its beginning, with the answer to a wrong move
	First         int            // the first Frame that is new
	Home          int            // the Frame whose board stays; -1 for none

	won  computer.Trade // by a solution
	gain words.Text     // what is said of that, unless a move has said it
}

// Frame is a board after a move, with the move's effects, as [Choice.Does] and in words; or the board
// before the first move.
type Frame struct {
	Board diagram.Diagram
	Does  []string
	Move  string // with its number, as in [Step]
	Says  words.Text
}

// Study does what a message says about lessons and puzzles, and shows the exercise that follows; nil
// if there is none. A stranger may press buttons.
func (b *Bot) Study(ctx context.Context, m message.Incoming) (_ *Study, _ []message.Message, err error) {
	r, _ := b.Asker(ctx, m)
	var told []message.Message
	if r.Me.ID != 0 {
		told, _ = b.Handle(ctx, m) // an error has its note
		r, _ = b.Asker(ctx, m)
	} else if p, _, _, args, ok := pressed(m.Press); ok && (strings.HasPrefix(p.verb, "lesson") || strings.HasPrefix(p.verb, "puzzle") || strings.HasPrefix(p.verb, "day-")) {
		said, err := b.Training.Press(ctx, training.Learner{Private: true}, p.verb, args)
		if err != nil || said == nil {
			return nil, nil, err
		}
		said.For(b.audience(r))
		told = replies(said)
	}
	if len(told) != 1 || told[0].Exercise == nil {
		return nil, told, nil
	}
	s := &Study{Touched: Touched{Note: told[0]}, Exercise: told[0].Exercise, Known: r.Me.ID != 0, Home: -1}
	name := strings.Fields(s.Name)
	v := b.Games.Variant(name[1])
	s.Kind, s.Notation, s.Called = v.Key, v.Notation, v.Title().Text(r.Language())
	n, _ := strconv.Atoi(name[2])
	if s.Number = n + 1; name[0] == "lesson" {
		s.Lessons, s.Done = len(v.Course), r.Me.Studies.Done[v.Key]
	} else {
		t := b.Training.Task(v, n, 0)
		b.lead(ctx, r, s, t)
		s.Ratings = words.Either(name[0] == "day", s.Ratings, t.Ratings(&r.Me))
		if last := &r.Me.Training; last.Game == v.Key && last.Number == n {
			s.How, s.Counts = last.Missed, s.Known && !last.Counted
		}
	}
	if name[0] == "day" {
		if s.Found, err = b.Training.OnDay(ctx, r.Me.ID, b.Training.DayOf(v, n)); err != nil {
			return nil, nil, err
		}
		if s.How, s.Counts = "", s.Known && !s.Found.Over(); s.Found.Marks != "" {
			s.How = string(slices.Max([]byte(s.Found.Marks)))
		}
		s.Day = chart.Date(time.Unix(0, 0).UTC().AddDate(0, 0, s.Found.Number)).Text(r.Language())
		s.Tomorrow = b.Games.Variant(b.Training.OfDay(s.Found.Number + 1).Game()).Title().Text(r.Language())
	}
	if s.Position != nil {
		s.Choices = choicesIn(r, s.Position)
	}
	err = b.film(ctx, s)
	if s.Position == nil && s.Home > 0 {
		*s.Note.Board = s.Frames[s.Home].Board
		s.Note.Board.Legend = words.Legend(v, phrase.Each(s.Frames, func(f Frame) diagram.Diagram { return f.Board })...)
	}
	s.Note.Board.Idle = true // the text above tells whose turn it is
	s.drawn()
	return s, nil, err
}

// refutation is the longest time to think about a wrong answer; it takes some hundredths of a second
// on an idle machine.
const refutation = 5 * time.Second

// lead makes the moves of a puzzle replayable step by step. A solution goes on until its gain is on
// the board, and says what that is.
func (b *Bot) lead(ctx context.Context, r Request, s *Study, t *training.Task) {
	e := s.Exercise
	from, line := t.Line()
	turn, _ := strconv.Atoi(strings.Fields(e.Name)[3])
	made, task := line[:2*turn], words.Text(nil)
	switch {
	case e.Missed:
		if best, refuted := b.advised(ctx, e); best != nil { // without one it is wrong all the same
			e.Line = append(e.Line, best[0])
			e.Told = words.Join(" ", e.Told, refuted.In(r.Language()))
		}
	case e.Position != nil && e.Own: // it was right, and was answered
		made = made[:len(made)-len(e.Line)]
	case len(e.Line) > 0:
		best, _ := b.advised(ctx, e) // none if the game is over, or if it takes too long
		rest, won, pawns := computer.PlayOut(from, append(line, best...), len(line))
		e.Line, e.Position, task = append(e.Line, rest...), nil, e.Task
		s.won, s.gain, e.Told = won, words.PlayedOut(from, won, pawns), words.Either(e.Own, e.Told, nil)
	}
	if e.From, e.Line, s.First = from, slices.Concat(made, e.Line), len(made)+1; len(e.Line) > 0 {
		s.Home = words.Either(e.Position == nil, len(e.Line), 2*turn)
		s.Frames = []Frame{{Board: diagram.Of(from, nil, s.Note.Board.Bottom).ShowZones(from.Influences()), Says: task}}
	}
}

// advised is the best line after the moves of an exercise, and how it refutes the first of them;
// nothing if it takes too long.
func (b *Bot) advised(ctx context.Context, e *message.Exercise) (line []rules.Move, refuted words.Text) {
	ctx, end := context.WithTimeout(ctx, refutation)
	defer end()
	last := e.From
	for _, m := range e.Line {
		next, err := last.Play(m)
		if err != nil {
			return nil, nil
		}
		last = next
	}
	found, err := b.Thinker.Advise(ctx, rules.NewGame(last))
	if err != nil {
		return nil, nil
	}
	return found.Moves, words.Refuted(last, found.Line)
}

// film draws the moves that led to the board, and says what they do; in a solution, also what the
// solver's own moves threaten.
func (b *Bot) film(ctx context.Context, s *Study) error {
	pos, moves, sums := s.From, steps(s.From, s.Line, 0), []words.Text(nil)
	for i, m := range s.Line {
		next, err := pos.Play(m)
		if err != nil {
			return err
		}
		v, effects, why := pos.Variant(), pos.Effects(m), computer.Reason{}
		if s.Position == nil && s.Home > 0 && i%2 == 0 {
			why, _ = computer.Threat(ctx, pos, m, next, b.Thinker.Advise)
		}
		said := words.Join(" ", words.Why(pos, why), words.If(next.Status() == rules.Mated || next.Status() == rules.Checkmate, words.Join(" ", words.Say("hint.mates", "move", pos.Chat(m), "n", 1), words.Of(next.Warning()))...))
		if why.Wins != nil && why.More == 0 && slices.Equal(why.Wins, s.won.Took) && slices.Equal(why.For, s.won.Gave) {
			s.gain = nil
		}
		sums = append(sums, words.If(said != nil && i < s.Home-1, words.Say("board.last", "move", moves[i].Text, "did", said)...)) // it is read at the end, too
		d := diagram.Of(next, effects, s.Note.Board.Bottom).ShowZones(next.Influences())
		s.Frames = append(s.Frames, Frame{d, does(v, effects), moves[i].Text, words.Join(" ", words.Of(v.Describe(effects)), said)})
		pos = next
	}
	s.Told = words.Lines(append(sums, words.Join(" ", s.gain, s.Told))).In(s.Note.Language)
	for i := range s.Frames {
		d := &s.Frames[i].Board
		d.Theme, d.Chosen, d.Letters, d.Coords, d.Idle = s.Note.Board.Theme, s.Note.Board.Chosen, s.Note.Board.Letters, s.Note.Board.Coords, true
	}
	return nil
}

// Tried draws the board after a move in an exercise that is named as in [message.Exercise]; nil if there is none.
func (b *Bot) Tried(ctx context.Context, from message.Incoming, name, move string) *diagram.Diagram {
	pos := b.Training.Position(strings.Fields(name))
	if pos == nil {
		return nil
	}
	m, err := pos.ParseCoordinate(move)
	after, err2 := pos.Play(m)
	if err != nil || err2 != nil {
		return nil
	}
	n := message.Message{Board: new(diagram.Of(after, pos.Effects(m), pos.Turn()))}
	r, _ := b.Asker(ctx, from)
	n.For(b.audience(r))
	return n.Board
}
