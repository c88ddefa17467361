package words

import (
	"errors"

	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func Plan(id storage.GameID, lines [][]string, seen bool) Text {
	if len(lines) == 0 {
		return Say("clock.no-plan", "game", Hash(id))
	}
	var all []phrase.List
	for _, line := range lines {
		var pairs []phrase.Phrase
		for i := 0; i+1 < len(line); i += 2 {
			pairs = append(pairs, book.Say("clock.plan-pair", "move", line[i], "answer", line[i+1]))
		}
		all = append(all, phrase.Commas(pairs))
	}
	return Say("clock.plan", "game", Hash(id), "seen", seen, "lines", phrase.Lines(all))
}

// saysHow reports whether a reason is about how a move is written, and not told as to who moves.
func saysHow(r rules.Reason) bool {
	switch r {
	case rules.Unreadable, rules.Ambiguous, rules.OffBoard, rules.NoPromotion, rules.Miswritten, rules.MissingCapture, rules.GameOver:
		return true
	default:
		return false
	}
}

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
	case f.Text == "":
		return Say("clock.plan-how")
	}
	return Say("clock.plan-unreadable", "text", Clip(f.Text))
}
