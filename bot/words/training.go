package words

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
)

// CourseLabel is a button that leads into a course: how many of its lessons were done stands on it.
func CourseLabel(kind string, done, all int) phrase.Phrase {
	if done == 0 {
		return phrase.As(kind)
	}
	return book.Say("course.label", "kind", kind, "done", done, "all", all)
}

// Advised is a text with the lesson that explains it, if there is one.
func Advised(said Text, lead rules.Lead) Text {
	if lead.Number == 0 {
		return said
	}
	return Of(said, "\n", Say("course.advice", "n", lead.Number, "kind", lead.Variant.Key))
}

// Line are moves in move text, with their numbers.
func Line(from *rules.Position, moves []string) string {
	return strings.TrimSpace(archive.Numbered(from, moves, ""))
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

// Themes are such as can be typed, with what they are called.
func Themes(themes []puzzle.Theme) phrase.List {
	return phrase.Commas(each(themes, func(t puzzle.Theme) phrase.Phrase {
		return book.Say("puzzle.theme", "key", string(t), "name", Called(string(t)))
	}))
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
	some := Either(len(finders) == 0, "daily.found-some", "daily.found-by")
	found := book.Say(Either(all == 0, "daily.found-none", some), "n", all, "players", phrase.And(people))
	return Say("daily.solution", "kind", v.Name, "moves", moves, "found", found)
}

// HintPiece leads to the piece that makes a move.
func HintPiece(pos *rules.Position, m rules.Move) Text {
	v := pos.Variant()
	return Say("hint.piece", "piece", v.Noun(pos.Board()[m.From]), "square", v.Shape.Name(m.From))
}

// HintWhy tells why a move that was found is good, and what it leads to.
func HintWhy(now rules.Game, found engine.Result) Text {
	v, why, reason := now.Position.Variant(), computer.Why(now, found), Text(nil)
	switch why.Kind {
	case "cuts":
		reason = Say("hint.cuts", "squares", phrase.And(each(slices.Collect(why.Cut.Squares()), v.Shape.Name)))
	case "wins":
		reason = Say("hint.wins", "pieces", nouns(v, why.Wins))
	case "saves", "attacks":
		reason = Say("hint."+why.Kind, inDanger(v, &why.Danger)...)
	}
	return Join(" ", reason, hintLine(now, found))
}

// hintLine tells what a move leads to.
func hintLine(now rules.Game, found engine.Result) Text {
	const most = 4 // moves, of which more would hardly be believed
	line := chatLine(now.Position, found.Moves[:min(len(found.Moves), most)])
	if found.Score.Mate > 0 {
		return Say("hint.mates", "move", line[0], "n", found.Score.Mate)
	}
	return Say("hint.line", "line", phrase.Commas(line), "standing", standingOf(found.Score))
}

// chatLine are moves from a position as chat text, up to one that cannot be played.
func chatLine(pos *rules.Position, moves []rules.Move) (line []string) {
	for _, m := range moves {
		line = append(line, pos.Chat(m))
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		pos = next
	}
	return line
}

// standingOf puts a score into words, for the side to move.
func standingOf(s engine.Score) string {
	const clear, slight = 300, 80 // centipawns
	switch c := s.Centipawns; {
	case s.Mate < 0, s.Mate == 0 && c <= -clear:
		return "losing"
	case c <= -slight:
		return "worse"
	case c < slight:
		return "even"
	case c < clear:
		return "better"
	default:
		return "winning"
	}
}

// Daily is what is said of the puzzle of the day.
func Daily(v *rules.Variant, said Text) Text {
	return Of(Say("daily.title", "kind", v.Name), "\n", said)
}
