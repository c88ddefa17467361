package bot

import (
	"fmt"
	"strings"

	"chimera/bot/match"
	"chimera/render"
	"chimera/rules"
)

// Pictures of ratings and leaderboards.

// topPoster is a leaderboard as a picture, nil if nobody is on it.
func topPoster(ask match.Asked, found *match.Leaderboard, v *rules.Variant) *render.Poster {
	if len(found.Lines)+len(found.Guesses) == 0 {
		return nil
	}
	title, note := topTitle(ask, v)
	ranking := &render.Ranking{Unit: "Ratings", Bars: ask.Period != match.Ever}
	if ranking.Bars {
		ranking.Unit = "Points"
	}
	add := func(above string, lines []match.Line) {
		for _, l := range lines {
			row := rowOf(ask, l)
			row.Above, above = above, ""
			ranking.Rows = append(ranking.Rows, row)
		}
	}
	add("", found.Lines)
	add("…", found.Mine)
	add("Still provisional", found.Guesses)
	p := &render.Poster{Title: title, Note: note, Parts: []render.Part{ranking}}
	if len(found.Most) > 0 {
		facts := make(render.Facts, len(found.Most))
		for i, best := range found.Most {
			facts[i] = bestWords(best)
		}
		p.Parts = append(p.Parts, &facts)
	}
	return p
}

func rowOf(ask match.Asked, l match.Line) render.Row {
	row := render.Row{
		Rank: l.Rank, Name: l.Name, Note: plural(l.Games, "game", "games"), Mine: l.Person == ask.Asker,
		Value: l.Value, Low: l.Value - 2*l.Deviation, High: l.Value + 2*l.Deviation,
	}
	if ask.Period != match.Ever {
		row.Score = strings.TrimSuffix(fmt.Sprintf("%.1f", l.Value), ".0")
		return row
	}
	row.Score, row.Spread = fmt.Sprintf("%.0f", l.Value), fmt.Sprintf("±%.0f", 2*l.Deviation)
	if l.Unsure {
		row.Unsure = true
		row.Spread += "?"
	}
	return row
}
