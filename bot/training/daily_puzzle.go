package training

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"chimera/bot/limit"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// dailyPuzzle is a server's newest puzzle, as far as somebody has found it.
type dailyPuzzle struct {
	training *Service
	at       Learner
	task     *Task // the move that is to be found; the last one that was, if all are
	daily    storage.Daily
	solver   storage.Solver
	seen     bool // that somebody is at it is to be kept
	tried    bool // it was answered
	found    bool // it was found, for the first time
}

// errOver is about a puzzle that is the newest no more.
var errOver = errors.New("daily: there is another puzzle by now")

// errUnchanged ends a transaction that has nothing to keep.
var errUnchanged = errors.New("daily: nothing has changed")

// turn is that of a server's puzzle, the last for those behind it; nil if it is not known any more.
func (p *Service) turn(d *storage.Daily, turn int) *Task {
	v := p.game(d.Game)
	first := p.Task(v, d.Puzzle, 0)
	if first == nil {
		return nil
	}
	return p.Task(v, d.Puzzle, min(turn, first.puzzle.Turns()-1))
}

// look reads a server's newest puzzle and what somebody has found of it, or fails with errOver if
// that has another code.
func (p *Service) look(r storage.Reader, at Learner, server storage.ServerID, code string) (*dailyPuzzle, error) {
	if _, err := r.Servers().Get(server); storage.Missing(err) {
		return nil, errOver
	}
	d, err := r.Dailies().Find(server)
	solver, err2 := r.Solver(at.Person.ID, server)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	solver.Begin(d.Number)
	l := &dailyPuzzle{training: p, at: at, task: p.turn(&d, solver.Turn), daily: d, solver: solver}
	if d.Code != code || l.task == nil {
		return nil, errOver
	}
	return l, nil
}

// daily does what a press says, of which the first words name a puzzle; what is over is said.
func (p *Service) daily(ctx context.Context, at Learner, act string, args []string) (said *message.Message, err error) {
	server, _ := strconv.ParseUint(args[0], 10, 64) // 0 is no server
	err = p.store.Update(ctx, func(w storage.Writer) error {
		l, err := p.look(w.Reader, at, storage.ServerID(server), args[1])
		if err != nil {
			return err
		}
		if said, err = l.press(act, args[2:]); err != nil {
			return err
		}
		if !l.seen {
			return errUnchanged
		}
		return l.keep(w)
	})
	switch {
	case errors.Is(err, errOver):
		return &message.Message{To: at.Person.ID, Text: words.Say("daily.over")}, nil
	case errors.Is(err, errUnchanged):
		err = nil
	}
	return said, err
}

// press shows the puzzle as far as it is found, and else the next choice on the way to a move, or
// tries one, if the press is about the turn that is to be found.
func (l *dailyPuzzle) press(act string, args []string) (*message.Message, error) {
	l.seen = act == ""
	switch {
	case l.seen, args[0] != strconv.Itoa(l.solver.Turn), l.solver.Turn >= l.task.puzzle.Turns():
		return l.show(), nil
	case act == "pick":
		return l.exercise().Pick(args[1], args[2], args[3]), nil
	}
	return l.try(args[1])
}

// keep keeps what has come of a puzzle that was looked at.
func (l *dailyPuzzle) keep(w storage.Writer) (err error) {
	if l.found {
		l.daily.Found++
		if len(l.daily.Finders) < limit.Finders {
			l.daily.Finders = append(l.daily.Finders, l.at.Person.ID)
		}
		err = w.Dailies().Set(l.solver.Server, l.daily)
	}
	if l.tried {
		err = errors.Join(err, l.training.answered(w, l.solver.Server))
	}
	l.solver.At = l.training.now().UTC()
	return errors.Join(err, w.Solvers().Put(l.solver))
}

func (l *dailyPuzzle) show() *message.Message {
	if l.solver.Turn >= l.task.puzzle.Turns() {
		return l.end(words.Say("daily.known", "n", l.solver.Found, "streak", l.solver.Row(l.daily.Number)))
	}
	return l.ask(asks(l.task))
}

