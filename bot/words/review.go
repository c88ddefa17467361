package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
)

// percent is a share as a whole number.
func percent(share float64) int { return int(100*share + .5) }

// Review tells how an ended game was played: how well by either side, and which moves decided it.
func Review(s *match.GameView, told *computer.Story) Text {
	lines := []Text{
		Say("review.title", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "white", s.Names[0], "black", s.Names[1],
			"white-share", int(told.Accuracy[0]+.5), "black-share", int(told.Accuracy[1]+.5)),
		Say("review.moments", "n", len(told.TurningPoints)),
	}
	for _, m := range told.TurningPoints {
		lines = append(lines, Say("review.moment", "move", Ply(m.Before, m.Played), "player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became)))
	}
	return Lines(lines)
}

// TurningPoint tells of one of the moves that decided a game, counted from 0, and what was better.
func TurningPoint(s *match.GameView, told *computer.Story, n int) Text {
	m := &told.TurningPoints[n]
	title := Say("review.at", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "n", n+1, "all", len(told.TurningPoints), "move", Ply(m.Before, m.Played),
		"player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became))
	lines := []Text{title, Moment(s.Variant, m), Of(s.Variant.Describe(m.Before.Effects(m.Better[0])))}
	lines = append(lines, If(len(m.Better) > 1, Say("review.line", "line", Line(m.Before, chatLine(m.Before, m.Better))))...)
	return Lines(lines)
}

// Moment tells what a move cost, and what was better.
func Moment(v *rules.Variant, m *computer.TurningPoint) Text {
	return Join(" ", Of(cost(v, m)), could(v, m))
}

// cost is what a move cost at once; nothing if that cannot be said in a word.
func cost(v *rules.Variant, m *computer.TurningPoint) phrase.Phrase {
	switch {
	case m.Loss.Mates > 0:
		return book.Say("review.lost-mate", "n", m.Loss.Mates)
	case m.Left != nil:
		return book.Say("review.left", inDanger(v, m.Left)...)
	case len(m.Loss.Wins) > 0:
		return book.Say("review.lost-pieces", "pieces", nouns(v, m.Loss.Wins))
	}
	return phrase.Phrase{}
}

// inDanger are the parts of what is said of a piece that can be captured with advantage.
func inDanger(v *rules.Variant, d *computer.Danger) []any {
	return []any{"piece", v.Noun(d.Piece), "square", v.Shape.Name(d.On), "attackers", d.Attackers, "defenders", d.Defenders}
}

// could is what another move would have come to.
func could(v *rules.Variant, m *computer.TurningPoint) Text {
	better := Ply(m.Before, m.Better[0])
	switch {
	case m.Gain.Mates > 0:
		return Say("review.could-mate", "move", better, "n", m.Gain.Mates)
	case len(m.Gain.Wins) > 0:
		return Say("review.could-win", "move", better, "pieces", nouns(v, m.Gain.Wins))
	case len(m.Loss.Wins) > 0 && !m.Gain.Gives:
		return Say("review.could-keep", "move", better, "pieces", nouns(v, m.Loss.Wins))
	}
	return Say("review.could-hold", "move", better, "before", percent(m.Could))
}

func nouns(v *rules.Variant, pieces []rules.Piece) phrase.List {
	return phrase.And(Each(pieces, v.Noun))
}

// ReviewChart shows how the chances of both sides went up and down in an ended game, what decided
// it, and which pieces became more than they were.
func ReviewChart(s *match.GameView, told *computer.Story) *chart.Chart {
	plot := &chart.Chances{
		Title: book.Say("review.chances"), Figure: book.Say("review.height"), First: float64(s.Start.FullMove()) + .5*float64(s.Start.Turn()),
		White: Each(told.Scores, computer.Chances), Moments: Each(told.TurningPoints, func(m computer.TurningPoint) int { return m.Ply }),
	}
	for _, b := range told.Births {
		plot.Births[b.Side] = append(plot.Births[b.Side], b.Ply+1)
	}
	players := &chart.Figures{}
	for side, name := range s.Names {
		players.Rows = append(players.Rows, chart.Figure{
			Name: book.Say("review.player", "player", name, "side", rules.Color(side)), Figure: fmt.Sprintf("%.0f%%", told.Accuracy[side]),
		})
	}
	picture := &chart.Chart{
		Title: phrase.As(s.Names[0]), And: s.Names[1],
		Note:  book.Say("review.about", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "result", s.Game.Result),
		Parts: []chart.Part{players, plot},
	}
	if facts := births(s, told.Births); len(facts) > 0 {
		picture.Parts = append(picture.Parts, &facts)
	}
	return picture
}

// births are where the first pieces came to be that are more than one, and by which moves.
func births(s *match.GameView, all []computer.Birth) chart.Facts {
	const most = 6
	shown := all
	if len(all) > most {
		shown = all[:most-1]
	}
	facts := Each(shown, func(b computer.Birth) phrase.Phrase {
		return book.Say("review.birth", "move", moveAt(s, b.Ply+1, b.Move), "piece", s.Variant.Noun(b.Piece), "square", s.Variant.Shape.Name(b.On))
	})
	if more := len(all) - len(shown); more > 0 {
		facts = append(facts, book.Say("review.births-more", "n", more))
	}
	return facts
}

// Key is the move to remember a game by.
type Key struct {
	Ply    int // counted from 0
	Before *rules.Position
	Move   rules.Move
	Moment *computer.TurningPoint // what a review says of it, nil without one
}

// told is what the move did, and what it cost where that is known.
func (k *Key) told(v *rules.Variant) phrase.Phrase {
	did := v.Describe(k.Before.Effects(k.Move))
	if k.Moment != nil {
		if lost := cost(v, k.Moment); !lost.IsZero() {
			return book.Say("share.cost", "did", did, "cost", lost)
		}
	}
	return did
}

// Share tells what is on the card of a game, in which key may be nil. Nobody is mentioned: they have
// nothing to do about it.
func Share(s *match.GameView, key *Key) Text {
	stands := Say("share.going", "player", s.Names[s.Now.Position.Turn()], "n", s.Now.Position.FullMove())
	if s.Game.Over() {
		stands = Ended(s, 0)
	}
	if key == nil {
		return Lines([]Text{title(s), stands})
	}
	return Lines([]Text{title(s), stands, Say("share.text", "move", Ply(key.Before, key.Move), "told", key.told(s.Variant))})
}

// ShareChart is a game to be passed on: its board, whose bars tell who plays and how it ended, the moment to
// remember it by unless key is nil, drawn as scene, and who has made the picture. Its date is in a time zone.
func ShareChart(s *match.GameView, board, scene diagram.Diagram, key *Key, zone *time.Location) *chart.Chart {
	parts := []chart.Part{&chart.Board{Diagram: board}}
	if key != nil {
		part := &chart.Scene{Diagram: scene, Title: book.Say("share.key"), Move: Ply(key.Before, key.Move), Text: key.told(s.Variant)}
		if m := key.Moment; m != nil {
			part.Figure = book.Say("share.swing", "before", percent(m.Could), "after", percent(m.Became))
		}
		parts = append(parts, part)
	}
	return &chart.Chart{
		Title: phrase.As(s.Variant.Name),
		Note:  book.Say("share.about", "game", Hash(s.Game.ID), "date", chart.Date(s.Game.Changed.In(zone)), "n", (len(s.Game.Moves)+1)/2),
		Parts: append(parts, &chart.Signature{Name: "Chimera", About: book.Say("share.made")}),
	}
}

// GamesChart is games drawn as boards, each with whose turn it is, of all that are in progress, and how many more
// there are; nil if none is drawn. Dates are in a time zone.
func GamesChart(games []match.Item, all int, boards []diagram.Diagram, zone *time.Location) *chart.Chart {
	if len(boards) == 0 {
		return nil
	}
	sheet := &chart.Boards{}
	for i, board := range boards {
		it := &games[i]
		turn := book.Say(Either(it.Mine, "games.sheet-yours", "games.sheet-theirs"))
		small := chart.Small{Diagram: board, Title: phrase.As(Hash(it.Game.ID)), Name: it.Opponent, Kind: phrase.As(it.Variant), Note: turn, Lit: it.Mine}
		if !it.Due.IsZero() {
			due := it.Due.In(zone)
			small.When = book.Say("clock.day", "weekday", int(due.Weekday()), "day", due.Day(), "month", int(due.Month()))
		}
		*sheet = append(*sheet, small)
	}
	picture := &chart.Chart{Title: book.Say("games.sheet"), Note: book.Say("chart.in-progress", "n", all), Parts: []chart.Part{sheet}}
	if more := all - len(boards); more > 0 {
		picture.Parts = append(picture.Parts, &chart.Facts{book.Say("games.more", "n", more)})
	}
	return picture
}

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
	return phrase.Commas(Each(themes, func(t puzzle.Theme) phrase.Phrase {
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
	people := Each(finders, func(f Finder) phrase.Phrase {
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
		reason = Say("hint.cuts", "squares", phrase.And(Each(slices.Collect(why.Cut.Squares()), v.Shape.Name)))
	case "wins":
		reason = Say("hint.wins", "pieces", nouns(v, why.Wins))
	case "saves", "attacks":
		reason = Say(Either(why.Kind == "saves", "hint.saves", "hint.attacks"), inDanger(v, &why.Danger)...)
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
