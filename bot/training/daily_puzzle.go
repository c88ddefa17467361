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
	"chimera/rules"
	"chimera/storage"
)

// dailyPuzzle is a server's newest puzzle, as far as somebody has found it.
type dailyPuzzle struct {
	task   *Task // the move that is to be found; the last one that was, if all are
	server storage.Server
	daily  storage.Daily
	me     storage.Person
	was    storage.Solver // as it was read
	solver storage.Solver
	keeps  bool // that somebody is at it is to be kept
	tried  bool // it was answered
	found  bool // it was found, for the first time
}

// errOver is about a puzzle that is the newest no more.
var errOver = errors.New("daily: there is another puzzle by now")

// solved reports whether all is found.
func (l *dailyPuzzle) solved() bool { return l.solver.Turn >= l.task.puzzle.Turns() }

// task is the puzzle of a server at a turn, the last for those behind it; nil if it is not known any
// more.
func (p *Daily) task(d *storage.Daily, turn int) *Task {
	v := rules.Find(p.variants, d.Game)
	first := p.puzzles.Task(v, d.Puzzle, 0)
	if first == nil || turn == 0 {
		return first
	}
	return p.puzzles.Task(v, d.Puzzle, min(turn, first.puzzle.Turns()-1))
}

// look reads a server's newest puzzle and what somebody has found of it, or fails with errOver if
// that has another code.
func (p *Daily) look(r storage.Reader, me storage.Person, server storage.ServerID, code string) (l dailyPuzzle, err error) {
	l.me = me
	if l.server, err = r.Servers().Get(server); storage.Missing(err) {
		return l, errOver
	}
	if err != nil {
		return l, err
	}
	if l.daily, err = r.Dailies().Find(l.server.ID); err != nil {
		return l, err
	}
	if l.daily.Code != code {
		return l, errOver
	}
	if l.was, err = r.Solver(me.ID, l.server.ID); err != nil {
		return l, err
	}
	l.solver = l.was
	l.solver.Begin(l.daily.Number)
	if l.task = p.task(&l.daily, l.solver.Turn); l.task == nil {
		return l, errOver
	}
	return l, nil
}

// errMeanwhile ends a transaction that finds something else than was read for it.
var errMeanwhile = errors.New("daily: something has changed meanwhile")

// within does something with the puzzle that a press names, and keeps what has come of it; it may do
// so again where two answers come at once. What is over is said.
func (p *Daily) within(ctx context.Context, me storage.Person, server, code string, do func(*dailyPuzzle) (message.Message, error)) (said message.Message, err error) {
	id, err := strconv.ParseUint(server, 10, 64)
	if err != nil {
		return over(me), nil
	}
	for {
		l, err := storage.Read(ctx, p.store, func(r storage.Reader) (dailyPuzzle, error) { return p.look(r, me, storage.ServerID(id), code) })
		if err == nil {
			said, err = do(&l)
		}
		if err == nil && l.keeps {
			err = p.store.Update(ctx, func(w storage.Writer) error { return p.keep(w, &l) })
		}
		switch {
		case errors.Is(err, errMeanwhile):
		case errors.Is(err, errOver):
			return over(me), nil
		default:
			return said, err
		}
	}
}

// keep keeps what has come of a puzzle that was looked at.
func (p *Daily) keep(w storage.Writer, l *dailyPuzzle) error {
	now, err := w.Solver(l.me.ID, l.server.ID)
	if err != nil {
		return err
	}
	d, err := w.Dailies().Find(l.server.ID)
	switch {
	case err != nil:
		return err
	case now != l.was || d.Code != l.daily.Code:
		return errMeanwhile
	case l.found:
		d.Found++
		if len(d.Finders) < limit.Finders {
			d.Finders = append(d.Finders, l.me.ID)
		}
		err = w.Dailies().Set(l.server.ID, d)
	}
	if l.tried {
		err = errors.Join(err, p.answered(w, l.server.ID))
	}
	l.solver.At = p.now().UTC()
	return errors.Join(err, w.Solvers().Put(l.solver))
}

func over(me storage.Person) message.Message {
	return message.Message{To: me.ID, Text: words.Say("daily.over")}
}

// Show shows a puzzle as far as somebody has found it.
func (p *Daily) Show(ctx context.Context, me storage.Person, server, code string) (message.Message, error) {
	return p.within(ctx, me, server, code, func(l *dailyPuzzle) (message.Message, error) {
		l.keeps = true
		return l.show(), nil
	})
}

