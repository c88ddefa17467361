// Package puzzles keeps the puzzles of the day of servers, and what people have made of them.
package puzzles

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"chimera/storage/id"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// Reader reads puzzles of the day, and solvers, within a transaction.
type Reader struct{ KV kv.Reader }

// Writer writes them within a transaction.
type Writer struct{ KV kv.Writer }

// Daily is the newest puzzle of the day of a server. The zero Daily is none.
type Daily struct {
	Number  int // among the server's, from 1
	At      time.Time
	Game    string      // the key of its rules
	Puzzle  int         // its number among those of the game
	Code    string      // that nobody can guess, by which its buttons name it
	Found   int         // how many people have found it
	Finders []id.Person // the first of them, in order
}

func dailyKey(s id.Server) []byte { return record.Number(record.Key("daily/"), s) }

// Daily is the newest puzzle of the day of a server, the zero Daily if it has had none.
func (r Reader) Daily(s id.Server) (d Daily, err error) {
	if err = record.Get(r.KV, dailyKey(s), &d); record.Lost(err) { // what cannot be read is none
		return Daily{}, nil
	}
	return d, err
}

// PutDaily writes the newest puzzle of the day of a server.
func (w Writer) PutDaily(s id.Server, d Daily) error { return record.Put(w.KV, dailyKey(s), d) }

// Solver is what somebody has made of the puzzles of the day of a server.
type Solver struct {
	Person id.Person
	Server id.Server
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

// OfSolvers begins the keys of all solvers.
const OfSolvers = "solver/"

// ByServer and ByDay begin the keys that lead to them.
const (
	ByServer = "solvers/"
	ByDay    = "solverend/"
)

const secondsOfDay = 24 * 60 * 60

// dayOf is how many days a moment is after the first of January 1970, in UTC.
func dayOf(at time.Time) uint64 { return uint64(max(at.Unix(), 0)) / secondsOfDay }

// Owner is the key of the solver to which a key of ByServer or ByDay leads, of which this follows
// that; nil if it is damaged.
func Owner(kind string, rest []byte) []byte {
	n := len(rest) - 2*record.NumberSize
	if n < 0 {
		return nil
	}
	first, second := record.End(rest[:n+record.NumberSize]), record.End(rest)
	if kind == ByServer {
		first, second = second, first
	}
	return record.Pair(OfSolvers, first, second)
}

// Index is what leads to a solver.
func (s *Solver) Index() record.Index {
	var x record.Index
	if s.Number == 0 {
		return x
	}
	x.Add(record.Pair(ByServer, s.Server, s.Person))
	x.Add(record.Number(record.Number(record.Number(record.Key(ByDay), dayOf(s.At)), s.Person), s.Server))
	return x
}

// Solver is what somebody has made of the puzzles of the day of a server; they are at none if that
// is nothing.
func (r Reader) Solver(p id.Person, s id.Server) (found Solver, err error) {
	if err = record.Get(r.KV, record.Pair(OfSolvers, p, s), &found); record.Lost(err) { // what cannot be read is nothing
		found, err = Solver{}, nil
	}
	found.Person, found.Server = p, s
	return found, err
}

// PutSolver writes that.
func (w Writer) PutSolver(s Solver) error {
	was, err := Reader{w.KV}.Solver(s.Person, s.Server)
	return errors.Join(err, record.Replace(w.KV, record.Pair(OfSolvers, s.Person, s.Server), s, was.Index(), s.Index()))
}

// SolversIn are all people who have answered puzzles of the day of a server, in order of number.
func (r Reader) SolversIn(s id.Server) ([]Solver, error) {
	return found(r, record.Number(record.Key(ByServer), s), func(p id.Person) (Solver, error) { return r.Solver(p, s) })
}

// found are the solvers of which the numbers at the ends of the keys with a prefix tell.
func found[N ~uint64](r Reader, prefix []byte, solver func(N) (Solver, error)) (all []Solver, err error) {
	ids, err := record.Numbers[N](r.KV, prefix)
	for _, id := range ids {
		one, err2 := solver(id)
		all, err = append(all, one), errors.Join(err, err2)
	}
	return all, err
}

// Solvers are all people who have answered puzzles of the day, in order of number, each in one
// server after the other.
func (r Reader) Solvers() (all []Solver, err error) {
	err = record.Each(r.KV, OfSolvers, func(uint64, error) {}, func(s Solver) { all = append(all, s) })
	return all, err
}

// SolverOf is what somebody has made of the puzzles of the day, in one server after the other.
func (r Reader) SolverOf(p id.Person) ([]Solver, error) {
	return found(r, record.Number(record.Key(OfSolvers), p), func(s id.Server) (Solver, error) { return r.Solver(p, s) })
}

// ForgetSolver forgets all that somebody has made of puzzles of the day, and that they have found
// any.
func (w Writer) ForgetSolver(p id.Person) error {
	all, err := Reader{w.KV}.SolverOf(p)
	for _, s := range all {
		err = errors.Join(err, w.dropSolver(s))
		d, err2 := Reader{w.KV}.Daily(s.Server)
		if err = errors.Join(err, err2); err == nil && s.Last == d.Number && d.Found > 0 {
			d.Found--
			d.Finders = slices.DeleteFunc(d.Finders, func(f id.Person) bool { return f == p })
			err = w.PutDaily(s.Server, d)
		}
	}
	return err
}

func (w Writer) dropSolver(s Solver) error {
	return errors.Join(record.Reindex(w.KV, s.Index(), nil), w.KV.Delete(record.Pair(OfSolvers, s.Person, s.Server)))
}

// GiveSolver gives to somebody what another has made of puzzles of the day. Where both have
// answered, it is told of as that of whoever has answered last.
func (w Writer) GiveSolver(from, into id.Person) error {
	all, err := Reader{w.KV}.SolverOf(from)
	for _, s := range all {
		own, err2 := Reader{w.KV}.Solver(into, s.Server)
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
	prefix := record.Key(ByDay)
	for item, err := range r.KV.Scan(prefix, record.Number(record.Key(ByDay), dayOf(before))) {
		if err != nil || len(old) == limit {
			return old, err
		}
		if rest := item.Key[len(prefix):]; len(rest) == 3*record.NumberSize {
			old = append(old, Solver{
				Person: id.Person(binary.BigEndian.Uint64(rest[record.NumberSize:])), Server: id.Server(record.End(rest)),
				At: time.Unix(int64(binary.BigEndian.Uint64(rest))*secondsOfDay, 0), Number: 1, // any leads to the same keys
			})
		}
	}
	return old, nil
}

// ForgetSolvers forgets those.
func (w Writer) ForgetSolvers(before time.Time, limit int) error {
	old, err := Reader{w.KV}.OldSolvers(before, limit)
	for _, s := range old {
		err = errors.Join(err, w.dropSolver(s))
	}
	return err
}
