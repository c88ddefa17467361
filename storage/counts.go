package storage

import (
	"errors"
	"slices"

	"chimera/storage/record"
)

// Counts are how many records there are.
type Counts struct {
	Playing    int // games in progress
	Challenges int // open ones
	People     int
}

// Counts counts records by their keys.
func (r Reader) Counts() (Counts, error) {
	challenges, err := r.Challenges()
	people, err2 := r.People()
	here, err3 := record.Numbers[GameID](r.kv, record.Key("here/"))
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

// Teaching counts it in the records of people and games; lessons is how many there are in the course
// of each kind of game.
func (r Reader) Teaching(lessons map[string]int) (t Teaching, err error) {
	reviews, err := record.Numbers[GameID](r.kv, record.Key(reviews))
	if err != nil {
		return t, err
	}
	t.Reviews = len(reviews)
	var levels []PersonID
	err = record.Each(r.kv, "person/", func(uint64, error) {}, func(p Person) { // what cannot be read is set aside elsewhere
		if slices.ContainsFunc(p.Identities, func(a Address) bool { return a.Platform == Computer }) {
			levels = append(levels, p.ID)
		}
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
	})
	if err != nil {
		return t, err
	}
	for _, level := range levels {
		played, err := r.Played(level)
		if err != nil {
			return t, err
		}
		playing, err := r.Playing(level)
		if err != nil {
			return t, err
		}
		t.Practices += len(played) + len(playing)
	}
	return t, nil
}
