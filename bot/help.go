package bot

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// topics are the commands by what people want to do, as help shows them. No topic has the name of a
// command.
func topics() []words.Topic {
	return []words.Topic{
		{Name: "start", Commands: []string{"learn", "puzzle", "play", "challenge", "accept", "decline", "cancel", "lobby", "rematch"}},
		{Name: "game", Commands: []string{"move", "moves", "hint", "if", "draw", "claim", "takeback", "resign", "abort", "addtime"}},
		{Name: "look", Commands: []string{"board", "games", "next", "score", "fen", "replay", "review", "share", "export", "rules", "how", "threats", "follow", "unfollow"}},
		{Name: "people", Commands: []string{"profile", "compare", "top", "league", "ladder", "chat", "block", "unblock", "link", "unlink"}},
		{Name: "account", Commands: []string{"settings", "vacation", "mydata", "forgetme", "privacy", "help", "status", "version"}},
	}
}

// showHelp shows what can be done in short; or all of it, one topic of it, or one command.
func showHelp(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 0 {
		said := message.Message{To: r.Me.ID, Text: words.Say("help.begin"), Step: r.Msg.Press != "", Buttons: []message.Button{plainButton(words.Label("play-me"), "play-me")}}
		for i, t := range topics() {
			said.Buttons = append(said.Buttons, plainButton(words.TopicName(t), "help-on", t.Name).Beside(i+2))
		}
		return &said, nil
	}
	all, word := strings.Join(r.Args, " "), strings.ToLower(strings.TrimPrefix(r.Args[0], "/"))
	typed := words.Either(r.Msg.Fills, phrase.English, r.Language()) // commands that are filled in have English names
	topic := func(t words.Topic) words.Text { return words.HelpTopic(t, typed) }
	switch {
	case words.Means("all", word):
		return r.answer(words.Say("help.all", "commands", phrase.Lines(phrase.Each(topics(), topic)))), nil
	case word == "legend":
		return r.answer(words.Say("help.detail.legend")), nil
	}
	if c := b.Commands.Called(word); c != nil {
		return r.answer(tellOf(b, c, r.Msg.Fills, typed)), nil
	}
	if t := first(topics(), func(t *words.Topic) bool { return t.Name == word || words.Says(words.TopicName(*t), all) }); t != nil {
		back := words.If(r.Msg.Press != "", plainButton(words.Label("back"), "help"))
		return &message.Message{To: r.Me.ID, Text: topic(*t), Step: back != nil, Buttons: back}, nil
	}
	if variantNamed(b.Games.Variants(), r.Args...) != nil {
		return showRules(ctx, b, r)
	}
	return r.answer(words.Unknown(r.Args[0], b.Commands.Nearest(r.Args[0]))), nil
}

// tellOf tells all about a command, to somebody who fills in its arguments or who types it, in a language.
func tellOf(b *Bot, c *Command, fills bool, l phrase.Language) words.Text {
	usage := strings.TrimSpace(c.Name + " " + words.Either(fills, "", words.Usage(c.Usage, l)))
	said := []words.Text{words.Say("help.one", "usage", usage, "about", c.About())}
	for i := range c.Args {
		a := &c.Args[i]
		option, values := words.Of(a.Title()), b.values(a, fills)
		if !fills {
			option = words.Of(words.Span{Words: words.Usage(a.Typed(), l), Style: words.Same})
			if a.Kind == ArgWord || strings.Contains(a.Typed(), "|") {
				values = nil // the text above lists them
			}
		}
		said = append(said, words.Say(words.Either(values == nil, "help.option", "help.option-values"), "option", option, "about", a.About(), "values", phrase.Commas(values)))
	}
	if key := "help.detail." + c.Name; words.Book().Has(key) {
		said = append(said, words.Say(key, "levels", phrase.Commas(words.Levels())))
	}
	var examples []words.Span
	for _, e := range c.Examples {
		examples = append(examples, words.If(e != "", words.Span{Words: c.Name + " " + e, Style: words.Code})...)
	}
	said = append(said, words.If(examples != nil, words.Say("help.examples", "examples", phrase.Commas(examples)))...)
	return words.Lines(said)
}

// values are the values that an argument can have, as they are filled in or typed; none if there is no
// list.
func (b *Bot) values(a *Arg, fills bool) []phrase.Phrase {
	if a.Kind == ArgForm {
		a = &a.Args[0]
	}
	if a.Kind == ArgVariant {
		return phrase.Each(b.Games.Variants(), func(v *rules.Variant) phrase.Phrase { return words.Either(fills, v.Title(), phrase.As(v.Key)) })
	}
	return phrase.Each(a.Words, func(w string) phrase.Phrase { return words.Either(fills, words.Called(w), phrase.As(w)) })
}

