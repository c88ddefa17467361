package bot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/render"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Card is the picture of a game that has ended and that everyone may see, to be passed on.
type Card struct {
	Tag string // the same as long as the picture is

	b *Bot
	r Request
}

// Card is that of a game in a language; nil if there is no such game, or not for everyone, or if it goes on.
func (b *Bot) Card(ctx context.Context, id storage.GameID, l phrase.Language) (*Card, error) {
	r, _ := b.Asker(ctx, b.Stranger(string(l)))
	sight, err := b.Games.LoadFor(ctx, r.By(), id, match.Latest)
	switch no := (*event.Refusal)(nil); {
	case errors.As(err, &no):
		return nil, nil
	case err != nil || !sight.Game.Over():
		return nil, err
	}
	r.Game = id
	depends := fmt.Sprintf("card %d %d %q %s", id, sight.Game.Revision, sight.Names, l) // who is forgotten has no name any more
	return &Card{fmt.Sprintf("%x", sha256.Sum256([]byte(depends))), b, r}, nil
}

// Kept reports whether the picture was painted of late, so that it costs nothing.
func (c *Card) Kept() bool {
	_, kept := c.b.Pictures.Kept(c.Tag)
	return kept
}

// PNG is the picture as a PNG file. It may wait for others to be painted.
func (c *Card) PNG(ctx context.Context) ([]byte, error) {
	return c.b.Pictures.Keep(ctx, "card", c.Tag, func(w io.Writer) error {
		said, err := Share(context.WithoutCancel(ctx), c.b, c.r)
		if err != nil {
			return err
		}
		said.Speak(c.r.Language())
		return said.Chart.PNG(w, render.DefaultSize)
	})
}
