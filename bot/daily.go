package bot

import (
	"context"
	"strings"

	"chimera/bot/message"
)

// dailyCode stands in a web link before what names a puzzle of the day.
const dailyCode = "daily-"

// AloneCode is a code for what a button leads to that is for its presser alone, who brings it along
// to a private chat where others see what is answered; "" if it may be answered anywhere.
func AloneCode(press string) string {
	said := strings.Fields(press)
	if len(said) != 5 || said[0] != "daily" {
		return ""
	}
	return dailyCode + said[3] + "-" + said[4]
}

// AlonePress is what the button does of which somebody brings the code along; "" if it is another
// code.
func AlonePress(code string) string {
	named, daily := strings.CutPrefix(code, dailyCode)
	server, puzzle, ok := strings.Cut(named, "-")
	if !daily || !ok {
		return ""
	}
	return "daily 0 - " + server + " " + puzzle
}

func showDaily(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return one(b.Daily.Show(ctx, r.Me, r.Args[0], r.Args[1]))
}

func pickDaily(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return one(b.Daily.Pick(ctx, r.Me, r.Args[0], r.Args[1], r.Args[2], r.Args[3], r.Args[4], r.Args[5]))
}

func tryDaily(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return one(b.Daily.Try(ctx, r.Me, r.Args[0], r.Args[1], r.Args[2], r.Args[3]))
}
