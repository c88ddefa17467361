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
	case p.Unlimited():
		return book.Say("clock.pace-none")
	case p.Total():
		return book.Say("clock.pace-total", "bank", Length(p.Bank))
	case p.Bank == 0:
		return book.Say("clock.pace", "move", Length(p.Move))
	}
	return book.Say("clock.pace-bank", "move", Length(p.Move), "bank", Length(p.Bank))
}

// clockParts say how the time of the player to move stands, and until when.
func clockParts(g *storage.Game, due time.Time, left time.Duration, away time.Time) []any {
	switch {
	case g.Pace.Unlimited():
		return []any{"time", "unlimited"}
	case !away.IsZero():
		return []any{"time", "away", "until", Span{Moment: away}}
	case g.Clock.Up, left == 0:
		return []any{"time", "out"}
	}
	return []any{"time", "running", "until", Span{Moment: due, Left: left}}
}

// Reminder tells the player to move how much time is left.
func Reminder(s *match.GameView) Text {
	side := s.Game.Turn
	return Say("clock.reminder", "player", Mention(s.Game.Players[side], s.Names[side]), "opponent", s.Names[1-side],
		"kind", s.Variant.Name, "game", Hash(s.Game.ID), "left", Length(s.Left), "until", Span{Moment: s.Due})
}

// TimeUp tells the opponent of the player to move that they may claim the win.
func TimeUp(s *match.GameView) Text {
	side := s.Game.Turn
	return Say("clock.time-up", "player", s.Names[side], "opponent", Mention(s.Game.Players[1-side], s.Names[1-side]),
		"kind", s.Variant.Name, "game", Hash(s.Game.ID))
}

// OnVacation tells that somebody went away, or came back.
func OnVacation(what event.Kind, v event.Vacation, by storage.Person) Text {
	went := Either(bool(v.Auto), "clock.went-away-itself", "clock.went-away")
	return Say(Either(what == event.WentAway, went, "clock.came-back"),
		"player", by.Name, "n", len(v.Games), "games", phrase.And(Hashes(v.Games)), "until", Span{Moment: v.Until})
}
