package bot

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"chimera/bot/match"
	"chimera/rules"
)

// squareName is a square of any board.
var squareName = regexp.MustCompile(`(?i)^[a-z][0-9]$`)

// how tells what the man on a square of a game may do, or what a piece of that
// name can do at all.
func (b *Bot) how(ctx context.Context, r request) ([]Note, error) {
	var named *rules.Variant
	var words []string
	for _, word := range r.args {
		if v := b.match.Variant(strings.ToLower(word)); v != nil && named == nil {
			named = v
			continue
		}
		words = append(words, word)
	}
	piece := strings.Trim(strings.Join(words, " "), "[]")
	if piece == "" {
		return r.answer(howWhat()), nil
	}
	if named != nil {
		return r.answer(howPiece([]*rules.Variant{named}, piece)), nil
	}
	sight, err := b.look(ctx, r, match.Latest)
	var ask *errAsk
	switch {
	case err == nil:
		if sq := sight.Variant.Shape.Parse(strings.ToLower(piece)); sq != rules.NoSquare {
			return r.answer(howSquare(sight, sq, legal(sight.Now.Position, sq))), nil
		}
		return r.answer(howPiece([]*rules.Variant{sight.Variant}, piece)), nil
	case squareName.MatchString(piece), r.game != 0 || r.msg.ReplyTo != 0:
		return nil, err // a square is one of a game's
	case errors.Is(err, errNoGame), errors.As(err, &ask):
		return r.answer(howPiece(b.match.Variants(), piece)), nil
	}
	return nil, err
}
