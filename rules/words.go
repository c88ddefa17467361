package rules

import (
	"cmp"
	"embed"
	"slices"

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

// Merges reports whether two pieces can become one.
func (v *Variant) Merges() bool {
	return v.Shares() || slices.ContainsFunc(v.Table, func(info RoleInfo) bool { return len(info.Parts) > 1 })
}

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

// Describe says in whole sentences what a move did: given its [Position.Effects].
func (v *Variant) Describe(effects []Effect) phrase.Phrase {
	if len(effects) == 0 {
		return phrase.Phrase{}
	}
	var did [Castled + 1][]Effect
	var taken []Effect
	var becomes Piece
	for _, e := range effects {
		did[e.Kind] = append(did[e.Kind], e)
		if e.Kind == Captured || e.Kind == Absorbed || e.Kind == Born {
			taken = append(taken, e)
		}
		if e.Kind == Absorbed || e.Kind == Born || e.Kind == Promoted {
			becomes = e.Into
		}
	}
	main := slices.Concat(did[Moved], did[Merged], did[Parted], effects)[0]
	say := func(key string, parts ...any) phrase.Phrase {
		parts = append(parts, "piece", v.Noun(main.Piece), "from", v.Shape.Name(main.From), "to", v.Shape.Name(main.To),
			"into", v.Noun(cmp.Or(becomes, main.Into)), "pieces", phrase.And(v.allOn(taken)))
		for _, e := range taken {
			parts = append(parts, "prey", v.Noun(e.Piece)) // the first counts
		}
		return book.Say("did."+key, parts...)
	}
	there := len(taken) == 1 && taken[0].To == main.To
	switch {
	case did[Annihilated] != nil:
		rest := effects[:len(effects)-len(did[Annihilated])]
		return say("annihilates", "move", v.Describe(rest), "pieces", phrase.And(v.allOn(did[Annihilated])))
	case did[Shot] != nil:
		shot := did[Shot][0]
		parts := []any{"prey", v.Noun(shot.Piece), "target", v.Shape.Name(shot.To)}
		switch {
		case len(effects) != 2 || did[Moved] == nil:
			return say("shot", append(parts, "from", v.Shape.Name(shot.From))...)
		case shot.From == main.To:
			return say("moves-shoots", parts...)
		}
		return say("shoots-moves", parts...)
	case did[Merged] != nil:
		other := did[Merged][1]
		parts := []any{"other", v.Noun(other.Piece), "second", v.Shape.Name(other.From)}
		switch {
		case other.From == other.To:
			return say("joins", parts...)
		case taken != nil:
			return say("meets-takes", parts...)
		}
		return say("meets", parts...)
	case did[Parted] != nil:
		return say("parts", "other", v.Noun(main.Into))
	case did[Moved] == nil:
		return say("takes-from", "pieces", phrase.And(v.allOn(effects)))
	case did[Castled] != nil:
		rook := did[Castled][0]
		return say("castles", "rook", v.Noun(rook.Piece), "rook-from", v.Shape.Name(rook.From), "rook-to", v.Shape.Name(rook.To))
	case did[Born] != nil:
		return say("bears")
	case there && becomes != Piece{}:
		return say("takes-becomes")
	case there:
		return say("takes")
	case taken != nil && becomes != Piece{}:
		return say("raids-becomes")
	case taken != nil:
		return say("raids")
	case becomes != Piece{}:
		return say("becomes")
	}
	return say("moves")
}

// allOn are the pieces that effects are about, each with the square where that was.
func (v *Variant) allOn(effects []Effect) (all []phrase.Phrase) {
	for _, e := range effects {
		all = append(all, v.on(e.Piece, e.To))
	}
	return all
}
