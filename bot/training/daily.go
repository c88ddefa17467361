package training

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// quietPuzzles is after how many unanswered puzzles of the day they stop: a week's.
const quietPuzzles = 7

// finders is how many of a puzzle's finders are named with its solution.
const finders = 10

// A server that wants it gets a puzzle each day: everyone is told of it, each person answers alone,
// and its solution is told when the next one comes.
//
// # Design
//
// The time of a server's next puzzle is stored with its settings and in an index of all such times, so
// that other servers need not be looked at. Telling the puzzle and setting the next time is one
// transaction, so that it is told once, even if the program ends in between. Puzzles are numbered
// within their server: a streak is a run of such numbers, and survives days without a puzzle.
//
// How far somebody has solved a puzzle is stored, so that they can go on from another place. A button
// carries the server and the puzzle's code, which nobody can guess. Its presses are
//
//	daily <server> <code>                                  shows the puzzle as far as it is found
//	daily-pick <server> <code> <turn> <from> <to> <page>   lets a move be picked, as package message does
//	daily-try <server> <code> <turn> <move>                answers, with a coordinate text
//
// with turns counted from 0, so that answering twice counts once.

// next is the puzzle after a server's newest: of the server's usual game, else of each game in turn.
// Different servers get different puzzles. There is none if no game has puzzles.
func (p *Service) next(s *storage.Server, newest storage.Daily) (next storage.Daily, ok bool) {
	games := slices.DeleteFunc(slices.Clone(p.variants), func(v *rules.Variant) bool { return p.Count(v) == 0 })
	if len(games) == 0 {
		return next, false
	}
	next = storage.Daily{Number: newest.Number + 1, Code: strings.ToLower(rand.Text()[:10])}
	turn, v := next.Number+int(s.ID), rules.Find(games, s.Settings.Game)
	if v == nil {
		v = games[turn%len(games)]
		turn /= len(games)
	}
	next.Game = v.Key
	next.Puzzle = p.Daily(int64(turn)+int64(s.ID), v).number
	return next, true
}

// tooLate is how long after its time a puzzle can still be told: later, the next comes soon enough. If
// several were due meanwhile, only the last is told.
const tooLate = 12 * time.Hour

// TellDue tells the puzzles that are due, or that they stop where nobody answers. Calling it again
// does nothing.
func (p *Service) TellDue(ctx context.Context) error {
	for {
		server, err := storage.Read(ctx, p.store, func(r storage.Reader) (storage.Server, error) { return r.DueDaily(p.now()) })
		if err != nil || server.ID == 0 {
			return err
		}
		err = p.store.Update(ctx, func(w storage.Writer) error {
			now, err := w.Servers().Get(server.ID)
			if err != nil || now.Settings.Puzzles != server.Settings.Puzzles {
				return err // it was told already, or its time was changed
			}
			return p.tell(w, now)
		})
		if err != nil {
			return err
		}
	}
}

// tell tells a server's puzzle that is due.
func (p *Service) tell(w storage.Writer, s storage.Server) error {
	chosen := &s.Settings.Puzzles
	late := s.Settings.PuzzleAfter(p.now().Add(-tooLate)).After(p.now())
	chosen.Next = s.Settings.PuzzleAfter(p.now())
	newest, err := w.Dailies().Find(s.ID)
	d, ok := p.next(&s, newest)
	if err != nil || late || !ok {
		return errors.Join(err, w.Servers().Put(s))
	}
	if chosen.Quiet >= quietPuzzles {
		chosen.Next = time.Time{}
		rest := event.Event{Kind: event.PuzzlesRest, Payload: event.Puzzle{Puzzle: nameOf(&newest)}}
		return errors.Join(w.Servers().Put(s), w.Post(rest.Entry(chosen.Place, p.now())))
	}
	chosen.Quiet++
	found, err := p.finders(w.Reader, &s, &newest)
	before := event.Solved{Game: newest.Game, Number: newest.Puzzle, Found: newest.Found, Finders: found}
	told := event.Event{Kind: event.PuzzleTold, Payload: event.Puzzle{Puzzle: nameOf(&d), Before: before}}
	return errors.Join(err, w.Servers().Put(s), w.Dailies().Set(s.ID, d), w.Post(told.Entry(chosen.Place, p.now())))
}

