package phrase

import (
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Somebody is the name of whoever has none any more. A part that is this text is said in the
// language of the sentence.
const Somebody = "somebody"

// decimal is a number with a fraction, as a part.
type decimal struct{ digits string } // "1.25"

// Decimal is a number as a part, with that many decimals unless it is whole; each language has
// its own sign before them.
func Decimal(value float64, places int) any {
	if whole := int(value); float64(whole) == value {
		return whole
	}
	return decimal{strconv.FormatFloat(value, 'f', places, 64)}
}

func (d decimal) in(l Language) string {
	if l == English {
		return d.digits
	}
	return strings.ReplaceAll(d.digits, ".", ",")
}

// category is the plural category that a whole number has in a language.
func (l Language) category(n int64) string { return l.plural(int(max(n, -n)%10_000_000), 0, 0) }

// categoryOf is the plural category of a number with a fraction.
func (l Language) categoryOf(d decimal) string {
	before, after, _ := strings.Cut(strings.TrimPrefix(d.digits, "-"), ".")
	n, _ := strconv.Atoi(before)
	fraction, _ := strconv.Atoi(after)
	return l.plural(n, len(after), fraction)
}

// plural is the category of a number by what stands before its decimals, how many these are, and
// what they are.
func (l Language) plural(n, decimals, fraction int) string {
	shown, shownFraction := decimals, fraction // without zeros at the end
	for shown > 0 && shownFraction%10 == 0 {
		shown, shownFraction = shown-1, shownFraction/10
	}
	form := plural.Cardinal.MatchPlural(language.Make(string(l)), n, decimals, shown, fraction, shownFraction)
	return map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: other,
	}[form]
}
