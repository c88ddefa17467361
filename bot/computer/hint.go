package computer

import (
	"context"
	"errors"
	"time"

	"chimera/rules"
	"chimera/rules/engine"
)

// adviceNodes is how long advice is searched for: some hundredths of a second.
const adviceNodes = 30_000

// patience is how long somebody waits while others are advised.
const patience = 5 * time.Second

// ErrBusy is returned to somebody whose turn has not come in time, since many want advice.
var ErrBusy = errors.New("computer: others are being advised")

// Advise is what the computer would do in somebody's place. One is advised after the other. It is
// the same each time. The error is [ErrBusy], or that of ctx if it is done before there is an answer.
func (t *Thinker) Advise(ctx context.Context, game rules.Game) (engine.Result, error) {
	select {
	case t.advising <- struct{}{}:
		defer func() { <-t.advising }()
	case <-ctx.Done():
		return engine.Result{}, ctx.Err()
	case <-time.After(patience):
		return engine.Result{}, ErrBusy
	}
	e, err := t.engine(game.Position.Variant())
	if err != nil {
		return engine.Result{}, err
	}
	found, err := e.Search(ctx, game, engine.Limits{Nodes: adviceNodes})
	if err == nil {
		err = ctx.Err() // it was not thought to the end
	}
	return found, err
}
