// Package command reads what words that people type can mean: a kind of game, a piece, days, a
// month, a time zone.
//
// A kind of game is called by its key, by its name, or by a beginning of either that is no
// other's; in any case, with spaces or hyphens.
package command

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
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

// Piece is the piece of a code, of a figurine, or of a name in any language; the zero Piece if
// there is none.
func Piece(v *rules.Variant, piece string) rules.Piece {
	if role := v.Named(piece); role != rules.NoRole {
		return rules.PieceOf(rules.White, role)
	}
	for role, info := range v.Table {
		if rules.Role(role) != rules.NoRole && (strings.EqualFold(info.Name, piece) || slices.Contains(info.Noun.Forms(phrase.English), strings.ToLower(piece))) {
			return rules.PieceOf(rules.White, rules.Role(role))
		}
	}
	return v.Called(v.Plain(piece))
}

// Days reads "3d" or "3", from 0 to 14; false if it is something else.
func Days(word string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimSuffix(strings.ToLower(word), "d"), 10, 16)
	return int(n), err == nil && n <= match.VacationDays
}

var paceForm = regexp.MustCompile(`^([0-9]{1,4})d(?:\+([0-9]{1,4})d)?$`)

// Pace reads days for each move, and a bank of days for the whole game; false if a word
// is something else.
func Pace(word string) (storage.Pace, bool) {
	found := paceForm.FindStringSubmatch(word)
	if found == nil {
		return storage.Pace{}, false
	}
	move, _ := strconv.Atoi(found[1])
	bank, _ := strconv.Atoi("0" + found[2])
	return storage.Pace{Move: time.Duration(move) * match.Day, Bank: time.Duration(bank) * match.Day}, true
}

// Period reads what a leaderboard is about.
func Period(word string) (rating.Period, bool) {
	switch p := rating.Period(word); p {
	case rating.Ever, rating.Week, rating.Month, rating.Games, rating.Streak, rating.Combiner, rating.Computer, rating.Puzzles:
		return p, true
	default:
		_, month := storage.ParseMonth(word)
		return p, month
	}
}

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

//nolint:gochecknoglobals // never written
var (
	yeses = []string{"yes", "y", "yep", "yeah", "ok", "okay", "sure", "ja", "jo", "oui", "sí", "si", "sim", "да", "ага"}
	noes  = []string{"no", "n", "nope", "nein", "non", "não", "nao", "нет", "не"}
)

// YesOrNo reads whether all that a text says is yes, or no; false if it says something else.
func YesOrNo(text string) (yes, ok bool) {
	word := strings.ToLower(strings.TrimRight(text, " !.,"))
	yes = slices.Contains(yeses, word)
	return yes, yes || slices.Contains(noes, word)
}