// hello greets somebody, with what they can do first.
func hello(r Request) *message.Message {
	return &message.Message{To: r.Me.ID, Text: words.Say("hello.text"), Step: r.Msg.Press != "", Buttons: []message.Button{
		plainButton(words.Label("play-me"), "play-me").Beside(2),
		plainButton(words.Label("new-game"), "new").Beside(3),
		plainButton(words.Label("rules"), "rules"),
		plainButton(words.Label("my-games"), "games"),
	}}
}

// Joined greets a server that the bot has just joined, in its language.
func Joined(l phrase.Language) message.Message {
	said := message.Message{Text: words.Say("hello.server")}
	for i, press := range []string{"play-me", "new", "courses", "settings"} {
		said.Buttons = append(said.Buttons, plainButton(words.Label("begin-"+press), press).Beside(i+2))
	}
	said.For(message.Audience{Language: l})
	return said
}

// greet shows hello again to somebody who had gone on from there.
func greet(_ context.Context, _ *Bot, r Request) (*message.Message, error) { return hello(r), nil }

// plainButton is a button that does something outside any game, to what more says.
func plainButton(label phrase.Phrase, verb string, more ...string) message.Button {
	return message.NewButton(label, verb, 0, message.None, more...)
}

// chooseGame are buttons that each do something with one kind of game.
func (b *Bot) chooseGame(verb string) []message.Button {
	return phrase.Each(b.Games.Variants(), func(v *rules.Variant) message.Button {
		return plainButton(v.Title(), verb, v.Key).Choose(v.About)
	})
}

// newGame asks for the game of a new challenge.
func newGame(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	buttons := b.chooseGame("at")
	buttons = append(buttons, words.If(r.Msg.Press != "", plainButton(words.Label("back"), "hello"))...)
	return &message.Message{To: r.Me.ID, Text: words.Say("hello.which-game"), Buttons: buttons, Step: true}, nil
}

// newPace asks for the pace of a new challenge.
func newPace(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	var buttons []message.Button
	for _, pace := range []string{"1d", "3d", "7d", "14d", totalPace + "10d", "0d"} {
		p, _ := readPace(pace)
		buttons = append(buttons, plainButton(words.Pace(p), "open", r.Args[0], pace))
	}
	buttons = append(buttons, plainButton(words.Label("back"), "new"))
	return &message.Message{To: r.Me.ID, Text: words.Say("hello.which-pace"), Buttons: buttons, Step: true}, nil
}

func version(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.answer(words.Of(b.About)), nil
}

// status says how the bot is doing, and stores something to see whether it can.
func status(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	saved := b.Maintenance.Saving(ctx, b.Log)
	err := b.Maintenance.Probe(ctx)
	saved(err)
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
	thinking := words.If(games > 0, words.Say("computer.thinking", "n", games)...)
	seasons, err := b.Seasons.Running(ctx)
	played := words.If(seasons > 0, words.Say("help.seasons", "n", seasons)...)
	return r.answer(words.Join(" ", words.Status(b.About, b.Missing(), quarantined), thinking, played)), err
}

func privacy(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.answer(words.Say("person.privacy", "pages", b.Pages() != "")), nil
}

// answerPlainly answers plain words in their language, unless the author has chosen another or, if nobody else reads
// the answer, is known to have another.
func answerPlainly(ctx context.Context, b *Bot, r *Request, plain words.Saying, l phrase.Language) (*message.Message, error) {
	foreign := l != phrase.English && words.Either(r.Msg.Public && r.Server.ID != 0, r.Server.Settings.Language, cmp.Or(r.Me.Settings.Language, r.Me.Locale)) == ""
	if foreign {
		r.Me.Locale, r.Server.Locale = string(l), string(l) // a refusal speaks it too
	}
	said, err := answerTo(ctx, b, *r, plain)
	if said != nil && foreign {
		said.Speak(l)
	}
	return said, err
}

func answerTo(ctx context.Context, b *Bot, r Request, said words.Saying) (*message.Message, error) {
	if said.Command() != "" {
		return obey(ctx, b, r)
	}
	r.Command = nil
	switch said {
	case words.Greeting, words.HowToBegin:
		return hello(r), nil
	case words.HowToMove:
		return r.answer(words.Lines([]words.Text{words.Say("heard-answer.move"), words.Say("help.detail.move")})), nil
	case words.TheRules:
		return showRules(ctx, b, r)
	case words.WhoseTurn:
		return whoseTurn(ctx, b, r)
	case words.Farewell, words.GoodGame, words.Thanks:
	}
	return r.answer(words.Say("heard-reply." + string(said))), nil
}

// whoseTurn tells who is to move in the game that is meant, or in all that may be.
func whoseTurn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view, err := goingOn(ctx, b, r)
	if several := (*severalGames)(nil); errors.As(err, &several) {
		return listGames(ctx, b, r)
	}
	if err != nil {
		return nil, err
	}
	return r.answer(words.Board(view, r.alone())), nil
}
