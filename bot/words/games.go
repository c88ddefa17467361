package words

import (
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// GameList is what a person has going on, and what they have done.
type GameList struct {
	Whose         storage.Person
	Playing       []match.Item
	All           int // how many they play
	Made, Pending []storage.Challenge
	Ended         []*match.Sight
	Names         map[storage.PersonID]string
}

func Games(list *GameList, me storage.PersonID, variant func(key string) *rules.Variant) Text {
	switch none := list.All+len(list.Made)+len(list.Pending)+len(list.Ended) == 0; {
	case none && list.Whose.ID != me:
		return Say(list.Whose.Name, " has no games and no challenges.")
	case none:
		return Say("No games and no challenges. Write ", code("challenge"), " to begin one.")
	}
	var t Text
	line := func(parts ...any) {
		if t != nil {
			t = append(t, Span{Words: "\n"})
		}
		t = append(t, Say(parts...)...)
	}
	for i := range list.Playing {
		line(itemWords(&list.Playing[i], list.Whose, me, Say(list.Playing[i].Opponent)))
	}
	if more := list.All - len(list.Playing); more > 0 {
		line("and ", plural(more, "game", "games"), " more")
	}
	for _, c := range list.Pending {
		line(Hash(c.ID), " challenge from ", list.Names[c.From], offeredWords(c, variant, list.Names[c.From]))
	}
	for _, c := range list.Made {
		to := list.Names[c.To]
		if c.To == 0 {
			to = "anyone"
		}
		line(Hash(c.ID), " challenge to ", to, offeredWords(c, variant, list.Names[c.From]))
	}
	for _, s := range list.Ended {
		_, name := opponent(s, list.Whose)
		line(Hash(s.Game.ID), " ", s.Variant.Name, " against ", name, ": ", ended(s))
	}
	return t
}

// itemWords are a game in progress in one line.
func itemWords(it *match.Item, whose storage.Person, me storage.PersonID, opponent Text) Text {
	turn := Say("waits for ", opponent)
	switch {
	case it.Mine && whose.ID == me:
		turn = Say("your turn")
	case it.Mine:
		turn = Say(whose.Name, " is to move")
	}
	t := Say(Hash(it.Game.ID), " ", it.Variant, " against ", opponent, ", ", plural(len(it.Game.Moves), "ply", "plies"), " played: ", turn)
	return append(t, timeWords(&it.Game, it.Due, it.Left, it.Away)...)
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
