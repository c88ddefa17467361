package bot

import (
	"context"
	"slices"

	"chimera/bot/command"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

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
	sight, err := b.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return nil // the board says what there is
	}
	return []message.Message{*r.Answer(words.Say("hello.joined", "key", sight.Variant.Key, "kind", sight.Variant.Name))}
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
