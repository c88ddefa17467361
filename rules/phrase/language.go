package phrase

import "golang.org/x/text/language"

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
	tag, err := language.Parse(locale)
	if err != nil {
		return English, false
	}
	base, _ := tag.Base()
	for _, l := range languages {
		if string(l) == base.String() {
			return l, true
		}
	}
	return English, false
}

// other is the option for all that has none of its own.
const other = "other"
