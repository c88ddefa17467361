package bot

import (
	"context"
	"strings"

	"chimera/bot/message"
)

// settled reports whether a press, which was done or not, has answered a question that is open to
// nobody any more. One about no game is open to others than whoever presses, where they are.
func (b *Bot) settled(ctx context.Context, m message.Incoming, done bool) bool {
	p, game, _, _, ok := pressed(m.Press)
	verb, yes := strings.CutSuffix(p.verb, "-yes")
	verb, no := strings.CutSuffix(verb, "-no")
	if game == 0 {
		return ok && (yes || no) && (done || m.Private)
	}
	return ok && (yes || no) && !b.IsOpen(ctx, Question{Verb: verb, Game: game})
}

// sayYesOrNo answers the question that is open to the asker: whether they mean something, else
// what another has offered them.
func sayYesOrNo(ctx context.Context, b *Bot, r Request, yes bool) (*message.Message, error) {
	q, err := b.Asked(ctx, r)
	if err != nil {
		return nil, err
	}
	if q.Verb == "" {
		r.Args = nil
		r.Command = b.Commands.Find(map[bool]string{true: "accept", false: "decline"}[yes])
		r.Name = r.Command.Name
		return r.Command.Run(ctx, b, r)
	}
	r.Game, r.Args = q.Game, q.Args
	return presses[q.Verb+map[bool]string{true: "-yes", false: "-no"}[yes]].run(ctx, b, r)
}