func nameOf(d *storage.Daily) event.PuzzleName {
	return event.PuzzleName{Game: d.Game, Number: d.Puzzle, Code: d.Code}
}

// finders are the first finders of a puzzle who may be named, with their streaks.
func (p *Service) finders(r storage.Reader, s *storage.Server, d *storage.Daily) (finders []event.Finder, err error) {
	people, err := r.People().All(d.Finders)
	for _, who := range people {
		if who.Settings.Unranked || s.Hides(who.ID) {
			continue
		}
		solver, err2 := r.Solver(cmp.Or(who.Into, who.ID), s.ID)
		err = errors.Join(err, err2)
		finders = append(finders, event.Finder{Person: who.ID, Streak: solver.Row(d.Number)})
	}
	return finders, err
}

// answered notes that somebody has answered a server's newest puzzle: if puzzles had stopped, they go
// on.
func (p *Service) answered(w storage.Writer, id storage.ServerID) error {
	s, err := w.Servers().Get(id)
	chosen := &s.Settings.Puzzles
	if err != nil || chosen.Place == 0 || chosen.Quiet == 0 {
		return err
	}
	chosen.Quiet = 0
	if chosen.Next.IsZero() {
		chosen.Next = s.Settings.PuzzleAfter(p.now())
	}
	return w.Servers().Put(s)
}

// DailyPuzzle is a server's newest puzzle, and how far somebody has solved it.
type DailyPuzzle struct {
	exercise
	*Task
	daily  storage.Daily
	solver storage.Solver
}

// look reads a server's newest puzzle and somebody's progress in it; nil if the puzzle is no longer
// known.
func (p *Service) look(r storage.Reader, at Learner, server storage.ServerID) (*DailyPuzzle, error) {
	d, err := r.Dailies().Find(server)
	solver, err2 := r.Solver(at.Person.ID, server)
	solver.Begin(d.Number)
	return p.onTurn(at, d, solver), errors.Join(err, err2)
}

// onTurn is a puzzle at the move that somebody has to find, the first if all are found; nil if there
// is no such move.
func (p *Service) onTurn(at Learner, d storage.Daily, solver storage.Solver) *DailyPuzzle {
	t := p.Task(p.game(d.Game), d.Puzzle, words.Either(solver.Over(), 0, solver.Turn))
	if t == nil {
		return nil
	}
	return &DailyPuzzle{exercise{
		training: p, at: at, pos: t.Position(), last: t.last(), kind: "daily", show: "daily",
		name: []string{fmt.Sprint(solver.Server), d.Code}, only: []string{strconv.Itoa(solver.Turn)},
		title: func(said words.Text) words.Text { return words.Daily(t.variant, said) },
	}, t, d, solver}
}

// daily does what a press says, whose first words name a puzzle; if the puzzle is over, it says so.
func (p *Service) daily(ctx context.Context, at Learner, act string, args []string) (said *message.Message, err error) {
	server, _ := strconv.ParseUint(args[0], 10, 64) // 0 is no server
	err = p.store.Update(ctx, func(w storage.Writer) error {
		_, gone := w.Servers().Get(storage.ServerID(server))
		l, err := p.look(w.Reader, at, storage.ServerID(server))
		switch {
		case err != nil:
			return err
		case storage.Missing(gone), l == nil, l.daily.Code != args[1]: // there is another puzzle by now
			said = &message.Message{To: at.Person.ID, Text: words.Say("daily.over")}
		case act == "":
			said = l.ask()
			return l.keep(w)
		case l.Solved(), args[2] != l.only[0]:
			said = l.ask()
		case act == "pick":
			said = l.Pick(args[3], args[4], args[5])
		default:
			said, err = l.try(w, args[3])
		}
		return err
	})
	return said, err
}

// keep stores that somebody is now at a puzzle, and their progress.
func (l *DailyPuzzle) keep(w storage.Writer) error {
	l.solver.At = l.training.now().UTC()
	return w.Solvers().Put(l.solver)
}

