package bot

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"chimera/rules"
)

// A kind of game is called by its key, by its name, or by a beginning of either that is no
// other's; in any case, with spaces or hyphens.

// shortest is how many letters a beginning has at least.
const shortest = 3

// asCalled is a key, a name or what somebody has typed for one, so that they compare.
func asCalled(typed ...string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", ",", " ").Replace(strings.ToLower(strings.Join(typed, " ")))), " ")
}

// calledExactly is the kind of game of a key, with "chess" after it or not, or a name; or nil.
func calledExactly(all []*rules.Variant, typed ...string) *rules.Variant {
	said := asCalled(typed...)
	i := slices.IndexFunc(all, func(v *rules.Variant) bool {
		return strings.TrimSuffix(said, " chess") == asCalled(v.Key) || said == asCalled(v.Name)
	})
	if i < 0 {
		return nil
	}
	return all[i]
}

// calledBy is the kind of game that words call, or nil.
func calledBy(all []*rules.Variant, typed ...string) *rules.Variant {
	if v := calledExactly(all, typed...); v != nil {
		return v
	}
	said := asCalled(typed...)
	var found []*rules.Variant
	for _, v := range all {
		if len(said) >= shortest && (strings.HasPrefix(asCalled(v.Key), said) || strings.HasPrefix(asCalled(v.Name), said)) {
			found = append(found, v)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// calledFirst is the kind of game that some words begin with, and of how many of them that
// is; as many as can be.
func calledFirst(all []*rules.Variant, typed []string) (v *rules.Variant, n int) {
	const most = 4 // words of a name
	for n := min(most, len(typed)); n > 0; n-- {
		if v := calledBy(all, typed[:n]...); v != nil {
			return v, n
		}
	}
	return nil, 0
}

// nearestGame is the key of the game that a word looks like, "" if none.
func nearestGame(all []*rules.Variant, word string) string {
	var names []string
	for _, v := range all {
		names = append(names, v.Key)
	}
	return nearestOf(word, names)
}

// nearestOf is the name that a word looks like, "" if none of them.
func nearestOf(word string, names []string) string {
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

var joinForm = regexp.MustCompile(`(?i)^[a-z0-9]{1,6}[~～+][a-z0-9x~～]{1,6}$`)

// isJoin reports whether a text is written as two pieces that become one, rightly or not.
func isJoin(text string) bool { return joinForm.MatchString(text) }

var squareName = regexp.MustCompile(`(?i)^[a-z][0-9]$`)

// isSquare reports whether a word is the name of a square of any board.
func isSquare(word string) bool { return squareName.MatchString(word) }

// namedRole is the piece of a code or a name.
func namedRole(v *rules.Variant, piece string) rules.Role {
	for role, info := range v.Table {
		if rules.Role(role) != rules.NoRole && strings.EqualFold(info.Name, piece) {
			return rules.Role(role)
		}
	}
	return v.Table.Find(piece)
}

// act is what a word such as "merge" wants done; false for another word.
func act(word string) (wanted func(rules.Move) bool, ok bool) {
	switch strings.ToLower(strings.TrimPrefix(word, "/")) {
	case "merge", "join", "combine":
		return func(m rules.Move) bool { return m.Act == rules.Merge || m.Act == rules.Rally }, true
	case "split":
		return func(m rules.Move) bool { return m.Act == rules.Split }, true
	}
	return nil, false
}
