package discord

import (
	"context"
	"log/slog"
	"net/http"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
)

// commands are all there are.
func (a *Adapter) commands() []command {
	return commandList(a.games(), book.Say("label.menu-challenge"))
}

// games are the kinds of games to choose among.
func (a *Adapter) games() (all []choice) {
	for _, v := range a.bot.Games.Variants() {
		all = append(all, choice{Name: v.Name, Value: v.Key})
	}
	return all
}

// register tells Discord which commands there are, if that has changed.
func (a *Adapter) register(ctx context.Context, application string) {
	all := a.commands()
	const tries = 5
	asking := adapter.Retry{First: a.pace.retry, Tries: tries, Pause: adapter.Pause, Verdict: refusedForGood}
	if !a.knowsIDs(ctx, application) {
		a.state.Set(ctx, "commands/"+application, "") // they come with the answer
	}
	err := a.state.Once(ctx, "commands/"+application, all, func() error {
		return asking.Do(ctx, func() error {
			var registered []struct{ ID, Name string }
			err := a.call(ctx, http.MethodPut, "applications/"+application+"/commands", all, &registered)
			a.learn(ctx, application, registered)
			return err
		})
	})
	a.failed(ctx, slog.LevelWarn, "commands were not set", err)
}

// refusedForGood makes [*outbox.Never] of a refusal after which it is no use to ask again.
func refusedForGood(err error) error {
	if status(err)/100 == 4 { //nolint:mnd // what Discord says is wrong with a request
		return &outbox.Never{Err: err}
	}
	return err
}
