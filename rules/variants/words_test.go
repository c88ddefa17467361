package variants_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
	"chimera/rules/variants"
)

func TestGamesSayTheSameInEachLanguage(t *testing.T) {
	t.Run("all", func(t *testing.T) { phrasetest.Same(t, rules.Book()) })
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) { phrasetest.Same(t, v.Words) })
	}
}

func TestEverySentenceCanBeSaidOfEveryPieceInEachLanguage(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			phrasetest.Say(t, rules.Book(), samples(v), "read.")
			phrasetest.Say(t, v.Words, samples(v), "power.", "about", "also", "name")
			for _, role := range roles(v) {
				if what := v.What(rules.PieceOf(rules.White, role)); len(what.Faults(phrase.English)) > 0 {
					t.Errorf("%q: %v", what, what.Faults(phrase.English))
				}
			}
		})
	}
}

func roles(v *rules.Variant) (all []rules.Role) {
	for r := range v.Table[1:] {
		all = append(all, rules.Role(r+1))
	}
	return all
}

// samples are what may stand in each part of a game's sentences, by the part's name.
func samples(v *rules.Variant) map[string][]any {
	nouns := []any{rules.Book().Say("piece"), phrase.As("QN")}
	for _, role := range roles(v) {
		nouns = append(nouns, v.Table[role].Noun)
	}
	if v.Shares() {
		nouns = append(nouns, v.Noun(rules.Piece{White: 2, Black: 3}))
	}
	var placed, lists, loans []any
	for _, noun := range nouns {
		placed = append(placed, rules.Book().Say("piece-on", "piece", noun, "square", "c4"))
		loans = append(loans, phrase.And([]any{noun, nouns[0]}))
		lists = append(lists, phrase.And([]any{placed[len(placed)-1], placed[0]}))
	}
	all := map[string][]any{
		"level": {1, 2, 3}, "n": {2, 5, 21}, "first": {"F", "R", "Q"},
		"side": {rules.White, rules.Black}, "status": {"", rules.Checkmate, rules.Stalemate, rules.KingTaken},
		"file": {"e"}, "rank": {"4"}, "letters": {"RN"}, "code": {"N"}, "move": {"R~Nb1"}, "stars": {"*a4*a6"},
		"moves": {phrase.Or([]string{"Nf3", "R~Nb1"})}, "squares": {phrase.And([]string{"b2", "c2", "c3"})},
		"now": {true, false}, "common": {"One."}, "sentence": {"One."}, "sentences": {phrase.Spaced([]string{"One.", "Two."})},
		"does": {"One."}, "many": {true, false}, "one-does": {"One."}, "other-does": {"Two."}, "powers": {phrase.And([]string{"leap", "slide"})},
	}
	for _, name := range []string{"square", "from", "to", "target", "second", "rook-from", "rook-to", "king"} {
		all[name] = []any{"c4"}
	}
	for _, name := range []string{"piece", "prey", "into", "other", "one", "hybrid", "part", "rook", "white", "black", "prince"} {
		all[name] = nouns
	}
	for _, name := range []string{"attacker", "lender", "isolator", "source", "gun"} {
		all[name] = placed
	}
	for _, name := range []string{"pieces", "lenders", "isolators", "friends", "amplifiers", "others"} {
		all[name] = lists
	}
	all["loans"], all["partners"] = loans, loans
	return all
}
