package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/show"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func showRules(_ context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	if len(r.Args) == 0 {
		return listRules(desk, r), nil
	}
	v := typed.Variant(desk.Games.Variants(), r.Args...)
	if v == nil {
		return r.Answer(words.NoVariant("rules", r.Text, typed.LikelyVariants(desk.Games.Variants(), r.Text), desk.Games.Variants())), nil
	}
	start, err := v.Position("")
	if err != nil {
		return nil, err
	}
	d := diagram.Of(start, nil, rules.White)
	said := Note{To: r.Me.ID, Text: words.Rules(v), Board: &d, Step: r.Msg.Press != ""}
	if len(v.Course) > 0 {
		said.Buttons = append(said.Buttons, note.NewButton(words.Label("learn"), "learn", 0, note.None, v.Key))
	}
	said.Buttons = append(said.Buttons,
		note.NewButton(words.Label("play-me"), "play-game", 0, note.None, v.Key),
		note.NewButton(words.Label("back"), "rules", 0, note.None))
	return []Note{said}, nil
}

// listRules lets somebody choose a game whose rules they want.
func listRules(desk *ask.Desk, r ask.Request) []Note {
	said := Note{To: r.Me.ID, Text: words.ListRules(desk.Games.Variants()), Step: r.Msg.Press != ""}
	for _, v := range desk.Games.Variants() {
		said.Buttons = append(said.Buttons, note.NewButton(phrase.As(v.Name), "rules-of", 0, note.None, v.Key).Choose(v.About))
	}
	if said.Step {
		said.Buttons = append(said.Buttons, toHello())
	}
	return []Note{said}
}

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

// help shows what can be done in short; or all of it, one topic of it, or one command.
func showHelp(_ context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	if len(r.Args) == 0 {
		return []Note{{To: r.Me.ID, Text: words.Say("help.begin"), Buttons: []Button{playMe()}}}, nil
	}
	word := strings.ToLower(strings.TrimPrefix(r.Args[0], "/"))
	if word == "all" {
		return r.Answer(words.HelpAll(topics())), nil
	}
	if c := desk.Commands.Called(word); c != nil {
		return r.Answer(words.HelpOne(usage(desk, c, r.Msg.Fills))), nil
	}
	for _, t := range topics() {
		if t.Name == word {
			return r.Answer(words.HelpTopic(t)), nil
		}
	}
	return r.Answer(words.Unknown(r.Args[0], desk.Commands.Nearest(r.Args[0]))), nil
}

