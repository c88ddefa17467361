package words

import (
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
func Moves(s *match.Sight, from rules.Square, all []MovesOf) Text {
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

func Score(s *match.Sight, start *rules.Position, score []string) Text {
	if len(score) == 0 {
		return joined("\n", title(s), Say("show.no-moves-yet"))
	}
	return joined("\n", title(s), Of(code(archive.Numbered(start, score, s.Game.Result))))
}

func Replay(s *match.Sight) Text {
	if len(s.Game.Moves) == 0 {
		return joined("\n", title(s), Say("show.no-moves-yet"))
	}
	return joined("\n", title(s), Say("show.replay", "n", (len(s.Game.Moves)+1)/2))
}

// HowSquare tells of the piece on a square, and lists its legal moves.
func HowSquare(s *match.Sight, sq rules.Square, texts []string) Text {
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

// Piece tells of a piece, or of one that both sides share; nothing if a game has neither.
func Piece(v *rules.Variant, role rules.Role, piece string) Text {
	if called := pieceCalled(v, role, piece); called != (rules.Piece{}) {
		return Say("show.piece", "kind", v.Name, "does", v.What(called))
	}
	return nil
}

// pieceCalled is the piece of a role, or that of both sides which two letters call.
func pieceCalled(v *rules.Variant, role rules.Role, piece string) rules.Piece {
	if role != rules.NoRole {
		return rules.PieceOf(rules.White, role)
	}
	if !v.Shares() || len(piece) != 2 {
		return rules.Piece{}
	}
	one, other := v.Table.Role(strings.ToUpper(piece[:1])), v.Table.Role(strings.ToUpper(piece[1:]))
	if one == rules.NoRole || other == rules.NoRole || v.Table[one].Pawn || v.Table[other].Pawn || v.Table[one].Royal || v.Table[other].Royal {
		return rules.Piece{}
	}
	return rules.Piece{White: one, Black: other}
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

func ListRules(all []*rules.Variant) Text {
	var games []Text
	for _, v := range all {
		games = append(games, Of(code(v.Key), ": ", v.Name))
	}
	return Say("show.kinds", "kinds", phrase.Lines(games), "key", all[0].Key)
}

// Rules are the rules of a game, and how one goes on from there.
func Rules(v *rules.Variant) Text {
	return joined("\n\n", Of(v.Rules), Say("show.rules-next", "piece", v.Table[rules.NoRole+2].Code, "kind", v.Key))
}

func NoVariant(word, near string, all []*rules.Variant) Text {
	if near != "" {
		return Say("show.no-kind-but", "word", Clip(word), "near", near)
	}
	return Say("show.no-kind", "word", Clip(word), "kinds", keys(all))
}
