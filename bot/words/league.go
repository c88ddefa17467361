package words

import (
	"slices"

	"chimera/bot/season"
	"chimera/rules/phrase"
	"chimera/storage"
)

// LeagueCard tells what a league of n members is, how it stands, and what somebody is in it, who is no member
// if m is nil; silent is that they can't be told anything in private.
func LeagueCard(kind string, l *storage.League, s *storage.LeagueSeason, n int, m *storage.Member, silent bool) Text {
	all := []Text{Say("league.title", "kind", kind), LeagueState(l, s, n)}
	all[1] = Join(" ", all[1], Say("league.members", "n", n))
	if m == nil && !l.Off {
		all = append(all, Say("league.terms", "weeks", l.Weeks, "size", l.Size, "bank", Length(season.Pace(l.Weeks).Bank)), Say("league.joining"))
	} else if m != nil && l.Runs && m.Season != l.Season {
		all = append(all, Say("league.plays-next"))
	}
	if silent && !l.Off {
		all = append(all, Say("league.no-chat"))
	}
	return Lines(all)
}

// LeagueState tells when the season that goes on ends, or the next one begins, of a league with n
// members.
func LeagueState(l *storage.League, s *storage.LeagueSeason, n int) Text {
	switch {
	case l.Runs:
		return Join(" ", Say("league.runs", "number", s.Number, "at", Span{Moment: s.Ends}), noneFollows(l))
	case l.Off:
		return noneFollows(l)
	case l.Waits:
		return Say("league.waits", "number", s.Number+1, "n", season.Fewest-n)
	}
	return Say("league.begins", "number", s.Number+1, "at", Span{Moment: l.Next})
}

func noneFollows(l *storage.League) Text {
	if !l.Off {
		return nil
	}
	return Say("league.none-follows")
}

// LeagueTable is how a division stands, with one person's line in bold.
func LeagueTable(kind string, d *season.Division, whose storage.PersonID) Text {
	all := []Text{Say("league.table", "kind", kind, "number", d.Season.Number, "division", d.Number, "divisions", d.Season.Divisions)}
	for i := range d.Standings {
		s := &d.Standings[i]
		line := Say("league.line", "place", s.Place, "player", d.Names[i], "points", points(s), "wins", s.Wins, "draws", s.Draws, "losses", s.Losses,
			"left", s.Left, "out", outOf(s))
		if s.Person == whose {
			line[0].Style = Bold
		}
		all = append(all, line)
	}
	if stake := LeagueStake(d); !stake.IsZero() {
		all = append(all, Of(stake))
	}
	return Lines(all)
}

func points(s *season.Standing) any { return phrase.Decimal(float64(s.Points)/2, 1) }

func outOf(s *season.Standing) string {
	switch {
	case s.Struck:
		return "struck"
	case s.Out:
		return "kept"
	}
	return "no"
}

// LeagueBegan, LeagueHalf and LeagueEnded are told where a league is.

// LeagueBegan tells that a season has begun in which n people play.
func LeagueBegan(kind string, s *storage.LeagueSeason, n int) Text {
	return Say("league.began", "kind", kind, "number", s.Number, "n", n, "divisions", s.Divisions, "at", Span{Moment: s.Ends})
}

// LeagueHalf tells that half of a season is over: who leads the first division, and who has not moved.
func LeagueHalf(kind string, d *season.Division, idle []string, more int) Text {
	all := []Text{Say("league.half", "kind", kind, "number", d.Season.Number, "at", Span{Moment: d.Season.Ends})}
	if names, s := first(d); s != nil && s.Points > 0 {
		all = append(all, Say("league.leads", "players", phrase.And(names), "n", len(names), "points", points(s)))
	}
	if len(idle) > 0 {
		all = append(all, Say("league.idle", "players", phrase.Commas(idle), "more", more))
	}
	return Lines(all)
}

// LeagueEnded tells that a season is over: who is champion, who goes up and down, and when the next begins.
func LeagueEnded(kind string, l *storage.League, d *season.Division, up, down []string, more [2]int) Text {
	all := []Text{Say("league.ended", "kind", kind, "number", d.Season.Number)}
	if names, s := first(d); s != nil {
		all = append(all, Say("league.champion", "players", phrase.And(names), "points", points(s)))
	}
	for i, names := range [][]string{up, down} {
		if len(names) > 0 {
			all = append(all, Say(Either(i == 0, "league.up", "league.down"), "players", phrase.Commas(names), "more", more[i]))
		}
	}
	if next := noneFollows(l); next != nil {
		all = append(all, next)
	} else if !l.Next.IsZero() {
		all = append(all, Say("league.next", "at", Span{Moment: l.Next}))
	}
	return Lines(all)
}

// first are those who stand first in a division; nil if nobody counts.
func first(d *season.Division) (names []string, s *season.Standing) {
	i := slices.IndexFunc(d.Standings, func(s season.Standing) bool { return s.Place > 1 || s.Struck })
	if i < 0 {
		i = len(d.Standings)
	}
	if i == 0 {
		return nil, nil
	}
	return d.Names[:i], &d.Standings[0]
}

// LeagueSeasons are the seasons of a league, with who has won them.
func LeagueSeasons(kind string, all []*season.Division) Text {
	lines := []Text{Say("league.history", "kind", kind)}
	for _, d := range all {
		lines = append(lines, LeagueSeason(d))
	}
	return Lines(lines)
}

// LeagueSeason is a season, of which d is the first division, with who has won it.
func LeagueSeason(d *season.Division) Text {
	names, _ := first(d)
	return Say("league.season", "number", d.Season.Number, "at", Span{Moment: d.Season.Ends}, "over", !d.Season.Ended.IsZero(), "n", len(names), "players", phrase.And(names))
}
