package training

// The puzzle of the day is a puzzle each day to the servers that want one: it is told to all, answered by
// each alone, and solved in public when the next one comes.
//
// # Design
//
// When a server's next puzzle is due stands with its settings, and in an index of all those moments,
// so that nobody is looked at who has none due. Telling it and the next moment are one transaction,
// and so it is told once, whatever ends in between. Puzzles have numbers within their server: a
// streak is of such numbers, and lasts over days on which there was none.
//
// What somebody has found of a puzzle is kept, so that it can be answered from another place, and
// in the middle. A button carries the server and the puzzle's code, which nobody can guess. Its
// presses are
//
//	daily <server> <code>                                  shows the puzzle as far as it is found
//	daily-pick <server> <code> <turn> <from> <to> <page>   lets a move be picked, as package message does
//	daily-try <server> <code> <turn> <move>                answers, with a coordinate text
//
// with turns counted from 0, so that none of two answers counts twice.

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

// next is the puzzle that follows a server's newest: of the game that is usual there, else of each
// game in turn. Two servers have others. There is none if no game has puzzles.
func (p *Service) next(s *storage.Server, newest storage.Daily) (next storage.Daily, ok bool) {
	games := slices.DeleteFunc(slices.Clone(p.variants), func(v *rules.Variant) bool { return p.Count(v) == 0 })
	if len(games) == 0 {
		return next, false
	}
	next = storage.Daily{Number: newest.Number + 1, At: p.now().UTC(), Code: strings.ToLower(rand.Text()[:10])}
	turn, v := next.Number+int(s.ID), rules.Find(games, s.Settings.Game)
	if v == nil {
		v = games[turn%len(games)]
		turn /= len(games)
	}
	next.Game = v.Key
	next.Puzzle = p.Daily(int64(turn)+int64(s.ID), v).number
	return next, true
}

// tooLate is how long after its time a puzzle is told no more: the next comes soon enough. Of
// several that were due meanwhile, the last one alone is told.
const tooLate = 12 * time.Hour

// TellDue tells the puzzles that are due, and that there are no more where nobody answers, and
// forgets some of those who have not answered for long. To call it again does nothing.
func (p *Service) TellDue(ctx context.Context) error {
	for {
		server, err := storage.Read(ctx, p.store, func(r storage.Reader) (storage.Server, error) { return r.DueDaily(p.now()) })
		if err != nil {
			return err
		}
		if server.ID == 0 {
			break
		}
		err = p.store.Update(ctx, func(w storage.Writer) error {
			now, err := w.Servers().Get(server.ID)
			if err != nil || now.Settings.Puzzles != server.Settings.Puzzles {
				return err // it was told, or is wanted otherwise
			}
			return p.tell(w, now)
		})
		if err != nil {
			return err
		}
	}
	before := p.now().Add(-limit.Solvers)
	old, err := storage.Read(ctx, p.store, func(r storage.Reader) ([]storage.Solver, error) { return r.OldSolvers(before, 1) })
	if err != nil || len(old) == 0 {
		return err
	}
	return p.store.Update(ctx, func(w storage.Writer) error { return w.ForgetSolvers(before, limit.SweepStep) })
}

// tell tells a server's puzzle that is due.
func (p *Service) tell(w storage.Writer, s storage.Server) error {
	chosen := &s.Settings.Puzzles
	late := s.Settings.PuzzleAfter(p.now().Add(-tooLate)).After(p.now())
	chosen.Next = s.Settings.PuzzleAfter(p.now())
	if late {
		return w.Servers().Put(s)
	}
	newest, err := w.Dailies().Find(s.ID)
	if err != nil {
		return err
	}
	if chosen.Quiet >= limit.QuietPuzzles {
		chosen.Next = time.Time{}
		rest := event.Event{Kind: event.PuzzlesRest, Payload: event.Puzzle{Puzzle: nameOf(&newest)}}
		return errors.Join(w.Servers().Put(s), w.Post(rest.Entry(chosen.Place, p.now())))
	}
	d, ok := p.next(&s, newest)
	if !ok {
		return w.Servers().Put(s)
	}
	chosen.Quiet++
	payload := event.Puzzle{Puzzle: nameOf(&d)}
	if newest.Number > 0 {
		finders, err := p.finders(w.Reader, &s, &newest)
		if err != nil {
			return err
		}
		payload.Before = event.Solved{Game: newest.Game, Number: newest.Puzzle, Found: newest.Found, Finders: finders}
	}
	told := event.Event{Kind: event.PuzzleTold, Payload: payload}
	return errors.Join(w.Servers().Put(s), w.Dailies().Set(s.ID, d), w.Post(told.Entry(chosen.Place, p.now())))
}

func nameOf(d *storage.Daily) event.PuzzleName {
	return event.PuzzleName{Game: d.Game, Number: d.Puzzle, Code: d.Code}
}

// finders are the first who have found a puzzle and may be named, each with their streak.
func (p *Service) finders(r storage.Reader, s *storage.Server, d *storage.Daily) (finders []event.Finder, err error) {
	for _, id := range d.Finders {
		who, err := r.People().Get(id)
		if storage.Missing(err) || err == nil && (who.Settings.Unranked || s.Hides(id)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		solver, err := r.Solver(cmp.Or(who.Into, id), s.ID)
		if err != nil {
			return nil, err
		}
		finders = append(finders, event.Finder{Person: id, Streak: solver.Row(d.Number)})
	}
	return finders, nil
}

// answered notes in a server that somebody has answered its newest puzzle: if there were to be no
// more, there are again.
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
