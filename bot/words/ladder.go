package words

import (
	"fmt"
	"time"

	"chimera/bot/season"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Ladder is how a ladder stands, with one person's line in bold; days are by the clocks of a time zone.
func Ladder(kind string, l *season.OnLadder, whose storage.PersonID, zone *time.Location) Text {
	all := []Text{Say("ladder.title", "kind", kind), Of(LadderBelt(l, zone))}
	next := 0
	for _, i := range rungsShown(l, whose) {
		if i > next {
			all = append(all, Of("…"))
		}
		next = i + 1
		line := Of(fmt.Sprintf("%d. %s", i+1, l.Names[i]))
		if l.Rungs[i].Person == whose {
			line[0].Style = Bold
		}
		all = append(all, line)
	}
	if l.Rung(whose) < 0 {
		all = append(all, Say("ladder.joining"))
	}
	return Lines(all)
}

// rungsShown are those of which a list tells, from 0: the upper ones, and those around somebody.
func rungsShown(l *season.OnLadder, whose storage.PersonID) (shown []int) {
	const upper = 10
	mine := l.Rung(whose)
	for i := range l.Rungs {
		if i < upper || mine >= 0 && i >= mine-season.Reach && i <= mine+1 {
			shown = append(shown, i)
		}
	}
	return shown
}

// LadderBelt tells who stands at the top of a ladder, and since when.
func LadderBelt(l *season.OnLadder, zone *time.Location) phrase.Phrase {
	if len(l.Rungs) == 0 {
		return book.Say("ladder.empty")
	}
	return book.Say("ladder.belt", "player", l.Names[0], "at", chart.Date(l.Since.In(zone)), "n", l.Defences)
}

// LadderChart is the same as a picture, with what those on it are rated; nil if nobody is.
func LadderChart(v *rules.Variant, l *season.OnLadder, whose storage.PersonID, zone *time.Location) *chart.Chart {
	ranking := &chart.Ranking{Unit: book.Say("chart.ratings")}
	for n, i := range rungsShown(l, whose) {
		row := chart.Row{
			Rank: i + 1, Name: l.Names[i], Score: phrase.As(fmt.Sprintf("%.0f", l.Ratings[i])), Mine: l.Rungs[i].Person == whose,
			Value: l.Ratings[i], Low: l.Ratings[i], High: l.Ratings[i],
		}
		if i > n && ranking.Rows[n-1].Rank < i {
			row.Above = phrase.As("…")
		}
		ranking.Rows = append(ranking.Rows, row)
	}
	if len(ranking.Rows) == 0 {
		return nil
	}
	return &chart.Chart{
		Title: book.Say("chart.ladder"), About: phrase.As(v.Name), Crest: crestOf(v), Parts: []chart.Part{ranking, &chart.Facts{LadderBelt(l, zone)}},
	}
}
