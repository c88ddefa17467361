package note

import (
	"testing"

	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/rules/phrase"
)

func TestANoteStaysInItsLanguageWithItsPicture(t *testing.T) {
	n := Note{Text: words.Say("request.done"), Chart: &chart.Chart{}, Buttons: []Button{NewButton(words.Label("yes"), "resign-yes", 1, None)}}
	n.Speak(phrase.Russian)
	n.Speak(phrase.English)
	if n.Language != phrase.Russian || n.Chart.Language != phrase.Russian {
		t.Errorf("a Russian note is in %q, and its picture in %q", n.Language, n.Chart.Language)
	}
	if label := n.Buttons[0].Label; label != "Да" {
		t.Errorf("the button of a Russian note says %q", label)
	}
}
