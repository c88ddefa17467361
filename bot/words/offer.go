package words

import (
	"chimera/bot/match"
	"chimera/storage"
)

func DrawOffered(s *match.GameView, by storage.Person) Text {
	return Say("offer.draw-offered", "player", by.Name, "opponent", opponentOf(s, by), "game", s.Game.ID)
}

func TakebackAsked(s *match.GameView, by storage.Person) Text {
	return Say("offer.takeback-asked", "player", by.Name, "opponent", opponentOf(s, by), "game", s.Game.ID)
}

// opponentOf mentions who plays against a person in a game; a noun where that cannot be told.
func opponentOf(s *match.GameView, p storage.Person) any {
	side, ok := s.Game.SideOf(p.ID)
	if !ok {
		return book.Say("offer.other-player")
	}
	return playerOf(s, 1-side)
}

// ToOpponent says something to the opponent of somebody in a game.
func ToOpponent(s *match.GameView, by storage.Person, what Text) Text {
	return Say("offer.to-opponent", "opponent", opponentOf(s, by), "what", what)
}
