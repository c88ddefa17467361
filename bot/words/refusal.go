package words

import (
	"strings"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Refusal says why a request was refused.
func Refusal(no *event.Refusal) Text {
	return Say("refused."+Kebab(string(no.Why)), "game", no.Game,
		"challenges", limit.Challenges, "room-challenges", limit.RoomChallenges, "games", limit.Games, "practices", limit.Practices, "follows", limit.Follows, "blocks", limit.Blocks, "hidden", limit.Hidden,
		"guesses", limit.Guesses, "links", limit.LinksPerDay, "days", int(match.MaxMove/match.Day), "bank", int(match.MaxBank/match.Day))
}

// Kebab is the part of a key that several words become.
func Kebab(several string) string { return strings.ReplaceAll(several, " ", "-") }

// NotYourTurn names whose turn it is.
func NotYourTurn(s *match.GameView) Text {
	return Say("request.not-your-turn", "game", s.Game.ID, "player", called(match.ToMove(&s.Game), s.Names[s.Now.Position.Turn()]))
}

func IsOver(s *match.GameView) Text {
	return Say("request.over", "game", s.Game.ID, "how", ended(s))
}

// WhichGame lists the games that a request can be about, and tells how many more there are.
func WhichGame(games []match.Item, more int, me storage.Person) Text {
	var lines []any
	for i := range games {
		it := &games[i]
		other := it.Game.Players[0]
		if other == me.ID {
			other = it.Game.Players[1]
		}
		lines = append(lines, itemWords(it, me, me.ID, Of(called(other, it.Opponent))))
	}
	return Say("request.which-game", "game", games[0].Game.ID, "games", phrase.Lines(lines), "more", more)
}

// Stale is said of a button of a board that is not the newest.
func Stale(s *match.GameView) Text {
	if s.Game.Over() {
		return Say("request.button-of-ended", "game", s.Game.ID)
	}
	return Say("request.button-overtaken", "game", s.Game.ID)
}

// NotMet is said of somebody who has never spoken to the bot, nor been challenged.
func NotMet(name string) Text { return Say("request.not-met", "name", called(0, Clip(name))) }

// NoOfferWith says that a person has offered nothing, or been offered nothing.
func NoOfferWith(verb string, p storage.Person) Text {
	if verb == "cancel" {
		return Say("challenge.nothing-to", "player", called(p.ID, p.Name))
	}
	return Say("challenge.nothing-from", "player", called(p.ID, p.Name))
}

// Nobody is said of a name that is nobody's, and of what can be written instead.
func Nobody(word, instead string) Text {
	return Say("request.no-person", "name", called(0, Clip(word)), "instead", instead)
}
