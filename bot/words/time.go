package words

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// span tells a length of time in its two largest units.
func span(d time.Duration) string {
	d = d.Round(time.Minute)
	days, hours, minutes := int(d/match.Day), int(d/time.Hour)%24, int(d/time.Minute)%60
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{days, "day", "days"}, {hours, "hour", "hours"}, {minutes, "minute", "minutes"}} {
		if p.n > 0 && len(parts) < 2 {
			parts = append(parts, plural(p.n, p.one, p.many))
		}
	}
	if len(parts) == 0 {
		return "less than a minute"
	}
	return strings.Join(parts, " ")
}

// by is a moment and how far off it is.
func by(at time.Time, left time.Duration) Span { return Span{Moment: at, Words: "in " + span(left)} }

func paceWords(p storage.Pace) string {
	switch {
	case p.Move == 0:
		return "no time limit"
	case p.Bank == 0:
		return span(p.Move) + " a move"
	}
	return span(p.Move) + " a move and " + span(p.Bank) + " once"
}

// timeWords tells how the time of the player to move stands; it goes on a sentence.
func timeWords(g *storage.Game, due time.Time, left time.Duration, away time.Time) Text {
	switch {
	case g.Pace.Move == 0:
		return Say(", no time limit")
	case !away.IsZero():
		return Say(", on vacation until ", Span{Moment: away}, "; the clock stands still")
	case g.Clock.Up:
		return Say("; the time is up")
	case left == 0:
		return Say("; no time is left")
	}
	return Say(" by ", by(due, left))
}

// turnWords is the sentence of a board about whose turn it is.
func turnWords(s *match.Sight) Text {
	turn := s.Now.Position.Turn()
	t := Say(mention(match.ToMove(&s.Game), s.Names[turn]), " (", turn.String(), ") is to move")
	return append(append(t, timeWords(&s.Game, s.Due, s.Left, s.Away)...), Span{Words: "."})
}

func Reminder(s *match.Sight) Text {
	side := s.Game.Turn
	t := Say(mention(match.ToMove(&s.Game), s.Names[side]), ", your move in ", bold(s.Variant.Name+" "+Hash(s.Game.ID)), " against ", s.Names[1-side], " is wanted")
	return append(append(t, timeWords(&s.Game, s.Due, s.Left, s.Away)...), Span{Words: "."})
}

func TimeUp(s *match.Sight) Text {
	side := s.Game.Turn
	return Say(s.Names[side], "'s time is up in ", bold(s.Variant.Name+" "+Hash(s.Game.ID)), ". ",
		mention(s.Game.Players[1-side], s.Names[1-side]), " may ", code("claim"), " the win; until then ", s.Names[side], " may still move.")
}

func TimeAdded(e storage.Entry, s *match.Sight, by storage.Person) Text {
	id, name := opponent(s, by)
	days := e.Facts[inbox.FactDays] + " days"
	if days == "1 days" {
		days = "a day"
	}
	return Say(by.Name, " gives ", mention(id, name), " ", days, " more in game ", Hash(s.Game.ID), ".")
}

func WentAway(e storage.Entry, by storage.Person) Text {
	until, _ := time.Parse(time.RFC3339, e.Facts[inbox.FactUntil])
	if e.Facts[inbox.FactAuto] != "" {
		return Say(by.Name, " ran out of time, so a vacation has begun: the clock is paused", inGames(e), " until ", Span{Moment: until}, " at the latest.")
	}
	return Say(by.Name, " is on vacation until ", Span{Moment: until}, ": the clock is paused", inGames(e), ".")
}

func CameBack(e storage.Entry, by storage.Person) Text {
	return Say(by.Name, " is back from vacation: the clock is running again", inGames(e), ".")
}

// inGames are the games of whose clocks an entry tells.
func inGames(e storage.Entry) string {
	games := strings.Fields(e.Facts[inbox.FactGames])
	if len(games) == 0 {
		return ""
	}
	return " in #" + strings.Join(games, ", #")
}

func Recovered(e storage.Entry) Text {
	gap, _ := time.ParseDuration(e.Facts[inbox.FactGap])
	return Say("I was away for ", span(gap), ", and am back. Every deadline is later by as much.")
}

func OddDays(command, word string) Text {
	t := Say("I do not know “", Clip(word), "” there: name days from 1 to 14, as in ", code(command+" 3d"))
	if command == "vacation" {
		t = append(t, Say(", or ", code("vacation off"))...)
	}
	return append(t, Span{Words: "."})
}

func Vacation(left time.Duration, p storage.Person) Text {
	days := "no vacation left this year"
	if left > 0 {
		days = span(left) + " of vacation left this year"
	}
	if p.Away() {
		return Say("You are on vacation until ", Span{Moment: p.Vacation.Until}, ", and your clocks stand still. ", code("vacation off"), " ends it. You'll have ", days, " after that.")
	}
	return Say("You are not on vacation, and have ", days, ". ", code("vacation 5d"), " begins one.")
}

func NoPlanNow(id storage.GameID) Text {
	return Say("No moves of yours are played by themselves in game ", Hash(id), " any more.")
}

func Plan(id storage.GameID, lines [][]string, seen bool) Text {
	if len(lines) == 0 {
		return Say("You have no conditional moves in game ", Hash(id), ". Write them as ", code("if e5 then Nf3, if Nc6 then Bb5; if c5 then c3"), ".")
	}
	t := Say("Your conditional moves in ", Hash(id), " (only you can see them):")
	if seen {
		t = Say("Your conditional moves in ", Hash(id), ". Others here can read what you wrote: delete your message, and next time write to me alone.")
	}
	for _, line := range lines {
		t = append(t, Span{Words: "\n"})
		for i := 0; i+1 < len(line); i += 2 {
			if i > 0 {
				t = append(t, Span{Words: ", and then "})
			}
			t = append(t, Say("if ", code(line[i]), " then ", code(line[i+1]))...)
		}
	}
	return append(t, Say("\nAny other move of your opponent's ends this. ", code("if clear"), " does too.")...)
}

func PlanFault(f *match.PlanFault) Text {
	const form = "if e5 then Nf3, if Nc6 then Bb5; if c5 then c3"
	var illegal *rules.Illegal
	switch {
	case errors.As(f.Why, &illegal):
		return Say("In “", Clip(f.Text), "”: ", illegal.Error(), " Nothing was stored.")
	case errors.Is(f.Why, match.ErrPlanLong):
		return Say(fmt.Sprintf("At most %d lines of %d pairs of moves each can be stored. Nothing was.", limit.PlanLines, limit.PlanDepth))
	case errors.Is(f.Why, match.ErrPlanConflict):
		return Say("“", Clip(f.Text), "” is a second answer to the same moves. Give one. Nothing was stored.")
	case f.Text == "":
		return Say("Write the moves as ", code(form), ".")
	}
	return Say("I cannot read “", Clip(f.Text), "”: write a move and your answer to it, as in ", code(form), ". Nothing was stored.")
}
