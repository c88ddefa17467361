package words

import (
	"fmt"
	"strings"
	"time"

	"chimera/bot/archive"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

func NoZones(s *match.Sight) Text {
	return Say("No piece lends its powers to other squares in ", s.Variant.Name, ".")
}

func OddBoard(word string) Text {
	return Say("I do not know “", Clip(word), "” there: write ", code("board"), ", ", code("board 12"), " for a ply, ", code("board flip"), " or ", code("board zones"), ".")
}

func NoSuchPly(ply int) Text { return Say(fmt.Sprintf("The game has no ply %d yet.", ply)) }

// WhichSo answers words such as "merge a1 b1" that are not exactly one legal move.
func WhichSo(words string, texts []string) Text {
	if len(texts) == 0 {
		return Say("“", Clip(words), "” is no legal move now. ", code("moves"), " lists those there are.")
	}
	const most = 12
	more := ""
	if len(texts) > most {
		texts, more = texts[:most], " …"
	}
	return Say("“", Clip(words), "” can be written as: ", code(strings.Join(texts, " ")), more, ". Write one of them.")
}

func NoSquare(word string) Text {
	return Say("“", Clip(word), "” is no square of this board: write ", code("moves e2"), ", or ", code("moves"), " for all.")
}

func Moves(s *match.Sight, from rules.Square, texts []string) Text {
	where := ""
	if from != rules.NoSquare {
		where = " from " + s.Variant.Shape.Name(from)
	}
	if len(texts) == 0 {
		return Say("There are no legal moves", where, " for ", s.Now.Position.Turn().String(), " in game ", Hash(s.Game.ID), ".")
	}
	return Say(plural(len(texts), "legal move", "legal moves"), where, " for ", s.Now.Position.Turn().String(), " in game ", Hash(s.Game.ID),
		":\n", code(strings.Join(texts, " ")))
}

func Score(s *match.Sight, start *rules.Position, score []string) Text {
	if len(score) == 0 {
		return append(title(s), Say("\nNo moves yet.")...)
	}
	return append(title(s), Say("\n", code(archive.Numbered(start, score, s.Game.Result)))...)
}

func Replay(s *match.Sight) Text {
	return append(title(s), Say("\n", plural(len(s.Game.Moves), "ply", "plies"), ".")...)
}

func TooManyReplays(wait time.Duration) Text {
	return Say(fmt.Sprintf("You've asked for %d replays in a row, the most there can be. Ask for the next in ", limit.Replays),
		plural(int(wait.Seconds())+1, "second", "seconds"), ".")
}

func HowWhat() Text {
	return Say("Name a square of your game or a piece: ", code("how d4"), ", ", code("how RN"), " or ", code("how RN stealth"), ".")
}

// HowSquare tells of the piece on a square, and lists its legal moves.
func HowSquare(s *match.Sight, sq rules.Square, texts []string) Text {
	pos := s.Now.Position
	how := pos.How(sq)
	if how.IsZero() {
		return Say("Nothing stands on ", s.Variant.Shape.Name(sq), ". Name another square, or a piece, as in ", code("how N"), ".")
	}
	t := Say(how)
	if len(texts) > 0 && !s.Game.Over() {
		t = append(t, Say("\nLegal now: ", code(strings.Join(texts, " ")))...)
	}
	return t
}

func NoSuchPiece(all []*rules.Variant, piece string) Text {
	if len(all) == 1 {
		return Say("There is no piece “", Clip(piece), "” in ", all[0].Name, ". Its pieces are ", codes(all[0]), ".")
	}
	return Say("I know no piece “", Clip(piece), "”. Write its letters, and the game if you like: ", code("how RN stealth"), ".")
}

// Piece tells of a piece, or of one that both sides share, "" if a game has neither.
func Piece(v *rules.Variant, role rules.Role, piece string) Text {
	if called := pieceCalled(v, role, piece); called != (rules.Piece{}) {
		return Say(bold(v.Name), ": ", v.What(called))
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

// codes are the letters of a game's pieces, if they are few; else of the first.
func codes(v *rules.Variant) string {
	const most = 20
	var all []string
	for _, info := range v.Table[rules.NoRole+1:] {
		if len(all) == most {
			all = append(all, "…")
			break
		}
		all = append(all, info.Code)
	}
	return strings.Join(all, " ")
}

func Fen(pos *rules.Position) Text { return Say(code(pos.FEN())) }

func ListRules(all []*rules.Variant) Text {
	t := Say("The games are:")
	for _, v := range all {
		t = append(t, Say("\n", code(v.Key), ": ", v.Name)...)
	}
	return append(t, Say("\nWrite ", code("rules "+all[0].Key), " for one's rules.")...)
}

func NoVariant(word, near string, all []*rules.Variant) Text {
	if near != "" {
		return Say("I don't know a game “", Clip(word), "”. Did you mean ", code("rules "+near), "?")
	}
	return Say("I do not know a game “", Clip(word), "”. The games are ", keys(all), ".")
}

func Exported(id storage.GameID) Text { return Say("Game ", Hash(id), " as text:") }
