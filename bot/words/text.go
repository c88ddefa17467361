// Package words has the sentences that people read, and the rich text that carries
// them. It decides nothing: what is told arrives as arguments.
package words

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Text is what is said, spelled by each platform in its own way.
type Text []Span

// Span is a piece of Text. One of its fields but Style and Left is set.
type Span struct {
	Words  string           `json:",omitempty"`
	Style  Style            `json:",omitempty"`
	Person storage.PersonID `json:",omitempty"` // a person who is mentioned, called Words
	Moment time.Time        `json:",omitzero"`  // a moment; Words say when that is, in UTC before they are Zoned
	Left   time.Duration    `json:",omitempty"` // until Moment, if that is to be told
	Phrase phrase.Phrase    `json:"-"`          // to be said in the place of Words, in no language yet
}

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Book has the sentences of this package.
func Book() *phrase.Book { return book }

// Say is a sentence of the book with its parts, among which may be Spans and Texts.
func Say(key string, parts ...any) Text { return Text{{Phrase: book.Say(key, parts...)}} }

// In puts a text into a language. Parts that are in one already stay as they are.
func (t Text) In(l phrase.Language) Text {
	said := make(Text, 0, len(t))
	for _, s := range t {
		switch {
		case !s.Moment.IsZero():
			if s.Words == "" {
				s.Words = when(s, time.UTC).Text(l)
			}
		case s.Phrase.IsZero():
			s.Words = nameIn(s.Words, l)
		default:
			said = append(said, spans(s.Phrase.In(l), s.Style, l)...)
			continue
		}
		said = append(said, s)
	}
	return said
}

// nameIn is a name, or "somebody" in a language for people who no longer have one.
func nameIn(name string, l phrase.Language) string {
	return Either(name == storage.Nobody, phrase.Common().Say("somebody").Text(l), name)
}

// spans turns the spans of a phrase into a Text in a language; those with no mark of their own get the style.
func spans(all []phrase.Span, style Style, l phrase.Language) (t Text) {
	for _, s := range all {
		own := Either(s.Mark == phrase.Plain, style, Style(s.Mark))
		switch value := s.Value.(type) {
		case nil:
			t = append(t, Span{Words: s.Text, Style: own})
		case Span:
			if value.Style == Plain && value.Person == 0 {
				value.Style = own
			}
			t = append(t, Text{value}.In(l)...)
		case Text:
			t = append(t, value.In(l)...)
		default:
			t = append(t, Span{Words: fmt.Sprint(value), Style: own})
		}
	}
	return t
}

// LanguageOf is the language of what a person alone sees.
func LanguageOf(p storage.Person) phrase.Language { return chosen(p.Settings.Language, p.Locale) }

// LanguageAt is the language of what everyone in a server sees.
func LanguageAt(s storage.Server) phrase.Language { return chosen(s.Settings.Language, s.Locale) }

func chosen(setting, locale string) phrase.Language {
	l, _ := phrase.Match(cmp.Or(setting, locale))
	return l
}

// Style is how a Span looks.
type Style uint8

// The styles: the marks of phrases, and some more.
const (
	Plain = Style(phrase.Plain)
	Bold  = Style(phrase.Bold)
	Code  = Style(phrase.Code)   // move text, FENs and commands: to be copied as they stand
	Same  = Style(phrase.Sample) // likewise, and no command even where it reads like one
	Link  = Same + 1             // an address on the web
	Named = Same + 2             // the name of somebody who is not mentioned; Plain to platforms
)

// People are those whom a text mentions, each once.
func (t Text) People() (people []storage.PersonID) {
	for _, s := range t {
		if s.Person != 0 && !slices.Contains(people, s.Person) {
			people = append(people, s.Person)
		}
	}
	return people
}

// Plain is the text without its styles, in English unless it is in a language already; people
// are spelled "@name".
func (t Text) Plain() (plain string) {
	for _, s := range t.In(phrase.English) {
		if s.Person != 0 {
			plain += "@"
		}
		plain += s.Words
	}
	return plain
}

