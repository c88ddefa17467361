package telegram

import (
	"testing"

	"chimera/bot/message"
	"chimera/bot/words"
)

func TestAToastWritesCommandsWithTheirSlash(t *testing.T) {
	text := words.Text{{Words: "Write "}, {Words: "games", Style: words.Code}, {Words: " or "}, {Words: "accept #12", Style: words.Code}, {Words: ", as "}, {Words: "Nf3", Style: words.Code}}
	if got := bare(text); got != "Write /games or /accept #12, as Nf3" {
		t.Errorf("a toast reads %q", got)
	}
}

func TestWhoHasNoAccountOnTelegramIsNamedAndNobodyElseIsCalled(t *testing.T) {
	if got := format(words.Text{{Words: "durov", Person: 7}, {Words: " is to move"}}, nil); got != "<b>durov</b> is to move" {
		t.Error(got)
	}
}

func TestNoButtonStandsAloneBelowABoard(t *testing.T) {
	for n, want := range map[int]int{1: 1, 4: 4, 5: 3, 7: 4, 9: 3} {
		buttons := make([]message.Button, n)
		buttons[0].Label = "Resign"
		if got := perRow(buttons); got != want {
			t.Errorf("of %d buttons %d stand in a row, want %d", n, got, want)
		}
	}
}
