package words

import (
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/storage"
)

func BlockWhom() Text { return Say("Name the person, as in ", code("block @name"), ".") }

func Blocked(p storage.Person, blocked bool) Text {
	if blocked {
		return Say("You get no more challenges from ", p.Name, ". ", code("unblock"), " ends that.")
	}
	return Say("You get challenges from ", p.Name, " again.")
}

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

func LinkTo(secret, address string) Text {
	t := Say("To link your other account to this one, send me ", code("link "+secret), " from it within ", span(match.LinkFor), ".")
	if address != "" {
		t = append(t, Say(" Or open ", link(address), " there.")...)
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
