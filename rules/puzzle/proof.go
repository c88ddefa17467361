package puzzle

import (
	"context"

	"chimera/rules"
	"chimera/rules/engine"
)

// A Bar says which scores of a search count as a win, in centipawns: at least Won, or a mate. At most
// Lost is no win; between the two it is open.
type Bar struct{ Won, Lost int }

// Strict is the bar for a puzzle to be found.
var Strict = Bar{200, 130} //nolint:gochecknoglobals // never written

// wins reports whether a score is a win.
func (b Bar) wins(s engine.Score) bool { return s.Mate > 0 || s.Mate == 0 && s.Centipawns >= b.Won }

// fails reports whether a score is none.
func (b Bar) fails(s engine.Score) bool {
	return s.Mate < 0 || s.Mate == 0 && s.Centipawns <= b.Lost
}

// Only is the move that alone wins, as a search of that many nodes sees it, with its score; false
// if there is none, or another may win too. The error is that of [engine.Engine.Search].
func Only(ctx context.Context, e *engine.Engine, pos *rules.Position, nodes int, bar Bar) (engine.Line, bool, error) {
	found, err := e.Search(ctx, rules.NewGame(pos), engine.Limits{Nodes: nodes, Lines: 2})
	if err != nil {
		return engine.Line{}, false, err
	}
	alone := len(found.Lines) > 1 && bar.fails(found.Lines[1].Score) || len(pos.Moves()) == 1
	return found.Line, alone && bar.wins(found.Score), ctx.Err()
}
