package phrase

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Language is one of those that the program speaks, by its ISO 639 code.
type Language string

// The languages.
const (
	English    Language = "en"
	German     Language = "de"
	French     Language = "fr"
	Spanish    Language = "es"
	Portuguese Language = "pt" // as in Brazil
	Russian    Language = "ru"
)

var languages = [...]Language{English, German, French, Spanish, Portuguese, Russian} //nolint:gochecknoglobals // never written

// Languages are all there are, English first.
func Languages() []Language { return languages[:] }

// Match is the language for a platform's locale, such as "pt-BR" or "es-419"; false if none of
// them will do.
func Match(locale string) (Language, bool) {
	if tag, err := language.Parse(locale); err == nil {
		base, _ := tag.Base()
		if i := slices.Index(languages[:], Language(base.String())); i >= 0 {
			return languages[i], true
		}
	}
	return English, false
}

// other is the option for all that has none of its own.
const other = "other"

// Somebody is the name of a person who has none any more. A part that is this text is said in the
// language of the sentence.
const Somebody = "somebody"

// Fold is a text without capitals and accents, so that it compares with what people type.
func Fold(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, norm.NFD.String(text))
}

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

// category is the plural category (CLDR) that a number has in a language, by its digits.
func (l Language) category(digits string) string {
	before, after, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
	n, _ := strconv.Atoi(before[max(0, len(before)-7):]) // which tells as much as all of them
	fraction, _ := strconv.Atoi(after)
	shown := strings.TrimRight(after, "0")
	shownFraction, _ := strconv.Atoi(shown)
	form := plural.Cardinal.MatchPlural(language.Make(string(l)), n, len(after), len(shown), fraction, shownFraction)
	return map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: other,
	}[form]
}
