package bot

import (
	"cmp"
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// This file reads what people type: a kind of game, a piece, days, a month, a time zone.
//
// People name a kind of game by its key, its name, or a beginning of either that no other game has; in any case, with
// spaces or hyphens.

var joinForm = regexp.MustCompile(`(?i)^[a-z0-9]{1,6}[~～+][a-z0-9x~～]{1,6}$`)

// squareName matches the name of a square of any board.
var squareName = regexp.MustCompile(`(?i)^[a-z][0-9]$`)

// actWanted tells the moves that a word such as "merge" asks for from others; ok is false for any other word.
func actWanted(word string) (wanted func(rules.Move) bool, ok bool) {
	switch strings.ToLower(strings.TrimPrefix(word, "/")) {
	case "merge", "join", "combine":
		return func(m rules.Move) bool { return m.Act == rules.Merge || m.Act == rules.Rally }, true
	case "split":
		return func(m rules.Move) bool { return m.Act == rules.Split }, true
	}
	return nil, false
}

// piecesCalled is the piece of a game whose code, figurine or name in any language a text is. Without one, it is all
// pieces whose names the text contains, as in "how does the knight move", or whose names contain it, as for
// "artillery".
func piecesCalled(v *rules.Variant, text string) (found []rules.Piece) {
	if p := cmp.Or(rules.PieceOf(rules.White, v.Named(text)), v.Called(v.Plain(text))); p != (rules.Piece{}) {
		return []rules.Piece{p}
	}
	said := strings.Trim(phrase.Fold(text), "?!., ")
	part := utf8.RuneCountInString(said) > 3 // shorter words may be articles
	for role, info := range v.Table {
		for _, l := range phrase.Languages() {
			for _, name := range info.Noun.Forms(l) {
				name, p := phrase.Fold(name), rules.PieceOf(rules.White, rules.Role(role))
				if name == said {
					return []rules.Piece{p}
				}
				found = append(found, words.If(strings.Contains(" "+said+" ", " "+name+" ") || part && strings.Contains(name, said), p)...)
			}
		}
	}
	return slices.Compact(found)
}

// readDays reads "3d" or "3", from 0 to 14; false if it is something else.
func readDays(word string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimSuffix(strings.ToLower(word), "d"), 10, 16)
	return int(n), err == nil && n <= match.VacationDays
}

// totalPace begins a pace that only limits the whole game.
const totalPace = "total"

var paceForm = regexp.MustCompile(`^(?:([0-9]{1,4})d(?:\+([0-9]{1,4})d)?|` + totalPace + ` ?([1-9][0-9]{0,3})d)$`)

// readPace reads days for each move, perhaps with a bank of days for the whole game, or that bank alone: "3d",
// "1d+10d", "total 10d". It is false for any other text.
func readPace(text string) (storage.Pace, bool) {
	found := paceForm.FindStringSubmatch(text)
	if found == nil {
		return storage.Pace{}, false
	}
	days := func(text string) time.Duration {
		n, _ := strconv.Atoi("0" + text)
		return time.Duration(n) * match.Day
	}
	return storage.Pace{Move: days(found[1]), Bank: days(found[2] + found[3])}, true
}

// writtenPace is the text that readPace reads as p.
func writtenPace(p storage.Pace) string {
	bank := strconv.Itoa(int(p.Bank/match.Day)) + "d"
	if p.Total() {
		return totalPace + " " + bank
	}
	move := strconv.Itoa(int(p.Move/match.Day)) + "d"
	if p.Bank > 0 {
		move += "+" + bank
	}
	return move
}

var number = regexp.MustCompile(`[0-9]{1,4}`)

// paceCalled is how readPace reads the pace that a text tells as the bot does, with its days as [words.ShortDays] writes them;
// "" for any other text.
func paceCalled(text string) string {
	days := append(number.FindAllString(text, 2), "0", "0")
	byNumbers := [][]string{{"0d"}, {days[0] + "d", totalPace + " " + days[0] + "d"}, {days[0] + "d+" + days[1] + "d"}}
	for _, pace := range byNumbers[len(days)-2] {
		p, _ := readPace(pace)
		if slices.ContainsFunc(phrase.Languages(), func(l phrase.Language) bool { return strings.EqualFold(words.ShortDays(words.Pace(p).Text(l)), text) }) {
			return pace
		}
	}
	return ""
}

// periods are what leaderboards can be about, besides single months.
func periods() []rating.Period {
	return []rating.Period{rating.Ever, rating.Week, rating.Month, rating.Games, rating.Streak, rating.Combiner, rating.Computer, rating.Puzzles, rating.Champion}
}

// readPeriod reads what a leaderboard is about: one of periods, or a month such as "2026-10".
func readPeriod(word string) (rating.Period, bool) {
	_, month := storage.ParseMonth(word)
	return rating.Period(word), month || slices.Contains(periods(), rating.Period(word))
}

// settingFirst is what follows "settings" with the key of a setting in place of its name in any language, which may be
// several words.
func settingFirst(said []string) []string {
	for n := len(said); n > 0; n-- {
		if key := words.SettingNamed(strings.Join(said[:n], " ")); key != "" {
			return append([]string{key}, said[n:]...)
		}
	}
	return said
}

