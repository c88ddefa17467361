package words

import (
	"chimera/bot/match"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
)

// Legend is the lessons below a board, as long as they are in no language.
type Legend []Entry

// Entry is one lesson of a Legend, about a piece or about marks.
type Entry struct {
	Piece      rules.Piece
	Name, Line phrase.Phrase
	Signs      []Sign
}

// Sign is a mark, on a square with a piece, and what it means.
type Sign struct {
	Mark  diagram.Mark
	Piece rules.Piece
	Means phrase.Phrase
}

// In is a legend in a language.
func (g Legend) In(l phrase.Language) (all []diagram.Lesson) {
	for _, e := range g {
		lesson := diagram.Lesson{Piece: e.Piece, Name: e.Name.Text(l), Line: e.Line.Text(l)}
		for _, s := range e.Signs {
			lesson.Signs = append(lesson.Signs, diagram.Sign{Mark: s.Mark, Piece: s.Piece, Means: s.Means.Text(l)})
		}
		all = append(all, lesson)
	}
	return all
}

// NewPieces is about the kinds of pieces that stand on the board for the first time in a game.
func NewPieces(s *match.GameView) (all Legend) {
	for _, p := range s.New {
		all = append(all, entryOn(s.Variant, p, book.Say("lesson.new", "piece", withLetters(s.Variant, p))))
	}
	return all
}

// Card is what stands below a piece's card.
func Card(v *rules.Variant, p rules.Piece, w analysis.Power) Legend {
	sign := func(kind diagram.MarkKind, part rules.Piece, means phrase.Phrase) Sign {
		return Sign{Mark: diagram.Mark{Kind: kind, From: w.From, To: w.From, Piece: part}, Means: means}
	}
	var signs []Sign
	switch both := w.All.Goes & w.All.Takes; {
	case both|w.From.Set() == v.Shape.Squares:
		signs = append(signs, sign(diagram.Goes, w.Parts[0].Piece, book.Say("lesson.anywhere")))
	case len(w.Parts) == 1:
		signs = soleSigns(w, sign)
	default:
		signs = partSigns(v, p, w, sign)
	}
	if w.All.Shoots&^w.All.Takes != 0 {
		signs = append(signs, sign(diagram.Ranged, rules.Piece{}, book.Say("lesson.shoots")))
	}
	if w.Lends != 0 {
		signs = append(signs, sign(diagram.Lent, rules.Piece{}, book.Say("lesson.lends")))
	}
	head := entryOn(v, p, book.Say("lesson.piece", "piece", withLetters(v, p)))
	head.Signs = signs
	return Legend{head}
}

// ZoneLegend says what the marks of zones on a board mean; nothing where there are none.
func ZoneLegend(d diagram.Diagram) Legend {
	l := Entry{Name: book.Say("lesson.zones")}
	var sides [2]bool
	badge := false
	for _, m := range d.Marks {
		if side := ownerOf(d.Board[m.From]); m.Kind == diagram.Lent && !sides[side] {
			sides[side] = true
			l.Signs = append(l.Signs, Sign{Mark: m, Means: book.Say("lesson.zone", "side", side)})
		}
	}
	for _, m := range d.Marks {
		if !badge && d.Lends(m) {
			badge = true
			l.Signs = append(l.Signs, Sign{m, d.Board[m.To], book.Say("lesson.borrows")})
		}
	}
	if l.Signs == nil {
		return nil
	}
	return Legend{l}
}

// soleSigns are those of where a piece of one part goes, captures, or does either.
func soleSigns(w analysis.Power, sign func(diagram.MarkKind, rules.Piece, phrase.Phrase) Sign) (signs []Sign) {
	part := w.Parts[0].Piece
	if w.All.Goes&^w.All.Takes != 0 {
		signs = append(signs, sign(diagram.Goes, part, book.Say("lesson.goes")))
	}
	if w.All.Goes&w.All.Takes != 0 {
		signs = append(signs, sign(diagram.Takes, part, book.Say("lesson.goes-takes")))
	}
	if w.All.Takes&^w.All.Goes != 0 {
		signs = append(signs, sign(diagram.Takes, rules.Piece{}, book.Say("lesson.takes")))
	}
	return signs
}

// partSigns are those of where each part of a piece goes, and of where they capture.
func partSigns(v *rules.Variant, p rules.Piece, w analysis.Power, sign func(diagram.MarkKind, rules.Piece, phrase.Phrase) Sign) (signs []Sign) {
	for _, part := range w.Parts {
		noun := v.Noun(part.Piece)
		means := book.Say("lesson.part", "piece", noun)
		if p.Shared() {
			means = book.Say("lesson.half", "side", ownerOf(part.Piece), "piece", noun)
		}
		signs = append(signs, sign(diagram.Goes, part.Piece, means))
	}
	takes := rules.Piece{}
	if first := w.Parts[0]; first.Goes&first.Takes != 0 {
		takes = first.Piece
	}
	if w.All.Takes != 0 {
		signs = append(signs, sign(diagram.Takes, takes, book.Say("lesson.takes")))
	}
	return signs
}

// entryOn is about a kind of piece.
func entryOn(v *rules.Variant, p rules.Piece, name phrase.Phrase) Entry {
	line := v.What(p)
	if !p.Shared() {
		line = v.Table[p.White|p.Black].Does.With("piece", v.Noun(p))
	}
	return Entry{Piece: p, Name: name, Line: line}
}

// withLetters is the noun of a piece, with its letters unless they are its name.
func withLetters(v *rules.Variant, p rules.Piece) phrase.Phrase {
	noun, code := v.Noun(p), v.Table.Code(p)
	if p.Shared() || noun.String() == code {
		return noun
	}
	return rules.Book().Say("piece-called", "piece", noun, "letters", code)
}

// ownerOf is the side of a piece that is not shared.
func ownerOf(p rules.Piece) rules.Color {
	if p.White != rules.NoRole {
		return rules.White
	}
	return rules.Black
}
