package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"chimera/bot/archive"
	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// Say makes a Text of plain strings and Spans.
func Say(parts ...any) Text {
	var t Text
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			t = append(t, Span{Words: p})
		case Span:
			t = append(t, p)
		case Text:
			t = append(t, p...)
		default:
			t = append(t, Span{Words: fmt.Sprint(p)})
		}
	}
	return t
}

func bold(words string) Span { return Span{Words: words, Style: Bold} }
func code(words string) Span { return Span{Words: words, Style: Code} }
func same(words string) Span { return Span{Words: words, Style: Same} }
func link(words string) Span { return Span{Words: words, Style: Link} }

// called is somebody's name without a mention.
func called(id storage.PersonID, name string) Span {
	return Span{Words: name, Style: Named, Person: id}
}

func mention(id storage.PersonID, name string) Span { return Span{Words: name, Person: id} }

func Hash(id storage.GameID) string { return fmt.Sprintf("#%d", id) }

// Answers to what could not be read.

func WentWrong() Text { return Say("Something went wrong on my side. Please try again.") }

func CannotSave() Text {
	return Say("I can't save anything right now, so nothing has changed, and nothing is lost. Please try again in a few minutes.")
}

func TooLong() Text {
	return Say("That is too long for me: a move or a command takes a line. Write ", code("help"), " for the commands.")
}

func Unreadable() Text {
	return Say("I cannot read that: it has characters that are no text. Write a move such as ", code("Nf3"), ", or ", code("help"), ".")
}

// IsGreeting reports whether all that a text says is hello.
func IsGreeting(text string) bool {
	switch strings.ToLower(strings.TrimRight(text, " !.?")) {
	case "hi", "hello", "hey", "hello there", "hi there", "hey there", "good morning", "good afternoon", "good evening", "good day":
		return true
	}
	return false
}

func Greeting() Text {
	return Say("Hello! ", code("challenge @friend"), " starts a game, ", code("rules"), " lists the games there are, and ", code("help"), " shows all commands.")
}

func Fen(pos *rules.Position) Text { return Say(code(pos.FEN())) }

func SayWhat() Text {
	return Say("Write a move such as ", code("Nf3"), ", or ", code("help"), " for the commands.")
}

func Unknown(word, near string) Text {
	if near != "" {
		return Say("I do not know “", Clip(word), "”. Did you mean ", code(near), "?")
	}
	return Say("I do not know “", Clip(word), "”. Write a move such as ", code("Nf3"), ", or ", code("help"), " for the commands.")
}

// Clip makes a stranger's word fit to be said back: short, and without signs that
// cannot be seen.
func Clip(word string) string {
	const most = 40
	var seen []rune
	for _, c := range word {
		if len(seen) == most {
			return string(seen) + "…"
		}
		if unicode.IsGraphic(c) {
			seen = append(seen, c)
		}
	}
	return string(seen)
}

func NoPlayer(name string) Text {
	return Say(name, " is a bot, and does not play. Challenge a person, or nobody by name.")
}

func NotReached(p storage.Person) Text {
	return Say("I cannot tell ", called(p.ID, p.Name), " of that: nothing was written to me in private there yet. Write the challenge in a group or server where you both are, or challenge nobody by name and hand on the code.")
}

func TooMany(word string) Text {
	return Say("I do not know what “", Clip(word), "” means there. Write ", code("help"), " for the commands.")
}

func WhichMove() Text {
	return Say("Write the move too, as in ", code("move Nf3"), "; ", code("moves"), " lists the legal ones.")
}

func OldButton() Text {
	return Say("That button is too old to press. Write ", code("board"), " for a new one, or ", code("help"), ".")
}

func GameZero() Text { return Say("There is no game #0. Write ", code("games"), " for yours.") }

func OneGame(word string) Text {
	return Say("One game at a time: leave “", Clip(word), "” out.")
}

