package bot

import (
	"context"
	"strings"
	"time"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/storage"
)

// openQuestion is one that only its asker has been asked, whether they mean it: the verb of its
// buttons, without "-yes", and the game that it is about.
type openQuestion struct {
	Verb string
	Game storage.GameID
	At   time.Time
	Args []string
}

// asked is the newest question that is open to somebody; none if its verb is "".
func (b *Bot) asked(ctx context.Context, r Request) (newest openQuestion, err error) {
	open := func(q openQuestion) {
		if q.At.After(newest.At) {
			newest = q
		}
	}
	forget := storage.Offer{By: r.Me.ID, At: r.Me.Forget}
	if b.Events.Second(&forget, r.by()) && r.Game == 0 {
		open(openQuestion{Verb: "forget", At: forget.At})
	}
	playing, err := b.playing(ctx, r)
	for i := range playing {
		g := &playing[i]
		if r.Game != 0 && g.ID != r.Game {
			continue
		}
		for verb, first := range firstWords(g) {
			if b.Events.Second(first, r.by()) {
				open(openQuestion{Verb: verb, Game: g.ID, At: first.At})
			}
		}
	}
	if newest.Verb != "" || r.Game != 0 || err != nil {
		return newest, err
	}
	merge, linking, err := b.Users.AgreedLink(ctx, r.Me.Link)
	if linking {
		newest = openQuestion{Verb: "give", Args: []string{merge.Code}}
	}
	return newest, err
}

// firstWords are those of a game that want a second one, by the verbs of the questions.
func firstWords(g *storage.Game) map[string]*storage.Offer {
	return map[string]*storage.Offer{"resign": g.Resign, "abort": g.Abort, "draw": g.DrawAsk, "annul": g.Strike}
}

// isOpen reports whether a question about a game is still open to anybody.
func (b *Bot) isOpen(ctx context.Context, q openQuestion) bool {
	g, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(q.Game) })
	first := firstWords(&g)[q.Verb]
	return err == nil && first != nil && b.Events.Second(first, event.By{Person: first.By})
}

// answers reports whether a text is yes or no to what is open in the game of the message that it
// answers.
func (b *Bot) answers(ctx context.Context, m *message.Incoming) bool {
	yes, ok := command.YesOrNo(m.Text)
	if !ok || m.ReplyTo == 0 {
		return false
	}
	r, _ := b.Asker(ctx, *m) // of people who were never met, nothing is open
	r.Game = m.ReplyTo
	if q, err := b.asked(ctx, r); err != nil || q.Verb != "" {
		return err == nil
	}
	how := match.Decline
	if yes {
		how = match.Accept
	}
	open, err := b.Match.HasOffer(ctx, event.By{Person: r.Me.ID, Place: r.Here.ID}, how, match.Meant{Game: m.ReplyTo})
	return err == nil && open
}

// settled reports whether a press, which was done or not, has answered a question that is open to
// nobody any more. One about no game is open to others than whoever presses, where they are.
func (b *Bot) settled(ctx context.Context, m message.Incoming, done bool) bool {
	p, game, _, _, ok := pressed(m.Press)
	verb, yes := strings.CutSuffix(p.verb, "-yes")
	verb, no := strings.CutSuffix(verb, "-no")
	if game == 0 {
		return ok && (yes || no) && (done || m.Private)
	}
	return ok && (yes || no) && !b.isOpen(ctx, openQuestion{Verb: verb, Game: game})
}

// sayYesOrNo answers the question that is open to the asker: whether they mean something, else
// what another has offered them.
func sayYesOrNo(ctx context.Context, b *Bot, r Request, yes bool) (*message.Message, error) {
	q, err := b.asked(ctx, r)
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
