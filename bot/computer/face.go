package computer

import (
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// tastes are what characters like.
var tastes = map[string]engine.Taste{ //nolint:gochecknoglobals // never written
	"greta": {Gain: 60}, "ignaz": {Attack: 40}, "melba": {Growth: 60}, "otto": {Exchange: 60},
}

// Occasion is what a character has something to say of at the end of its game or after its move, such as
// "gains", "" for nothing, and a number by which one of several sentences is chosen. It seldom speaks but
// at the beginning and at the end.
func Occasion(g *storage.Game, line *match.Replayed) (what string, n int) {
	side, _ := g.Computer()
	ply := len(line.Moves) - 1
	if g.Over() {
		won := map[string]string{rules.WinFor(rules.Color(side)).String(): "won", rules.WinFor(rules.Color(1 - side)).String(): "lost", rules.Drawn.String(): "drawn"}
		return won[g.Result], 0
	}
	if ply < 0 || line.Games[ply].Position.Turn() != rules.Color(side) {
		return "", 0
	}
	const much, seldom = 3, 3 // pawns; it speaks of every third occasion
	chance := dice(g, ply)
	n = int(chance / seldom % 2)
	if ply < 2 {
		return "hello", n
	}
	pos, before := line.Games[ply].Position, line.Games[ply-1].Position
	gain, lost := wins(pos, line.Moves[ply]), wins(before, line.Moves[ply-1])
	switch {
	case chance%seldom != 0:
	case gain >= much && lost < much:
		return "gains", n
	case lost >= much && gain <= 0:
		return "loses", n
	case makes(pos, line.Moves[ply]) > 0:
		return "merges", n
	case makes(before, line.Moves[ply-1]) > 0:
		return "yours", n
	}
	return "", n
}
