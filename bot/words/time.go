package words

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/render"
	"chimera/rules"
	"chimera/storage"
)

// Words about time, conditions, settings and what is stored.

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
	t := Say(mention(s.ToMove(), s.Names[turn]), " (", turn.String(), ") is to move")
	return append(append(t, timeWords(&s.Game, s.Due, s.Left, s.Away)...), Span{Words: "."})
}

func Reminder(s *match.Sight) Text {
	side := s.Game.Turn
	t := Say(mention(s.ToMove(), s.Names[side]), ", your move in ", bold(s.Variant.Name+" "+Hash(s.Game.ID)), " against ", s.Names[1-side], " is wanted")
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

// ToOpponent says something to the opponent of somebody in a game.
func ToOpponent(s *match.Sight, by storage.Person, what Text) Text {
	id, name := opponent(s, by)
	return append(Say(mention(id, name), ", "), what...)
}

func Recovered(e storage.Entry) Text {
	gap, _ := time.ParseDuration(e.Facts[inbox.FactGap])
	return Say("I was away for ", span(gap), ", and am back. Every deadline is later by as much.")
}

func Expired(id storage.GameID, by storage.Person) Text {
	return Say(by.Name, "'s challenge ", Hash(id), " has expired.")
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

// Conditional moves.

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

func AsPlanned(by storage.Person) Text {
	return Say(" ", by.Name, " had planned this move.")
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

// Settings and what is stored.

func Settings(all []people.Setting) Text {
	t := Say("Your settings:")
	for _, s := range all {
		t = append(t, Say("\n", same(s.Name+" "+s.Value), ": ", settingHelp(s.Name))...)
	}
	return append(t, Say("\nChange one as in ", code("settings quiet 22-7"), ".")...)
}

func ServerSettings(all []people.Setting, hidden []string) Text {
	t := Say("Settings for everyone here:")
	for _, s := range all {
		t = append(t, Say("\n", same(s.Name+" "+s.Value), ": ", settingHelp(s.Name))...)
	}
	t = append(t, Say("\nManagers can change one as in ", code("settings here days 5"),
		", take somebody off the leaderboards here with ", code("settings here hide @name"), ", undo that with ", code("settings here unhide @name"),
		", and let a game count for no rating with ", code("settings here annul #12"), ".")...)
	if len(hidden) == 0 {
		return t
	}
	const most = 10
	if more := len(hidden) - most; more > 0 {
		hidden = append(hidden[:most:most], fmt.Sprintf("%d more", more))
	}
	return append(t, Say("\nHidden: ", list(hidden), ".")...)
}

// OnlyForServer tells a word that is about the server how it is written.
func OnlyForServer(verb string, game storage.GameID) Text {
	what := verb + " @name"
	if verb == "annul" {
		what = verb + " " + Hash(max(game, 1))
	}
	return Say("That is for the managers of a server or group: write it there, as in ", code("settings here "+what), ".")
}

func NoSetting(name string, everyones bool) Text {
	if everyones {
		return Say("“", Clip(name), "” is set for everyone in a server or group, by its managers, as in ", code("settings here "+name+" …"), ".")
	}
	return Say("There's no setting “", Clip(name), "”. Write ", code("settings"), " for yours.")
}

func NoServerSetting(name string) Text {
	return Say("There's no setting “", Clip(name), "” for everyone here. Write ", code("settings here"), " for those there are.")
}

// BadValue names the values that a setting takes.
func BadValue(name, value string, games []*rules.Variant) Text {
	return Say("“", Clip(value), "” isn't a valid value: ", code(name), " takes ", settingTakes(name, games), ".")
}

// BadZone names the time zone that may have been meant, if there is one.
func BadZone(value, meant string) Text {
	if meant != "" {
		return Say("I don't know a time zone “", Clip(value), "”. Did you mean ", code("settings timezone "+meant), "?")
	}
	return Say("I don't know a time zone “", Clip(value), "”: ", code(people.SetTimezone), " takes ", settingTakes(people.SetTimezone, nil), ".")
}

// settingTakes are the values that a setting may have.
func settingTakes(name string, games []*rules.Variant) string {
	switch name {
	case people.SetReminders:
		return "all, off, or some of half,24h,4h,1h"
	case people.SetQuiet:
		return "hours such as 22-7, or off"
	case people.SetTimezone:
		return "a name such as Europe/Zurich, America/New_York or UTC"
	case people.SetClaim, people.SetVacation:
		return "auto or ask"
	case people.SetTheme:
		var names []string
		for _, t := range render.Themes() {
			names = append(names, t.String())
		}
		return "usual, " + strings.Join(names, ", ")
	case people.SetSize:
		return "usual, small, medium or large"
	case people.SetGame:
		return "a game by its name or key: " + keys(games)
	case people.SetDays:
		return "a number of days from 1 to 14"
	case people.SetRooms:
		return "all, here or not-here"
	default:
		return "on or off"
	}
}

func ManagersOnly() Text { return Say("Only managers can change the settings for everyone here.") }

func BlockWhom() Text { return Say("Name the person, as in ", code("block @name"), ".") }

func Blocked(p storage.Person, blocked bool) Text {
	if blocked {
		return Say("You get no more challenges from ", p.Name, ". ", code("unblock"), " ends that.")
	}
	return Say("You get challenges from ", p.Name, " again.")
}

func settingHelp(name string) string {
	switch name {
	case people.SetReminders:
		return "all, off, or some of half,24h,4h,1h before your time is up"
	case people.SetQuiet:
		return "hours of the day in which I do not remind you, such as 22-7, or off"
	case people.SetTimezone:
		return "for those hours, such as Europe/Zurich"
	case people.SetClaim:
		return "auto or ask: whether I claim your wins on time for you in unrated games"
	case people.SetVacation:
		return "auto or ask: whether a vacation begins where you would lose on time"
	case people.SetBoards:
		return "on or off: whether you are on leaderboards"
	case people.SetTheme:
		var names []string
		for _, t := range render.Themes() {
			names = append(names, t.String())
		}
		return "of boards: usual, " + strings.Join(names, ", ")
	case people.SetSize:
		return "of boards: usual, small, medium, large"
	case people.SetGame:
		return "that a challenge means which names none"
	case people.SetDays:
		return "for a move, from 1 to 14, where a challenge names none"
	case people.SetThreads:
		return "on or off: whether a game gets a thread of its own, where that can be"
	case people.SetSeasons:
		return "on or off: whether I tell the final table of each month, where this was turned on"
	case people.SetRooms:
		return "all, here or not-here: where games may be begun"
	}
	return ""
}

func SettingNeedsValue(name string, games []*rules.Variant) Text {
	return Say("Write the value too: ", code(name), " takes ", settingTakes(name, games), ".")
}

func Exported(id storage.GameID) Text { return Say("Game ", Hash(id), " as text:") }

func AllAboutYou() Text { return Say("All that is stored about you:") }

func SureToForget() Text {
	return Say("Really forget you? Your games in progress end, and your name goes; your opponents keep the games. Write ",
		code("forgetme"), " again within two minutes, or press a button.")
}

func Forgotten() Text {
	return Say("You are forgotten: your name and your account are removed, and the games you played are somebody's.")
}

func StaysHere() Text { return Say("All right, nothing was removed.") }

func Privacy() Text {
	return Say("Stored are: your account's number and name on this platform, your challenges and games with their moves, your ratings and where you stand on leaderboards, your settings and vacations, ",
		"and for two weeks the numbers of messages I have answered, with my words where I refused something. Your messages themselves are not stored, but for the minutes that an answer may have to wait. ",
		"Your name, ratings, results and whom you play most are public. A game is shown to its players, and where it is played or followed: to everybody in that server or group, and to nobody else if that is a private chat. ",
		code("mydata"), " shows all of it, ", code("forgetme"), " removes it.")
}

func NothingWaits(all int) Text {
	return Say("No game waits for you: it is your opponents' turn in ", plural(all, "game", "games"), ". ", code("games"), " lists them.")
}

func NothingWaitsFor(name string) Text {
	return Say("No game waits for ", name, ". ", code("games @name"), " lists somebody's games.")
}

func FollowWhat(verb string) Text { return Say("Name the game, as in ", code(verb+" #12"), ".") }

func Followed(id storage.GameID, wanted bool) Text {
	if wanted {
		return Say("Each move of game ", Hash(id), " is told here now. ", code("unfollow "+Hash(id)), " ends that.")
	}
	return Say("Game ", Hash(id), " is told here no more.")
}

func LinkTo(secret, door string) Text {
	t := Say("To link your other account to this one, send me ", code("link "+secret), " from it within ", span(match.LinkFor), ".")
	if door != "" {
		t = append(t, Say(" Or open ", link(door), " there.")...)
	}
	return append(t, Say(" I'll ask both accounts before anything is joined. Don't share this code: it is for you alone.")...)
}

// SureToLink asks who would become another.
func SureToLink(u people.Union) Text {
	name := bold(u.Into.Name)
	t := Say("Link this account to ", name, platformsOf(u.Into), "? You'd become ", name, ", here and there: ")
	t = append(t, joins(u)...)
	return append(t, Say(" Only say Yes if ", name, " is you: they could then play your games. ",
		code("unlink"), " gives each account its own games back. Press a button, or write ", code("link "+u.Code+" yes"), ".")...)
}

// SureToGive asks whom another would become.
func SureToGive(u people.Union) Text {
	name := bold(u.From.Name)
	t := Say(name, platformsOf(u.From), " has your code and would become you: ")
	t = append(t, joins(u)...)
	return append(t, Say(" Only say Yes if ", name, " is you: they could then play your games. Press a button, or write ",
		code("link yes"), " or ", code("link no"), ".")...)
}

// joins tells what a link joins.
func joins(u people.Union) Text {
	if u.Playing+u.Played == 0 {
		return Say("there are no games to move.")
	}
	var games []string
	if u.Playing > 0 {
		games = append(games, plural(u.Playing, "game", "games")+" in progress")
	}
	if u.Played > 0 {
		games = append(games, plural(u.Played, "finished game", "finished games"))
	}
	what := list(games) + " would move over"
	if u.Rated {
		return Say(what, ", and one rating would be worked out from all rated games of both.")
	}
	return Say(what, ".")
}

// platformsOf is where a person has accounts, in brackets.
func platformsOf(p storage.Person) string {
	var names []string
	for _, a := range p.Identities {
		names = append(names, platformName(a.Platform))
	}
	return " (" + list(names) + ")"
}

func platformName(key string) string {
	switch key {
	case "discord":
		return "Discord"
	case "telegram":
		return "Telegram"
	}
	return key
}

func LinkAgreed() Text {
	return Say("Now confirm from the other account: I've asked it in our private chat there, or write ", code("link yes"), " to me there. Nothing is joined before that.")
}

func LinkedNothing() Text { return Say("All right, nothing was linked.") }

func OnlyHere() Text {
	return Say("There's no other account to link: I'm on this platform alone. ", code("link #12"), " gives a code for a challenge.")
}

func Linked() Text {
	return Say("Your accounts are linked: you're one person on both now, and can play your games from either. ", code("unlink"), " undoes that.")
}

func Unlinked() Text {
	return Say("Your accounts are their own again, each with the games that were played from it. Ratings follow within a minute or so.")
}

func Status(about string, missing []string, parked []storage.Parked) Text {
	switch {
	case len(missing)+len(parked) == 0:
		return Say(about, ": all is well.")
	case len(missing) == 0:
		return Say(about, ": ", damagedWords(parked), " Everything else is well.")
	}
	if len(parked) > 0 {
		about += ": " + damagedWords(parked)
	}
	var names []string
	for _, platform := range missing {
		names = append(names, strings.ToUpper(platform[:1])+platform[1:])
	}
	return Say(about, ": I'm not on ", strings.Join(names, " or "), " at the moment. Nothing is lost: what is to be said there waits. Everything else is well.")
}

// damagedWords says what was set aside: the first of it, and how much more there is.
func damagedWords(parked []storage.Parked) string {
	var names []string
	for _, p := range parked[:min(len(parked), limit.Listed)] {
		names = append(names, parkedName(p.Ref))
	}
	if more := len(parked) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "I can't read these, so I've set them aside: " + strings.Join(names, ", ") + "."
}

// parkedName is what people call a record.
func parkedName(ref storage.Ref) string {
	switch ref.Kind {
	case storage.OfGame:
		return "game " + Hash(storage.GameID(ref.ID))
	case storage.OfChallenge:
		return "challenge " + Hash(storage.GameID(ref.ID))
	case storage.OfEntry:
		return fmt.Sprintf("message %d", ref.ID)
	default:
		return fmt.Sprintf("%s %d", ref.Kind, ref.ID)
	}
}

func RoomLost(e storage.Entry) Text {
	return Say("I can't write to the room any more where you play ", gameNumbers(e), ". Nothing is lost: I'll show you the boards here, and you can play here.")
}

func OpponentLost(e storage.Entry, by storage.Person) Text {
	return Say("I can't reach ", by.Name, " any more, your opponent in ", gameNumbers(e), ". They may have blocked me. Nothing is lost: they'll see the board when I can write to them again.")
}

// gameNumbers are the games that an entry names.
func gameNumbers(e storage.Entry) string {
	var all []string
	for id := range strings.FieldsSeq(e.Facts[inbox.FactGames]) {
		all = append(all, "#"+id)
	}
	return list(all)
}
