package bot

import (
	"context"
	"time"

	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/typed"
	"chimera/storage"
)

// question is one that only its asker has been asked, whether they mean it: the verb of its
// buttons, without "-yes", and the game that it is about.
type question struct {
	verb string
	game storage.GameID
	at   time.Time
	args []string
}

// asked is the newest question that is open to somebody; none if its verb is "".
func asked(ctx context.Context, desk *ask.Desk, r ask.Request) (newest question, err error) {
	open := func(q question) {
		if q.at.After(newest.at) {
			newest = q
		}
	}
	forget := storage.Offer{By: r.Me.ID, At: r.Me.Forget}
	if desk.Inbox.Second(&forget, r.By()) && r.Game == 0 {
		open(question{verb: "forget", at: forget.At})
	}
	playing, err := desk.Games.Playing(ctx, r.Me.ID)
	for i := range playing {
		g := &playing[i]
		if r.Game != 0 && g.ID != r.Game {
			continue
		}
		for verb, first := range map[string]*storage.Offer{"resign": g.Resign, "abort": g.Abort} {
			if desk.Inbox.Second(first, r.By()) {
				open(question{verb: verb, game: g.ID, at: first.At})
			}
		}
	}
	if newest.verb != "" || r.Game != 0 || err != nil {
		return newest, err
	}
	union, linking, err := desk.Links.LinkAsked(ctx, r.Me.ID)
	if linking {
		newest = question{verb: "give", args: []string{union.Code}}
	}
	return newest, err
}

// sayYesOrNo answers the question that is open to the asker: whether they mean something, else
// what another has offered them.
func sayYesOrNo(ctx context.Context, desk *ask.Desk, r ask.Request, yes bool) ([]Note, error) {
	q, err := asked(ctx, desk, r)
	if err != nil {
		return nil, err
	}
	if q.verb == "" {
		r.Args = nil
		r.Command = desk.Commands.Find(map[bool]string{true: "accept", false: "decline"}[yes])
		r.Name = r.Command.Name
		return r.Command.Run(ctx, desk, r)
	}
	r.Game, r.Args = q.game, q.args
	return presses[q.verb+map[bool]string{true: "-yes", false: "-no"}[yes]].run(ctx, desk, r)
}

// answers reports whether a text is yes or no to what is open in the game of the message that it
// answers.
func (b *Bot) answers(ctx context.Context, m *ask.Message) bool {
	yes, ok := typed.Answer(m.Text)
	if !ok || m.ReplyTo == 0 {
		return false
	}
	r, _ := b.Asker(ctx, *m) // of people who were never met, nothing is open
	r.Game = m.ReplyTo
	if q, err := asked(ctx, b.Desk, r); err != nil || q.verb != "" {
		return err == nil
	}
	how := match.Decline
	if yes {
		how = match.Accept
	}
	open, err := b.Match.HasOffer(ctx, inbox.By{Person: r.Me.ID, Place: r.Here.ID}, how, match.Meant{Game: m.ReplyTo})
	return err == nil && open
}
