package discord

import (
	"testing"

	"chimera/bot/fake"
)

func TestThePuzzleOfTheDayIsAnsweredWhereNobodyElseSeesIt(t *testing.T) {
	l := ready(t)
	for setting, value := range map[string]string{"puzzle": "18:00", "game": "chess"} {
		l.answered(l.Interact(room0, alice, isCommand, subcommand("settings", "server", "setting="+setting, "value="+value), asManager), setting, value)
	}
	fake.TellDaily(t, l.store, l.chat.bot.Training)
	l.posted("POST channels/"+room0+"/messages", "Puzzle of the day", "Chess", "White to move and win.", "Find the move.")
	l.answered(l.Press(room0, bob, l.buttonOf("Move")), "Puzzle of the day", `"flags": 64`)
	l.answered(l.Slash(room0, bob, "move", "move=Rd7"), "Rd7**", "doesn", "Try again")
	l.answered(l.Slash(room0, bob, "move", "move=Rd8"), "Rd8#**", "1 puzzle of the day")
	l.answered(l.Slash(room0, alice, "top", "period=puzzles"), "1. bob: 1 puzzle")
	l.answered(l.Slash(room0, carol, "move", "move=Rd8"), "Rd8#**", "1 puzzle of the day") // without a press
	if n := l.count("POST channels/" + room0 + "/messages"); n != 1 {
		t.Errorf("%d messages are told in the channel", n)
	}
}
