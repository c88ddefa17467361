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

// LeagueCard tells what a league of n members is, how it stands, and what it means for a person: m is nil unless
// they are a member, and silent says that they can't be told anything in private.
func LeagueCard(kind phrase.Phrase, l *storage.League, s *storage.LeagueSeason, n int, m *storage.Member, silent bool) Text {
	all := []Text{Say("league.title", "kind", kind), Join(" ", LeagueState(l, s, n), If(l.Runs || !l.Off, Say("league.members", "n", n)...))}
	if !l.Off && (m == nil || m.Season == 0) {
		all = append(all, Say("league.terms", "weeks", l.Weeks, "size", l.Size, "bank", Length(season.Pace(l.Weeks).Bank)), Say("league.joining"))
	}
	if m != nil && l.Runs && !l.Off && m.Season != l.Season {
		all = append(all, Say("league.plays-next"))
	}
	return Lines(append(all, If(silent && !l.Off, Say("league.no-chat"))...))
}

// LeagueState tells when the current season of a league with n members ends, or the next one begins.
func LeagueState(l *storage.League, s *storage.LeagueSeason, n int) Text {
	switch {
	case l.Runs:
		return Join(" ", Say("league.runs", "number", s.Number, "at", Span{Moment: s.Ends}), noneFollows(l))
	case l.Off:
		return noneFollows(l)
	case l.Waits && n < season.Fewest:
		return Say("league.waits", "number", s.Number+1, "n", season.Fewest-n)
	}
	return Say("league.begins", "number", s.Number+1, "at", Span{Moment: l.Next})
}

func noneFollows(l *storage.League) Text {
	return If(l.Off, Say("league.none-follows")...)
}

// LeagueTable tells how a division stands, with one person's line in bold; brief leaves out what its picture shows.
func LeagueTable(kind phrase.Phrase, d *season.Division, whose storage.PersonID) (whole, brief Text) {
	all := []Text{Say("league.table", "kind", kind, "number", d.Season.Number, "division", d.Number, "divisions", d.Season.Divisions)}
	for i := range d.Standings {
		s := &d.Standings[i]
		line := Say("league.line", "place", s.Place, "player", d.Names[i], "points", points(s), "wins", s.Wins, "draws", s.Draws, "losses", s.Losses,
			"left", s.Left, "out", Either(s.Struck, "struck", Either(s.Out, "kept", "no")))
		all = append(all, boldIf(s.Person == whose, line))
	}
	all = append(all, Of(LeagueStake(d)))
	return Lines(all), Lines([]Text{all[0], all[len(all)-1]})
}

func points(s *season.Standing) any { return phrase.Decimal(float64(s.Points)/2, 1) }

// LeagueHalf tells that half of a season is over: who leads the first division, and who has not moved.
func LeagueHalf(kind phrase.Phrase, d *season.Division, idle []string) Text {
	all := []Text{Say("league.half", "kind", kind, "number", d.Season.Number, "at", Span{Moment: d.Season.Ends})}
	if names := first(d); len(names) > 0 && d.Standings[0].Points > 0 {
		all = append(all, Say("league.leads", "players", phrase.And(names), "n", len(names), "points", points(&d.Standings[0])))
	}
	return Lines(append(all, If(len(idle) > 0, Say("league.idle", some(idle)...))...))
}

// some are the parts of a sentence that names the first few of some people.
func some(names []string) []any {
	const most = 10
	shown := names[:min(len(names), most)]
	return []any{"players", phrase.Commas(shown), "more", len(names) - len(shown)}
}

// LeagueEnded tells that a season is over: who is champion, who goes up and down, whether that was settled by
// ratings, and when the next begins.
func LeagueEnded(kind phrase.Phrase, l *storage.League, d *season.Division, up, down []string, settled bool) Text {
	all := []Text{Say("league.ended", "kind", kind, "number", d.Season.Number)}
	if names := first(d); len(names) > 0 {
		all = append(all, Say("league.champion", "players", phrase.And(names), "n", len(names), "points", points(&d.Standings[0])))
	}
	all = append(all, If(len(up) > 0, Say("league.up", some(up)...))...)
	all = append(all, If(len(down) > 0, Say("league.down", some(down)...))...)
	all = append(all, If(settled, Say("league.settled"))...)
	return Lines(append(all, noneFollows(l), If(!l.Next.IsZero(), Say("league.next", "at", Span{Moment: l.Next})...)))
}

// LeagueGame tells of a division's game that a move swung by lost, from 0 to 1, after ply moves.
func LeagueGame(d *season.Division, r season.Result, ply int, lost float64) Text {
	name := func(side storage.Side) string { return d.Names[d.Line(r.Seats[side])] }
	return Say("league.game", "game", Hash(r.Game), "white", name(storage.White), "black", name(storage.Black), "move", ply/2+1,
		"player", name(ply%2), "percent", percent(lost))
}

