package words

import (
	"fmt"
	"strings"

	"chimera/bot/limit"
	"chimera/storage"
)

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

func SayWhat() Text {
	return Say("Write a move such as ", code("Nf3"), ", or ", code("help"), " for the commands.")
}

func Unknown(word, near string) Text {
	if near != "" {
		return Say("I do not know “", Clip(word), "”. Did you mean ", code(near), "?")
	}
	return Say("I do not know “", Clip(word), "”. Write a move such as ", code("Nf3"), ", or ", code("help"), " for the commands.")
}

func TooMany(word string) Text {
	return Say("I do not know what “", Clip(word), "” means there. Write ", code("help"), " for the commands.")
}

func WhichMove() Text {
	return Say("Write the move too, as in ", code("move Nf3"), "; ", code("moves"), " lists the legal ones.")
}

func GameZero() Text { return Say("There is no game #0. Write ", code("games"), " for yours.") }

func OneGame(word string) Text {
	return Say("One game at a time: leave “", Clip(word), "” out.")
}

// Usage is how a command is written, and what it is for.
type Usage struct{ Name, Args, Help string }

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

// helpTop is what there is to know about leaderboards.
func helpTop() Text {
	return Say("\nRatings are ordered by what is certain of them: the rating less what stands after ±. A “?” marks one that is provisional, of too few games or of games too long ago; those stand apart. ",
		"Weeks begin on Monday and months on the first, at midnight UTC. ", code("games"), " counts rated games, ", code("streak"), " wins in a row, ", code("combiner"),
		" merges in a won game. With a number the list begins at that place, as in ", code("top 11"), ".")
}

func Status(about string, missing []string, parked []storage.Parked) Text {
	switch {
	case len(missing)+len(parked) == 0:
		return Say(about, ": all is well.")
	case len(missing) == 0:
		return Say(about, ": ", damagedWords(parked), " Everything else is well.")
	}
	if len(parked) > 0 {
		about += ": " + damagedWords(parked)
	}
	var names []string
	for _, platform := range missing {
		names = append(names, strings.ToUpper(platform[:1])+platform[1:])
	}
	return Say(about, ": I'm not on ", strings.Join(names, " or "), " at the moment. Nothing is lost: what is to be said there waits. Everything else is well.")
}

// damagedWords says what was set aside: the first of it, and how much more there is.
func damagedWords(parked []storage.Parked) string {
	var names []string
	for _, p := range parked[:min(len(parked), limit.Listed)] {
		names = append(names, parkedName(p.Ref))
	}
	if more := len(parked) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "I can't read these, so I've set them aside: " + strings.Join(names, ", ") + "."
}

// parkedName is what people call a record.
func parkedName(ref storage.Ref) string {
	switch ref.Kind {
	case storage.OfGame:
		return "game " + Hash(storage.GameID(ref.ID))
	case storage.OfChallenge:
		return "challenge " + Hash(storage.GameID(ref.ID))
	case storage.OfEntry:
		return fmt.Sprintf("message %d", ref.ID)
	default:
		return fmt.Sprintf("%s %d", ref.Kind, ref.ID)
	}
}