// ask asks for the move, unless all are found.
func (l *DailyPuzzle) ask() *message.Message {
	if l.Solved() {
		return l.end(words.Say("daily.known", "n", l.solver.Found, "streak", l.solver.Row(l.daily.Number)))
	}
	said := l.Pick(message.None, message.None, "0")
	said.Text = l.title(words.Join(" ", asks(l.Task), words.Say("course.pick-piece")))
	said.Buttons = said.Buttons[:len(said.Buttons)-1] // there is no way back from the first choice
	return said
}

// try tries a move.
func (l *DailyPuzzle) try(w storage.Writer, text string) (said *message.Message, err error) {
	m, refused, err := l.read(text, l.moveButton())
	if refused != nil || err != nil {
		return refused, err
	}
	switch j := l.Judge(m); {
	case j.Solved:
		l.solver.Turn = l.puzzle.Turns()
		l.solver.Find()
		l.daily.Found++
		if len(l.daily.Finders) < finders {
			l.daily.Finders = append(l.daily.Finders, l.at.Person.ID)
		}
		err = w.Dailies().Set(l.solver.Server, l.daily)
		said = l.end(words.Say("daily.right", "move", j.Chat, "n", l.solver.Found, "streak", l.solver.Streak))
		said.Board = l.Task.end()
	case j.Next != nil:
		l.solver.Turn++
		next := l.training.onTurn(l.at, l.daily, l.solver)
		said = next.say(words.Say("puzzle.right", "move", j.Chat, "reply", j.Reply, "side", next.pos.Turn().Other()), next.moveButton())
	default:
		said = l.say(words.Say("puzzle.wrong", "move", j.Chat, "near", j.Near), l.moveButton())
	}
	return said, errors.Join(err, l.training.answered(w, l.solver.Server), l.keep(w))
}

// asks says what is to be done in a puzzle from a turn on.
func asks(t *Task) words.Text {
	return words.Of(t.Asks(), " ", words.Say("daily.moves", "n", t.puzzle.Turns()-t.turn))
}

// end is a message without a board.
func (l *DailyPuzzle) end(text words.Text) *message.Message {
	return &message.Message{To: l.at.Person.ID, Text: l.title(text), Step: true}
}

// OpenDaily is the unsolved puzzle of the day that somebody has before them; else the newest puzzle of
// a server, if they have not solved it and a text is a legal move there; else one that they have just solved; else nil.
func (p *Service) OpenDaily(ctx context.Context, at Learner, here storage.ServerID, text string) (*DailyPuzzle, error) {
	return storage.Read(ctx, p.store, func(r storage.Reader) (open *DailyPuzzle, err error) {
		var solved *DailyPuzzle
		all, err := r.Solvers().List(at.Person.ID)
		for _, s := range all {
			if p.now().Sub(s.At) > fresh || open != nil && s.At.Before(open.Shown()) {
				continue
			}
			switch now, err := p.look(r, at, s.Server); {
			case err != nil:
				return nil, err
			case now == nil || now.daily.Number != s.Number:
			case now.Solved():
				solved = now
			default:
				open = now
			}
		}
		if open != nil || here == 0 || err != nil {
			return cmp.Or(open, solved), err
		}
		if open, err = p.look(r, at, here); open == nil || open.Solved() || !open.Legal(text) {
			return solved, err
		}
		return open, err
	})
}

// Solved reports whether the person has solved the puzzle.
func (l *DailyPuzzle) Solved() bool { return l.solver.Over() }

// Shown is when the person last looked at the puzzle.
func (l *DailyPuzzle) Shown() time.Time { return l.solver.At }

// Try tries a move.
func (l *DailyPuzzle) Try(ctx context.Context, text string) (*message.Message, error) {
	return l.training.daily(ctx, l.at, "try", slices.Concat(l.name, l.only, []string{text}))
}

