package words

import (
	"slices"
	"strings"

	"chimera/bot/rating"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// TopChart is a leaderboard as a picture, nil if nobody is on it.
func TopChart(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) *chart.Chart {
	if nobody(found) {
		return nil
	}
	about, notes := topTitle(ask, found, v)
	p := &chart.Chart{Title: book.Say("chart.leaderboard"), About: about, Crest: crestOf(v)}
	if _, past := storage.ParseMonth(string(ask.Period)); !past {
		notes = append(notes, chart.Date(found.At))
	}
	p.Note = book.Say("top.note", "notes", phrase.Commas(notes))
	ranking := &chart.Ranking{Bars: ask.Period != rating.Ever}
	switch ask.Period {
	case rating.Ever, rating.Games, rating.Streak, rating.Combiner, rating.Computer:
		ranking.Unit = PeriodName(ask.Period)
	default:
		ranking.Unit = book.Say("chart.points")
	}
	add := func(above phrase.Phrase, lines []rating.Line) {
		for i, l := range lines {
			row := rowOf(ask, l)
			if apart(lines, i) {
				row.Above = phrase.As("…")
			}
			if i == 0 {
				row.Above = above
			}
			ranking.Rows = append(ranking.Rows, row)
		}
	}
	add(phrase.Phrase{}, found.Lines)
	add(book.Say("chart.provisional"), found.Guesses)
	p.Parts = []chart.Part{ranking}
	if facts := chart.Facts(topFacts(ask, found)); len(facts) > 0 {
		p.Parts = append(p.Parts, &facts)
	}
	return p
}

// aKing is the piece table of no game.
//
//nolint:gochecknoglobals // never written
var aKing = rules.Table{{}, {Glyph: "king", Royal: true}}

// crestOf shows the piece that a game is known by; a king for all games together, which is nil.
func crestOf(v *rules.Variant) *chart.Crest {
	if v == nil {
		return &chart.Crest{Table: aKing, Piece: rules.PieceOf(rules.White, 1)}
	}
	return &chart.Crest{Table: v.Table, Piece: Emblem(v)}
}

// Emblem is the piece that a game is known by: the largest that can be put together in it, of both sides
// where they share pieces, else the last of its simple ones.
func Emblem(v *rules.Variant) rules.Piece {
	best, next := rules.NoRole, rules.NoRole
	for r, info := range v.Table {
		if !info.Royal && !info.Pawn && len(v.Table.Simple(rules.Role(r))) >= max(1, len(v.Table.Simple(best))) {
			best, next = rules.Role(r), best
		}
	}
	if v.Shares() {
		return rules.Piece{White: next, Black: best}
	}
	return rules.PieceOf(rules.White, best)
}

func rowOf(ask rating.Asked, l rating.Line) chart.Row {
	row := chart.Row{
		Rank: l.Rank, Name: l.Name, Note: book.Say("chart.games", "n", l.Games), Mine: l.Person == ask.Asker,
		Value: l.Value, Low: l.Value - 2*l.Deviation, High: l.Value + 2*l.Deviation,
	}
	if ask.Period == rating.Ever {
		value, spread, _ := strings.Cut(RatingWords(l.Value, l.Deviation, l.Unsure), "±")
		row.Score, row.Spread, row.Unsure = phrase.As(value), phrase.As("±"+spread), l.Unsure
		return row
	}
	figure, unit := figureOfLine(ask, l), "points"
	switch ask.Period {
	case rating.Games, rating.Combiner:
		row.Note = book.Say("chart.won", "n", l.Wins)
		unit = string(ask.Period)
	case rating.Streak, rating.Computer, rating.Puzzles:
		unit = string(ask.Period)
	default:
	}
	row.Score, row.Spread = book.Say("chart.figure", "n", figure), book.Say("chart.unit-"+unit, "n", figure)
	return row
}

// ProfileChart is a profile as a picture, nil if no game has ended.
func ProfileChart(p *rating.Profile) *chart.Chart {
	picture := &chart.Chart{Title: phrase.As(p.Person.Name), Crest: crestOf(nil)}
	picture.Note = book.Say("top.note", "notes", phrase.Commas([]phrase.Phrase{book.Say("chart.in-progress", "n", p.Now), chart.Date(p.At)}))
	plotted := p.Courses[:min(len(p.Courses), mostCourses)]
	for i, c := range plotted {
		picture.Parts = append(picture.Parts, &chart.Plot{
			Title: phrase.As(c.Game), Figure: figureOf(p, c.Game), Small: i > 0, Curves: []chart.Curve{curveOf("", p, c)},
		})
	}
	figures := &chart.Figures{}
	for _, k := range p.Kinds {
		if !slices.ContainsFunc(plotted, func(c rating.Course) bool { return c.Game == k.Game }) {
			figures.Rows = append(figures.Rows, chart.Figure{Name: KindName(k), Figure: RatingWords(k.Standing.Value, k.Deviation, k.Unsure)})
		}
	}
	if len(figures.Rows) > 0 {
		picture.Parts = append(picture.Parts, figures)
	}
	if tally := ProfileTally(p); len(tally.Rows) > 0 {
		picture.Parts = append(picture.Parts, tally)
	}
	if len(p.Made) > 0 {
		picture.Crest = &chart.Crest{Table: p.Made[0].Table, Piece: p.Made[0].Piece}
		picture.Parts = append(picture.Parts, &chart.Pieces{
			Title: book.Say("chart.hybrids"),
			Pieces: each(p.Made, func(m rating.Made) chart.Count {
				return chart.Count{Table: m.Table, Piece: m.Piece, Name: m.Noun, Times: m.Times}
			}),
		})
	}
	if streak := streakWords(p); !streak.IsZero() {
		picture.Parts = append(picture.Parts, &chart.Facts{streak})
	}
	if len(picture.Parts) == 0 {
		return nil
	}
	return picture
}

// ProfileTally is somebody's scores with either color, and against those whom they have played most.
func ProfileTally(p *rating.Profile) *chart.Tally {
	tally := &chart.Tally{Title: book.Say("chart.results")}
	for side, score := range p.Colors {
		if score.Games() > 0 {
			tally.Rows = append(tally.Rows, scoreRow(book.Say("chart.as-colour", "side", rules.Color(side)), score))
		}
	}
	for _, v := range p.Against {
		tally.Rows = append(tally.Rows, scoreRow(book.Say("chart.against", "player", v.Name), v.Score))
	}
	return tally
}

func scoreRow(name phrase.Phrase, s rating.Score) chart.Score {
	return chart.Score{Name: name, Won: s.Won, Drawn: s.Drawn, Lost: s.Lost}
}

// mostCourses is in how many kinds of games a profile shows how the rating changed.
const mostCourses = 3

// figureOf is somebody's rating by now in a kind of game.
func figureOf(p *rating.Profile, game string) string {
	for _, k := range p.Kinds {
		if k.Game == game {
			return RatingWords(k.Standing.Value, k.Deviation, k.Unsure)
		}
	}
	return ""
}

// curveOf is how somebody's rating changed in a kind of game, up to now.
func curveOf(name string, p *rating.Profile, c rating.Course) chart.Curve {
	points := c.Points
	for _, k := range p.Kinds {
		if n := len(points); k.Game == c.Game && n > 0 && points[n-1].At.Before(p.At) {
			points = append(slices.Clip(points), rating.Reached{At: p.At, Value: k.Standing.Value, Deviation: k.Deviation})
		}
	}
	return chart.Curve{Name: name, Points: each(points, func(at rating.Reached) chart.Point {
		return chart.Point{At: at.At, Value: at.Value, Spread: 2 * at.Deviation}
	})}
}

// CompareChart shows how the ratings of two changed in the kind of game that both have
// played most, and how they played against each other; nil if there is neither.
func CompareChart(both [2]*rating.Profile, score rating.Score) *chart.Chart {
	a, b := both[0].Person.Name, both[1].Person.Name
	picture := &chart.Chart{Title: phrase.As(a), And: b}
	most := 0
	var plot *chart.Plot
	for _, one := range both[0].Courses {
		for _, other := range both[1].Courses {
			if n := min(len(one.Points), len(other.Points)); one.Key == other.Key && n > most {
				most, plot = n, &chart.Plot{Title: phrase.As(one.Game), Curves: []chart.Curve{curveOf(a, both[0], one), curveOf(b, both[1], other)}}
			}
		}
	}
	if plot != nil {
		picture.Parts = append(picture.Parts, plot)
	}
	if score.Games() > 0 {
		other := rating.Score{Won: score.Lost, Drawn: score.Drawn, Lost: score.Won}
		picture.Parts = append(picture.Parts, &chart.Tally{Title: book.Say("chart.each-other"), Rows: []chart.Score{scoreRow(phrase.As(a), score), scoreRow(phrase.As(b), other)}})
	}
	if len(picture.Parts) == 0 {
		return nil
	}
	return picture
}
