package storage

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"chimera/storage/record"
)

// Puzzles is that a server has a puzzle each day. The zero Puzzles is that it has none.
type Puzzles struct {
	Place  PlaceID   // where it is told
	Minute int       // of the day in the server's time zone, from midnight
	Next   time.Time // when the next is due, on the wall clock; zero while there is none, since nobody answers
	Quiet  int       // how many there were since somebody has answered one, or this was chosen
}

// PuzzleAfter is the first moment after another at which a server wants a puzzle, by the clocks of its
// time zone; UTC where that is not known.
func (s *ServerSettings) PuzzleAfter(t time.Time) time.Time {
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		zone = time.UTC
	}
	year, month, day := t.In(zone).Date()
	for ; ; day++ {
		if at := time.Date(year, month, day, 0, s.Puzzles.Minute, 0, 0, zone); at.After(t) {
			return at.UTC()
		}
	}
}

const dailyAt = "dailyat/"

// DueDaily is the server whose puzzle has been due for the longest at a moment, the zero Server if
// none is.
func (r leagueReader) DueDaily(now time.Time) (Server, error) {
	for item, err := range r.kv.Scan(record.Key(dailyAt), record.Number(record.Key(dailyAt), uint64(now.Unix()+1))) {
		if err != nil {
			return Server{}, err
		}
		id, _ := record.LastNumber[ServerID](item.Key)
		if len(item.Key) != len(dailyAt)+2*record.NumberSize {
			continue // it is damaged; Check reports it
		}
		return r.all().Server(id)
	}
	return Server{}, nil
}

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
func (r leagueReader) Daily(s ServerID) (d Daily, err error) {
	if err = r.get(dailyKey(s), &d); Lost(err) { // what cannot be read is none
		return Daily{}, nil
	}
	return d, err
}

// PutDaily writes the newest puzzle of the day of a server.
func (w leagueWriter) PutDaily(s ServerID, d Daily) error { return record.Put(w.out, dailyKey(s), d) }

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

// The kinds of keys of solvers.
const (
	solver    = "solver/"
	solvers   = "solvers/"
	solverEnd = "solverend/"
)

func (s *Solver) index() record.Index {
	var x record.Index
	if s.Number == 0 {
		return x
	}
	x.Add(record.Pair(solvers, s.Server, s.Person))
	x.Add(record.Number(record.Number(record.Number(record.Key(solverEnd), uint64(max(UnixDay(s.At), 0))), s.Person), s.Server))
	return x
}

// Solver is what somebody has made of the puzzles of the day of a server; they are at none if that
// is nothing.
func (r leagueReader) Solver(p PersonID, s ServerID) (found Solver, err error) {
	if err = r.get(record.Pair(solver, p, s), &found); Lost(err) { // what cannot be read is nothing
		found, err = Solver{}, nil
	}
	found.Person, found.Server = p, s
	return found, err
}

// PutSolver writes that.
func (w leagueWriter) PutSolver(s Solver) error {
	was, err := w.Solver(s.Person, s.Server)
	return errors.Join(err, w.put(record.Pair(solver, s.Person, s.Server), s, was.index(), s.index()))
}

// SolversIn are all people who have answered puzzles of the day of a server, in order of number.
func (r leagueReader) SolversIn(s ServerID) ([]Solver, error) {
	people, err := record.Numbers[PersonID](r.kv, record.Number(record.Key(solvers), s))
	return All(readable(people, []error{err}, func(p PersonID) (Solver, error) { return r.Solver(p, s) }))
}

// Solvers are all people who have answered puzzles of the day, in order of number, each in one
// server after the other.
func (r leagueReader) Solvers() (all []Solver, err error) {
	err = record.Each(r.kv, solver, func(uint64, error) {}, func(s Solver) { all = append(all, s) })
	return all, err
}

// SolverOf is what somebody has made of the puzzles of the day, in one server after the other.
func (r leagueReader) SolverOf(p PersonID) ([]Solver, error) {
	servers, err := record.Numbers[ServerID](r.kv, record.Number(record.Key(solver), p))
	return All(readable(servers, []error{err}, func(s ServerID) (Solver, error) { return r.Solver(p, s) }))
}

// ForgetSolver forgets all that somebody has made of puzzles of the day, and that they have found
// any.
func (w leagueWriter) ForgetSolver(p PersonID) error {
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

func (w *writer) dropSolver(s Solver) error {
	return errors.Join(record.Reindex(w.out, s.index(), nil), w.out.Delete(record.Pair(solver, s.Person, s.Server)))
}

// GiveSolver gives to somebody what another has made of puzzles of the day. Where both have
// answered, it is told of as that of whoever has answered last.
func (w leagueWriter) GiveSolver(from, into PersonID) error {
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
func (r leagueReader) OldSolvers(before time.Time, limit int) (old []Solver, err error) {
	prefix := record.Key(solverEnd)
	for item, err := range r.kv.Scan(prefix, record.Number(record.Key(solverEnd), uint64(max(UnixDay(before), 0)))) {
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
func (w leagueWriter) ForgetSolvers(before time.Time, limit int) error {
	old, err := w.OldSolvers(before, limit)
	for _, s := range old {
		err = errors.Join(err, w.dropSolver(s))
	}
	return err
}
