package storage

import (
	"context"
	"errors"
	"slices"
)

// Counts are how many records there are.
type Counts struct {
	Playing    int // games in progress
	Challenges int // open ones
	People     int
}

// Counts counts records by their keys. It reads in pages: what comes or goes meanwhile may be
// counted or not.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	challenges, err := allNumbers[GameID](ctx, s, "challenge/")
	people, err2 := s.People(ctx)
	here, err3 := allNumbers[GameID](ctx, s, "here/")
	if err := errors.Join(err, err2, err3); err != nil {
		return Counts{}, err
	}
	slices.Sort(here) // where each game is once for each place
	return Counts{len(slices.Compact(here)), len(challenges), len(people)}, nil
}

// Teaching is what people have had of the teacher and of the opponent. It tells nothing of any of them.
type Teaching struct {
	Begun, Finished int // courses, each person's by themselves
	Reviews         int // games that were reviewed
	Puzzles, Solved int // that were answered, and those solved at once
	Practices       int // games against the computer, those in progress included
}

// Teaching counts it in the records of people and games, likewise; lessons is how many there are in
// the course of each kind of game.
func (s *Store) Teaching(ctx context.Context, lessons map[string]int) (t Teaching, err error) {
	reviewed, err := allNumbers[GameID](ctx, s, reviews.prefix)
	if err != nil {
		return t, err
	}
	t.Reviews = len(reviewed)
	ids, err := s.People(ctx)
	for some := range slices.Chunk(ids, readAtOnce) {
		people, err := Read(ctx, s, func(r Reader) ([]Person, error) { return r.People().All(some) })
		if err != nil {
			return t, err
		}
		for _, p := range people {
			t.learner(&p, lessons)
			if _, computer := p.On(Computer); !computer {
				continue
			}
			games, err := Read(ctx, s, func(r Reader) ([]GameID, error) { return r.GamesOf(p.ID) })
			if err != nil {
				return t, err
			}
			t.Practices += len(games)
		}
	}
	return t, err
}

// learner counts what a person has had.
func (t *Teaching) learner(p *Person, lessons map[string]int) {
	if _, also := p.Studies.Done[p.Studies.Game]; p.Studies.Game != "" && !also {
		t.Begun++
	}
	t.Puzzles, t.Solved = t.Puzzles+p.Training.Standing.Games(), t.Solved+p.Training.Standing.Wins
	for kind, done := range p.Studies.Done {
		t.Begun++
		if done >= lessons[kind] {
			t.Finished++
		}
	}
}
