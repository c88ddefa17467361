package command

import (
	"regexp"
	"strings"

	"chimera/rules"
)

var joinForm = regexp.MustCompile(`(?i)^[a-z0-9]{1,6}[~～+][a-z0-9x~～]{1,6}$`)

// IsJoin reports whether a text is written as two pieces that become one, rightly or not.
func IsJoin(text string) bool { return joinForm.MatchString(text) }

var squareName = regexp.MustCompile(`(?i)^[a-z][0-9]$`)

// IsSquare reports whether a word is the name of a square of any board.
func IsSquare(word string) bool { return squareName.MatchString(word) }

// Act is what a word such as "merge" wants done; false for another word.
func Act(word string) (wanted func(rules.Move) bool, ok bool) {
	switch strings.ToLower(strings.TrimPrefix(word, "/")) {
	case "merge", "join", "combine":
		return func(m rules.Move) bool { return m.Act == rules.Merge || m.Act == rules.Rally }, true
	case "split":
		return func(m rules.Move) bool { return m.Act == rules.Split }, true
	}
	return nil, false
}
