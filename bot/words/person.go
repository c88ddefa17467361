package words

import (
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Blocked is said of somebody whose challenges are kept away, or are let through again.
func Blocked(p storage.Person, blocked bool) Text {
	if blocked {
		return Say("person.blocked", "player", p.Name)
	}
	return Say("person.unblocked", "player", p.Name)
}

// LinkTo is a code that links another account.
func LinkTo(secret, address string) Text {
	said := []Text{Say("person.link-to", "code", secret, "time", Length(match.LinkFor))}
	if address != "" {
		said = append(said, Say("person.link-open", "address", link(address)))
	}
	return joined(" ", append(said, Say("person.link-care"))...)
}

// SureToLink asks who would become another.
func SureToLink(u user.Merge) Text {
	return Say("person.link-sure", "player", u.Into.Name, "platforms", platformsOf(u.Into), "joins", joins(u), "code", u.Code)
}

// SureToGive asks whom another would become.
func SureToGive(u user.Merge) Text {
	return Say("person.give-sure", "player", u.From.Name, "platforms", platformsOf(u.From), "joins", joins(u))
}

// joins tells what a link joins.
func joins(u user.Merge) phrase.Phrase {
	switch {
	case u.Playing+u.Played == 0:
		return book.Say("person.link-no-games")
	case u.Played == 0:
		return book.Say("person.link-playing", "playing", u.Playing, "rated", u.Rated)
	case u.Playing == 0:
		return book.Say("person.link-played", "played", u.Played, "rated", u.Rated)
	}
	return book.Say("person.link-games", "playing", u.Playing, "played", u.Played, "rated", u.Rated)
}

// platformsOf is where a person has accounts.
func platformsOf(p storage.Person) phrase.List {
	return phrase.And(each(p.Identities, func(a storage.Address) string { return platformName(a.Platform) }))
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

// RoomLost tells a player that nothing can be said any more where they play.
func RoomLost(games event.Games) Text {
	return Say("person.room-lost", "n", len(games), "games", phrase.And(each(games, Hash)))
}

// OpponentLost tells a player that their opponent cannot be reached.
func OpponentLost(games event.Games, by storage.Person) Text {
	return Say("person.opponent-lost", "n", len(games), "games", phrase.And(each(games, Hash)), "player", by.Name)
}
