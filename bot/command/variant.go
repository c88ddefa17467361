package command

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"chimera/rules"
	"chimera/rules/phrase"
)

// shortest is how many letters a beginning has at least.
const shortest = 3

// asCalled is a key, a name or what somebody has typed for one, so that they compare.
func asCalled(typed ...string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", ",", " ").Replace(strings.ToLower(strings.Join(typed, " ")))), " ")
}

// isAlso reports whether a game is called so besides, in any language.
func isAlso(v *rules.Variant, said string) bool {
	return !v.Also.IsZero() && slices.ContainsFunc(phrase.Languages(), func(l phrase.Language) bool {
		return phrase.Fold(said) == phrase.Fold(v.Also.Text(l))
	})
}

// Variant is the kind of game that words call, or nil: by its key, with "chess" after it or not, by a name,
// or by how either begins.
func Variant(all []*rules.Variant, typed ...string) *rules.Variant {
	said := asCalled(typed...)
	for _, v := range all {
		if strings.TrimSuffix(said, " chess") == asCalled(v.Key) || said == asCalled(v.Name) || isAlso(v, said) {
			return v
		}
	}
	if found := beginning(all, said); len(found) == 1 {
		return found[0]
	}
	return nil
}

// beginning are the kinds of game whose key or name begins so.
func beginning(all []*rules.Variant, said string) (found []*rules.Variant) {
	for _, v := range all {
		if len(said) >= shortest && (strings.HasPrefix(asCalled(v.Key), said) || strings.HasPrefix(asCalled(v.Name), said)) {
			found = append(found, v)
		}
	}
	return found
}

// LikelyVariants are the keys of the games that begin as a word does, or else of the one that
// looks like it.
func LikelyVariants(all []*rules.Variant, word string) (keys []string) {
	for _, v := range beginning(all, asCalled(word)) {
		keys = append(keys, v.Key)
	}
	if near := NearestVariant(all, word); keys == nil && near != "" {
		keys = []string{near}
	}
	return keys
}

// LeadingVariant is how many words at the beginning of some call a kind of game: as many as can be, or 0.
func LeadingVariant(all []*rules.Variant, typed []string) int {
	const most = 4 // words of a name
	for n := min(most, len(typed)); n > 0; n-- {
		if Variant(all, typed[:n]...) != nil {
			return n
		}
	}
	return 0
}

// NearestVariant is the key of the game that a word looks like, "" if none.
func NearestVariant(all []*rules.Variant, word string) string {
	var names []string
	for _, v := range all {
		names = append(names, v.Key)
	}
	return Nearest(word, names)
}

// Nearest is the name that a word looks like, "" if none of them.
func Nearest(word string, names []string) string {
	const few = 4 // letters of a word in which one may be wrong; in longer ones, two
	word = strings.ToLower(word)
	best, distance := "", 3
	if len(word) <= few {
		distance = 2
	}
	for _, name := range names {
		if d := levenshtein.ComputeDistance(word, name); d < distance && d < min(len(word), len(name)) {
			best, distance = name, d
		}
	}
	return best
}
