package words

import (
	"fmt"
	"slices"
	"strings"

	"chimera/bot/match"
	"chimera/render"
	"chimera/rules"
)

// Pictures of ratings and leaderboards.

// TopPoster is a leaderboard as a picture, nil if nobody is on it.
func TopPoster(ask match.Asked, found *match.Leaderboard, v *rules.Variant) *render.Poster {
	if len(found.Lines)+len(found.Guesses) == 0 {
		return nil
	}
	title, note := topTitle(ask, found, v)
	if note != "" {
		note = strings.ToUpper(note[:1]) + note[1:]
	}
	ranking := &render.Ranking{Unit: "Ratings", Bars: ask.Period != match.Ever}
	if ranking.Bars {
		ranking.Unit = "Points"
	}
	if most := mosts[ask.Period]; most != "" {
		ranking.Unit = strings.ToUpper(most[:1]) + most[1:]
	}
	add := func(above string, lines []match.Line) {
		for i, l := range lines {
			row := rowOf(ask, l)
			if apart(lines, i) {
				row.Above = "…"
			}
			if i == 0 {
				row.Above = above
			}
			ranking.Rows = append(ranking.Rows, row)
		}
	}
	add("", found.Lines)
	add("Provisional", found.Guesses)
	p := &render.Poster{Title: title, Note: note, Parts: []render.Part{ranking}}
	if facts := render.Facts(topFacts(ask, found)); len(facts) > 0 {
		p.Parts = append(p.Parts, &facts)
	}
	return p
}

func rowOf(ask match.Asked, l match.Line) render.Row {
	row := render.Row{
		Rank: l.Rank, Name: l.Name, Note: plural(l.Games, "game", "games"), Mine: l.Person == ask.Asker,
		Value: l.Value, Low: l.Value - 2*l.Deviation, High: l.Value + 2*l.Deviation,
	}
	switch ask.Period {
	case match.Ever:
		row.Score, row.Spread, row.Unsure = fmt.Sprintf("%.0f", l.Value), fmt.Sprintf("±%.0f", 2*l.Deviation), l.Unsure
		if l.Unsure {
			row.Spread += "?"
		}
		return row
	case match.Games:
		row.Note, row.Spread = fmt.Sprintf("%d won", l.Wins), "games"
	case match.Streak:
		row.Spread = "in a row"
	case match.Combiner:
		row.Note, row.Spread = fmt.Sprintf("%d won", l.Wins), "a win"
	default:
		row.Spread = "points"
	}
	if l.Value == 1 {
		row.Spread = strings.TrimSuffix(row.Spread, "s")
	}
	row.Score = figureWords(ask, l)
	return row
}

// ProfilePoster is a profile as a picture, nil if no game has ended.
func ProfilePoster(p *match.Profile) *render.Poster {
	poster := &render.Poster{Title: p.Person.Name, Note: plural(p.Now, "game", "games") + " in progress"}
	plotted := p.Courses[:min(len(p.Courses), mostCourses)]
	for i, c := range plotted {
		poster.Parts = append(poster.Parts, &render.Plot{
			Title: c.Game, Figure: figureOf(p, c.Game), Small: i > 0, Curves: []render.Curve{curveOf("", p, c)},
		})
	}
	figures := &render.Figures{}
	for _, k := range p.Kinds {
		if !slices.ContainsFunc(plotted, func(c match.Course) bool { return c.Game == k.Game }) {
			figures.Rows = append(figures.Rows, render.Figure{Name: kindName(k), Figure: ratingWords(k.Standing.Value, k.Deviation, k.Unsure)})
		}
	}
	if len(figures.Rows) > 0 {
		poster.Parts = append(poster.Parts, figures)
	}
	tally := &render.Tally{Title: "Results, unrated too"}
	for side, score := range p.Colors {
		if score.Games() > 0 {
			tally.Rows = append(tally.Rows, scoreRow("as "+rules.Color(side).String(), score))
		}
	}
	for _, v := range p.Against {
		tally.Rows = append(tally.Rows, scoreRow("vs. "+v.Name, v.Score))
	}
	if len(tally.Rows) > 0 {
		poster.Parts = append(poster.Parts, tally)
	}
	if len(p.Made) > 0 {
		men := &render.Men{Title: "Favourite hybrids"}
		for _, m := range p.Made {
			men.Men = append(men.Men, render.Many{Table: m.Table, Piece: m.Piece, Name: m.Name, Times: m.Times})
		}
		poster.Parts = append(poster.Parts, men)
	}
	if streak := streakWords(p); streak != "" {
		poster.Parts = append(poster.Parts, &render.Facts{streak})
	}
	if len(poster.Parts) == 0 {
		return nil
	}
	return poster
}

func scoreRow(name string, s match.Score) render.Score {
	return render.Score{Name: name, Won: s.Won, Drawn: s.Drawn, Lost: s.Lost}
}

// mostCourses is in how many kinds of games a profile shows how the rating changed.
const mostCourses = 3

// figureOf is somebody's rating by now in a kind of game.
func figureOf(p *match.Profile, game string) string {
	for _, k := range p.Kinds {
		if k.Game == game {
			return ratingWords(k.Standing.Value, k.Deviation, k.Unsure)
		}
	}
	return ""
}

// curveOf is how somebody's rating changed in a kind of game, up to now.
func curveOf(name string, p *match.Profile, c match.Course) render.Curve {
	curve := render.Curve{Name: name}
	points := c.Points
	for _, k := range p.Kinds {
		if n := len(points); k.Game == c.Game && n > 0 && points[n-1].At.Before(p.At) {
			points = append(slices.Clip(points), match.Reached{At: p.At, Value: k.Standing.Value, Deviation: k.Deviation})
		}
	}
	for _, at := range points {
		curve.Points = append(curve.Points, render.Point{At: at.At, Value: at.Value, Spread: 2 * at.Deviation})
	}
	return curve
}

// ComparePoster shows how the ratings of two changed in the kind of game that both have
// played most, and how they played against each other; nil if there is neither.
func ComparePoster(both [2]*match.Profile, score match.Score) *render.Poster {
	a, b := both[0].Person.Name, both[1].Person.Name
	poster := &render.Poster{Title: a, And: b}
	most := 0
	var plot *render.Plot
	for _, one := range both[0].Courses {
		for _, other := range both[1].Courses {
			if n := min(len(one.Points), len(other.Points)); one.Key == other.Key && n > most {
				most, plot = n, &render.Plot{Title: one.Game, Curves: []render.Curve{curveOf(a, both[0], one), curveOf(b, both[1], other)}}
			}
		}
	}
	if plot != nil {
		poster.Parts = append(poster.Parts, plot)
	}
	if score.Games() > 0 {
		other := match.Score{Won: score.Lost, Drawn: score.Drawn, Lost: score.Won}
		poster.Parts = append(poster.Parts, &render.Tally{Title: "Against each other", Rows: []render.Score{scoreRow(a, score), scoreRow(b, other)}})
	}
	if len(poster.Parts) == 0 {
		return nil
	}
	return poster
}