// Nameless is a copy of a text without people's names, so that none is kept of somebody who is forgotten.
func Nameless(t Text) Text {
	kept := make(Text, len(t))
	for i, s := range t {
		if s.Person != 0 || s.Style == Named {
			s.Words = ""
		}
		kept[i] = s
	}
	return kept
}

// PlainNames makes Named spans of a text Plain, in place, since platforms do not know that style.
func PlainNames(t Text) Text {
	for i := range t {
		if t[i].Style == Named {
			t[i] = Span{Words: t[i].Words}
		}
	}
	return t
}

// Of makes a Text of plain strings and Spans.
func Of(parts ...any) (t Text) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			t = append(t, Span{Words: p})
		case Span:
			t = append(t, p)
		case Text:
			t = append(t, p...)
		case phrase.Phrase:
			if !p.IsZero() {
				t = append(t, Span{Phrase: p})
			}
		default:
			t = append(t, Span{Words: fmt.Sprint(p)})
		}
	}
	return t
}

// Lines puts texts below each other.
func Lines(all []Text) Text { return Join("\n", all...) }

// Join joins texts with something between them; empty ones are left out.
func Join(between string, texts ...Text) (t Text) {
	for _, text := range texts {
		if len(text) > 0 && len(t) > 0 {
			t = append(t, Span{Words: between})
		}
		t = append(t, text...)
	}
	return t
}

func bold(words string) Span { return Span{Words: words, Style: Bold} }

// boldIf is a line of a list, bold if that is wanted.
func boldIf(wanted bool, line Text) Text {
	if wanted {
		line[0].Style = Bold
	}
	return line
}

func code(words string) Span { return Span{Words: words, Style: Code} }

func same(words string) Span { return Span{Words: words, Style: Same} }

// Address is an address on the web.
func Address(address string) Span { return Span{Words: address, Style: Link} }

// NameOf is somebody's name without a mention.
func NameOf(id storage.PersonID, name string) Span {
	return Span{Words: name, Style: Named, Person: id}
}

// Mention is somebody's name, and tells them that it is about them.
func Mention(id storage.PersonID, name string) Span { return Span{Words: name, Person: id} }

// Hash is the number of a game as people write it.
func Hash(id storage.GameID) string { return fmt.Sprintf("#%d", id) }

// Label is what stands on a button, by its key among the labels of the book.
func Label(name string) phrase.Phrase { return book.Say("label." + name) }

// If returns all if they are wanted, else nil.
func If[T any](wanted bool, all ...T) []T {
	if !wanted {
		return nil
	}
	return all
}

// Either returns one if first holds, else other, such as the keys of sentences.
func Either[T any](first bool, one, other T) T {
	if first {
		return one
	}
	return other
}

// known is a key if the book has it, else the other.
func known(key, other string) string { return Either(book.Has(key), key, other) }

// Kebab joins words with hyphens, as keys do.
func Kebab(several string) string { return strings.ReplaceAll(several, " ", "-") }

// Clip makes a stranger's word fit to be said back: short, and without signs that
// cannot be seen.
func Clip(word string) string {
	const most = 40
	var seen []rune
	for _, c := range word {
		if len(seen) == most {
			return string(seen) + "…"
		}
		if unicode.IsGraphic(c) {
			seen = append(seen, c)
		}
	}
	return string(seen)
}

// Length tells a length of time in its two largest units.
func Length(d time.Duration) phrase.Phrase {
	d = d.Round(time.Minute)
	days, hours, minutes := int(d/match.Day), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0 && hours > 0:
		return book.Say("clock.days-hours", "days", days, "hours", hours)
	case days > 0:
		return book.Say("clock.days", "days", days)
	case hours > 0 && minutes > 0:
		return book.Say("clock.hours-minutes", "hours", hours, "minutes", minutes)
	case hours > 0:
		return book.Say("clock.hours", "hours", hours)
	case minutes > 0:
		return book.Say("clock.minutes", "minutes", minutes)
	}
	return book.Say("clock.less")
}

