package message

import (
	"testing"

	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

func TestANoteStaysInItsLanguageWithItsPicture(t *testing.T) {
	n := Message{Text: words.Say("request.done"), Chart: &chart.Chart{}, Buttons: []Button{NewButton(words.Label("yes"), "resign-yes", 1, None)}}
	n.Speak(phrase.Russian)
	n.Speak(phrase.English)
	if n.Language != phrase.Russian || n.Chart.Language != phrase.Russian {
		t.Errorf("a Russian note is in %q, and its picture in %q", n.Language, n.Chart.Language)
	}
	if label := n.Buttons[0].Label; label != "Да" {
		t.Errorf("the button of a Russian note says %q", label)
	}
}

// TestALookIsThePersonsElseTheServers is about what a note's boards show.
func TestALookIsThePersonsElseTheServers(t *testing.T) {
	for _, c := range []struct {
		person, server storage.Look
		bars, letters  bool
		coords         diagram.Coords
	}{
		{storage.Look{}, storage.Look{}, true, false, diagram.Inside},
		{storage.Look{}, storage.Look{Pieces: "letters", Bars: "off", Coords: "outside"}, false, true, diagram.Outside},
		{storage.Look{Pieces: "figures", Bars: "on", Coords: "inside"}, storage.Look{Pieces: "letters", Bars: "off", Coords: "outside"}, true, false, diagram.Inside},
		{storage.Look{Bars: "off", Coords: "off"}, storage.Look{}, false, false, diagram.NoCoords},
	} {
		n := Message{Board: &diagram.Diagram{Bars: &diagram.Bars{}}}
		n.For(Audience{Look: c.person.Else(c.server)})
		if bars := n.Board.Bars != nil; bars != c.bars || n.Board.Letters != c.letters || n.Board.Coords != c.coords {
			t.Errorf("%+v, else %+v: there are bars: %v, letters: %v, and coordinates %v", c.person, c.server, bars, n.Board.Letters, n.Board.Coords)
		}
	}
}
