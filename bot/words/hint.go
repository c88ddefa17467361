package words

import (
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
)

// HintPiece leads to the piece that makes a move.
func HintPiece(pos *rules.Position, m rules.Move) Text {
	v := pos.Variant()
	return Say("hint.piece", "piece", v.Noun(pos.Board()[m.From]), "square", v.Shape.Name(m.From))
}

// HintWhy tells what a move that was found leads to.
func HintWhy(now rules.Game, found engine.Result) Text {
	const most = 4 // moves, of which more would hardly be believed
	var line []string
	for _, m := range found.Moves[:min(len(found.Moves), most)] {
		line = append(line, now.Position.Chat(m))
		next, err := now.Play(m)
		if err != nil {
			break
		}
		now = next
	}
	if found.Score.Mate > 0 {
		return Say("hint.mates", "move", line[0], "n", found.Score.Mate)
	}
	return Say("hint.line", "line", phrase.Commas(line), "standing", standingOf(found.Score))
}

// standingOf puts a score into words, for the side to move.
func standingOf(s engine.Score) string {
	const clear, slight = 300, 80 // centipawns
	switch c := s.Centipawns; {
	case s.Mate < 0, s.Mate == 0 && c <= -clear:
		return "losing"
	case c <= -slight:
		return "worse"
	case c < slight:
		return "even"
	case c < clear:
		return "better"
	default:
		return "winning"
	}
}
