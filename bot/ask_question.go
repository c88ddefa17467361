package bot

import (
	"context"
	"time"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/storage"
)

// Question is one that only its asker has been asked, whether they mean it: the verb of its
// buttons, without "-yes", and the game that it is about.
type Question struct {
	Verb string
	Game storage.GameID
	At   time.Time
	Args []string
}

// Asked is the newest question that is open to somebody; none if its verb is "".
func (b *Bot) Asked(ctx context.Context, r Request) (newest Question, err error) {
	open := func(q Question) {
		if q.At.After(newest.At) {
			newest = q
		}
	}
	forget := storage.Offer{By: r.Me.ID, At: r.Me.Forget}
	if b.Events.Second(&forget, r.By()) && r.Game == 0 {
		open(Question{Verb: "forget", At: forget.At})
	}
	playing, err := b.playing(ctx, r)
	for i := range playing {
		g := &playing[i]
		if r.Game != 0 && g.ID != r.Game {
			continue
		}
		for verb, first := range firstWords(g) {
			if b.Events.Second(first, r.By()) {
				open(Question{Verb: verb, Game: g.ID, At: first.At})
			}
		}
	}
	if newest.Verb != "" || r.Game != 0 || err != nil {
		return newest, err
	}
	union, linking, err := b.Users.AgreedLink(ctx, r.Me.Link)
	if linking {
		newest = Question{Verb: "give", Args: []string{union.Code}}
	}
	return newest, err
}

// firstWords are those of a game that want a second one, by the verbs of the questions.
func firstWords(g *storage.Game) map[string]*storage.Offer {
	return map[string]*storage.Offer{"resign": g.Resign, "abort": g.Abort, "draw": g.DrawAsk, "annul": g.Strike}
}

// IsOpen reports whether a question about a game is still open to anybody.
func (b *Bot) IsOpen(ctx context.Context, q Question) bool {
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
	if q, err := b.Asked(ctx, r); err != nil || q.Verb != "" {
		return err == nil
	}
	how := match.Decline
	if yes {
		how = match.Accept
	}
	open, err := b.Match.HasOffer(ctx, event.By{Person: r.Me.ID, Place: r.Here.ID}, how, match.Meant{Game: m.ReplyTo})
	return err == nil && open
}
