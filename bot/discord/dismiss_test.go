package discord

import (
	"testing"
)

func TestNothingIsLeftToDismissOfWhatEverybodySees(t *testing.T) {
	l, thread := inGame(t)
	l.dismissed(l.Slash(thread, alice, "move", "move=f3"))
	l.posted("POST channels/"+thread+"/messages", "1. f3")
	l.answered(l.Slash(thread, alice, "move", "move=e4"), "bob is thinking")
	l.Press(thread, bob, l.buttonOf("Move"))
	l.Press(thread, bob, l.buttonOf("e7"))
	l.Press(thread, bob, l.buttonOf("e5"))
	l.dismissed(l.Press(thread, bob, l.buttonOf("Confirm")))
	l.posted("POST channels/"+thread+"/messages", "1… e5")
}

func TestWhatIsSeenInAnotherChannelIsSaidToBeThere(t *testing.T) {
	l, thread := inGame(t)
	l.answered(l.Slash("502", alice, "move", "move=f3", "game=#1"), "Done! You'll find it in <#"+thread+">.")
	l.posted("POST channels/"+thread+"/messages", "1. f3")
}

func TestNothingIsLeftToDismissOfARematchOrAnAnswer(t *testing.T) {
	l, thread := inGame(t)
	resign := l.buttonOf("Resign")
	l.Press(thread, alice, resign)
	l.dismissed(l.Press(thread, alice, l.buttonOf("No")))
	l.Press(thread, alice, resign)
	l.Press(thread, alice, l.buttonOf("Yes"))
	l.posted("POST channels/"+thread+"/messages", "wins by resignation")
	pressed := l.Press(thread, alice, l.buttonOf("Rematch"))
	l.posted("POST channels/"+thread+"/messages", "alice challenges <@12>", "#2")
	l.answered(pressed, `"type": 6`)
	l.answered(l.Press("502", alice, pressable{Data: "rematch 1 -"}), "already offered")
	l.Press(thread, bob, l.buttonOf("Accept"))
	l.posted("POST channels/", "Chess #2", "board.png")
	l.none("answers only say that something is done", "POST", "Done")
}
