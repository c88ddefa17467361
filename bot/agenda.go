package bot

import (
	"context"
	"errors"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// Agenda is what somebody has going on, in their language.
type Agenda struct {
	Whose        storage.PersonID
	Mine, Theirs []AgendaLine // games in progress in which it is their turn, and in which it is not, by urgency
	Offers       []AgendaLine // challenges by them and to them, and what is offered in games
	Ended        []AgendaLine // the last games that have ended, the newest first
}

// AgendaLine is one line of an Agenda.
type AgendaLine struct {
	Game     storage.GameID
	Begun    bool   // it is a game, and no challenge
	Revision uint64 // of a game: what its board shows depends on that
	Text     words.Text
	Buttons  []message.Button
}

// Agenda is that of the author of a message.
func (b *Bot) Agenda(ctx context.Context, m message.Incoming) (*Agenda, error) {
	r, _ := b.Asker(ctx, m)
	list, err := List(ctx, b, r, r.Me, limit.Games)
	if err != nil {
		return nil, err
	}
	a := &Agenda{Whose: r.Me.ID}
	for i := range list.Playing {
		it := &list.Playing[i]
		line := gameLine(&it.Game, list.Game(it, r.Me.ID))
		if it.Mine {
			a.Mine = append(a.Mine, line)
		} else {
			a.Theirs = append(a.Theirs, line)
		}
	}
	if a.Offers, err = b.offers(ctx, r, list); err != nil {
		return nil, err
	}
	for _, s := range list.Ended {
		a.Ended = append(a.Ended, gameLine(&s.Game, list.End(s)))
	}
	for _, lines := range [][]AgendaLine{a.Mine, a.Theirs, a.Offers, a.Ended} {
		for i := range lines {
			said := message.Message{Text: lines[i].Text, Buttons: lines[i].Buttons}
			said.Speak(r.Language())
			said.Zoned(r.Zone())
			lines[i].Text, lines[i].Buttons = said.Text, said.Buttons
		}
	}
	return a, nil
}

func gameLine(g *storage.Game, text words.Text) AgendaLine {
	return AgendaLine{Game: g.ID, Begun: true, Revision: g.Revision, Text: text}
}

// offers are what waits for an answer, in no language yet.
func (b *Bot) offers(ctx context.Context, r Request, list *words.GameList) (lines []AgendaLine, err error) {
	several := len(list.Pending)+len(list.Made) > 1
	for _, c := range list.Pending {
		lines = append(lines, AgendaLine{Game: c.ID, Text: list.Pended(c, b.Games.Variant), Buttons: ChallengeButtons(c.ID, false, several)})
	}
	for _, c := range list.Made {
		lines = append(lines, AgendaLine{Game: c.ID, Text: list.Challenge(c, 0, b.Games.Variant), Buttons: ChallengeButtons(c.ID, true, several)})
	}
	for i := range list.Playing {
		g := &list.Playing[i].Game
		if g.Draw == nil && g.Takeback == nil {
			continue
		}
		sight, err := b.Games.LoadFor(ctx, r.By(), g.ID, match.Latest)
		if err != nil {
			return nil, err
		}
		line := gameLine(g, words.Offered(sight))
		line.Buttons = OfferButtons(sight, r.Me.ID)
		lines = append(lines, line)
	}
	return lines, nil
}

// Thumbnail is the board of a game as the author of a message sees it now; nil if there is none for them.
func (b *Bot) Thumbnail(ctx context.Context, m message.Incoming, id storage.GameID) (*message.Message, error) {
	r, _ := b.Asker(ctx, m)
	sight, err := b.Games.LoadFor(ctx, r.By(), id, match.Latest)
	if no := (*event.Refusal)(nil); errors.As(err, &no) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := boardOf(sight, Viewer{Alone: r.Me.ID})
	said.SetLook(b.Pictures, r.Me.Settings.Look, r.Server.Settings.Look)
	return &said, nil
}