// exercise is its turn, as buttons and boards show it.
func (l *dailyPuzzle) exercise() *exercise {
	return &exercise{
		at: l.at, pos: l.task.Position(), last: l.task.last(), kind: "daily", show: "daily",
		name: []string{fmt.Sprint(l.solver.Server), l.daily.Code}, only: []string{strconv.Itoa(l.solver.Turn)}, title: l.title,
	}
}

func (l *dailyPuzzle) title(said words.Text) words.Text { return words.Daily(l.task.variant, said) }

// try tries a move.
func (l *dailyPuzzle) try(text string) (*message.Message, error) {
	e := l.exercise()
	m, refused, err := e.read(text, e.moveButton())
	if refused != nil || err != nil {
		return refused, err
	}
	l.seen, l.tried = true, true
	switch j := l.task.Judge(m); {
	case j.Solved():
		l.solver.Turn = l.task.puzzle.Turns()
		l.found = l.solver.Find()
		said := l.end(words.Say("daily.right", "move", j.Chat, "n", l.solver.Found, "streak", l.solver.Streak))
		said.Board = l.task.end()
		return said, nil
	case j.Verdict == Right:
		l.solver.Turn++
		l.task = j.Next
		return l.ask(words.PuzzleRight(j.Chat, j.Reply)), nil
	default:
		l.solver.Tries++
		return l.ask(words.PuzzleWrong(j.Chat, j.Verdict == Near)), nil
	}
}

// asks says what is to be done in a puzzle from a turn on.
func asks(t *Task) words.Text {
	return words.Of(t.Asks(), " ", words.Say("daily.moves", "n", t.puzzle.Turns()-t.turn))
}

// ask is a message with the board of the turn, on which a move can be picked.
func (l *dailyPuzzle) ask(text words.Text) *message.Message {
	e := l.exercise()
	return e.say(text, e.moveButton())
}

// end is a message without a board.
func (l *dailyPuzzle) end(text words.Text) *message.Message {
	return &message.Message{To: l.at.Person.ID, Text: l.title(text), Step: true}
}

// OpenDaily is a puzzle of the day that somebody has still to find.
type OpenDaily struct {
	exercise
	Args  []string  // of the presses that answer it, without the move
	Since time.Time // when they have looked at it last
}

// OpenDaily is the puzzle of the day that somebody has before them; nil if there is none.
func (p *Service) OpenDaily(ctx context.Context, me storage.Person) (*OpenDaily, error) {
	return storage.Read(ctx, p.store, func(r storage.Reader) (open *OpenDaily, err error) {
		all, err := r.SolverOf(me.ID)
		for _, s := range all {
			if p.now().Sub(s.At) > fresh || open != nil && s.At.Before(open.Since) {
				continue
			}
			d, err := r.Dailies().Find(s.Server)
			if err != nil {
				return nil, err
			}
			if now := p.open(&d, s); now != nil && s.Number == d.Number {
				open = now
			}
		}
		return open, err
	})
}

// DailyHere is a server's newest puzzle, if somebody has still to find it; nil if there is none.
func (p *Service) DailyHere(ctx context.Context, me storage.Person, server storage.ServerID) (*OpenDaily, error) {
	return storage.Read(ctx, p.store, func(r storage.Reader) (*OpenDaily, error) {
		d, err := r.Dailies().Find(server)
		if err != nil {
			return nil, err
		}
		s, err := r.Solver(me.ID, server)
		s.Begin(d.Number)
		return p.open(&d, s), err
	})
}

// open is a puzzle that somebody has still to find, nil if they have.
func (p *Service) open(d *storage.Daily, s storage.Solver) *OpenDaily {
	t := p.turn(d, s.Turn)
	if t == nil || s.Last == d.Number {
		return nil
	}
	return &OpenDaily{exercise{pos: t.Position()}, []string{fmt.Sprint(s.Server), d.Code, strconv.Itoa(s.Turn)}, s.At}
}
