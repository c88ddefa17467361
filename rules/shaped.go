package rules

import "strings"

// MoveLike reports whether a text is written as a move of the game, legal or not, in
// whatever position: all of it, marks of chat aside, is pieces's letters, squares and signs
// in the order of move text. Talk with a square in it is not.
func (v *Variant) MoveLike(text string) bool {
	if len(text) > maxMoveText {
		return false
	}
	latin, _, _ := fromRussian(v.inLetters(text))
	body, kills, kill := strings.Cut(needless.Replace(plain(latin)), "*")
	body = trimEndings(body)
	if kill {
		body = strings.TrimRight(body, "x") // of what is shot, like the sign before it
	}
	for name := range strings.SplitSeq(kills, "*") {
		if before, ok := v.Shape.cutSquare(name); kill && (!ok || before != "") {
			return false
		}
	}
	left, right, split := strings.Cut(body, "/")
	one, two, rally := strings.Cut(body, "+")
	switch {
	case castlingFiles(body) != 0:
		return true
	case split:
		return v.subjectLike(left) && v.goalLike(right)
	case rally:
		return v.subjectLike(one) && v.goalLike(two)
	}
	return v.goalLike(body) || kill && v.subjectLike(body)
}

// castlingFiles is how far the king of "OO" or "OOO" goes to the right; 0 of another text.
func castlingFiles(body string) int {
	switch strings.ToUpper(strings.ReplaceAll(body, "0", "O")) {
	case "OO":
		return 2
	case "OOO":
		return -2
	}
	return 0
}

// goalLike reports whether a text is written as "subject[signs][letters]square[letters]",
// where squares on the way may stand before the last.
func (v *Variant) goalLike(text string) bool {
	for end := len(text); end > 0 && v.lettersOf(text[end:]); end-- {
		before, ok := v.Shape.cutSquare(text[:end])
		if !ok {
			continue
		}
		at := strings.LastIndexAny(before, "x~")
		if v.subjectLike(before) || at >= 0 && v.lettersOf(before[at+1:]) && v.subjectLike(strings.TrimRight(before[:at], "x~")) ||
			v.goalLike(strings.TrimRight(before, "x")) {
			return true
		}
	}
	return false
}

// subjectLike reports whether a text is written as "[letters][file][rank]". A single
// capital that is no piece's letter is one's name in another game or language.
func (v *Variant) subjectLike(text string) bool {
	text, _ = v.Shape.cutRank(strings.TrimRight(text, "x~"))
	before, file := v.Shape.cutFile(text)
	if len(text) == 1 && wordLength(text) == 1 && (file || text < "a") {
		return true
	}
	return v.lettersOf(text) || file && v.lettersOf(before)
}

// lettersOf reports whether all of a text is letters of the game's pieces.
func (v *Variant) lettersOf(text string) bool {
	return !strings.ContainsFunc(strings.ToUpper(text), func(letter rune) bool {
		for _, info := range v.Table {
			if strings.ContainsRune(info.Code+info.Short, letter) {
				return false
			}
		}
		return true
	})
}
