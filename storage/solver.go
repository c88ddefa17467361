package storage

import (
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/storage/kv"
)

// Puzzles are a server's settings for the puzzle of the day. The zero Puzzles is for servers without it.
type Puzzles struct {
	Place  PlaceID   // where it is posted
	Minute int       // of the day in the server's time zone, from midnight
	Next   time.Time // when the next is due, on the wall clock; zero while it is paused, since nobody answers
	Quiet  int       // puzzles since the last answer, or since this was set
}

// PuzzleAfter is the server's next time for a puzzle after a moment, in its time zone; UTC if that is not known.
func (s *ServerSettings) PuzzleAfter(t time.Time) time.Time {
	zone := ZoneOf(s.Zone)
	year, month, day := t.In(zone).Date()
	for ; ; day++ {
		if at := time.Date(year, month, day, 0, s.Puzzles.Minute, 0, 0, zone); at.After(t) {
			return at.UTC()
		}
	}
}

// ZoneOf is the time zone of an IANA name, UTC where that is "" or not known.
func ZoneOf(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil {
		return zone
	}
	return time.UTC
}

const dailyAt = "dailyat/"

// DueDaily is the server whose puzzle has been due longest at a moment, the zero Server if there is none.
func (r Reader) DueDaily(now time.Time) (Server, error) {
	return r.firstServer(dailyAt, uint64(now.Unix()+1))
}

// Daily is the newest puzzle of the day of a server. The zero Daily is none.
type Daily struct {
	Number  int        // among the server's puzzles, from 1
	Game    string     // the key of its rules
	Puzzle  int        // its number among those of the game
	Code    string     // an unguessable name of it for its buttons
	Found   int        // how many people have solved it
	Finders []PersonID // the first of them, in order
}

// World stands for the pages, as the server of a [Solver]: its puzzles are numbered by the days since 1970.
const World ServerID = 0

// Solver is somebody's record with the puzzles of the day of a server, or of the [World].
type Solver struct {
	Person PersonID
	Server ServerID
	At     time.Time // of their last answer
	Number int       // of the puzzle they answered last
	Turn   int       // moves of it they have found
	Last   int       // number of the puzzle they solved last; 0 if none
	Found  int       // puzzles solved
	Streak int       // solved in a row, up to Last
	Best   int       // the longest such row
	Marks  string    `json:",omitempty"` // of the World's puzzle: how each of its moves was found, as Mark says
}

// How a move of a puzzle was found, best first.
const (
	AtOnce byte = '0' + iota
	WithHint
	AfterMiss
	Told // it was not found
)

// Mark notes how the moves from one up to another were found: the worse mark counts, and none after the puzzle is over.
func (s *Solver) Mark(from, to int, how byte) {
	if s.Over() {
		return
	}
	marks := []byte(s.Marks)
	for len(marks) < to {
		marks = append(marks, how)
	}
	for i := from; i < to; i++ {
		marks[i] = max(marks[i], how)
	}
	s.Marks = string(marks)
}

// Over reports whether the puzzle was solved, or its solution told.
func (s *Solver) Over() bool {
	return s.Last == s.Number && s.Number != 0 || strings.IndexByte(s.Marks, Told) >= 0
}

// Begin starts a puzzle, unless it was started.
func (s *Solver) Begin(number int) {
	if s.Number != number {
		s.Number, s.Turn, s.Marks = number, 0, ""
	}
}

// Find notes that the current puzzle was solved. Once more, it does nothing.
func (s *Solver) Find() {
	if s.Last == s.Number {
		return
	}
	if s.Last != s.Number-1 {
		s.Streak = 0
	}
	s.Last = s.Number
	s.Found++
	s.Streak++
	s.Best = max(s.Best, s.Streak)
}

// Row is how many puzzles they have solved in a row, given the number of the newest, which may still be open.
func (s *Solver) Row(newest int) int {
	if s.Last < newest-1 {
		return 0
	}
	return s.Streak
}

type solverID = pair[PersonID, ServerID]

func (s *Solver) id() solverID { return solverID{s.Person, s.Server} }

// solversIn begins the index keys of a server's solvers.
const solversIn = "solvers/"

func (s *Solver) index() (x Index) {
	if s.Number != 0 {
		x.Add(Key(solversIn, s.Server, s.Person))
	}
	return x
}

// Solver is somebody's record with the puzzles of the day of a server; empty if they have none.
func (r Reader) Solver(p PersonID, s ServerID) (found Solver, err error) {
	found, err = r.Solvers().Find(solverID{p, s})
	found.Person, found.Server = p, s
	return found, err
}

// SolversIn are all people who have answered puzzles of the day of a server, in order of number.
func (r Reader) SolversIn(s ServerID) ([]Solver, error) {
	return r.Solvers().All(collect(r.kv.Scan(kv.Prefix(Key(solversIn, s))), 0, func(item kv.Item) (solverID, bool) {
		return solverID{PersonID(End(item.Key)), s}, true
	}))
}

// ForgetSolver removes somebody's records with puzzles of the day, and their names among the finders.
func (w Writer) ForgetSolver(p PersonID) error {
	all, err := w.Solvers().List(p)
	for _, s := range all {
		d, err2 := w.Dailies().Find(s.Server)
		err = errors.Join(err, err2, w.Solvers().Delete(s.id()))
		if err == nil && s.Last == d.Number && d.Found > 0 {
			d.Found--
			d.Finders = slices.DeleteFunc(d.Finders, func(f PersonID) bool { return f == p })
			err = w.Dailies().Set(s.Server, d)
		}
	}
	return err
}

// GiveSolver gives somebody's records with puzzles of the day to another. Where both have one, the later is
// kept, with the puzzles of both counted.
func (w Writer) GiveSolver(from, into PersonID) error {
	all, err := w.Solvers().List(from)
	for _, s := range all {
		own, err2 := w.Solver(into, s.Server)
		now := slices.MaxFunc([]Solver{s, own}, func(a, b Solver) int { return a.At.Compare(b.At) })
		now.Person, now.Found, now.Best = into, s.Found+own.Found, max(s.Best, own.Best)
		err = errors.Join(err, err2, w.Solvers().Delete(s.id()), w.Solvers().Put(now))
	}
	return err
}
