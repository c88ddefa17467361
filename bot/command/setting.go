package command

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chimera/bot/user"
	"chimera/rules"
)

// Setting are a setting's name and its value, which people may write as several words
// or with other hyphens.
func Setting(all []*rules.Variant, said []string) []string {
	name := strings.ToLower(said[0])
	value := []string{strings.NewReplacer("–", "-", "—", "-", "‐", "-", "−", "-").Replace(said[1])}
	value = append(value, said[2:]...)
	switch name {
	case user.SetGame:
		if v := Variant(all, value...); v != nil {
			value = []string{v.Key}
		}
	case user.SetTimezone:
		value = []string{strings.Join(value, "_")}
	case user.SetQuiet, user.SetReminders:
		value = []string{strings.Join(value, "")}
	}
	return append([]string{name}, value...)
}

// Zone is the time zone that somebody may have meant by the name of a city, "" if there
// is none.
func Zone(value string) string {
	_, city, cut := strings.Cut(value, "/")
	if !cut {
		city = value
	}
	said := strings.FieldsFunc(city, func(c rune) bool { return c == '_' || c == ' ' })
	for i, w := range said {
		first, size := utf8.DecodeRuneInString(w)
		said[i] = string(unicode.ToUpper(first)) + strings.ToLower(w[size:])
	}
	city = strings.Join(said, "_")
	for _, region := range []string{
		"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian",
		"America/Argentina", "America/Indiana", "America/Kentucky", "America/North_Dakota", "Antarctica", "Arctic",
	} {
		if _, err := time.LoadLocation(region + "/" + city); err == nil && city != "" {
			return region + "/" + city
		}
	}
	return ""
}
