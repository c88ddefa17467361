package words

import (
	"cmp"
	"strings"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// GameList is what a person has going on, and what they have done, as Me sees it.
type GameList struct {
	Whose         storage.Person
	Me            storage.PersonID
	Playing       []match.Item
	All           int // how many they play
	Made, Pending []storage.Challenge
	Ended         []*match.GameView
	Names         map[storage.PersonID]string
	Variant       func(key string) *rules.Variant
}

// Games are all of a list.
func Games(list *GameList) Text {
	own := list.Whose.ID == list.Me
	if list.All+len(list.Made)+len(list.Pending)+len(list.Ended) == 0 {
		return Say(Either(own, "games.none", "games.none-of"), "player", list.Whose.Name)
	}
	lines := Each(list.Playing, func(it match.Item) Text { return list.Game(&it) })
	if more := list.All - len(list.Playing); more > 0 {
		lines = append(lines, Say("games.more", "n", more))
	}
	lines = append(lines, Each(list.Pending, list.Challenge)...)
	for _, c := range list.Made {
		lines = append(lines, list.Challenge(c))
		lines = append(lines, If(c.Lonely && c.To == 0 && !c.Waits && own, Say("games.lonely"))...)
	}
	return Lines(append(lines, Each(list.Ended, list.End)...))
}

// Game is a game in progress in one line.
func (list *GameList) Game(it *match.Item) Text {
	return itemWords(it, list.Whose, list.Me, Of(it.Opponent))
}

// Challenge is one by the person or to them in one line; of a kind of game that is not played any more,
// it tells only which.
func (list *GameList) Challenge(c storage.Challenge) Text {
	terms := Of(c.Variant)
	if v := list.Variant(c.Variant); v != nil {
		terms = Terms(&c, v, list.Names[c.From])
	}
	switch {
	case c.From != list.Whose.ID:
		return Say("games.challenge-from", "game", Hash(c.ID), "player", list.Names[c.From], "terms", terms)
	case c.Waits, c.To != 0:
		return Say("games.challenge-to", "game", Hash(c.ID), "player", cmp.Or(list.Names[c.To], c.Named), "terms", terms)
	}
	return Say("games.challenge-to-anyone", "game", Hash(c.ID), "terms", terms)
}

// End is a game that has ended in one line.
func (list *GameList) End(s *match.GameView) Text {
	side, _ := s.Game.SideOf(list.Whose.ID)
	return Say("games.ended", "game", Hash(s.Game.ID), "kind", s.Variant.Name, "opponent", s.Names[1-side], "how", Ended(s, 0))
}

// itemWords are a game in progress in one line.
func itemWords(it *match.Item, whose storage.Person, me storage.PersonID, opponent Text) Text {
	mover := opponent
	if it.Mine {
		mover = Of(whose.Name)
	}
	parts := []any{
		"game", Hash(it.Game.ID), "kind", it.Variant, "opponent", opponent, "player", mover, "played", len(it.Game.Moves), "move", len(it.Game.Moves)/2 + 1,
	}
	return Say(Either(it.Mine && whose.ID == me, "games.yours", "games.theirs"), append(parts, clockParts(&it.Game, it.Due, it.Left, it.Away)...)...)
}

// WhichGame lists the games that a request can be about, and tells how many more there are.
func WhichGame(games []match.Item, more int, me storage.Person) Text {
	lines := Each(games, func(it match.Item) Text {
		side, _ := it.Game.SideOf(me.ID)
		return itemWords(&it, me, me.ID, Of(NameOf(it.Game.Players[1-side], it.Opponent)))
	})
	return Say("request.which-game", "game", games[0].Game.ID, "games", phrase.Lines(lines), "more", more)
}

// Terms are what a challenge by somebody proposes.
func Terms(c *storage.Challenge, v *rules.Variant, by string) Text {
	return Say("challenge.terms", "variant", v.Name, "colour", c.Color, "player", by, "rated", c.Rated, "pace", Pace(c.Pace))
}

// Challenge is a challenge by somebody, to somebody of a name or, if nobody is known whom it is to, to anyone.
func Challenge(c *storage.Challenge, v *rules.Variant, by, to string) Text {
	opponent := Of(c.Named)
	if c.To != 0 {
		opponent = Of(Mention(c.To, to))
	}
	open := Either(c.Named == "", "challenge.open", "challenge.open-to-unknown")
	return Say(Either(c.To != 0 || c.Waits, "challenge.named", open), "challenge", c.ID, "player", by, "opponent", opponent, "name", c.Named, "terms", Terms(c, v, by))
}

// AsLink is a web address that does what was said before; nothing if there is none.
func AsLink(address string) Text {
	if address == "" {
		return nil
	}
	return Say("challenge.as-link", "address", Address(address))
}

// Keys are those of games, as people write them.
func Keys(games []*rules.Variant) string {
	return strings.Join(Each(games, func(v *rules.Variant) string { return v.Key }), ", ")
}
