package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chimera/bot/command"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
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
		return r.answer(words.HelpAll(topics())), nil
	}
	if c := b.Commands.Called(word); c != nil {
		return r.answer(words.HelpOne(usage(b, c, r.Msg.Fills))), nil
	}
	for _, t := range topics() {
		if t.Name == word {
			return r.answer(words.HelpTopic(t)), nil
		}
	}
	return r.answer(words.Unknown(r.Args[0], b.Commands.Nearest(r.Args[0]))), nil
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

// hello greets somebody, with what they can do first.
func hello(r Request) *message.Message {
	return &message.Message{To: r.Me.ID, Text: words.Say("hello.text"), Step: r.Msg.Press != "", Buttons: []message.Button{
		playMe(),
		message.NewButton(words.Label("new-game"), "new", 0, message.None),
		message.NewButton(words.Label("rules"), "rules", 0, message.None),
		message.NewButton(words.Label("my-games"), "games", 0, message.None),
	}}
}

// greetLost greets somebody who has brought along a code that is of no use, with what is wrong with it.
func greetLost(r Request, refused *message.Message) *message.Message {
	hello := hello(r)
	hello.Speak(r.Language())
	hello.Text = slices.Concat(refused.Text, words.Of("\n\n"), hello.Text)
	return hello
}

// welcome tells somebody who has come with the code of a challenge how its game is played.
func welcome(ctx context.Context, b *Bot, r Request, game storage.GameID) []message.Message {
	view, err := b.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return nil // the board says what there is
	}
	return []message.Message{*r.answer(words.Say("hello.joined", "key", view.Variant.Key, "kind", view.Variant.Name))}
}

// greet is hello again, to whoever has gone on from there.
func greet(_ context.Context, _ *Bot, r Request) (*message.Message, error) { return hello(r), nil }

// toHello leads back to the first things that can be done.
func toHello() message.Button {
	return message.NewButton(words.Label("back"), "hello", 0, message.None)
}

// playMe begins a game against the computer.
func playMe() message.Button {
	return message.NewButton(words.Label("play-me"), "play-me", 0, message.None)
}

// newGame asks which game a challenge is to be of.
func newGame(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	var buttons []message.Button
	for _, v := range b.Games.Variants() {
		buttons = append(buttons, message.NewButton(phrase.As(v.Name), "at", 0, message.None, v.Key).Choose(v.About))
	}
	if r.Msg.Press != "" {
		buttons = append(buttons, toHello())
	}
	return &message.Message{To: r.Me.ID, Text: words.Say("hello.which-game"), Buttons: buttons, Step: true}, nil
}

// newPace asks how much time there is in the game of which a challenge is to be.
func newPace(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	var buttons []message.Button
	for _, pace := range []string{"1d", "3d", "7d", "14d", "0d"} {
		p, _ := command.Pace(pace)
		buttons = append(buttons, message.NewButton(words.Pace(p), "open", 0, message.None, r.Args[0], pace))
	}
	buttons = append(buttons, message.NewButton(words.Label("back"), "new", 0, message.None))
	return &message.Message{To: r.Me.ID, Text: words.Say("hello.which-pace"), Buttons: buttons, Step: true}, nil
}

func version(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.answer(words.Of(b.About)), nil
}

// status says how the bot is, and really writes something to know that it can.
func status(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	err := b.Maintenance.Probe(ctx)
	b.Maintenance.Stored(ctx, b.Log, err)
	if errors.Is(err, storage.ErrNotSaved) {
		return r.answer(words.Of(b.About, ". ", words.Say("help.cannot-save"))), nil
	}
	if err != nil {
		return nil, err
	}
	quarantined, err := b.Maintenance.Quarantined(ctx)
	if err != nil {
		return nil, err
	}
	games, _ := b.Thinker.Backlog(0)
	return r.answer(words.Of(words.Status(b.About, b.Missing(), quarantined), words.Thinking(games))), nil
}

func privacy(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.answer(words.Say("person.privacy", "pages", b.Pages() != "")), nil
}

// saidPlainly is what a request says in plain words, and in which language; "" if it is something else.
func saidPlainly(r Request) (words.Saying, phrase.Language) {
	if r.Command == nil {
		return words.Heard(r.Text) // without the number of a game
	}
	return words.Heard(r.Msg.Text)
}

// answerPlainly answers what somebody has said in plain words in a language: it is theirs, unless
// another was chosen or, where nobody else reads it, is known to be.
func answerPlainly(ctx context.Context, b *Bot, r Request, plain words.Saying, l phrase.Language) (*message.Message, error) {
	said, err := answerTo(ctx, b, r, plain)
	chosen := cmp.Or(r.Me.Settings.Language, r.Me.Locale)
	if r.Msg.Public && r.Server.ID != 0 {
		chosen = r.Server.Settings.Language
	}
	if said != nil && l != phrase.English && chosen == "" {
		said.Speak(l)
	}
	return said, err
}

func answerTo(ctx context.Context, b *Bot, r Request, said words.Saying) (*message.Message, error) {
	r.Command, r.Args = nil, nil
	switch said {
	case words.Greeting, words.HowToBegin:
		return hello(r), nil
	case words.HowToMove:
		return r.answer(words.Lines([]words.Text{words.Say("heard-answer.move"), words.Say("help.detail.move")})), nil
	case words.TheRules:
		if view, err := b.shown(ctx, r, match.Latest); err == nil {
			r.Args = []string{view.Variant.Key}
		}
		return showRules(ctx, b, r)
	case words.WhoseTurn:
		return whoseTurn(ctx, b, r)
	case words.GivingUp:
		r.Command, r.Name = b.Commands.Find("resign"), "resign"
		return obey(ctx, b, r)
	case words.Farewell:
		return r.answer(words.Say("heard-answer.bye")), nil
	case words.Thanks:
	}
	return r.answer(words.Say("heard-answer.thanks")), nil
}

// whoseTurn tells who is to move in the game that is meant, or in all that could be.
func whoseTurn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view, err := goingOn(ctx, b, r)
	if several := (*severalGames)(nil); errors.As(err, &several) {
		return listGames(ctx, b, r)
	}
	if err != nil {
		return nil, err
	}
	return r.answer(words.Turn(view, r.Me.ID)), nil
}