// date writes a moment, in its time zone, for platforms without dates of their own.
func date(at time.Time) phrase.Phrase {
	zone := at.Format("MST")
	if strings.ContainsAny(zone, "+-") { // it has no name of its own
		zone = "UTC" + zone
	}
	return book.Say("clock.date", "weekday", int(at.Weekday()), "day", at.Day(), "month", int(at.Month()), "time", at.Format("15:04"), "zone", zone)
}

// Day is the day of a moment in its time zone.
func Day(at time.Time) phrase.Phrase {
	return book.Say("clock.day", "weekday", int(at.Weekday()), "day", at.Day(), "month", int(at.Month()))
}

// when writes the moment of a Span in a time zone, and the time left until then if that is to be told.
func when(s Span, zone *time.Location) phrase.Phrase {
	said := date(s.Moment.In(zone))
	return Either(s.Left == 0, said, book.Say("clock.date-in", "date", said, "span", Length(s.Left)))
}

// Zoned puts the moments of a text that is in a language into the time zone of an IANA name, "" for
// UTC. The text is unchanged if there is no such zone.
func (t Text) Zoned(l phrase.Language, name string) Text {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return t // as it was before
	}
	zoned := slices.Clone(t)
	for i, s := range zoned {
		if !s.Moment.IsZero() {
			zoned[i].Words = when(s, zone).Text(l)
		}
	}
	return zoned
}

// Pace says how much time there is for moves.
func Pace(p storage.Pace) phrase.Phrase {
	switch {
	case p.Unlimited():
		return book.Say("clock.pace-none")
	case p.Total():
		return book.Say("clock.pace-total", "bank", Length(p.Bank))
	case p.Bank == 0:
		return book.Say("clock.pace", "move", Length(p.Move))
	}
	return book.Say("clock.pace-bank", "move", Length(p.Move), "bank", Length(p.Bank))
}

// clockParts are the parts of a sentence about the time of the player to move, and when it is up.
func clockParts(g *storage.Game, due time.Time, left time.Duration, away time.Time) []any {
	switch {
	case g.Pace.Unlimited():
		return []any{"time", "unlimited"}
	case !away.IsZero():
		return []any{"time", "away", "until", Span{Moment: away}}
	case g.Clock.Up, left == 0:
		return []any{"time", "out"}
	}
	return []any{"time", Either(g.Pace.Total(), "whole", "running"), "until", Span{Moment: due, Left: left}}
}

// Reminder tells the player to move how much time is left; as one of several, it does not say who they are.
func Reminder(s *match.GameView, several bool) Text {
	side := s.Game.Turn
	return Say(Either(several, "clock.reminder-line", "clock.reminder"), "player", Mention(s.Game.Players[side], s.Names[side]), "opponent", s.Names[1-side],
		"kind", s.Variant.Title(), "game", Hash(s.Game.ID), "left", Length(s.Left), "until", Span{Moment: s.Due})
}

// TimeUp tells the opponent of the player to move that they may claim the win.
func TimeUp(s *match.GameView) Text {
	side := s.Game.Turn
	return Say("clock.time-up", "player", s.Names[side], "opponent", Mention(s.Game.Players[1-side], s.Names[1-side]),
		"kind", s.Variant.Title(), "game", Hash(s.Game.ID))
}

// OnVacation tells that somebody went away, or came back; own says that they alone are told.
func OnVacation(what event.Kind, v event.Vacation, by storage.Person, own bool) Text {
	went := Either(bool(v.Auto), "clock.went-away-itself", "clock.went-away")
	return Say(Either(what == event.WentAway, went, "clock.came-back"),
		"player", by.Name, "you", own, "n", len(v.Games), "games", phrase.And(phrase.Each(v.Games, Hash)), "until", Span{Moment: v.Until})
}
