package bot

import (
	"context"

	"chimera/bot/command"
	"chimera/bot/message"
	"chimera/bot/words"
)

// learn goes on with the course that is named, or else was begun.
func learn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	v := b.Courses.Begun(&r.Me)
	if len(r.Args) > 0 {
		all := b.Games.Variants()
		if v = command.Variant(all, r.Args...); v == nil {
			return r.Answer(words.NoVariant("learn", r.Text, command.LikelyVariants(all, r.Text), all)), nil
		}
	}
	if v == nil {
		return one(b.Courses.Choose(r.Seat()), nil)
	}
	next := b.Courses.Next(r.Seat(), v)
	if next == nil {
		return r.Answer(words.Say("course.none", "kind", v.Name)), nil
	}
	return one(next.Show(ctx))
}
