package words

import (
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// GameList is what a person has going on, and what they have done.
type GameList struct {
	Whose         storage.Person
	Playing       []match.Item
	All           int // how many they play
	Made, Pending []storage.Challenge
	Ended         []*match.GameView
	Names         map[storage.PersonID]string
}

func Games(list *GameList, me storage.PersonID, variant func(key string) *rules.Variant) Text {
	switch none := list.All+len(list.Made)+len(list.Pending)+len(list.Ended) == 0; {
	case none && list.Whose.ID != me:
		return Say("games.none-of", "player", list.Whose.Name)
	case none:
		return Say("games.none")
	}
	var lines []Text
	for i := range list.Playing {
		lines = append(lines, list.Game(&list.Playing[i], me))
	}
	if more := list.All - len(list.Playing); more > 0 {
		lines = append(lines, Say("games.more", "n", more))
	}
	for _, c := range list.Pending {
		lines = append(lines, list.Pended(c, variant))
	}
	for _, c := range list.Made {
		lines = append(lines, list.Challenge(c, me, variant))
	}
	for _, s := range list.Ended {
		lines = append(lines, list.End(s))
	}
	return joined("\n", lines...)
}

// Game is a game in progress in one line.
func (list *GameList) Game(it *match.Item, me storage.PersonID) Text {
	return itemWords(it, list.Whose, me, Of(it.Opponent))
}

// Pended is a challenge to the person in one line.
func (list *GameList) Pended(c storage.Challenge, variant func(key string) *rules.Variant) Text {
	return Say("games.challenge-from", "game", Hash(c.ID), "player", list.Names[c.From], "terms", list.terms(c, variant))
}

// Challenge is one by the person likewise.
func (list *GameList) Challenge(c storage.Challenge, me storage.PersonID, variant func(key string) *rules.Variant) Text {
	terms := list.terms(c, variant)
	switch {
	case c.Waits:
		return Say("games.challenge-to", "game", Hash(c.ID), "player", c.Named, "terms", terms)
	case c.To != 0:
		return Say("games.challenge-to", "game", Hash(c.ID), "player", list.Names[c.To], "terms", terms)
	}
	line := Say("games.challenge-to-anyone", "game", Hash(c.ID), "terms", terms)
	if c.Lonely && list.Whose.ID == me {
		line = Lines([]Text{line, Say("games.lonely")})
	}
	return line
}

// End is a game that has ended in one line.
func (list *GameList) End(s *match.GameView) Text {
	side, _ := s.Game.SideOf(list.Whose.ID)
	return Say("games.ended", "game", Hash(s.Game.ID), "kind", s.Variant.Name, "opponent", s.Names[1-side], "how", ended(s))
}

// terms are what a challenge proposes; its kind of game alone where that is not played any more.
func (list *GameList) terms(c storage.Challenge, variant func(key string) *rules.Variant) Text {
	if v := variant(c.Variant); v != nil {
		return terms(c, v, storage.Person{Name: list.Names[c.From]})
	}
	return Of(c.Variant)
}

// LobbyLine is a challenge that can be joined.
func LobbyLine(c storage.Challenge, v *rules.Variant, by string) Text {
	return Say("games.challenge-from", "game", Hash(c.ID), "player", by, "terms", terms(c, v, storage.Person{Name: by}))
}

// Lobby lists challenges that can be joined, and how many more there are; where somebody is alone
// with the bot, none can be made.
func Lobby(lines []Text, more int, alone bool) Text {
	if len(lines) == 0 {
		return Say("games.lobby-empty", "alone", alone)
	}
	if more > 0 {
		lines = append(lines, Say("games.lobby-more", "n", more))
	}
	return Say("games.lobby", "challenges", phrase.Lines(lines))
}

// itemWords are a game in progress in one line.
func itemWords(it *match.Item, whose storage.Person, me storage.PersonID, opponent Text) Text {
	parts := []any{"game", Hash(it.Game.ID), "kind", it.Variant, "opponent", opponent, "played", len(it.Game.Moves), "move", len(it.Game.Moves)/2 + 1}
	parts = append(parts, clockParts(&it.Game, it.Due, it.Left, it.Away)...)
	switch {
	case it.Mine && whose.ID == me:
		return Say("games.yours", parts...)
	case it.Mine:
		return Say("games.theirs", append(parts, "player", whose.Name)...)
	}
	return Say("games.theirs", append(parts, "player", opponent)...)
}

func Followed(id storage.GameID, wanted bool) Text {
	if wanted {
		return Say("games.followed", "game", Hash(id))
	}
	return Say("games.unfollowed", "game", Hash(id))
}
