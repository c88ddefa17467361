package fake

import (
	"testing"

	"chimera/bot/match"
)

// Turn waits until somebody is to move in game 1 after so many plies, or it is over, and is how it
// stands then.
func Turn(t testing.TB, games *match.Games, wait func(what string, holds func() bool), who string, plies int) (now *match.GameView) {
	t.Helper()
	wait("the turn of "+who, func() bool {
		var err error
		if now, err = games.Load(t.Context(), 1, match.Latest); err != nil {
			return false
		}
		turn, _ := now.Game.SideOf(match.ToMove(&now.Game))
		return now.Game.Over() || now.Ply >= plies && now.Names[turn] == who
	})
	return now
}