// usage is a command as help shows it to somebody who fills in what it takes, or who types it.
func usage(desk *ask.Desk, c *ask.Command, fills bool) words.Usage {
	u := words.Usage{Name: c.Name, About: c.About(), Examples: c.Examples}
	if !fills {
		u.Args = c.Usage
	}
	for _, a := range c.Args {
		var values []phrase.Phrase
		switch {
		case a.Kind == ask.ArgForm:
			values = choices(&a.Args[0], fills)
		case a.Kind == ask.ArgVariant:
			for _, v := range desk.Games.Variants() {
				values = append(values, phrase.As(map[bool]string{true: v.Name, false: v.Key}[fills]))
			}
		case a.Kind == ask.ArgFlag && a.No != "" && !fills:
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
func choices(a *ask.Arg, fills bool) (all []phrase.Phrase) {
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
func hello(r ask.Request) []Note {
	return []Note{{To: r.Me.ID, Text: words.Say("hello.text"), Step: r.Msg.Press != "", Buttons: []Button{
		playMe(),
		note.NewButton(words.Label("new-game"), "new", 0, note.None),
		note.NewButton(words.Label("rules"), "rules", 0, note.None),
		note.NewButton(words.Label("my-games"), "games", 0, note.None),
	}}}
}

// heard is what a request says in plain words, and in which language; "" if it is something else.
func saidPlainly(r ask.Request) (words.Saying, phrase.Language) {
	if r.Command == nil {
		return words.Heard(r.Text) // without the number of a game
	}
	return words.Heard(r.Msg.Text)
}

// answerPlainly answers what somebody has said in plain words in a language: it is theirs, unless
// another was chosen or, where nobody else reads it, is known to be.
func answerPlainly(ctx context.Context, desk *ask.Desk, r ask.Request, said words.Saying, l phrase.Language) ([]Note, error) {
	notes, err := answerTo(ctx, desk, r, said)
	chosen := cmp.Or(r.Me.Settings.Language, r.Me.Locale)
	if r.Msg.Public && r.Server.ID != 0 {
		chosen = r.Server.Settings.Language
	}
	for i := range notes {
		if l != phrase.English && chosen == "" {
			notes[i].Speak(l)
		}
	}
	return notes, err
}

func answerTo(ctx context.Context, desk *ask.Desk, r ask.Request, said words.Saying) ([]Note, error) {
	r.Command, r.Args = nil, nil
	switch said {
	case words.Greeting, words.HowToBegin:
		return hello(r), nil
	case words.HowToMove:
		return r.Answer(words.Lines([]words.Text{words.Say("heard-answer.move"), words.Say("help.detail.move")})), nil
	case words.TheRules:
		if sight, err := desk.Shown(ctx, r, match.Latest); err == nil {
			r.Args = []string{sight.Variant.Key}
		}
		return showRules(ctx, desk, r)
	case words.WhoseTurn:
		return whoseTurn(ctx, desk, r)
	case words.GivingUp:
		r.Command, r.Name = desk.Commands.Find("resign"), "resign"
		return obey(ctx, desk, r)
	case words.Farewell:
		return r.Answer(words.Say("heard-answer.bye")), nil
	case words.Thanks:
	}
	return r.Answer(words.Say("heard-answer.thanks")), nil
}

// whoseTurn tells who is to move in the game that is meant, or in all that could be.
func whoseTurn(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	var several *ask.Several
	switch {
	case errors.As(err, &several):
		return show.Games(ctx, desk, r)
	case err != nil:
		return nil, err
	case sight.Game.Over():
		return nil, &inbox.Refusal{Why: inbox.Over, Game: sight.Game.ID}
	}
	return r.Answer(words.Turn(sight, r.Me.ID)), nil
}

// greetLost greets somebody who has brought along a code that is of no use, with what is wrong with it.
func greetLost(r ask.Request, refused []Note) []Note {
	hello := hello(r)
	hello[0].Speak(r.Language())
	hello[0].Text = slices.Concat(refused[0].Text, words.Of("\n\n"), hello[0].Text)
	return hello
}

// welcome tells somebody who has come with the code of a challenge how its game is played.
func welcome(ctx context.Context, desk *ask.Desk, r ask.Request, game GameID) []Note {
	sight, err := desk.Games.Look(ctx, game, match.Latest)
	if err != nil {
		return nil // the board says what there is
	}
	return r.Answer(words.Say("hello.joined", "key", sight.Variant.Key, "kind", sight.Variant.Name))
}

// greet is hello again, to whoever has gone on from there.
func greet(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) { return hello(r), nil }

// toHello leads back to the first things that can be done.
func toHello() Button { return note.NewButton(words.Label("back"), "hello", 0, note.None) }

// playMe begins a game against the computer.
func playMe() Button { return note.NewButton(words.Label("play-me"), "play-me", 0, note.None) }

// newGame asks which game a challenge is to be of.
func newGame(_ context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	var buttons []Button
	for _, v := range desk.Games.Variants() {
		buttons = append(buttons, note.NewButton(phrase.As(v.Name), "at", 0, note.None, v.Key).Choose(v.About))
	}
	if r.Msg.Press != "" {
		buttons = append(buttons, toHello())
	}
	return []Note{{To: r.Me.ID, Text: words.Say("hello.which-game"), Buttons: buttons, Step: true}}, nil
}

// newPace asks how much time there is in the game of which a challenge is to be.
func newPace(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) {
	var buttons []Button
	for _, pace := range []string{"1d", "3d", "7d", "14d", "0d"} {
		p, _ := typed.Pace(pace)
		buttons = append(buttons, note.NewButton(words.Pace(p), "open", 0, note.None, r.Args[0], pace))
	}
	buttons = append(buttons, note.NewButton(words.Label("back"), "new", 0, note.None))
	return []Note{{To: r.Me.ID, Text: words.Say("hello.which-pace"), Buttons: buttons, Step: true}}, nil
}

func version(_ context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	return r.Answer(words.Of(desk.About)), nil
}

// status says how the bot is, and really writes something to know that it can.
func status(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	err := desk.Upkeep.Probe(ctx)
	desk.Upkeep.Stored(ctx, desk.Log, err)
	if errors.Is(err, storage.ErrNotSaved) {
		return r.Answer(words.Of(desk.About, ". ", words.Say("help.cannot-save"))), nil
	}
	if err != nil {
		return nil, err
	}
	parked, err := desk.Upkeep.Parked(ctx)
	if err != nil {
		return nil, err
	}
	games, _ := desk.Thinker.Backlog(0)
	return r.Answer(words.Of(words.Status(desk.About, desk.Missing(), parked), words.Thinking(games))), nil
}

func privacy(_ context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	return r.Answer(words.Say("person.privacy", "pages", desk.Pages() != "")), nil
}
