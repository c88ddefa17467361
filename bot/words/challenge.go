package words

import (
	"strings"

	"chimera/rules"
	"chimera/storage"
)

// OddChallenge names the game that may have been meant, if there is one.
func OddChallenge(word, near string, all []*rules.Variant) Text {
	if near != "" {
		return Say("challenge.odd-word-near", "word", Clip(word), "near", near)
	}
	return Say("challenge.odd-word", "word", Clip(word), "example", all[0].Key, "games", keys(all))
}

func keys(all []*rules.Variant) string {
	return strings.Join(each(all, func(v *rules.Variant) string { return v.Key }), ", ")
}

func terms(c storage.Challenge, v *rules.Variant, by storage.Person) Text {
	return Say("challenge.terms", "variant", v.Name, "colour", c.Color, "player", by.Name, "rated", c.Rated, "pace", Pace(c.Pace))
}

func NamedChallenge(c storage.Challenge, v *rules.Variant, by storage.Person, to string) Text {
	return Say("challenge.named", "challenge", c.ID, "player", by.Name, "opponent", mention(c.To, to), "terms", terms(c, v, by))
}

func OpenChallenge(c storage.Challenge, v *rules.Variant, by storage.Person) Text {
	if c.Waits {
		return Say("challenge.named", "challenge", c.ID, "player", by.Name, "opponent", c.Named, "terms", terms(c, v, by))
	}
	if c.Named != "" {
		return Say("challenge.open-to-unknown", "challenge", c.ID, "player", by.Name, "name", c.Named, "terms", terms(c, v, by))
	}
	return Say("challenge.open", "challenge", c.ID, "player", by.Name, "terms", terms(c, v, by))
}

// Proposal is what somebody proposes who makes an open challenge, and in short the terms of that.
func Proposal(c storage.Challenge, v *rules.Variant, by storage.Person) (text, short Text) {
	short = terms(c, v, by)
	return Say("challenge.proposal", "player", by.Name, "terms", short), short
}

// Invitation is what its maker says to somebody to whom they hand on an open challenge.
func Invitation(c storage.Challenge, v *rules.Variant, by storage.Person) Text {
	return Say("challenge.invitation", "terms", terms(c, v, by))
}

// HandOn says how an open challenge is joined that was made where nobody else sees it.
func HandOn(c storage.Challenge, address string) Text {
	if c.Code == "" {
		return nil
	}
	return Of("\n", withLink(Say("challenge.hand-on", "code", c.Code), address))
}

// withLink adds an address to the words about a code, if there is one.
func withLink(t Text, address string) Text {
	if address == "" {
		return t
	}
	return Of(t, " ", Say("challenge.as-link", "address", link(address)))
}

// Elsewhere says how an open challenge is joined from another chat.
func Elsewhere(c storage.Challenge, address string) Text {
	if address == "" || c.Code == "" {
		return nil
	}
	return Of("\n", Say("challenge.elsewhere", "address", link(address), "code", c.Code))
}

// Join is a code that joins a challenge.
func Join(id storage.GameID, secret, address string) Text {
	return withLink(Say("challenge.code", "code", secret, "challenge", id), address)
}

func NotReached(p storage.Person) Text {
	return Say("challenge.not-reached", "player", called(p.ID, p.Name))
}
