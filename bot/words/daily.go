package words

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

// Daily is what is said of the puzzle of the day.
func Daily(v *rules.Variant, said Text) Text {
	return Of(Say("daily.title", "kind", v.Name), "\n", said)
}

// Finder is somebody who has found a puzzle, and how many in a row.
type Finder struct {
	Name   string
	Streak int
}

// DailySolution tells the moves that solve a puzzle, and who has found them: some, and how many in
// all.
func DailySolution(v *rules.Variant, moves Text, finders []Finder, all int) Text {
	people := each(finders, func(f Finder) phrase.Phrase {
		return book.Say("daily.finder", "player", f.Name, "streak", f.Streak)
	})
	if more := all - len(finders); more > 0 {
		people = append(people, book.Say("daily.finders-more", "n", more))
	}
	found := book.Say("daily.found-by", "players", phrase.And(people))
	switch {
	case all == 0:
		found = book.Say("daily.found-none")
	case len(finders) == 0:
		found = book.Say("daily.found-some", "n", all)
	}
	return Say("daily.solution", "kind", v.Name, "moves", moves, "found", found)
}
