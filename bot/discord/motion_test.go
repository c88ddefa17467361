package discord

import (
	"testing"
)

func TestAMergeMovesWhereTheServerWantsThat(t *testing.T) {
	l := ready(t)
	l.answered(l.Interact(room0, alice, isCommand, subcommand("settings", "server", "setting=motion", "value=on"), asManager), "motion")
	l.Slash(room0, alice, "challenge", "game=combine", "color=white")
	l.posted("POST channels/"+room0+"/messages", "Combine Chess")
	l.Press(room0, bob, l.buttonOf("Join"))
	l.posted("board.png")
	l.Slash(room0, alice, "move", "move=R~Nb1")
	l.posted("board.gif", "rook-knight")
}
