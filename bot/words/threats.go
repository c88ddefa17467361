package words

import (
	"chimera/bot/match"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
)

// Threats tells what threatens the side to move in a game.
func Threats(s *match.GameView, found analysis.Threats) Text {
	var lines []Text
	if len(found.Pieces) == 0 {
		lines = append(lines, Say("threats.none", "side", found.Mover))
	} else {
		lines = append(lines, Say("threats.attacked", "pieces", threatened(s, found.Pieces)))
	}
	if found.Ranged != 0 {
		lines = append(lines, Say("threats.ranged", "squares", s.Variant.Shape.Names(found.Ranged)))
	}
	if len(found.Blasts) > 0 {
		lines = append(lines, Say("threats.doomed", "pieces", threatened(s, found.Blasts)))
	}
	if len(found.Chances) > 0 {
		lines = append(lines, Say("threats.chances", "side", found.Mover, "pieces", threatened(s, found.Chances)))
	}
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
		if pieces[threat.By] == nil {
			attackers = append(attackers, threat.By)
		}
		pieces[threat.By] = append(pieces[threat.By], on(threat.On))
	}
	var items []phrase.Phrase
	for _, set := range attackers {
		by := each(s.Variant.Shape.ByFile(set), on)
		items = append(items, book.Say("threats.by", "pieces", phrase.Commas(pieces[set]), "by", phrase.Commas(by)))
	}
	return phrase.Semicolons(items)
}

// ThreatLegend says what the marks of a board with threats mean.
func ThreatLegend(board rules.Board, found analysis.Threats) Legend {
	l := Entry{Name: book.Say("lesson.threats", "side", found.Mover.Other())}
	sign := func(kind diagram.MarkKind, on rules.Square, means phrase.Phrase) {
		piece := board[on&63]
		l.Signs = append(l.Signs, Sign{Mark: diagram.Mark{Kind: kind}, Piece: piece, Means: means})
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
	for _, threats := range [][]analysis.Threat{found.Blasts, found.Chances} {
		if len(threats) > 0 {
			sign(diagram.Doomed, threats[0].On, book.Say("lesson.doomed"))
			break
		}
	}
	if l.Signs == nil {
		return nil
	}
	return Legend{l}
}
