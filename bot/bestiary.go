package bot

import (
	"context"
	"slices"
	"strings"

	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Bestiary is the kinds of pieces that can be made in a game, and those without a name that somebody has made.
type Bestiary struct {
	Key, Game string
	Made, All int // of those that have a name
	Beasts    []Beast
}

// Beast is a kind of piece in a Bestiary.
type Beast struct {
	Code, Name string
	rating.Kept
}

func bestiary(v *rules.Variant, kept map[rating.KindOfPiece]rating.Kept, l phrase.Language) Bestiary {
	found := Bestiary{Key: v.Key, Game: v.Name}
	for _, p := range made(v) {
		sign := rating.SignOf(v.Table, p)
		name := v.Noun(rules.Piece{White: p.White}).Text(l)
		if p.Shared() { // which color a half has matters here
			name += " + " + v.Noun(rules.Piece{White: p.Black}).Text(l)
		}
		b := Beast{codeOf(v, p), name, kept[rating.KindOfPiece{Key: v.Key, Sign: sign}]}
		if named(v, p) {
			found.All++
			if b.First != 0 {
				found.Made++
			}
		} else if b.First == 0 {
			continue
		}
		found.Beasts = append(found.Beasts, b)
	}
	return found
}

// fresh are the kinds of pieces that somebody has made in a game, which has ended, and in none before it.
func (b *Bot) fresh(ctx context.Context, view *match.GameView, id storage.PersonID, l phrase.Language) (all []Beast, err error) {
	if _, plays := view.Game.SideOf(id); !plays || !view.Game.Over() || !view.Game.Gathers() {
		return nil, nil
	}
	firsts, err := storage.Read(ctx, b.Store, func(r storage.Reader) ([]storage.FirstMade, error) { return r.FirstMade(id) })
	kept := map[rating.KindOfPiece]rating.Kept{}
	for _, f := range firsts {
		if f.Game == view.Game.ID {
			kept[rating.KindOfPiece{Key: f.Kind, Sign: f.Piece}] = rating.Kept{First: f.Game}
		}
	}
	for _, beast := range bestiary(view.Variant, kept, l).Beasts {
		if beast.First != 0 {
			all = append(all, beast)
		}
	}
	return all, err
}

// made are the pieces of a game that nobody has at its start, in the order of its piece table; those of both sides
// where there are such.
func made(v *rules.Variant) (all []rules.Piece) {
	start, _ := v.Position("") // it is the game's own
	board := start.Board()
	for r, one := range v.Table {
		for s, other := range v.Table {
			p := rules.Piece{White: rules.Role(r), Black: rules.Role(s)}
			if one.Royal || one.Pawn || other.Royal || other.Pawn || v.Shares() != p.Shared() || p.White == rules.NoRole || slices.Contains(board[:], p) {
				continue
			}
			all = append(all, p)
		}
	}
	return all
}

// named reports whether people call a piece by more than its letters.
func named(v *rules.Variant, p rules.Piece) bool { return v.Noun(p).String() != v.Table.Code(p) }

// codeOf is how a piece stands in addresses.
func codeOf(v *rules.Variant, p rules.Piece) string {
	return strings.Replace(rating.SignOf(v.Table, p), "/", "-", 1)
}

// pieceOf is the piece of such a code; none if the game has no such piece.
func pieceOf(v *rules.Variant, code string) rules.Piece {
	p := rating.PieceOf(v.Table, strings.Replace(code, "-", "/", 1))
	if p.White == rules.NoRole || p.Shared() && !v.Shares() {
		return rules.Piece{}
	}
	return p
}
