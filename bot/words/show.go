package words

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/archive"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// WhichSo answers words such as "merge a1 b1" that are not exactly one legal move.
func WhichSo(words string, texts []string) Text {
	const most = 12
	first := texts[:min(len(texts), most)]
	return Say(Either(len(texts) == 0, "show.no-such-move", "show.which-move"), "words", Clip(words),
		"n", len(texts), "moves", strings.Join(first, " "), "more", len(texts) > most)
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
	texts := slices.Concat(each(all, func(of MovesOf) []string { return of.Texts })...)
	var moves any = code(strings.Join(texts, " "))
	if len(texts) > many && len(all) > 1 {
		moves = phrase.Lines(each(all, func(of MovesOf) phrase.Phrase {
			return book.Say("show.moves-of", "piece", s.Variant.Noun(of.Piece), "moves", strings.Join(of.Texts, " "))
		}))
	}
	return Say(Either(len(texts) == 0, "show.no-moves", "show.moves"), "n", len(texts), "from", square, "side", s.Now.Position.Turn(), "game", Hash(s.Game.ID), "moves", moves)
}

// Score is the moves of a game.
func Score(s *match.GameView, start *rules.Position, score []string) Text {
	if len(score) == 0 {
		return Replay(s)
	}
	return Of(title(s), "\n", code(archive.Numbered(start, score, s.Game.Result)))
}

// Replay tells of how many moves a game shown again is.
func Replay(s *match.GameView) Text {
	return Of(title(s), "\n", Say(Either(len(s.Game.Moves) == 0, "show.no-moves-yet", "show.replay"), "n", (len(s.Game.Moves)+1)/2))
}

// Ply is a move with its number, as in a score.
func Ply(before *rules.Position, m rules.Move) string {
	return fmt.Sprint(before.FullMove(), Either(before.Turn() == rules.White, ". ", "… "), before.Chat(m))
}

// GameName is a game as a picture names it.
func GameName(s *match.GameView) string { return s.Variant.Name + " " + Hash(s.Game.ID) }

// HowSquare tells of the piece on a square, and lists its legal moves.
func HowSquare(s *match.GameView, sq rules.Square, texts []string) Text {
	how := s.Now.Position.How(sq)
	switch {
	case how.IsZero():
		return Say("show.empty-square", "square", s.Variant.Shape.Name(sq))
	case len(texts) == 0, s.Game.Over():
		return Of(how)
	}
	const most = 16 // the board marks where it can go
	first := texts[:min(len(texts), most)]
	return Of(how, "\n", Say("show.legal-now", "moves", strings.Join(first, " "), "more", len(texts)-len(first)))
}

// NoSuchPiece is said of a word that calls no piece of some games: if they are one, with the first of its pieces.
func NoSuchPiece(all []*rules.Variant, piece string) Text {
	if len(all) > 1 {
		return Say("show.no-piece", "piece", Clip(piece))
	}
	const most = 20
	pieces := all[0].Table[rules.NoRole+1:]
	first := each(pieces[:min(len(pieces), most)], func(info rules.RoleInfo) string { return info.Code })
	return Say("show.no-piece-in", "piece", Clip(piece), "kind", all[0].Name, "pieces", strings.Join(first, " "), "more", len(pieces) > most)
}

// ListRules asks of which game the rules are wanted.
func ListRules(all []*rules.Variant) Text {
	games := each(all, func(v *rules.Variant) Text {
		return Say("show.kind", "name", v.Name, "key", v.Key, "about", v.About)
	})
	return Say("show.kinds", "kinds", phrase.Lines(games), "key", all[0].Key)
}

// NoVariant is said of a word that calls no kind of game; likely are those that it may mean.
func NoVariant(command, word string, likely []string, all []*rules.Variant) Text {
	rules := each(likely, func(key string) Span { return code(command + " " + key) })
	return Say(Either(len(likely) == 0, "show.no-kind", "show.no-kind-but"), "word", Clip(word), "rules", phrase.Or(rules), "kinds", Keys(all))
}

// Plan lists conditional moves; others have seen how they were set.
func Plan(id storage.GameID, lines [][]string, seen bool) Text {
	var all []phrase.List
	for _, line := range lines {
		var pairs []phrase.Phrase
		for i := 0; i+1 < len(line); i += 2 {
			pairs = append(pairs, book.Say("clock.plan-pair", "move", line[i], "answer", line[i+1]))
		}
		all = append(all, phrase.Commas(pairs))
	}
	return Say(Either(len(lines) == 0, "clock.no-plan", "clock.plan"), "game", Hash(id), "seen", seen, "lines", phrase.Lines(all))
}

// PlanFault says why conditional moves were not stored.
func PlanFault(f *match.PlanFault) Text {
	var illegal *rules.Illegal
	switch {
	case errors.As(f.Why, &illegal) && f.Theirs && !saysHow(illegal.Reason):
		return Say("clock.plan-impossible", "text", Clip(f.Text), "n", len(illegal.Nearest), "moves", phrase.Or(illegal.Nearest))
	case errors.As(f.Why, &illegal):
		return Say("clock.plan-illegal", "text", Clip(f.Text), "why", illegal.Phrase())
	case errors.Is(f.Why, match.ErrPlanLong):
		return Say("clock.plan-long", "lines", limit.PlanLines, "pairs", limit.PlanDepth)
	case errors.Is(f.Why, match.ErrPlanConflict):
		return Say("clock.plan-conflict", "text", Clip(f.Text))
	}
	return Say(Either(f.Text == "", "clock.plan-how", "clock.plan-unreadable"), "text", Clip(f.Text))
}

// saysHow reports whether a reason is about how a move is written, and not told as to who moves.
func saysHow(r rules.Reason) bool {
	return slices.Contains([]rules.Reason{
		rules.Unreadable, rules.Ambiguous, rules.OffBoard, rules.NoPromotion, rules.Miswritten, rules.MissingCapture, rules.GameOver,
	}, r)
}
