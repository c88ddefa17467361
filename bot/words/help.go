package words

import (
	"fmt"
	"strings"

	"chimera/bot/limit"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Unknown is said of a text that is no move and no command; near is what may have been meant.
func Unknown(text, near string) Text {
	first, _, _ := strings.Cut(text, " ")
	switch {
	case near != "":
		return Say("request.unknown-near", "word", Clip(first), "command", near)
	case strings.HasPrefix(text, "/"):
		text = first
	}
	return Say("request.unknown", "word", Clip(text))
}

// Usage is how a command is written, and what it is for.
type Usage struct {
	Name, Args string
	About      phrase.Phrase
	Options    []Option
	Examples   []string
}

// Option is something that a command takes.
type Option struct {
	Called phrase.Phrase // where people fill it in; zero where they only type
	Typed  string        // as it stands in how the command is written
	About  phrase.Phrase
	Values []phrase.Phrase // those there are; none if they are not told of
}

// Topic is something that one wants to do.
type Topic struct {
	Name     string // start, game, look, people or account
	Commands []string
}

// HelpAll lists the commands.
func HelpAll(all []Topic) Text {
	return Say("help.all", "commands", phrase.Lines(each(all, HelpTopic)))
}

// HelpTopic lists the commands of a topic.
func HelpTopic(t Topic) Text {
	commands := each(t.Commands, func(name string) Text {
		return Say("help.line", "command", name, "about", book.Say("command."+name))
	})
	return Say("help.topic", "topic", t.Name, "commands", phrase.Lines(commands))
}

// HelpOne tells all of a command.
func HelpOne(c Usage) Text {
	said := []Text{Say("help.one", "usage", strings.TrimSpace(c.Name+" "+c.Args), "about", c.About)}
	for _, o := range c.Options {
		option := Of(o.Called)
		if o.Called.IsZero() {
			option = Of(same(o.Typed))
		}
		if len(o.Values) == 0 {
			said = append(said, Say("help.option", "option", option, "about", o.About))
		} else {
			said = append(said, Say("help.option-values", "option", option, "about", o.About, "values", phrase.Commas(o.Values)))
		}
	}
	if book.Has("help.detail." + c.Name) {
		said = append(said, Say("help.detail."+c.Name, "levels", phrase.Commas(Levels())))
	}
	var examples []Span
	for _, e := range c.Examples {
		if e != "" {
			examples = append(examples, code(c.Name+" "+e))
		}
	}
	if len(examples) > 0 {
		said = append(said, Say("help.examples", "examples", phrase.Commas(examples)))
	}
	return Lines(said)
}

// Status tells how the bot is: on which platforms it is not, and what was set aside.
func Status(about string, missing []string, parked []storage.Quarantined) Text {
	var trouble []Text
	if len(parked) > 0 {
		trouble = append(trouble, Say("help.status-damaged", "records", parkedNames(parked)))
	}
	if len(missing) > 0 {
		trouble = append(trouble, Say("help.status-away", "platforms", phrase.Or(each(missing, platformName))))
	}
	if trouble == nil {
		return Say("help.status-well", "about", about)
	}
	return Say("help.status-trouble", "about", about, "trouble", phrase.Spaced(trouble))
}

// parkedNames are what was set aside: the first of it, and how much more there is.
func parkedNames(parked []storage.Quarantined) phrase.List {
	first := parked[:min(len(parked), limit.Listed)]
	names := each(first, func(p storage.Quarantined) phrase.Phrase { return parkedName(p.Ref) })
	if more := len(parked) - len(names); more > 0 {
		names = append(names, book.Say("help.record-more", "n", more))
	}
	return phrase.Commas(names)
}

// parkedName is what people call a record.
func parkedName(ref storage.Ref) phrase.Phrase {
	switch ref.Kind {
	case storage.OfGame:
		return book.Say("help.record-game", "id", ref.ID)
	case storage.OfChallenge:
		return book.Say("help.record-challenge", "id", ref.ID)
	case storage.OfEntry:
		return book.Say("help.record-message", "id", ref.ID)
	default:
		return phrase.As(fmt.Sprint(ref.Kind, " ", ref.ID))
	}
}