// readSetting brings the value of a setting, whose key it follows, into its usual form. It may be several words, follow
// one such as "to" or "is", and have other hyphens.
func readSetting(all []*rules.Variant, said []string) []string {
	name := said[0]
	value := phrase.Each(said[1:], strings.NewReplacer("–", "-", "—", "-", "‐", "-", "−", "-").Replace)
	for rest := value; len(rest) > 0; rest = rest[1:] {
		for _, known := range words.SettingValues(name, all) {
			if name != user.SetGame && words.Means(known, strings.Join(rest, " ")) {
				return []string{name, known}
			}
		}
		if !words.IsFiller(rest[0]) && !words.IsLinking(rest[0]) || len(rest) == 1 {
			value = rest
			break
		}
	}
	switch name {
	case user.SetGame:
		if v := variantNamed(all, value...); v != nil {
			value = []string{v.Key}
		}
	case user.SetTimezone:
		value = []string{cmp.Or(zoneLike(strings.Join(said[1:], " ")), strings.Join(value, "_"))}
	case user.SetQuiet:
		value = []string{strings.TrimSuffix(strings.ReplaceAll(strings.Join(value, ""), "h-", "-"), "h")} // as in "22h-7h"
	case user.SetReminders:
		value = []string{strings.Join(value, "")}
	case user.SetPuzzle:
		if hour, minute, french := strings.Cut(strings.Join(value, ""), "h"); french {
			value = []string{hour + ":" + cmp.Or(minute, "00")}
		}
	}
	return append([]string{name}, value...)
}

// zones are time zones, one a line, each followed by what people call it besides. Those of zone.tab come first, then other
// names that the IANA database has for them.
//
//go:embed zones.txt
var zones string

// zonesCalled are the time zones by their bare names, those of their cities, and what else they are called; of two with
// the same, the first.
var zonesCalled = sync.OnceValue(func() map[string]string { //nolint:gochecknoglobals // built once, never written
	all := map[string]string{}
	for line := range strings.Lines(zones) {
		called := strings.Fields(line)
		city := path.Base(called[0])
		for _, name := range append(called, city, strings.TrimSuffix(city, "_City")) { // as in "Mexico"
			all[bare(name)] = cmp.Or(all[bare(name)], called[0])
		}
	}
	return all
})

// bare are the letters and digits of a name, in lower case and without accents.
func bare(name string) string {
	return strings.Map(func(c rune) rune { return words.Either(unicode.IsLetter(c) || unicode.IsNumber(c), c, -1) }, phrase.Fold(name))
}

// zoneLike is the time zone that a text names, or whose city the text ends with; "" if there is none.
func zoneLike(text string) string {
	const longest = 6 // words of a name
	said := strings.Fields(text)
	for said = said[max(0, len(said)-longest):]; len(said) > 0; said = said[1:] { // as in "is New York"
		if zone := zonesCalled()[bare(strings.Join(said, ""))]; zone != "" {
			return zone
		}
	}
	return ""
}

// shortest is the least number of letters of a beginning that names a game.
const shortest = 3

// asCalled brings keys, names and what people type for them into one form, so that they can be compared.
func asCalled(typed ...string) string {
	apart := func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(marks+"-", c) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(strings.Join(typed, " ")), apart), " ")
}

// variantNamed is the kind of game that words name: by its key, with or without "chess" after it, by a name, or by a
// beginning of either. It is nil for none or several.
func variantNamed(all []*rules.Variant, typed ...string) *rules.Variant {
	typed = strings.Fields(asCalled(typed...))
	first := slices.IndexFunc(typed, func(w string) bool { return !words.IsFiller(w) })
	said := strings.Join(typed[max(first, 0):], " ")
	for _, v := range all {
		if strings.TrimSuffix(said, " chess") == asCalled(v.Key) || said == asCalled(v.Name) || words.Means(v.Key, said) {
			return v
		}
	}
	if found := beginning(all, said); len(found) == 1 {
		return found[0]
	}
	return nil
}

// beginning are the kinds of game whose key or name begins with a text of at least shortest letters.
func beginning(all []*rules.Variant, said string) []*rules.Variant {
	return slices.DeleteFunc(slices.Clone(all), func(v *rules.Variant) bool {
		return len(said) < shortest || !strings.HasPrefix(asCalled(v.Key), said) && !strings.HasPrefix(asCalled(v.Name), said)
	})
}

// likelyVariants are the keys of the games that begin with a word, or else of the one that looks like it.
func likelyVariants(all []*rules.Variant, word string) (keys []string) {
	keys = phrase.Each(beginning(all, asCalled(word)), func(v *rules.Variant) string { return v.Key })
	near := nearestVariant(all, word)
	return words.Either(keys == nil, words.If(near != "", near), keys)
}

const longestName = 4 // words of a kind of game's name

// leadingVariant is how many words from the first on name a kind of game: as many as possible, 0 if none do.
func leadingVariant(all []*rules.Variant, typed []string) int {
	for n := min(longestName, len(typed)); n > 0; n-- {
		if variantNamed(all, typed[:n]...) != nil {
			return n
		}
	}
	return 0
}

// nearestVariant is the key of the game that a word looks like, "" if none.
func nearestVariant(all []*rules.Variant, word string) string {
	return nearest(word, phrase.Each(all, func(v *rules.Variant) string { return v.Key }))
}

// nearest is the name that a word looks like, "" if none: it has the same first letter and, if two letters are wrong,
// the same last letter.
func nearest(word string, names []string) string {
	const few = 4 // letters of a word in which only one may be wrong; two may be in longer ones
	w := []rune(strings.ToLower(word))
	best, distance := "", words.Either(len(w) <= few, 2, 3)
	for _, name := range names {
		n, d := []rune(name), levenshtein.ComputeDistance(string(w), name)
		if d < min(distance, (len(w)+1)/2, len(n)) && w[0] == n[0] && (d < 2 || w[len(w)-1] == n[len(n)-1]) {
			best, distance = name, d
		}
	}
	return best
}
