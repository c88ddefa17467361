package words

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chimera/bot/season"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// LeagueChart is how a division stands, as a picture, with one person's line marked. Its day is by the clocks of
// a time zone.
func LeagueChart(v *rules.Variant, d *season.Division, whose storage.PersonID, zone *time.Location) *chart.Chart {
	notes := []phrase.Phrase{book.Say("chart.season", "number", d.Season.Number, "division", d.Number, "divisions", d.Season.Divisions)}
	notes = append(notes, chart.Date(d.Season.Ends.In(zone)))
	table := Crosstable(d, whose)
	picture := &chart.Chart{Title: book.Say("chart.league"), About: phrase.As(v.Name), Note: remark(notes...), Crest: crestOf(v), Parts: []chart.Part{table}}
	if stake := LeagueStake(d); !stake.IsZero() {
		picture.Parts = append(picture.Parts, &chart.Facts{stake})
	}
	return picture
}

// LeagueStake tells how many go up from a division that goes on, and down; nothing if nobody does.
func LeagueStake(d *season.Division) phrase.Phrase {
	if d.Season.Divisions == 1 || !d.Season.Ended.IsZero() {
		return phrase.Phrase{}
	}
	up, down := d.Exchanged()
	return book.Say("league.stake", "up", up, "down", down, "both", up > 0 && down > 0)
}

// Crosstable is everyone in a division against everyone.
func Crosstable(d *season.Division, whose storage.PersonID) *chart.Crosstable {
	table := &chart.Crosstable{Unit: book.Say("chart.points"), Rows: make([]chart.Entrant, len(d.Standings))}
	lines := make([]int, len(d.Standings)) // by seats
	order := d.Order()
	up, down := d.Exchanged()
	for i := range d.Standings {
		s := &d.Standings[i]
		lines[s.Seat] = i
		row := &table.Rows[i]
		*row = chart.Entrant{
			Place: s.Place, Name: d.Names[i], Points: Points(s.Points), Results: make([]chart.Result, len(d.Standings)), Mine: s.Person == whose, Out: s.Out || s.Struck,
		}
		if s.Struck {
			row.Place = 0
		}
		switch at := slices.IndexFunc(order, func(other season.Standing) bool { return other.Seat == s.Seat }); {
		case at < up:
			row.Moves = chart.Up
		case at >= len(order)-down:
			row.Moves = chart.Down
		}
	}
	for _, r := range d.Results {
		white, black := lines[r.Seats[storage.White]], lines[r.Seats[storage.Black]]
		if d.Standings[white].Struck || d.Standings[black].Struck {
			continue
		}
		seen := map[season.Outcome][2]chart.Result{
			season.Pending: {chart.Running, chart.Running}, season.WhiteWon: {chart.Won, chart.Lost},
			season.BlackWon: {chart.Lost, chart.Won}, season.Drawn: {chart.Drawn, chart.Drawn},
		}[r.Outcome]
		table.Rows[white].Results[black], table.Rows[black].Results[white] = seen[storage.White], seen[storage.Black]
	}
	return table
}

// Points are halves of points as they stand in tables.
func Points(halves int) string {
	whole := fmt.Sprint(halves / 2)
	if halves%2 == 0 {
		return whole
	}
	return strings.TrimPrefix(whole, "0") + "½"
}
