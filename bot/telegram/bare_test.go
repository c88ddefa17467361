package telegram

import (
	"testing"

	"chimera/bot"
)

func TestAToastWritesCommandsWithTheirSlash(t *testing.T) {
	text := bot.Text{{Words: "Write "}, {Words: "games", Style: bot.Code}, {Words: " or "}, {Words: "accept #12", Style: bot.Code}, {Words: ", as "}, {Words: "Nf3", Style: bot.Code}}
	if got := bare(text); got != "Write /games or /accept #12, as Nf3" {
		t.Errorf("a toast reads %q", got)
	}
}

func TestWhoHasNoAccountOnTelegramIsNamedAndNobodyElseIsCalled(t *testing.T) {
	if got := format(bot.Text{{Words: "durov", Person: 7}, {Words: " is to move"}}, nil); got != "<b>durov</b> is to move" {
		t.Error(got)
	}
}
