package think

import (
	"context"

	"chimera/rules"
	"chimera/rules/engine"
)

// adviceNodes is how long advice is searched for: some hundredths of a second.
const adviceNodes = 30_000

// Advise is what the computer would do in somebody's place. One is advised after the other. It is
// the same each time.
func (t *Thinker) Advise(ctx context.Context, game rules.Game) (engine.Result, error) {
	t.advising.Lock()
	defer t.advising.Unlock()
	e, err := t.engine(game.Position.Variant())
	if err != nil {
		return engine.Result{}, err
	}
	return e.Search(ctx, game, engine.Limits{Nodes: adviceNodes})
}
