package discord

import (
	"testing"
)

func TestAMergeMovesWhereTheServerWantsThat(t *testing.T) {
	l := ready(t)
	l.answered(l.Interact(room0, alice, isCommand, map[string]any{"name": "settings", "type": 1, "options": []any{map[string]any{
		"type": 1, "name": "server", "options": []any{
			map[string]any{"type": 3, "name": "setting", "value": "motion"}, map[string]any{"type": 3, "name": "value", "value": "on"},
		},
	}}}, func(i map[string]any) { i["member"].(map[string]any)["permissions"] = "32" }), "motion")
	l.Slash(room0, alice, "challenge", "game=combine", "color=white")
	l.posted("POST channels/"+room0+"/messages", "Combine Chess")
	l.Press(room0, bob, l.buttonOf("Join"))
	l.posted("board.png")
	l.Slash(room0, alice, "move", "move=R~Nb1")
	l.posted("board.gif", "rook-knight")
}
