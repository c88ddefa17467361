package words

import (
	"fmt"

	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/rules/phrase"
)

// ratedWords tells what a game has done to both ratings, or why a rated one has done
// nothing.
func ratedWords(s *match.GameView) Text {
	switch {
	case s.Game.Annul, s.Game.Void == rating.Annulled:
		return Say("board.unrated-annulled")
	case s.Game.Void == rating.TooShort:
		return Say("board.unrated-short", "n", rating.MinPlies/2)
	case s.Game.Void == rating.TooMany:
		return Say("board.unrated-many", "n", rating.MaxPairs)
	case !s.Game.Counted:
		return nil
	}
	var changes []phrase.Phrase
	first := false
	for side, change := range s.Game.Ratings {
		after := rounded(change[1])
		if rating.Unsure(s.Game.Spreads[side]) {
			after += "?"
			first = first || rating.Fresh(change[0]) // nobody has told this player yet what that means
		}
		changes = append(changes, book.Say("board.rating-change", "player", s.Names[side], "before", rounded(change[0]), "after", after))
	}
	return Say("board.ratings", "changes", phrase.Commas(changes), "new", first)
}

// rounded is a rating without what its sum has behind the point.
func rounded(rating float64) string { return fmt.Sprintf("%.0f", rating) }

// RatingWords is "1612±70", and "1612±170?" while it is provisional.
func RatingWords(value, deviation float64, unsure bool) string {
	text := fmt.Sprintf("%.0f±%.0f", value, 2*deviation)
	if unsure {
		text += "?"
	}
	return text
}
