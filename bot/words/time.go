package words

import (
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Length tells a length of time in its two largest units.
func Length(d time.Duration) phrase.Phrase {
	d = d.Round(time.Minute)
	days, hours, minutes := int(d/match.Day), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0 && hours > 0:
		return book.Say("clock.days-hours", "days", days, "hours", hours)
	case days > 0:
		return book.Say("clock.days", "days", days)
	case hours > 0 && minutes > 0:
		return book.Say("clock.hours-minutes", "hours", hours, "minutes", minutes)
	case hours > 0:
		return book.Say("clock.hours", "hours", hours)
	case minutes > 0:
		return book.Say("clock.minutes", "minutes", minutes)
	}
	return book.Say("clock.less")
}

// date is a moment as platforms without dates of their own write it, in its time zone.
func date(at time.Time) phrase.Phrase {
	zone := at.Format("MST")
	if strings.ContainsAny(zone, "+-") { // it has no name of its own
		zone = "UTC" + zone
	}
	return book.Say("clock.date", "weekday", int(at.Weekday()), "day", at.Day(), "month", int(at.Month()), "time", at.Format("15:04"), "zone", zone)
}

// day is a moment without its time.
func day(at time.Time) phrase.Phrase {
	return book.Say("clock.day", "weekday", int(at.Weekday()), "day", at.Day(), "month", int(at.Month()))
}

func moment(at time.Time) Span { return Span{Moment: at} }

// by is a moment and how far off it is.
func by(at time.Time, left time.Duration) Span { return Span{Moment: at, Left: left} }

// when says which moment a Span is.
func when(s Span, zone *time.Location) phrase.Phrase {
	said := date(s.Moment.In(zone))
	if s.Left != 0 {
		said = book.Say("clock.date-in", "date", said, "span", Length(s.Left))
	}
	return said
}

// Zoned is a text that is in a language with its moments in the time zone of an IANA name, "" for
// UTC.
func (t Text) Zoned(l phrase.Language, name string) Text {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return t // as it was before
	}
	zoned := slices.Clone(t)
	for i, s := range zoned {
		if !s.Moment.IsZero() {
			zoned[i].Words = when(s, zone).Text(l)
		}
	}
	return zoned
}

// Pace says how much time there is for moves.
func Pace(p storage.Pace) phrase.Phrase {
	switch {
	case p.Move == 0:
		return book.Say("clock.pace-none")
	case p.Bank == 0:
		return book.Say("clock.pace", "move", Length(p.Move))
	}
	return book.Say("clock.pace-bank", "move", Length(p.Move), "bank", Length(p.Bank))
}

// Days is a number of days.
func Days(n int) phrase.Phrase { return book.Say("clock.days", "days", n) }

// clockParts say how the time of the player to move stands, and until when.
func clockParts(g *storage.Game, due time.Time, left time.Duration, away time.Time) []any {
	switch {
	case g.Pace.Move == 0:
		return []any{"time", "unlimited"}
	case !away.IsZero():
		return []any{"time", "away", "until", moment(away)}
	case g.Clock.Up, left == 0:
		return []any{"time", "out"}
	}
	return []any{"time", "running", "until", by(due, left)}
}

func Reminder(s *match.GameView) Text {
	side := s.Game.Turn
	return Say("clock.reminder", "player", mention(match.ToMove(&s.Game), s.Names[side]), "kind", s.Variant.Name, "game", Hash(s.Game.ID),
		"opponent", s.Names[1-side], "left", Length(s.Left), "until", moment(s.Due))
}

func TimeUp(s *match.GameView) Text {
	side := s.Game.Turn
	return Say("clock.time-up", "player", s.Names[side], "kind", s.Variant.Name, "game", Hash(s.Game.ID),
		"opponent", mention(s.Game.Players[1-side], s.Names[1-side]))
}

func TimeAdded(days int, s *match.GameView, by storage.Person) Text {
	return Say("clock.time-added", "player", by.Name, "opponent", opponentOf(s, by), "days", days, "game", Hash(s.Game.ID))
}

func WentAway(v event.Vacation, by storage.Person) Text {
	parts := []any{"player", by.Name, "n", len(v.Games), "games", phrase.Commas(each(v.Games, Hash)), "until", moment(v.Until)}
	if v.Auto {
		return Say("clock.went-away-itself", parts...)
	}
	return Say("clock.went-away", parts...)
}

func CameBack(v event.Vacation, by storage.Person) Text {
	return Say("clock.came-back", "player", by.Name, "n", len(v.Games), "games", phrase.Commas(each(v.Games, Hash)))
}

func Recovered(gap time.Duration) Text {
	return Say("clock.recovered", "span", Length(gap))
}

func OddDays(command, word string) Text {
	return Say("clock.odd-days", "word", Clip(word), "command", command)
}

func Vacation(left time.Duration, p storage.Person) Text {
	if p.Away() {
		return Say("clock.away", "until", moment(p.Vacation.Until), "left", left > 0, "span", Length(left))
	}
	return Say("clock.here", "left", left > 0, "span", Length(left))
}