func (l *dailyPuzzle) show() message.Message {
	if l.solved() {
		return l.end(words.Say("daily.known", "n", l.solver.Found, "streak", l.solver.Row(l.daily.Number)))
	}
	return l.note(asks(l.task))
}

// Pick shows the next choice on the way to a move.
func (p *Daily) Pick(ctx context.Context, me storage.Person, server, code, turn, from, to, page string) (message.Message, error) {
	return p.within(ctx, me, server, code, func(l *dailyPuzzle) (message.Message, error) {
		if turn != strconv.Itoa(l.solver.Turn) || l.solved() {
			return l.show(), nil
		}
		return l.exercise().Pick(from, to, page), nil
	})
}

// exercise is its turn, as buttons and boards show it.
func (l *dailyPuzzle) exercise() *exercise {
	return &exercise{
		to: l.me.ID, pos: l.task.Position(), last: l.task.last(), show: "daily", pick: "daily-pick", play: "daily-try",
		args: []string{fmt.Sprint(l.server.ID), l.daily.Code, strconv.Itoa(l.solver.Turn)}, shown: 2,
		title: func(said words.Text) words.Text { return words.Daily(l.task.variant, said) },
	}
}

// Try answers a puzzle at a turn.
func (p *Daily) Try(ctx context.Context, me storage.Person, server, code, turn, text string) (message.Message, error) {
	return p.within(ctx, me, server, code, func(l *dailyPuzzle) (message.Message, error) {
		if turn != strconv.Itoa(l.solver.Turn) {
			return l.show(), nil
		}
		return l.try(text)
	})
}

// try tries a move.
func (l *dailyPuzzle) try(text string) (message.Message, error) {
	if l.solved() {
		return l.show(), nil
	}
	j, err := l.task.Try(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		e := l.exercise()
		return e.refuse(no, e.moveButton()), nil
	}
	if err != nil {
		return message.Message{}, err
	}
	l.keeps, l.tried = true, true
	switch {
	case j.Solved():
		l.solver.Turn = l.task.puzzle.Turns()
		l.found = l.solver.Find()
		said := l.end(words.Say("daily.right", "move", j.Chat, "n", l.solver.Found, "streak", l.solver.Streak))
		said.Board = l.task.end()
		return said, nil
	case j.Verdict == Right:
		l.solver.Turn++
		l.task = j.Next
		return l.note(words.PuzzleRight(j.Chat, j.Reply)), nil
	}
	l.solver.Tries++
	return l.note(words.PuzzleWrong(j.Chat, j.Verdict == Near)), nil
}

// asks says what is to be done in a puzzle from a turn on.
func asks(t *Task) words.Text {
	return words.Of(t.Asks(), " ", words.Say("daily.moves", "n", t.puzzle.Turns()-t.turn))
}

// note is a message with the board of the turn, on which a move can be picked.
func (l *dailyPuzzle) note(text words.Text) message.Message {
	e := l.exercise()
	return e.say(text, e.moveButton())
}

// end is a note without a board.
func (l *dailyPuzzle) end(text words.Text) message.Message {
	return message.Message{To: l.me.ID, Text: words.Daily(l.task.variant, text), Step: true}
}

// Open is a puzzle that somebody has before them.
type Open struct {
	exercise
	Server, Code, Turn string    // as presses have them
	Since              time.Time // when they have looked at it last
}

// Open is the puzzle that somebody has before them; nil if there is none.
func (p *Daily) Open(ctx context.Context, me storage.Person) (*Open, error) {
	return storage.Read(ctx, p.store, func(r storage.Reader) (open *Open, err error) {
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

// Here is a server's newest puzzle, if somebody has still to find it; nil if there is none.
func (p *Daily) Here(ctx context.Context, me storage.Person, server storage.ServerID) (*Open, error) {
	return storage.Read(ctx, p.store, func(r storage.Reader) (*Open, error) {
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
func (p *Daily) open(d *storage.Daily, s storage.Solver) *Open {
	t := p.task(d, s.Turn)
	if t == nil || s.Last == d.Number {
		return nil
	}
	return &Open{exercise{pos: t.Position()}, fmt.Sprint(s.Server), d.Code, strconv.Itoa(s.Turn), s.At}
}