// first lists the names of the players sharing first place in a division.
func first(d *season.Division) []string { return d.Names[:len(d.First())] }

// LeagueSeason tells of a season, whose first division is d, and who won it.
func LeagueSeason(d *season.Division) Text {
	names := first(d)
	over := !d.Season.Ended.IsZero()
	at := Span{Moment: Either(over, d.Season.Ended, d.Season.Ends)}
	return Say("league.season", "number", d.Season.Number, "at", at, "over", over, "n", len(names), "players", phrase.And(names))
}

// LeagueChart shows how a division stands, with one person's line marked. Its date is in a time zone.
func LeagueChart(v *rules.Variant, d *season.Division, whose storage.PersonID, zone *time.Location) *chart.Chart {
	at := Either(d.Season.Ended.IsZero(), d.Season.Ends, d.Season.Ended).In(zone)
	about := book.Say("chart.season", "number", d.Season.Number, "division", d.Number, "divisions", d.Season.Divisions)
	picture := &chart.Chart{
		Title: book.Say("chart.league"), About: v.Title(), Note: remark(about, chart.Date(at)), Crest: crestOf(v), Parts: []chart.Part{Crosstable(d, whose)},
	}
	if stake := LeagueStake(d); !stake.IsZero() {
		picture.Parts = append(picture.Parts, &chart.Facts{stake})
	}
	return picture
}

// LeagueStake tells how many go up and down from a division; where nobody does, what the first of the highest becomes.
// Nothing is at stake once its season has ended.
func LeagueStake(d *season.Division) phrase.Phrase {
	up, down := d.Exchanged()
	switch moves := up+down > 0; {
	case !d.Season.Ended.IsZero(), !moves && d.Number > 1:
		return phrase.Phrase{}
	case !moves:
		return book.Say("league.stake-champion")
	}
	return book.Say("league.stake", "up", up, "down", down, "both", up > 0 && down > 0)
}

// Crosstable shows the results of everyone in a division against everyone else, with one person's line marked.
func Crosstable(d *season.Division, whose storage.PersonID) *chart.Crosstable {
	table := &chart.Crosstable{Unit: book.Say("chart.points"), Rows: make([]chart.Entrant, len(d.Standings))}
	order := d.Order()
	up, down := d.Exchanged()
	for i := range d.Standings {
		s := &d.Standings[i]
		row := &table.Rows[i]
		*row = chart.Entrant{
			Place: Either(s.Struck, 0, s.Place), Name: d.Names[i], Points: Points(s.Points), Results: make([]chart.Result, len(d.Standings)), Mine: s.Person == whose, Out: s.Out || s.Struck,
		}
		if at := slices.IndexFunc(order, func(other season.Standing) bool { return other.Seat == s.Seat }); at < up {
			row.Moves = chart.Up
		} else if at >= len(order)-down {
			row.Moves = chart.Down
		}
	}
	for _, r := range d.Results {
		white, black := d.Line(r.Seats[storage.White]), d.Line(r.Seats[storage.Black])
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

// Points writes half points as tables do: "2½" for 5.
func Points(halves int) string {
	whole := fmt.Sprint(halves / 2)
	return Either(halves%2 == 0, whole, strings.TrimPrefix(whole, "0")+"½")
}

// Ladder tells how a ladder stands, with one person's line in bold; brief leaves out what its picture shows. Dates
// are in a time zone.
func Ladder(kind phrase.Phrase, l *season.OnLadder, whose storage.PersonID, zone *time.Location) (whole, brief Text) {
	all := []Text{Say("ladder.title", "kind", kind), Of(LadderBelt(l, zone))}
	next := 0
	for _, i := range rungsShown(l, whose) {
		all = append(all, If(i > next, Of("…"))...)
		next = i + 1
		all = append(all, boldIf(l.Rungs[i].Person == whose, Of(fmt.Sprintf("%d. %s", i+1, l.Names[i]))))
	}
	joining := If(l.Rung(whose) < 0, Say("ladder.joining"))
	return Lines(append(all, joining...)), Lines(append(all[:1:1], joining...))
}

// rungsShown are the rungs that a list shows, counted from 0: the upper ones, and those around somebody.
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

// LadderChart shows a ladder with the ratings of the people on it; nil if nobody is.
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
		Title: book.Say("chart.ladder"), About: v.Title(), Crest: crestOf(v), Parts: []chart.Part{ranking, &chart.Facts{LadderBelt(l, zone)}},
	}
}
