package rules

import (
	"embed"

	"chimera/rules/phrase"
)

//go:embed words
var words embed.FS

// book is what games say alike, and the names of orthodox pieces.
var book = phrase.NewBook(words) //nolint:gochecknoglobals // read once, never written

// Book is the book of what games say alike, and of the names of orthodox pieces.
func Book() *phrase.Book { return book }

// Shares reports whether a piece may belong to both sides.
func (v *Variant) Shares() bool { return !v.Shared.IsZero() }

// Noun is what people call a piece: "knight", or "knightmare (rook + knight)" where both
// sides own a part of it.
func (v *Variant) Noun(p Piece) phrase.Phrase {
	if !p.Shared() {
		return v.Table[p.White|p.Black].Noun
	}
	one, other := v.Table[p.White], v.Table[p.Black]
	if letterOrder(other.Code[0]) < letterOrder(one.Code[0]) {
		one, other = other, one
	}
	return v.Shared.With("one", one.Noun, "other", other.Noun)
}

// on is the noun of a piece with its square.
func (v *Variant) on(p Piece, sq Square) phrase.Phrase {
	return book.Say("piece-on", "piece", v.Noun(p), "square", v.Shape.Name(sq))
}

// What is a sentence about what a piece can do, wherever it stands.
func (v *Variant) What(p Piece) phrase.Phrase {
	if p.Shared() && p.White == p.Black {
		return book.Say("shared.same", "piece", v.Noun(p), "one", v.Table[p.White].Noun, "does", v.What(Piece{White: p.White}))
	}
	if p.Shared() {
		return book.Say("shared.does", "piece", v.Noun(p),
			"one-does", v.What(Piece{White: p.White}), "other-does", v.What(Piece{Black: p.Black}))
	}
	info := v.Table[p.White|p.Black]
	if info.Noun.String() == info.Code {
		return info.does(info.Noun)
	}
	return info.does(book.Say("piece-called", "piece", info.Noun, "letters", info.Code))
}

// does says what a piece does that a noun calls, and what else there is to know of it.
func (info *RoleInfo) does(piece phrase.Phrase) phrase.Phrase {
	said := info.Does.With("piece", piece)
	if info.Also.IsZero() {
		return said
	}
	return book.Say("all", "sentences", phrase.Spaced([]phrase.Phrase{said, info.Also}))
}
