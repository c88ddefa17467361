package words

import (
	"slices"

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
func (g Legend) In(l phrase.Language) []diagram.Lesson {
	return Each(g, func(e Entry) diagram.Lesson {
		signs := Each(e.Signs, func(s Sign) diagram.Sign { return diagram.Sign{Mark: s.Mark, Piece: s.Piece, Means: s.Means.Text(l)} })
		return diagram.Lesson{Piece: e.Piece, Name: e.Name.Text(l), Line: e.Line.Text(l), Signs: signs}
	})
}

// legendOf is a lesson about marks, nil if there are none.
func legendOf(name phrase.Phrase, signs []Sign) Legend {
	if signs == nil {
		return nil
	}
	return Legend{{Name: name, Signs: signs}}
}

// NewPieces is about the kinds of pieces that stand on the board for the first time in a game.
func NewPieces(s *match.GameView) Legend {
	return Each(s.New, func(p rules.Piece) Entry {
		return entryOn(s.Variant, p, book.Say("lesson.new", "piece", withLetters(s.Variant, p)))
	})
}

// Card is what stands below a piece's card.
func Card(v *rules.Variant, p rules.Piece, w analysis.Power) Legend {
	e := entryOn(v, p, book.Say("lesson.piece", "piece", withLetters(v, p)))
	add := func(seen bool, kind diagram.MarkKind, part rules.Piece, means phrase.Phrase) {
		if seen {
			e.Signs = append(e.Signs, Sign{Mark: diagram.Mark{Kind: kind, From: w.From, To: w.From, Piece: part}, Means: means})
		}
	}
	none, first, both := rules.Piece{}, w.Parts[0], w.All.Goes&w.All.Takes
	switch {
	case both|w.From.Set() == v.Shape.Squares:
		add(true, diagram.Goes, first.Piece, book.Say("lesson.anywhere"))
	case len(w.Parts) == 1:
		add(w.All.Goes&^w.All.Takes != 0, diagram.Goes, first.Piece, book.Say("lesson.goes"))
		add(both != 0, diagram.Takes, first.Piece, book.Say("lesson.goes-takes"))
		add(w.All.Takes&^w.All.Goes != 0, diagram.Takes, none, book.Say("lesson.takes"))
	default:
		for _, part := range w.Parts {
			means := book.Say(Either(p.Shared(), "lesson.half", "lesson.part"), "side", ownerOf(part.Piece), "piece", v.Noun(part.Piece))
			add(true, diagram.Goes, part.Piece, means)
		}
		takes := none
		if first.Goes&first.Takes != 0 {
			takes = first.Piece
		}
		add(w.All.Takes != 0, diagram.Takes, takes, book.Say("lesson.takes"))
	}
	add(w.All.Shoots&^w.All.Takes != 0, diagram.Ranged, none, book.Say("lesson.shoots"))
	add(w.Lends != 0, diagram.Lent, none, book.Say("lesson.lends"))
	return Legend{e}
}

// ZoneLegend says what the marks of zones on a board mean; nothing where there are none.
func ZoneLegend(d diagram.Diagram) Legend {
	var zones, badges []Sign
	var sides [2]bool
	for _, m := range d.Marks {
		if side := ownerOf(d.Board[m.From]); m.Kind == diagram.Lent && !sides[side] {
			sides[side] = true
			zones = append(zones, Sign{Mark: m, Means: book.Say("lesson.zone", "side", side)})
		}
		if badges == nil && d.Lends(m) {
			badges = []Sign{{m, d.Board[m.To], book.Say("lesson.borrows")}}
		}
	}
	return legendOf(book.Say("lesson.zones"), append(zones, badges...))
}

// LevelLegend says what the bars and fuses of pieces on a board mean; nothing where there are none.
func LevelLegend(v *rules.Variant, board rules.Board) Legend {
	var signs []Sign
	for level, means := range []phrase.Phrase{2: book.Say("lesson.stealth"), 3: book.Say("lesson.bomber")} {
		i := slices.IndexFunc(board[:], func(p rules.Piece) bool { return !means.IsZero() && !p.Shared() && levelOf(v, p) == level })
		if i >= 0 {
			signs = append(signs, Sign{Piece: board[i], Means: means})
		}
	}
	return legendOf(book.Say("lesson.levels"), signs)
}

// levelOf is how often a piece has the same part at most.
func levelOf(v *rules.Variant, p rules.Piece) (most int) {
	times := map[rules.Role]int{}
	for _, part := range v.Table.Simple(p.White | p.Black) {
		times[part]++
		most = max(most, times[part])
	}
	return most
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

// Threats tells what threatens the side to move in a game.
func Threats(s *match.GameView, found analysis.Threats) Text {
	lines := []Text{Say(Either(len(found.Pieces) == 0, "threats.none", "threats.attacked"), "side", found.Mover, "pieces", threatened(s, found.Pieces))}
	lines = append(lines, If(found.Ranged != 0, Say("threats.ranged", "squares", s.Variant.Shape.Names(found.Ranged)))...)
	lines = append(lines, If(len(found.Blasts) > 0, Say("threats.doomed", "pieces", threatened(s, found.Blasts)))...)
	lines = append(lines, If(len(found.Chances) > 0, Say("threats.chances", "side", found.Mover, "pieces", threatened(s, found.Chances)))...)
	return Say("threats.told", "game", Hash(s.Game.ID), "side", found.Mover.Other(), "threats", phrase.Lines(lines))
}

// threatened lists pieces by those that threaten them: "rook d4, pawn e4 ← bishop g7, knight e6".
func threatened(s *match.GameView, all []analysis.Threat) phrase.List {
	board := s.Now.Position.Board()
	on := func(sq rules.Square) phrase.Phrase {
		return book.Say("threats.piece", "piece", s.Variant.Noun(board[sq]), "square", s.Variant.Shape.Name(sq))
	}
	pieces := map[rules.Set][]phrase.Phrase{}
	var attackers []rules.Set
	for _, threat := range all {
		attackers = append(attackers, If(pieces[threat.By] == nil, threat.By)...)
		pieces[threat.By] = append(pieces[threat.By], on(threat.On))
	}
	var items []phrase.Phrase
	for _, set := range attackers {
		by := Each(s.Variant.Shape.ByFile(set), on)
		items = append(items, book.Say("threats.by", "pieces", phrase.Commas(pieces[set]), "by", phrase.Commas(by)))
	}
	return phrase.Semicolons(items)
}

// ThreatLegend says what the marks of a board with threats mean.
func ThreatLegend(board rules.Board, found analysis.Threats) Legend {
	var signs []Sign
	sign := func(kind diagram.MarkKind, on rules.Square, means phrase.Phrase) {
		signs = append(signs, Sign{Mark: diagram.Mark{Kind: kind}, Piece: board[on&63], Means: means})
	}
	var pieces rules.Set
	for _, threat := range found.Pieces {
		pieces |= threat.On.Set()
	}
	if len(found.Pieces) > 0 {
		sign(diagram.Attacks, found.Pieces[0].On, book.Say("lesson.attacked-piece"))
	}
	if empty := found.Attacked &^ found.Ranged &^ pieces; empty != 0 {
		sign(diagram.Attacks, empty.First(), book.Say("lesson.attacked"))
	}
	if empty := found.Ranged &^ pieces; empty != 0 {
		sign(diagram.Ranged, empty.First(), book.Say("lesson.ranged"))
	}
	if doomed := slices.Concat(found.Blasts, found.Chances); len(doomed) > 0 {
		sign(diagram.Doomed, doomed[0].On, book.Say("lesson.doomed"))
	}
	return legendOf(book.Say("lesson.threats", "side", found.Mover.Other()), signs)
}
