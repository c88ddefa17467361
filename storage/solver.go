package storage

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"chimera/storage/record"
)

// Daily is the newest puzzle of the day of a server. The zero Daily is none.
type Daily struct {
	Number  int // among the server's, from 1
	At      time.Time
	Game    string     // the key of its rules
	Puzzle  int        // its number among those of the game
	Code    string     // that nobody can guess, by which its buttons name it
	Found   int        // how many people have found it
	Finders []PersonID // the first of them, in order
}

func dailyKey(s ServerID) []byte { return record.Number(record.Key("daily/"), s) }

// Daily is the newest puzzle of the day of a server, the zero Daily if it has had none.
func (r Reader) Daily(s ServerID) (d Daily, err error) {
	if err = record.Get(r.kv, dailyKey(s), &d); record.Lost(err) { // what cannot be read is none
		return Daily{}, nil
	}
	return d, err
}

// PutDaily writes the newest puzzle of the day of a server.
func (w Writer) PutDaily(s ServerID, d Daily) error { return record.Put(w.out, dailyKey(s), d) }

// Solver is what somebody has made of the puzzles of the day of a server.
type Solver struct {
	Person PersonID
	Server ServerID
	At     time.Time // when they have answered last
	Number int       // of the puzzle that was
	Turn   int       // how many of its moves they have found
	Tries  int       // how many of their answers to it were wrong
	Last   int       // number of the puzzle that they have found last; 0 if none
	Found  int       // how many they have found
	Streak int       // in a row, up to Last
	Best   int       // the longest that has been
}

// Begin lets the solver be at a puzzle, unless they are.
func (s *Solver) Begin(number int) {
	if s.Number != number {
		s.Number, s.Turn, s.Tries = number, 0, 0
	}
}

// Find counts that they have found the puzzle at which they are; false if they had.
func (s *Solver) Find() bool {
	if s.Last == s.Number {
		return false
	}
	if s.Last != s.Number-1 {
		s.Streak = 0
	}
	s.Last = s.Number
	s.Found++
	s.Streak++
	s.Best = max(s.Best, s.Streak)
	return true
}

// Row is how many they have found in a row up to now, where the newest puzzle has a number: it may
// still be open.
func (s *Solver) Row(newest int) int {
	if s.Last < newest-1 {
		return 0
	}
	return s.Streak
}

// solvers begins the keys of all solvers.
const solvers = "solver/"

// solversIn and solversEnd begin the keys that lead to them.
const (
	solversIn  = "solvers/"
	solversEnd = "solverend/"
)

// dayOf is how many days a moment is after the first of January 1970, in UTC.
func dayOf(at time.Time) uint64 { return uint64(max(at.Unix(), 0)) / secondsOfDay }

// solverLedTo is the key of the solver to which a key of solversIn or solversEnd leads, of which this follows
// that; nil if it is damaged.
func solverLedTo(kind string, rest []byte) []byte {
	n := len(rest) - 2*record.NumberSize
	if n < 0 {
		return nil
	}
	first, second := record.End(rest[:n+record.NumberSize]), record.End(rest)
	if kind == solversIn {
		first, second = second, first
	}
	return record.Pair(solvers, first, second)
}

// Index is what leads to a solver.
func (s *Solver) index() record.Index {
	var x record.Index
	if s.Number == 0 {
		return x
	}
	x.Add(record.Pair(solversIn, s.Server, s.Person))
	x.Add(record.Number(record.Number(record.Number(record.Key(solversEnd), dayOf(s.At)), s.Person), s.Server))
	return x
}

// Solver is what somebody has made of the puzzles of the day of a server; they are at none if that
// is nothing.
func (r Reader) Solver(p PersonID, s ServerID) (found Solver, err error) {
	if err = record.Get(r.kv, record.Pair(solvers, p, s), &found); record.Lost(err) { // what cannot be read is nothing
		found, err = Solver{}, nil
	}
	found.Person, found.Server = p, s
	return found, err
}