// Tell tells an entry about a puzzle of the day in a server; the message is empty if the puzzle is no
// longer known.
func (p *Service) Tell(ctx context.Context, server storage.ServerID, e storage.Entry) (said message.Message, err error) {
	payload := event.PayloadOf[event.Puzzle](&e)
	solution, err := p.solution(ctx, payload.Before)
	if err != nil {
		return said, err
	}
	t := p.Task(p.game(payload.Puzzle.Game), payload.Puzzle.Number, 0)
	if t == nil {
		return message.Message{Text: solution}, nil
	}
	said.Buttons = []message.Button{message.NewButton(words.Label("move"), "daily", 0, message.None, fmt.Sprint(server), payload.Puzzle.Code)}
	if event.Kind(e.Kind) == event.PuzzlesRest {
		said.Text = words.Say("daily.rest")
		return said, nil
	}
	said.Board = boardOf(t.Position(), t.last(), t.Position().Turn())
	said.Text = words.Join("\n", solution, words.Daily(t.variant, asks(t)), words.Say("daily.how", "move", words.Label("move")))
	return said, nil
}

// solution tells the solution of a puzzle, and who has found it; nothing if there was none.
func (p *Service) solution(ctx context.Context, solved event.Solved) (words.Text, error) {
	t := p.Task(p.game(solved.Game), solved.Number, 0)
	if t == nil {
		return nil, nil
	}
	finders, err := storage.Read(ctx, p.store, func(r storage.Reader) (finders []words.Text, err error) {
		for _, f := range solved.Finders {
			name, err2 := r.NameOf(f.Person)
			err = errors.Join(err, err2)
			finders = append(finders, words.Say("daily.finder", "player", name, "streak", f.Streak))
		}
		return finders, err
	})
	return words.DailySolution(t.variant, t.Solution(), finders, solved.Found), err
}

// Today is the number of the day, since 1970 and in UTC.
func (p *Service) Today() int { return int(storage.UnixDay(p.now())) }

// OfDay is the puzzle of a day, the same for everybody; each weekday has a game of its own.
func (p *Service) OfDay(day int) *Task {
	const week = 7
	games := slices.DeleteFunc(slices.Clone(p.variants), func(v *rules.Variant) bool { return p.Count(v) == 0 })
	return p.Daily(int64(day/week), games[day%week%len(games)])
}

// DayOf is the day whose puzzle is the game's with a number, from 0, if it may still be answered:
// today or yesterday; else 0.
func (p *Service) DayOf(v *rules.Variant, number int) int {
	for day := p.Today(); day >= p.Today()-1; day-- {
		if t := p.OfDay(day); t.variant == v && t.number == number {
			return day
		}
	}
	return 0
}

// OnDay is somebody's result in the puzzle of a day.
func (p *Service) OnDay(ctx context.Context, who storage.PersonID, day int) (storage.Solver, error) {
	return storage.Read(ctx, p.store, func(r storage.Reader) (storage.Solver, error) {
		now, err := r.Solver(who, storage.World)
		now.Begin(day)
		return now, err
	})
}

// OnItsDay is the press that shows the puzzle of today, solved if it is over for somebody.
func (p *Service) OnItsDay(ctx context.Context, who storage.PersonID) (press string, err error) {
	found, err := p.OnDay(ctx, who, p.Today())
	t := p.OfDay(p.Today())
	if last := len(t.steps) - 1; found.Over() {
		return fmt.Sprintf("day-try 0 - %s %d %d %s", t.variant.Key, t.number, last/2, t.variant.Coordinate(t.steps[last].Move)), err
	}
	return fmt.Sprintf("day-at 0 - %s %d 0", t.variant.Key, t.number), err
}

// note stores how the move of a puzzle of the day was found, or that it was not.
func (a *Attempt) note(ctx context.Context, how byte, ends bool) error {
	if a.day == 0 || a.at.Person.ID == 0 {
		return nil
	}
	return a.training.store.Update(ctx, func(w storage.Writer) error {
		now, err := w.Solver(a.at.Person.ID, storage.World)
		if now.Number > a.day {
			return err // they are at the next puzzle
		}
		now.Begin(a.day)
		now.At = a.training.now().UTC()
		now.Mark(a.turn, words.Either(how == storage.Told, a.puzzle.Turns(), a.turn+1), how)
		if ends && !now.Over() {
			now.Find()
		}
		return errors.Join(err, w.Solvers().Put(now))
	})
}