func Stale(s *match.Sight) Text {
	if s.Game.Over() {
		return Say("Game ", Hash(s.Game.ID), " is over, so that button does nothing now.")
	}
	return Say("Game ", Hash(s.Game.ID), " has gone on since that button was drawn: use the newest board.")
}

// Refusals.

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

func Replay(s *match.Sight) Text {
	return append(title(s), Say("\n", plural(len(s.Game.Moves), "ply", "plies"), ".")...)
}

func TooManyReplays(wait time.Duration) Text {
	return Say(fmt.Sprintf("You've asked for %d replays in a row, the most there can be. Ask for the next in ", limit.Replays),
		plural(int(wait.Seconds())+1, "second", "seconds"), ".")
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

// Challenges.

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
func HandOn(c storage.Challenge, door string) Text {
	if c.Code == "" {
		return nil
	}
	t := Say("\nNobody else sees this chat: hand the code on. Whoever writes ", code("accept "+c.Code), " to me first, in any chat, plays you.")
	if door != "" {
		t = append(t, Say(" As a link: ", link(door))...)
	}
	return t
}

// EnoughToday is said of a rated game between two who have had as many today as count.
func EnoughToday() Text {
	return Say(fmt.Sprintf(" You two have already played %d rated games today, so this one won't change your ratings if it ends today.", league.MaxPairs))
}

// Elsewhere says how an open challenge is joined from another chat.
func Elsewhere(c storage.Challenge, door string) Text {
	if door == "" || c.Code == "" {
		return nil
	}
	return Say("\nFrom another chat or platform: ", link(door), " or, written to me there, ", code("accept "+c.Code), ".")
}

// Join is a code that joins a challenge.
func Join(id storage.GameID, secret, door string) Text {
	t := Say("Whoever writes ", code("accept "+secret), " to me, in any chat and on any platform, joins challenge ", Hash(id),
		" and plays it there. The code is good once, so give it to one person.")
	if door != "" {
		t = append(t, Say(" As an address: ", link(door))...)
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

// Boards.

// boardWords: game and number, both players, the last move, whose turn it is, the
// time left; or how it ended.
func Board(s *match.Sight) Text {
	t := title(s)
	if s.Last != "" {
		t = append(t, Say("\n", bold(numbered(s)), ": ", moveWords(s.Variant, s.Effects), ".")...)
	}
	switch {
	case s.Ply != len(s.Game.Moves):
		return append(t, Say("\nThis was the position after ", plural(s.Ply, "ply", "plies"), ".")...)
	case s.Game.Over():
		return append(append(t, Say("\n", ended(s))...), ratedWords(s)...)
	default:
		t = append(t, Say("\n", alarm(s))...)
	}
	t = append(t, turnWords(s)...)
	for sq := range s.Now.Position.Frozen().Squares() {
		t = append(t, Say(" The piece on ", s.Variant.Shape.Name(sq), " is frozen for this turn.")...)
	}
	if w := s.Now.Position.Warning(); w != "" {
		t = append(t, Say(" ", w)...)
	}
	return t
}

// alarm is what the side to move must know of either king, "" if there is nothing.
func alarm(s *match.Sight) string {
	pos := s.Now.Position
	mover, other := s.Names[pos.Turn()], s.Names[pos.Turn().Other()]
	switch {
	case pos.TakesKing():
		return other + "'s king can be captured now. "
	case pos.Status() == rules.Mated:
		return "Check, and no move ends it: " + mover + "'s king can be captured next. "
	case pos.Checked() != 0:
		return "Check! "
	}
	return ""
}

func title(s *match.Sight) Text {
	return Say(bold(s.Variant.Name+" "+Hash(s.Game.ID)), ": ", s.Names[0], " (White) against ", s.Names[1], " (Black)")
}

// Calling is what is said of an ended game, with both players mentioned: whoever did not
// end it hears of that so.
func Calling(s *match.Sight, t Text) Text {
	first := Say(
		bold(s.Variant.Name+" "+Hash(s.Game.ID)), ": ", mention(s.Game.Players[0], s.Names[0]), " (White) against ",
		mention(s.Game.Players[1], s.Names[1]), " (Black)",
	)
	return append(first, t[len(title(s)):]...)
}

// WithEarlier adds to the words of a board, which begin with the title, the moves before
// the last that were not told yet.
func WithEarlier(s *match.Sight, t Text, moves []earlier) Text {
	head := len(title(s))
	var told Text
	for _, m := range moves {
		if m.ply >= s.Ply {
			break // the board tells it
		}
		told = append(told, Say(bold(number(s, m.ply)+" "+m.move), ", ")...)
	}
	if told == nil {
		return t
	}
	return slices.Concat(t[:head], Say("\n"), told, Say("then"), t[head:])
}

// numbered is the last move with its number, as scores write it.
func numbered(s *match.Sight) string { return number(s, s.Ply) + " " + s.Last }

// number is that of the move after which so many had been played.
func number(s *match.Sight, ply int) string {
	half := 2*s.Now.Position.FullMove() - (s.Ply - ply)
	if s.Now.Position.Turn() == rules.Black {
		half++
	}
	if half%2 == 0 {
		return fmt.Sprintf("%d…", half/2-1)
	}
	return fmt.Sprintf("%d.", half/2)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// ended tells a result in words.
func ended(s *match.Sight) string {
	names, by := s.Names, s.Game.Ending
	onTime := by == string(rules.ByTime)
	if by == string(rules.ByKingTaken) {
		winner, loser := names[0], names[1]
		if s.Game.Result == rules.BlackWins.String() {
			winner, loser = loser, winner
		}
		return fmt.Sprintf("%s wins: %s's king is gone, %s.", winner, loser, s.Game.Result)
	}
	switch s.Game.Result {
	case rules.WhiteWins.String():
		return fmt.Sprintf("%s wins by %s, 1-0.", names[0], by)
	case rules.BlackWins.String():
		return fmt.Sprintf("%s wins by %s, 0-1.", names[1], by)
	case rules.Drawn.String():
		if onTime {
			return fmt.Sprintf("%s's time is up, but %s has nothing but a king: draw, ½-½.", names[s.Game.Turn], names[1-s.Game.Turn])
		}
		return fmt.Sprintf("Draw by %s, ½-½.", by)
	}
	switch {
	case onTime:
		return names[s.Game.Turn] + " has not begun in time: the game was aborted; it counts for nothing."
	case by == match.Unfinished:
		return "The game was not finished."
	}
	return "The game was aborted; it counts for nothing."
}

// moveWords tells what happened in a move: who went where first, then what came
// of it; a shot before that comes before it.
func moveWords(v *rules.Variant, effects []rules.Effect) string {
	moved := slices.IndexFunc(effects, func(e rules.Effect) bool { return e.Kind == rules.Moved })
	if moved >= 0 && !slices.ContainsFunc(effects[:moved], func(e rules.Effect) bool { return e.Kind == rules.Shot }) {
		effects = slices.Concat(effects[moved:moved+1], effects[:moved], effects[moved+1:])
	}
	var parts []string
	for i := 0; i < len(effects); i++ {
		if i+1 < len(effects) && takesThere(effects[i], effects[i+1]) {
			man := v.Table.Name(effects[i].Piece) + " " + v.Shape.Name(effects[i].From) + " "
			parts = append(parts, man+effectWords(v, effects[i+1]))
			i++
			continue
		}
		if effects[i].Kind == rules.Annihilated {
			parts = append(parts, "which annihilates "+list(gone(v, effects[i:])))
			break
		}
		parts = append(parts, effectWords(v, effects[i]))
	}
	return strings.Join(parts, ", ")
}

// gone are the men of effects, all of which are annihilations.
func gone(v *rules.Variant, effects []rules.Effect) []string {
	var men []string
	for _, e := range effects {
		men = append(men, "the "+v.Table.Name(e.Piece)+" on "+v.Shape.Name(e.To))
	}
	return men
}

// list is "one, two and three".
func list(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}

// takesThere reports whether a man took something just where it went.
func takesThere(moved, taken rules.Effect) bool {
	there := moved.Kind == rules.Moved && moved.To == taken.To
	return there && (taken.Kind == rules.Captured || taken.Kind == rules.Absorbed || taken.Kind == rules.Born)
}

func effectWords(v *rules.Variant, e rules.Effect) string {
	name, into := v.Table.Name(e.Piece), v.Table.Name(e.Into)
	from, to := v.Shape.Name(e.From), v.Shape.Name(e.To)
	switch e.Kind {
	case rules.Moved, rules.Castled:
		return fmt.Sprintf("%s %s–%s", name, from, to)
	case rules.Captured:
		return fmt.Sprintf("takes the %s on %s", name, to)
	case rules.Absorbed:
		return fmt.Sprintf("takes the %s on %s and becomes %s", name, to, rules.WithArticle(into))
	case rules.Born:
		return fmt.Sprintf("joins the %s on %s: %s in one", name, to, into)
	case rules.Merged:
		if e.From == e.To {
			return fmt.Sprintf("joins the %s on %s: %s", name, to, rules.WithArticle(into))
		}
		return fmt.Sprintf("%s %s–%s", name, from, to)
	case rules.Parted:
		return fmt.Sprintf("the %s leaves %s for %s, the %s stays", name, from, to, into)
	case rules.Shot:
		return fmt.Sprintf("the %s on %s is shot from %s", name, to, from)
	case rules.Promoted:
		return "becomes " + rules.WithArticle(into)
	default: // annihilations are told together
	}
	return ""
}

func Overtaken(what inbox.What, e storage.Entry, by storage.Person) Text {
	switch what {
	case inbox.Moved:
		how := ""
		if e.Facts[inbox.FactPlan] != "" {
			how = " as planned"
		}
		t := Say("Game ", Hash(e.Game), ": ")
		for _, m := range Before(&e) {
			t = append(t, Say(bold(m.move), ", then ")...)
		}
		return append(t, Say(by.Name, " played ", bold(e.Facts[inbox.FactMove]), how, "; another move has been played since.")...)
	case inbox.Began:
		return Say("Game ", Hash(e.Game), " has begun, and has gone on since.")
	default:
		return Say("Game ", Hash(e.Game), ": a move was taken back, and the game has gone on since.")
	}
}

// Offers.

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

func Abandoned(id storage.GameID, players []storage.Person) Text {
	t := Text{}
	for i, p := range players {
		if i > 0 {
			t = append(t, Say(" and ")...)
		}
		t = append(t, mention(p.ID, p.Name))
	}
	if len(t) > 0 {
		t = append(t, Say(": ")...)
	}
	return append(t, Say("game ", Hash(id), " was damaged and could not be brought back, so it had to be aborted. I'm sorry. It doesn't count; write ", code("challenge"), " to start another.")...)
}

func TookBack(plies int) Text {
	return Say("Taken back: ", plural(plies, "ply", "plies"), ".\n")
}

func GameAnnulled(s *match.Sight) Text {
	return Say(mention(s.Game.Players[0], s.Names[0]), ", ", mention(s.Game.Players[1], s.Names[1]), ": a manager has annulled ",
		bold(s.Variant.Name+" "+Hash(s.Game.ID)), ". It doesn't count for ratings any more.")
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

// Pickers.

func Pick(s *match.Sight, man, target rules.Square) Text {
	shape := s.Variant.Shape
	switch {
	case man == rules.NoSquare:
		return Say("Which piece moves in game ", Hash(s.Game.ID), "?")
	case target == rules.NoSquare:
		return Say("Where to from ", shape.Name(man), "?")
	}
	return Say("Which move from ", shape.Name(man), " to ", shape.Name(target), "?")
}

func Preview(pos *rules.Position, m rules.Move) Text {
	return Say(bold(pos.Chat(m)), ": ", moveWords(pos.Variant(), pos.Effects(m)), "?")
}

func More(id storage.GameID) Text { return Say("What else in game ", Hash(id), "?") }

func Back(id storage.GameID) Text { return Say("What next in game ", Hash(id), "?") }

func NoZones(s *match.Sight) Text {
	return Say("No piece lends its powers to other squares in ", s.Variant.Name, ".")
}

// Things to see.

func OddBoard(word string) Text {
	return Say("I do not know “", Clip(word), "” there: write ", code("board"), ", ", code("board 12"), " for a ply, ", code("board flip"), " or ", code("board zones"), ".")
}

func NoSuchPly(ply int) Text { return Say(fmt.Sprintf("The game has no ply %d yet.", ply)) }

// WhichSo answers words such as "merge a1 b1" that are not exactly one legal move.
func WhichSo(words string, texts []string) Text {
	if len(texts) == 0 {
		return Say("“", Clip(words), "” is no legal move now. ", code("moves"), " lists those there are.")
	}
	const most = 12
	more := ""
	if len(texts) > most {
		texts, more = texts[:most], " …"
	}
	return Say("“", Clip(words), "” can be written as: ", code(strings.Join(texts, " ")), more, ". Write one of them.")
}

func NoSquare(word string) Text {
	return Say("“", Clip(word), "” is no square of this board: write ", code("moves e2"), ", or ", code("moves"), " for all.")
}

func Moves(s *match.Sight, from rules.Square, texts []string) Text {
	where := ""
	if from != rules.NoSquare {
		where = " from " + s.Variant.Shape.Name(from)
	}
	if len(texts) == 0 {
		return Say("There are no legal moves", where, " for ", s.Now.Position.Turn().String(), " in game ", Hash(s.Game.ID), ".")
	}
	return Say(plural(len(texts), "legal move", "legal moves"), where, " for ", s.Now.Position.Turn().String(), " in game ", Hash(s.Game.ID),
		":\n", code(strings.Join(texts, " ")))
}

func Score(s *match.Sight, start *rules.Position, score []string) Text {
	if len(score) == 0 {
		return append(title(s), Say("\nNo moves yet.")...)
	}
	return append(title(s), Say("\n", code(archive.Numbered(start, score, s.Game.Result)))...)
}

func HowWhat() Text {
	return Say("Name a square of your game or a piece: ", code("how d4"), ", ", code("how RN"), " or ", code("how RN stealth"), ".")
}

// HowSquare tells of the man on a square, and lists its legal moves.
func HowSquare(s *match.Sight, sq rules.Square, texts []string) Text {
	pos := s.Now.Position
	how := pos.How(sq)
	if how == "" {
		return Say("Nothing stands on ", s.Variant.Shape.Name(sq), ". Name another square, or a piece, as in ", code("how N"), ".")
	}
	t := Say(how)
	if len(texts) > 0 && !s.Game.Over() {
		t = append(t, Say("\nLegal now: ", code(strings.Join(texts, " ")))...)
	}
	return t
}

func NoSuchPiece(all []*rules.Variant, piece string) Text {
	if len(all) == 1 {
		return Say("There is no piece “", Clip(piece), "” in ", all[0].Name, ". Its pieces are ", codes(all[0]), ".")
	}
	return Say("I know no piece “", Clip(piece), "”. Write its letters, and the game if you like: ", code("how RN stealth"), ".")
}

// Piece tells of a piece, or of one that both sides share, "" if a game has neither.
func Piece(v *rules.Variant, role rules.Role, piece string) Text {
	if does := pieceDoes(v, role, piece); does != "" {
		return Say(bold(v.Name), ": ", does)
	}
	return nil
}

func pieceDoes(v *rules.Variant, role rules.Role, piece string) string {
	if role != rules.NoRole {
		return article(v.Table[role]) + v.Table[role].Does + "."
	}
	if !v.Shared || len(piece) != 2 {
		return ""
	}
	one, other := v.Table.Role(strings.ToUpper(piece[:1])), v.Table.Role(strings.ToUpper(piece[1:]))
	if one == rules.NoRole || other == rules.NoRole || v.Table[one].Pawn || v.Table[other].Pawn || v.Table[one].Royal || v.Table[other].Royal {
		return ""
	}
	return "A shared piece is moved by each side as its own half. " +
		article(v.Table[one]) + v.Table[one].Does + ". " + article(v.Table[other]) + v.Table[other].Does + "."
}

// article is "A general (RN) ".
func article(info rules.RoleInfo) string {
	if info.Name == info.Code {
		return "A" + rules.WithArticle(info.Code)[1:] + " "
	}
	return "A" + rules.WithArticle(info.Name)[1:] + " (" + info.Code + ") "
}

// codes are the letters of a game's pieces, if they are few; else of the first.
func codes(v *rules.Variant) string {
	const most = 20
	var all []string
	for _, info := range v.Table[rules.NoRole+1:] {
		if len(all) == most {
			all = append(all, "…")
			break
		}
		all = append(all, info.Code)
	}
	return strings.Join(all, " ")
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

// NoCode is said of a text that does not have the form of a code.
func NoCode(verb, word string) Text {
	t := Say("“", Clip(word), fmt.Sprintf("” isn't a code: one has %d letters and digits, as in ", match.CodeLength), code(verb+" ABCDEFGHJKLM"), ".")
	if verb == "accept" {
		t = append(t, Say(" You can name a challenge by its number too, as in ", code("accept #12"), ", or by who made it, as in ", code("accept @name"), ".")...)
	}
	return t
}

func Nobody(word, instead string) Text {
	return Say("“", called(0, Clip(word)), "” names nobody I know. Write ", code(instead), ".")
}

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

// offeredWords are what a challenge proposes, to be put behind whom it is from or to.
func offeredWords(c storage.Challenge, variant func(key string) *rules.Variant, by string) Text {
	v := variant(c.Variant)
	if v == nil {
		return nil
	}
	return Say(": ", terms(c, v, storage.Person{Name: by}))
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

func ListRules(all []*rules.Variant) Text {
	t := Say("The games are:")
	for _, v := range all {
		t = append(t, Say("\n", code(v.Key), ": ", v.Name)...)
	}
	return append(t, Say("\nWrite ", code("rules "+all[0].Key), " for one's rules.")...)
}

func NoVariant(word, near string, all []*rules.Variant) Text {
	if near != "" {
		return Say("I don't know a game “", Clip(word), "”. Did you mean ", code("rules "+near), "?")
	}
	return Say("I do not know a game “", Clip(word), "”. The games are ", keys(all), ".")
}

func HelpAll(all []Usage) Text {
	t := Say("Write a move such as ", code("e4"), ", ", code("Nf3"), " or ", code("R~Bd4"), ", or:")
	for _, c := range all {
		t = append(t, Say("\n", code(c.Name), ": ", c.Help)...)
	}
	return append(t, Say("\nWrite ", code("help challenge"), " for what can follow that word, and so for the others.")...)
}

func HelpOne(c Usage) Text {
	t := Say(code(strings.TrimSpace(c.Name+" "+c.Args)), ": ", c.Help, ".")
	if c.Name == "top" {
		t = append(t, helpTop()...)
	}
	return t
}

// earlier is a move that an entry tells beside its own: how many had been played with it,
// and its chat text.
type earlier struct {
	ply  int
	move string
}

// Before are the moves that an entry tells beside its own, the oldest first.
func Before(e *storage.Entry) []earlier {
	var all []earlier
	for line := range strings.Lines(e.Facts[inbox.FactBefore]) {
		ply, move, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(ply); err == nil {
			all = append(all, earlier{n, move})
		}
	}
	return all
}

// Usage is how a command is written, and what it is for.
type Usage struct{ Name, Args, Help string }
