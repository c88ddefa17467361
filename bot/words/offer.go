package words

import (
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/storage"
)

func DrawOffered(s *match.Sight, by storage.Person) Text {
	id, name := opponent(s, by)
	return Say(by.Name, " offers ", mention(id, name), " a draw in game ", Hash(s.Game.ID), ".")
}

func TakebackAsked(s *match.Sight, by storage.Person) Text {
	id, name := opponent(s, by)
	return Say(by.Name, " asks ", mention(id, name), " to take a move back in game ", Hash(s.Game.ID), ".")
}

// opponent is who plays against a person in a game, 0 if that person does not play in it.
func opponent(s *match.Sight, p storage.Person) (storage.PersonID, string) {
	side, ok := s.Game.SideOf(p.ID)
	if !ok {
		return 0, "the other player"
	}
	return s.Game.Players[1-side], s.Names[1-side]
}

func OfferOver(what inbox.What, id storage.GameID, by storage.Person) Text {
	switch what {
	case inbox.DrawDeclined:
		return Say(by.Name, " declines the draw in game ", Hash(id), ".")
	case inbox.DrawCancelled:
		return Say(by.Name, " takes the draw offer in game ", Hash(id), " back.")
	case inbox.TakebackDeclined:
		return Say(by.Name, " declines the takeback in game ", Hash(id), ".")
	default:
		return Say(by.Name, " does not ask for the takeback in game ", Hash(id), " any more.")
	}
}

func SureToResign(id storage.GameID) Text {
	return Say("Really resign game ", Hash(id), "? Write ", code("resign"), " again within two minutes, or press a button.")
}

func SureToDraw(id storage.GameID) Text {
	return Say("Offer a draw in game ", Hash(id), ", or agree to one?")
}

func SureToAbort(id storage.GameID) Text {
	return Say("Really abort game ", Hash(id), "? Write ", code("abort"), " again within two minutes, or press a button.")
}

func GoesOn() Text { return Say("All right, the game goes on.") }

func Ack(d inbox.Done) Text {
	return Say("Done: ", string(d.What), ", ", Hash(d.Game), ".")
}

// ToOpponent says something to the opponent of somebody in a game.
func ToOpponent(s *match.Sight, by storage.Person, what Text) Text {
	id, name := opponent(s, by)
	return append(Say(mention(id, name), ", "), what...)
}

func More(id storage.GameID) Text { return Say("What else in game ", Hash(id), "?") }

func Back(id storage.GameID) Text { return Say("What next in game ", Hash(id), "?") }
