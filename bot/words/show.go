package words

import (
	"fmt"
	"strings"

	"chimera/bot/archive"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
)

// WhichSo answers words such as "merge a1 b1" that are not exactly one legal move.
func WhichSo(words string, texts []string) Text {
	const most = 12
	if len(texts) == 0 {
		return Say("show.no-such-move", "words", Clip(words))
	}
	first := texts[:min(len(texts), most)]
	return Say("show.which-move", "words", Clip(words), "n", len(texts), "moves", strings.Join(first, " "), "more", len(texts) > most)
}

// MovesOf are legal moves of one kind of piece.
type MovesOf struct {
	Piece rules.Piece
	Texts []string
}

// Moves lists the legal moves of the piece on a square, or of all for rules.NoSquare: by their
// pieces, where they are many.
func Moves(s *match.GameView, from rules.Square, all []MovesOf) Text {
	const many = 30
	square := "all"
	if from != rules.NoSquare {
		square = s.Variant.Shape.Name(from)
	}
	var texts []string
	var lines []phrase.Phrase
	for _, of := range all {
		texts = append(texts, of.Texts...)
		lines = append(lines, book.Say("show.moves-of", "piece", s.Variant.Noun(of.Piece), "moves", strings.Join(of.Texts, " ")))
	}
	about := []any{"n", len(texts), "from", square, "side", s.Now.Position.Turn(), "game", Hash(s.Game.ID)}
	switch {
	case len(texts) == 0:
		return Say("show.no-moves", about...)
	case len(texts) > many && len(lines) > 1:
		return Say("show.moves", append(about, "moves", phrase.Lines(lines))...)
	}
	return Say("show.moves", append(about, "moves", code(strings.Join(texts, " ")))...)
}

func Score(s *match.GameView, start *rules.Position, score []string) Text {
	if len(score) == 0 {
		return joined("\n", title(s), Say("show.no-moves-yet"))
	}
	return joined("\n", title(s), Of(code(archive.Numbered(start, score, s.Game.Result))))
}

// Ply is a move with its number, as in a score.
func Ply(before *rules.Position, m rules.Move) string {
	dots := "."
	if before.Turn() == rules.Black {
		dots = "…"
	}
	return fmt.Sprintf("%d%s %s", before.FullMove(), dots, before.Chat(m))
}

// GameName is a game as a picture names it.
func GameName(s *match.GameView) string { return s.Variant.Name + " " + Hash(s.Game.ID) }

func Replay(s *match.GameView) Text {
	if len(s.Game.Moves) == 0 {
		return joined("\n", title(s), Say("show.no-moves-yet"))
	}
	return joined("\n", title(s), Say("show.replay", "n", (len(s.Game.Moves)+1)/2))
}

// HowSquare tells of the piece on a square, and lists its legal moves.
func HowSquare(s *match.GameView, sq rules.Square, texts []string) Text {
	how := s.Now.Position.How(sq)
	switch {
	case how.IsZero():
		return Say("show.empty-square", "square", s.Variant.Shape.Name(sq))
	case len(texts) == 0, s.Game.Over():
		return Of(how)
	}
	return joined("\n", Of(how), Say("show.legal-now", "moves", strings.Join(texts, " ")))
}

func NoSuchPiece(all []*rules.Variant, piece string) Text {
	if len(all) == 1 {
		pieces, more := codes(all[0])
		return Say("show.no-piece-in", "piece", Clip(piece), "kind", all[0].Name, "pieces", pieces, "more", more)
	}
	return Say("show.no-piece", "piece", Clip(piece))
}

// Piece tells of a piece, also of one that both sides share.
func Piece(v *rules.Variant, p rules.Piece) Text {
	return Say("show.piece", "kind", v.Name, "does", v.What(p))
}

// codes are the letters of a game's pieces, or of the first where there are more than can be listed.
func codes(v *rules.Variant) (pieces string, more bool) {
	const most = 20
	var all []string
	for _, info := range v.Table[rules.NoRole+1:] {
		if len(all) == most {
			return strings.Join(all, " "), true
		}
		all = append(all, info.Code)
	}
	return strings.Join(all, " "), false
}

// ListRules asks of which game the rules are wanted.
func ListRules(all []*rules.Variant) Text {
	games := each(all, func(v *rules.Variant) Text {
		return Say("show.kind", "name", v.Name, "key", v.Key, "about", v.About)
	})
	return Say("show.kinds", "kinds", phrase.Lines(games), "key", all[0].Key)
}

// Rules are the rules of a game, and how one goes on from there.
func Rules(v *rules.Variant) Text {
	return joined("\n\n", Of(v.Rules), Say("show.rules-next", "piece", v.Table[rules.NoRole+2].Code, "kind", v.Key))
}

// NoVariant is said of a word that calls no kind of game; likely are those that it may mean.
func NoVariant(command, word string, likely []string, all []*rules.Variant) Text {
	if len(likely) > 0 {
		rules := each(likely, func(key string) Span { return code(command + " " + key) })
		return Say("show.no-kind-but", "word", Clip(word), "rules", phrase.Or(rules))
	}
	return Say("show.no-kind", "word", Clip(word), "kinds", keys(all))
}
