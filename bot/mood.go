package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// Mood is how somebody feels about a game.
type Mood string

// The moods of a player. Any other is "".
const (
	Won    Mood = "won"
	Drew   Mood = "drew"
	Struck Mood = "struck" // with the last move, they have captured a queen or merged pieces
)

// Mood is that of a player, as the game is now.
func (b *Bot) Mood(ctx context.Context, game storage.GameID, player storage.PersonID) Mood {
	view, err := b.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return ""
	}
	side, plays := view.Game.SideOf(player)
	winner, won := words.Winner(view)
	strikes := func(e rules.Effect) bool {
		kills := e.Kind == rules.Captured || e.Kind == rules.Shot || e.Kind == rules.Annihilated
		return e.Kind == rules.Merged || kills && strings.Contains(view.Variant.Table.Code(e.Piece), "Q")
	}
	switch {
	case !plays:
	case won && winner == rules.Color(side):
		return Won
	case view.Game.Result == rules.Drawn.String():
		return Drew
	case !view.Game.Over() && view.Now.Position.Turn() != rules.Color(side) && slices.ContainsFunc(view.Effects, strikes):
		return Struck
	}
	return ""
}

// Posted is what is seen of the game of a delivery by those in whose chat it was offered, and what tells that from how
// it was before: "" if another delivery tells it as it is now.
func (b *Bot) Posted(ctx context.Context, d *Delivery) (said message.Message, as string, err error) {
	view, err := b.Games.Load(ctx, d.Entry.Game, match.Latest)
	if err != nil || view.Ply != d.Entry.Ply || view.Game.Over() != d.Ends() {
		return said, "", err
	}
	said = boardOf(view, onlooker{})
	said.Buttons = nil
	said.For(message.Audience{Language: d.Note.Language, Pictures: b.Pictures})
	return said, fmt.Sprint(view.Ply, d.Ends()), nil
}

// Watch lets somebody follow a game in their chat to whom its players have shown it, and shows them its board. An
// error has been logged, and has its note.
func (b *Bot) Watch(ctx context.Context, m message.Incoming, game storage.GameID) ([]message.Message, error) {
	r, _ := b.Asker(ctx, m)
	view, err := b.Games.Load(ctx, game, match.Latest)
	if err == nil {
		by := r.by()
		by.Person = view.Game.Players[0]
		_, err = b.Match.Follow(ctx, by, game, true)
	}
	if err != nil {
		said, err := b.finish(ctx, r, true, nil, err)
		return replies(said), err
	}
	m.ID, m.Text = m.ID+" board", fmt.Sprint("board #", uint64(game))
	return b.Handle(ctx, m)
}
