package words

import (
	"fmt"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/storage"
)

func Refusal(no *inbox.Refusal) Text {
	game := "Game " + Hash(no.Game)
	switch no.Why {
	case inbox.NoSuchGame:
		return Say("There is no game ", Hash(no.Game), ". Write ", code("games"), " for yours.")
	case inbox.NotPlaying:
		return Say("You do not play in game ", Hash(no.Game), ". Write ", code("games"), " for yours.")
	case inbox.NotYourTurn:
		return Say("It is not your turn in game ", Hash(no.Game), ".")
	case inbox.Over:
		return Say(game, " is over. Write ", code("challenge"), " to begin another.")
	case inbox.Damaged:
		return Say(game, " is damaged, so nobody can play in it right now. Whoever runs me can repair it.")
	case inbox.Aborted:
		return Say(game, " was damaged, so it had to be aborted. It doesn't count.")
	case inbox.NoSuchVariant:
		return Say("I do not know that game any more. Write ", code("rules"), " for those there are.")
	case inbox.WithYourself:
		return Say("You cannot challenge yourself. Name somebody else, or nobody to let anyone join.")
	case inbox.BlocksThemself:
		return Say("You can't block yourself. Name somebody else, as in ", code("block @name"), ".")
	case inbox.TooManyChallenges:
		return Say(fmt.Sprintf("You have %d challenges open, the most there may be. Write ", limit.Challenges), code("cancel"), " to take one back.")
	case inbox.TooManyGames:
		return Say(fmt.Sprintf("You have %d games in progress, the most there can be. Finish one first; ", limit.Games), code("games"), " lists the most urgent.")
	case inbox.OpponentBusy:
		return Say(fmt.Sprintf("Your opponent has %d games in progress, the most there can be. Try again when they've finished one.", limit.Games))
	case inbox.TooManyHere:
		return Say(fmt.Sprintf("There are %d open challenges in this chat, the most there can be. Join one of them, or name your opponent.", limit.RoomChallenges))
	case inbox.OfferedBefore:
		return Say("You've already asked that in this position. You can ask again after the next move in ", strings.ToLower(game[:1])+game[1:], ".")
	case inbox.NoSuchChallenge:
		return Say("Challenge ", Hash(no.Game), " is not open any more.")
	case inbox.NotForYou:
		return Say("Challenge ", Hash(no.Game), " is for somebody else.")
	case inbox.OwnChallenge:
		return Say("Challenge ", Hash(no.Game), " is your own: wait for an answer, or write ", code("cancel"), ".")
	case inbox.NotYourChallenge:
		return Say("Challenge ", Hash(no.Game), " is not yours to cancel.")
	case inbox.NoOffer:
		return Say("You have no challenge, draw or takeback to answer.")
	case inbox.AlreadyOffered:
		return Say("You have asked that already; it is for your opponent to answer.")
	case inbox.NothingToClaim:
		return Say("There is nothing to claim: the position has not stood three times, less than 50 moves each went without a capture or pawn move, and your opponent's time is not up.")
	case inbox.TooLong:
		return Say("That is too long: a move has 1 to 14 days, and a bank at most 60 days.")
	case inbox.RatedNeedsTime:
		return Say("A rated game needs a time limit, such as ", code("3d"), "; without one, write ", code("0d unrated"), ".")
	case inbox.NotOver:
		return Say(game, " is not over yet.")
	case inbox.NoLimit:
		return Say(game, " has no time limit, so there is no time to give.")
	case inbox.YourTurn:
		return Say("It is your turn in game ", Hash(no.Game), ": play first, then say what shall follow.")
	case inbox.Away:
		return Say("You are on vacation already. Write ", code("vacation off"), " to end it.")
	case inbox.NotAway:
		return Say("You are not on vacation.")
	case inbox.NoDaysLeft:
		return Say("You do not have so many days of vacation left. Write ", code("vacation"), " to see how many.")
	case inbox.NotAsked:
		return Say("That question is not open any more.")
	case inbox.ForAnyone:
		return Say("Challenge ", Hash(no.Game), " is for whoever joins first: you need not answer it.")
	case inbox.NoServer:
		return Say("This chat belongs to no server or group, so there is nothing to set for one.")
	case inbox.RematchAsked:
		return Say("You have offered that rematch already: ", strings.ToLower(game[:1])+game[1:], " waits for an answer.")
	case inbox.EveryRoom:
		return Say("Games may be begun in every room. Write ", code("settings here rooms here"), " in those in which they may, and they may nowhere else.")
	case inbox.OnlyRoom:
		return Say("This is the only room in which games may be begun. Name another first, or write ", code("settings here rooms all"), ".")
	case inbox.NotHere:
		return Say("Games can't start here: the managers have chosen other rooms for them.")
	case inbox.NotOfServer:
		return Say(game, " was not played here.")
	case inbox.OwnGame:
		return Say("You played game ", Hash(no.Game), " yourself, so another manager has to annul it.")
	case inbox.NotRated:
		return Say(game, " has not changed any rating.")
	case inbox.PlayedHere:
		return Say(game, " is played here, so I post every move of it here anyway.")
	case inbox.NotShown:
		return Say(game, " is only shown to its players, and where it is played or followed.")
	case inbox.NotFollowed:
		return Say(game, " is not followed here.")
	case inbox.TooManyFollow:
		return Say(game, " is followed in as many places as can be.")
	case inbox.BadCode:
		return Say("That code is wrong, used or expired. Write ", code("link"), " from your other account for a new one.")
	case inbox.BadInvitation:
		return Say("That challenge isn't open any more, or its code is wrong. Ask for a new one, or write ", code("challenge"), " to make your own.")
	case inbox.TooManyGuesses:
		return Say(fmt.Sprintf("Too many wrong codes: you can try %d in an hour. Try again later.", limit.Guesses))
	case inbox.OtherCode:
		return Say("That code is for something else: ", code("link"), " takes those for your accounts, ", code("accept"), " those for challenges.")
	case inbox.Elsewhere:
		return Say("Challenge ", Hash(no.Game), " was made in another chat: join it with its code, as in ", code("accept ABCDEFGHJKLM"), ".")
	case inbox.SamePerson:
		return Say("These accounts are linked already.")
	case inbox.SamePlatform:
		return Say("Both accounts are on the same platform. I can only link accounts on different ones.")
	case inbox.TooManyLinks:
		return Say(fmt.Sprintf("One of these accounts has been linked %d times within a day, the most there may be. Try again tomorrow.", limit.LinksPerDay))
	case inbox.StillJoining:
		return Say("I'm still moving games after the last link. Please try again in a minute.")
	case inbox.PlayEachOther:
		return Say("These two accounts have played against each other, so they cannot be one person.")
	case inbox.OneAccount:
		return Say("This is your only account, so there is nothing to unlink. ", code("forgetme"), " removes it.")
	case inbox.NotWanted:
		return Say("That person does not want challenges from you.")
	case inbox.NoSuchSetting:
		return Say("There is no such setting. Write ", code("settings"), " for those there are.")
	case inbox.BadValue:
		return Say("That isn't a valid value. Write ", code("settings"), " for what each setting takes.")
	case inbox.NothingToTakeBack:
		return Say("You have no move to take back.")
	case inbox.TooLateToAbort:
		return Say("Both of you have moved, so game ", Hash(no.Game), " cannot be aborted: ", code("resign"), " or offer a ", code("draw"), ".")
	}
	return Say("That cannot be done: ", string(no.Why), ".")
}