// PutSolver writes that.
func (w Writer) PutSolver(s Solver) error {
	was, err := w.Solver(s.Person, s.Server)
	return errors.Join(err, record.Replace(w.out, record.Pair(solvers, s.Person, s.Server), s, was.index(), s.index()))
}

// SolversIn are all people who have answered puzzles of the day of a server, in order of number.
func (r Reader) SolversIn(s ServerID) ([]Solver, error) {
	return found(r, record.Number(record.Key(solversIn), s), func(p PersonID) (Solver, error) { return r.Solver(p, s) })
}

// found are the solvers of which the numbers at the ends of the keys with a prefix tell.
func found[N ~uint64](r Reader, prefix []byte, solver func(N) (Solver, error)) (all []Solver, err error) {
	ids, err := record.Numbers[N](r.kv, prefix)
	for _, id := range ids {
		one, err2 := solver(id)
		all, err = append(all, one), errors.Join(err, err2)
	}
	return all, err
}

// Solvers are all people who have answered puzzles of the day, in order of number, each in one
// server after the other.
func (r Reader) Solvers() (all []Solver, err error) {
	err = record.Each(r.kv, solvers, func(uint64, error) {}, func(s Solver) { all = append(all, s) })
	return all, err
}

// SolverOf is what somebody has made of the puzzles of the day, in one server after the other.
func (r Reader) SolverOf(p PersonID) ([]Solver, error) {
	return found(r, record.Number(record.Key(solvers), p), func(s ServerID) (Solver, error) { return r.Solver(p, s) })
}

// ForgetSolver forgets all that somebody has made of puzzles of the day, and that they have found
// any.
func (w Writer) ForgetSolver(p PersonID) error {
	all, err := w.SolverOf(p)
	for _, s := range all {
		err = errors.Join(err, w.dropSolver(s))
		d, err2 := w.Daily(s.Server)
		if err = errors.Join(err, err2); err == nil && s.Last == d.Number && d.Found > 0 {
			d.Found--
			d.Finders = slices.DeleteFunc(d.Finders, func(f PersonID) bool { return f == p })
			err = w.PutDaily(s.Server, d)
		}
	}
	return err
}

func (w Writer) dropSolver(s Solver) error {
	return errors.Join(record.Reindex(w.out, s.index(), nil), w.out.Delete(record.Pair(solvers, s.Person, s.Server)))
}

// GiveSolver gives to somebody what another has made of puzzles of the day. Where both have
// answered, it is told of as that of whoever has answered last.
func (w Writer) GiveSolver(from, into PersonID) error {
	all, err := w.SolverOf(from)
	for _, s := range all {
		own, err2 := w.Solver(into, s.Server)
		err = errors.Join(err, err2, w.dropSolver(s))
		now := s
		if own.At.After(s.At) {
			now = own
		}
		now.Person, now.Found, now.Best = into, s.Found+own.Found, max(s.Best, own.Best)
		err = errors.Join(err, w.PutSolver(now))
	}
	return err
}

// OldSolvers are those who have answered no puzzle of the day of a server since the day of a moment,
// at most so many; of each is told who they are, where, and when they have answered last.
func (r Reader) OldSolvers(before time.Time, limit int) (old []Solver, err error) {
	prefix := record.Key(solversEnd)
	for item, err := range r.kv.Scan(prefix, record.Number(record.Key(solversEnd), dayOf(before))) {
		if err != nil || len(old) == limit {
			return old, err
		}
		if rest := item.Key[len(prefix):]; len(rest) == 3*record.NumberSize {
			old = append(old, Solver{
				Person: PersonID(binary.BigEndian.Uint64(rest[record.NumberSize:])), Server: ServerID(record.End(rest)),
				At: time.Unix(int64(binary.BigEndian.Uint64(rest))*secondsOfDay, 0), Number: 1, // any leads to the same keys
			})
		}
	}
	return old, nil
}

// ForgetSolvers forgets those.
func (w Writer) ForgetSolvers(before time.Time, limit int) error {
	old, err := w.OldSolvers(before, limit)
	for _, s := range old {
		err = errors.Join(err, w.dropSolver(s))
	}
	return err
}
