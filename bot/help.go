package bot

import (
	"context"
	"strings"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// topics are the commands by what one wants to do, as help shows them. None is called like a command.
func topics() []words.Topic {
	return []words.Topic{
		{Name: "start", Commands: []string{"learn", "puzzle", "play", "challenge", "accept", "decline", "cancel", "lobby", "rematch"}},
		{Name: "game", Commands: []string{"move", "moves", "hint", "if", "draw", "claim", "takeback", "resign", "abort", "addtime"}},
		{Name: "look", Commands: []string{"board", "games", "next", "score", "fen", "replay", "review", "share", "export", "rules", "how", "threats", "follow", "unfollow"}},
		{Name: "people", Commands: []string{"profile", "compare", "top", "block", "unblock", "link", "unlink"}},
		{Name: "account", Commands: []string{"settings", "vacation", "mydata", "forgetme", "privacy", "help", "status", "version"}},
	}
}

// showHelp shows what can be done in short; or all of it, one topic of it, or one command.
func showHelp(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 0 {
		return &message.Message{To: r.Me.ID, Text: words.Say("help.begin"), Buttons: []message.Button{playMe()}}, nil
	}
	word := strings.ToLower(strings.TrimPrefix(r.Args[0], "/"))
	if word == "all" {
		return r.Answer(words.HelpAll(topics())), nil
	}
	if c := b.Commands.Called(word); c != nil {
		return r.Answer(words.HelpOne(usage(b, c, r.Msg.Fills))), nil
	}
	for _, t := range topics() {
		if t.Name == word {
			return r.Answer(words.HelpTopic(t)), nil
		}
	}
	return r.Answer(words.Unknown(r.Args[0], b.Commands.Nearest(r.Args[0]))), nil
}

// usage is a command as help shows it to somebody who fills in what it takes, or who types it.
func usage(b *Bot, c *Command, fills bool) words.Usage {
	u := words.Usage{Name: c.Name, About: c.About(), Examples: c.Examples}
	if !fills {
		u.Args = c.Usage
	}
	for _, a := range c.Args {
		var values []phrase.Phrase
		switch {
		case a.Kind == ArgForm:
			values = choices(&a.Args[0], fills)
		case a.Kind == ArgVariant:
			for _, v := range b.Games.Variants() {
				values = append(values, phrase.As(map[bool]string{true: v.Name, false: v.Key}[fills]))
			}
		case a.Kind == ArgFlag && a.No != "" && !fills:
			values = []phrase.Phrase{phrase.As(a.Name), phrase.As(a.No)}
		default:
			values = choices(&a, fills)
		}
		option := words.Option{Typed: a.Typed(), About: a.About(), Values: values}
		switch {
		case fills:
			option.Called = a.Title()
		case strings.Contains(option.Typed, "|"):
			option.Values = nil // it has said them
		}
		u.Options = append(u.Options, option)
	}
	return u
}

// choices are the words that can be chosen for an argument, as they are typed or chosen.
func choices(a *Arg, fills bool) (all []phrase.Phrase) {
	for _, w := range a.Words {
		if fills {
			all = append(all, a.Called(w))
		} else {
			all = append(all, phrase.As(w))
		}
	}
	return all
}
