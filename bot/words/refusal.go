package words

import (
	"fmt"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/storage"
)

// Refusal says why a request was refused.
func Refusal(no *inbox.Refusal) Text {
	sentence, known := refusals()[no.Why]
	if !known {
		sentence = "That cannot be done: " + string(no.Why) + "."
	}
	return marked(strings.ReplaceAll(sentence, "{#}", Hash(no.Game)))
}

// marked is a sentence in which what stands between backticks is code.
func marked(sentence string) (t Text) {
	for i, part := range strings.Split(sentence, "`") {
		switch {
		case i%2 == 1:
			t = append(t, code(part))
		case part != "":
			t = append(t, Span{Words: part})
		}
	}
	return t
}

// refusals are the sentences for the reasons; {#} is the game.
func refusals() map[inbox.Why]string {
	return map[inbox.Why]string{
		inbox.NoSuchGame:        "There is no game {#}. Write `games` for yours.",
		inbox.NotPlaying:        "You do not play in game {#}. Write `games` for yours.",
		inbox.NotYourTurn:       "It is not your turn in game {#}.",
		inbox.Over:              "Game {#} is over. Write `challenge` to begin another.",
		inbox.Damaged:           "Game {#} is damaged, so nobody can play in it right now. Whoever runs me can repair it.",
		inbox.Aborted:           "Game {#} was damaged, so it had to be aborted. It doesn't count.",
		inbox.NoSuchVariant:     "I do not know that game any more. Write `rules` for those there are.",
		inbox.WithYourself:      "You cannot challenge yourself. Name somebody else, or nobody to let anyone join.",
		inbox.BlocksThemself:    "You can't block yourself. Name somebody else, as in `block @name`.",
		inbox.TooManyChallenges: fmt.Sprintf("You have %d challenges open, the most there may be. Write `cancel` to take one back.", limit.Challenges),
		inbox.TooManyGames:      fmt.Sprintf("You have %d games in progress, the most there can be. Finish one first; `games` lists the most urgent.", limit.Games),
		inbox.OpponentBusy:      fmt.Sprintf("Your opponent has %d games in progress, the most there can be. Try again when they've finished one.", limit.Games),
		inbox.TooManyHere:       fmt.Sprintf("There are %d open challenges in this chat, the most there can be. Join one of them, or name your opponent.", limit.RoomChallenges),
		inbox.OfferedBefore:     "You've already asked that in this position. You can ask again after the next move in game {#}.",
		inbox.NoSuchChallenge:   "Challenge {#} is not open any more.",
		inbox.NotForYou:         "Challenge {#} is for somebody else.",
		inbox.OwnChallenge:      "Challenge {#} is your own: wait for an answer, or write `cancel`.",
		inbox.NotYourChallenge:  "Challenge {#} is not yours to cancel.",
		inbox.NoOffer:           "You have no challenge, draw or takeback to answer.",
		inbox.AlreadyOffered:    "You have asked that already; it is for your opponent to answer.",
		inbox.NothingToClaim:    "There is nothing to claim: the position has not stood three times, less than 50 moves each went without a capture or pawn move, and your opponent's time is not up.",
		inbox.TooLong:           "That is too long: a move has 1 to 14 days, and a bank at most 60 days.",
		inbox.RatedNeedsTime:    "A rated game needs a time limit, such as `3d`; without one, write `0d unrated`.",
		inbox.NotOver:           "Game {#} is not over yet.",
		inbox.NoLimit:           "Game {#} has no time limit, so there is no time to give.",
		inbox.YourTurn:          "It is your turn in game {#}: play first, then say what shall follow.",
		inbox.Away:              "You are on vacation already. Write `vacation off` to end it.",
		inbox.NotAway:           "You are not on vacation.",
		inbox.NoDaysLeft:        "You do not have so many days of vacation left. Write `vacation` to see how many.",
		inbox.NotAsked:          "That question is not open any more.",
		inbox.ForAnyone:         "Challenge {#} is for whoever joins first: you need not answer it.",
		inbox.NoServer:          "This chat belongs to no server or group, so there is nothing to set for one.",
		inbox.RematchAsked:      "You have offered that rematch already: game {#} waits for an answer.",
		inbox.EveryRoom:         "Games may be begun in every room. Write `settings here rooms here` in those in which they may, and they may nowhere else.",
		inbox.OnlyRoom:          "This is the only room in which games may be begun. Name another first, or write `settings here rooms all`.",
		inbox.NotHere:           "Games can't start here: the managers have chosen other rooms for them.",
		inbox.NotOfServer:       "Game {#} was not played here.",
		inbox.OwnGame:           "You played game {#} yourself, so another manager has to annul it.",
		inbox.NotRated:          "Game {#} has not changed any rating.",
		inbox.PlayedHere:        "Game {#} is played here, so I post every move of it here anyway.",
		inbox.NotShown:          "Game {#} is only shown to its players, and where it is played or followed.",
		inbox.NotFollowed:       "Game {#} is not followed here.",
		inbox.TooManyFollow:     "Game {#} is followed in as many places as can be.",
		inbox.BadCode:           "That code is wrong, used or expired. Write `link` from your other account for a new one.",
		inbox.BadInvitation:     "That challenge isn't open any more, or its code is wrong. Ask for a new one, or write `challenge` to make your own.",
		inbox.TooManyGuesses:    fmt.Sprintf("Too many wrong codes: you can try %d in an hour. Try again later.", limit.Guesses),
		inbox.OtherCode:         "That code is for something else: `link` takes those for your accounts, `accept` those for challenges.",
		inbox.Elsewhere:         "Challenge {#} was made in another chat: join it with its code, as in `accept ABCDEFGHJKLM`.",
		inbox.SamePerson:        "These accounts are linked already.",
		inbox.SamePlatform:      "Both accounts are on the same platform. I can only link accounts on different ones.",
		inbox.TooManyLinks:      fmt.Sprintf("One of these accounts has been linked %d times within a day, the most there may be. Try again tomorrow.", limit.LinksPerDay),
		inbox.StillJoining:      "I'm still moving games after the last link. Please try again in a minute.",
		inbox.PlayEachOther:     "These two accounts have played against each other, so they cannot be one person.",
		inbox.OneAccount:        "This is your only account, so there is nothing to unlink. `forgetme` removes it.",
		inbox.NotWanted:         "That person does not want challenges from you.",
		inbox.NoSuchSetting:     "There is no such setting. Write `settings` for those there are.",
		inbox.BadValue:          "That isn't a valid value. Write `settings` for what each setting takes.",
		inbox.NothingToTakeBack: "You have no move to take back.",
		inbox.TooLateToAbort:    "Both of you have moved, so game {#} cannot be aborted: `resign` or offer a `draw`.",
	}
}

func NotYourTurn(s *match.Sight) Text {
	return Say("It is ", called(match.ToMove(&s.Game), s.Names[s.Now.Position.Turn()]), "'s turn in game ", Hash(s.Game.ID), ".")
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
