package words

import (
	"fmt"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

func OneOpponent() Text { return Say("A challenge names one opponent, or nobody to let anyone join.") }

func Twice(one, other string) Text {
	return Say("“", Clip(one), "” and “", Clip(other), "” do not go together in a challenge: leave one out.")
}

// OddChallenge names the game that may have been meant, if there is one.
func OddChallenge(word, near string, all []*rules.Variant) Text {
	if near != "" {
		return Say("I don't know “", Clip(word), "” in a challenge. Did you mean ", code(near), "?")
	}
	return Say("I do not know “", Clip(word), "” in a challenge. Write it as ", code("challenge @name "+all[0].Key+" 3d white unrated"),
		"; the games are ", keys(all), ".")
}

func keys(all []*rules.Variant) string {
	var names []string
	for _, v := range all {
		names = append(names, v.Key)
	}
	return strings.Join(names, ", ")
}

func terms(c storage.Challenge, v *rules.Variant, by storage.Person) Text {
	rated := "unrated"
	if c.Rated {
		rated = "rated"
	}
	color := by.Name + " plays " + c.Color
	if c.Color == "random" {
		color = "colours by lot"
	}
	return Say(bold(v.Name), ", ", color, ", ", rated, ", ", paceWords(c.Pace))
}

func NamedChallenge(c storage.Challenge, v *rules.Variant, by storage.Person, to string) Text {
	return Say(Hash(c.ID), ": ", by.Name, " challenges ", mention(c.To, to), ": ", terms(c, v, by), ".")
}

func OpenChallenge(c storage.Challenge, v *rules.Variant, by storage.Person) Text {
	if c.Named != "" {
		return Say(Hash(c.ID), ": ", by.Name, " challenges ", c.Named, ", whom I do not know yet, so that anybody can join: ", terms(c, v, by), ".")
	}
	return Say(Hash(c.ID), ": ", by.Name, " challenges whoever joins first: ", terms(c, v, by), ".")
}

// HandOn says how an open challenge is joined that was made where nobody else sees it.
func HandOn(c storage.Challenge, address string) Text {
	if c.Code == "" {
		return nil
	}
	t := Say("\nNobody else sees this chat: hand the code on. Whoever writes ", code("accept "+c.Code), " to me first, in any chat, plays you.")
	if address != "" {
		t = append(t, Say(" As a link: ", link(address))...)
	}
	return t
}

// EnoughToday is said of a rated game between two who have had as many today as count.
func EnoughToday() Text {
	return Say(fmt.Sprintf(" You two have already played %d rated games today, so this one won't change your ratings if it ends today.", league.MaxPairs))
}

// Elsewhere says how an open challenge is joined from another chat.
func Elsewhere(c storage.Challenge, address string) Text {
	if address == "" || c.Code == "" {
		return nil
	}
	return Say("\nFrom another chat or platform: ", link(address), " or, written to me there, ", code("accept "+c.Code), ".")
}

// Join is a code that joins a challenge.
func Join(id storage.GameID, secret, address string) Text {
	t := Say("Whoever writes ", code("accept "+secret), " to me, in any chat and on any platform, joins challenge ", Hash(id),
		" and plays it there. The code is good once, so give it to one person.")
	if address != "" {
		t = append(t, Say(" As an address: ", link(address))...)
	}
	return t
}

func ChallengeOver(what inbox.What, id storage.GameID, by storage.Person) Text {
	if what == inbox.Declined {
		return Say(by.Name, " declines challenge ", Hash(id), ".")
	}
	return Say(by.Name, " takes challenge ", Hash(id), " back.")
}

func ChallengeGone(id storage.GameID, by storage.Person) Text {
	return Say(by.Name, "'s challenge ", Hash(id), " has been answered.")
}

func Expired(id storage.GameID, by storage.Person) Text {
	return Say(by.Name, "'s challenge ", Hash(id), " has expired.")
}

func NoPlayer(name string) Text {
	return Say(name, " is a bot, and does not play. Challenge a person, or nobody by name.")
}

func NotReached(p storage.Person) Text {
	return Say("I cannot tell ", called(p.ID, p.Name), " of that: nothing was written to me in private there yet. Write the challenge in a group or server where you both are, or challenge nobody by name and hand on the code.")
}

// NoCode is said of a text that does not have the form of a code.
func NoCode(verb, word string) Text {
	t := Say("“", Clip(word), fmt.Sprintf("” isn't a code: one has %d letters and digits, as in ", match.CodeLength), code(verb+" ABCDEFGHJKLM"), ".")
	if verb == "accept" {
		t = append(t, Say(" You can name a challenge by its number too, as in ", code("accept #12"), ", or by who made it, as in ", code("accept @name"), ".")...)
	}
	return t
}

// offeredWords are what a challenge proposes, to be put behind whom it is from or to.
func offeredWords(c storage.Challenge, variant func(key string) *rules.Variant, by string) Text {
	v := variant(c.Variant)
	if v == nil {
		return nil
	}
	return Say(": ", terms(c, v, storage.Person{Name: by}))
}
