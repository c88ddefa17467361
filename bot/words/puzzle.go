package words

import (
	"math"
	"strconv"
	"strings"

	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
	"chimera/storage"
)

// Puzzle is what is said at a puzzle of a game, counted from 0.
func Puzzle(v *rules.Variant, number int, said Text) Text {
	return Of(Say("puzzle.title", "kind", v.Name, "n", number+1), "\n", said)
}

// PuzzleLine is a solution, whose moves are in move text.
func PuzzleLine(from *rules.Position, moves []string) Text {
	var line []string
	for i, m := range moves {
		ply := i + int(from.Turn())
		switch number := strconv.Itoa(ply/2 + 1); {
		case ply%2 == 0:
			m = number + ". " + m
		case i == 0:
			m = number + "… " + m
		}
		line = append(line, m)
	}
	return Of(strings.Join(line, " "))
}

// PuzzleWrong says that a move is not the one, though maybe its piece.
func PuzzleWrong(move string, near bool) Text {
	return Say("puzzle.wrong", "move", move, "near", near)
}

// PuzzleRight says that a move is, and what answers it.
func PuzzleRight(move, reply string) Text {
	return Say("puzzle.right", "move", move, "reply", reply)
}

// PuzzleRating says what has become of somebody's rating of puzzles.
func PuzzleRating(before, after float64) Text {
	was, is := int(math.Round(before)), int(math.Round(after))
	change := "±0"
	switch {
	case is > was:
		change = "+" + strconv.Itoa(is-was)
	case is < was:
		change = "−" + strconv.Itoa(was-is)
	}
	return Say("puzzle.rating", "rating", strconv.Itoa(is), "change", change)
}

// PuzzleThemes says what a puzzle was about.
func PuzzleThemes(themes []puzzle.Theme) Text {
	about := each(themes, func(t puzzle.Theme) phrase.Phrase { return Called(string(t)) })
	return Say("puzzle.themes", "themes", phrase.Commas(about))
}

// NoPuzzles says that a game has none about a theme, "" for any, and which themes it has.
func NoPuzzles(v *rules.Variant, theme string, has []puzzle.Theme) Text {
	if theme == "" || len(has) == 0 {
		return Say("puzzle.none", "kind", v.Name)
	}
	return Say("puzzle.no-theme", "kind", v.Name, "theme", theme, "themes", names(has))
}

// OddPuzzle says that a word is neither a game nor a theme.
func OddPuzzle(word string, all []*rules.Variant) Text {
	return Say("puzzle.odd", "word", Clip(word), "games", keys(all), "themes", names(puzzle.Themes()))
}

// names are what people write for themes.
func names(themes []puzzle.Theme) string {
	return strings.Join(each(themes, func(t puzzle.Theme) string { return string(t) }), ", ")
}

// trainingWords tell how somebody does in puzzles; nothing of who has tried none.
func trainingWords(t *storage.Training) Text {
	s := &t.Standing
	if s.Games() == 0 {
		return nil
	}
	return Say("puzzle.profile", "rating", strconv.Itoa(int(math.Round(s.Value))), "solved", s.Wins, "all", s.Games())
}