func NotYourTurn(s *match.Sight) Text {
	return Say("It is ", called(s.ToMove(), s.Names[s.Now.Position.Turn()]), "'s turn in game ", Hash(s.Game.ID), ".")
}

func NoGameHere() Text {
	return Say("You have no game here. Write ", code("challenge"), " to begin one.")
}

func NoneWaits() Text {
	return Say("None of your games here waits for that now. Write ", code("games"), " for whose turn it is.")
}

func NoneEnded() Text {
	return Say("No game of yours has ended here yet. Name one by its number, as in ", code("rematch #3"), ".")
}

// WhichGame lists the games that a request can be about, and tells how many more there are.
func WhichGame(games []match.Item, more int, me storage.Person) Text {
	t := Say("Which game? Put its number first, as in ", code(Hash(games[0].Game.ID)+" …"), ":")
	for i := range games {
		it := &games[i]
		other := it.Game.Players[0]
		if other == me.ID {
			other = it.Game.Players[1]
		}
		t = append(t, Say("\n", itemWords(it, me, me.ID, Say(called(other, it.Opponent))))...)
	}
	if more > 0 {
		t = append(t, Say("\n… and ", plural(more, "more", "more"), "; ", code("games"), " lists the most urgent.")...)
	}
	return t
}

// ChooseGame is a hint for somebody who writes a move that could be of several games.
func ChooseGame(n int) Text {
	return Say(fmt.Sprintf("It's your turn in %d games here: choose one under “game” first.", n))
}

func OldButton() Text {
	return Say("That button is too old to press. Write ", code("board"), " for a new one, or ", code("help"), ".")
}

func Stale(s *match.Sight) Text {
	if s.Game.Over() {
		return Say("Game ", Hash(s.Game.ID), " is over, so that button does nothing now.")
	}
	return Say("Game ", Hash(s.Game.ID), " has gone on since that button was drawn: use the newest board.")
}

// NotMet is said of somebody who has never spoken to the bot, nor been challenged.
func NotMet(name string) Text {
	return Say("I don't know ", called(0, Clip(name)), " yet: they haven't played here. To ask them for a game, write ", code("challenge @name"), ".")
}

// NoOfferWith says that a person has offered nothing, or been offered nothing.
func NoOfferWith(verb string, p storage.Person) Text {
	if verb == "cancel" {
		return Say("You have no open challenge to ", called(p.ID, p.Name), ", and no draw or takeback offer to them. ", code("games"), " lists your own.")
	}
	return Say("You have no challenge, draw or takeback from ", called(p.ID, p.Name), " to answer. ", code("games"), " lists what is open.")
}

func Nobody(word, instead string) Text {
	return Say("“", called(0, Clip(word)), "” names nobody I know. Write ", code(instead), ".")
}
