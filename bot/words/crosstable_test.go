package words_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chimera/bot/season"
	"chimera/bot/words"
	"chimera/rules/fide"
	"chimera/rules/phrase"
	"chimera/storage"
)

// TestACrosstableIsTheSameFromBothSides is of a division in which the second has withdrawn early, so that their
// results are struck, and of whose six games one goes on.
func TestACrosstableIsTheSameFromBothSides(t *testing.T) {
	entrants := []season.Entrant{{Person: 1, Rating: 1500}, {Person: 2, Out: true}, {Person: 3, Rating: 1700}, {Person: 4}}
	d := &season.Division{Number: 2, Season: storage.LeagueSeason{Number: 7, Divisions: 3, Ends: time.Date(2026, 5, 4, 23, 0, 0, 0, time.UTC)}}
	outcomes := map[[2]int]season.Outcome{{0, 1}: season.BlackWon, {0, 2}: season.Drawn, {0, 3}: season.Pending, {2, 3}: season.WhiteWon}
	for seats, o := range outcomes {
		d.Results = append(d.Results, season.Result{Seats: seats, Outcome: o})
	}
	d.Standings = season.Table(entrants, d.Results)
	for _, s := range d.Standings {
		d.Names = append(d.Names, fmt.Sprintf("p%d", s.Person))
	}
	var got []string
	for _, row := range words.Crosstable(d, 4).Rows {
		got = append(got, fmt.Sprintf("%d %s %s %v %v %v %v", row.Place, row.Name, row.Points, row.Results, row.Moves, row.Mine, row.Out))
	}
	want := []string{"1 p3 1½ [ ½ 1 ] up false false", "2 p1 ½ [½  · ] stays false false", "3 p4 0 [0 ·  ] stays true false", "0 p2 0 [   ] down false true"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	picture := words.LeagueChart(fide.Chess(), d, 4, time.FixedZone("", 2*60*60))
	picture.Language = phrase.English
	if told := picture.Words(); !strings.HasPrefix(told, "Picture: League. Chess. Division 2 of 3, season 7, 5 May 2026. 1. p3 1 won, 1 drawn, 0 lost: 1½, going up; ") || !strings.HasSuffix(told, "the first goes up, the last goes down.") {
		t.Error(told)
	}
}
