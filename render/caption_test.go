package render

import (
	"bytes"
	"image"
	"image/gif"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/rules"
)

// ended is the last position of a game that White has won, with words below it.
func ended(t *testing.T) diagram.Diagram {
	frames := replay(t, "combine", 20, 1)
	d := frames[20].ShowTaken(frames[0].Board, nil).ShowWinner(rules.White)
	d.Over, d.Caption = true, "11. R~Bxd4"
	d.Bars.Sides = [2]diagram.Bar{{Name: "alice", Rating: "1934", Won: true}, {Name: "Зинаида Ивановна", Rating: "1620?"}}
	d.Bars.Result = "1–0 · resignation"
	return d
}

func TestACaptionStandsBelowThePicture(t *testing.T) {
	var file bytes.Buffer
	golden.Must(t, NewPainter().PNG(&file, ended(t), Medium))
	golden.Compare(t, "caption", file.Bytes())
}

// TestAReplayEndsWithTheResult shows it on a card of its own, if bars say it.
func TestAReplayEndsWithTheResult(t *testing.T) {
	last := ended(t)
	p := NewPainter()
	board := newScene(&last, Medium, false).all()
	var file bytes.Buffer
	card := p.paint(newEndCard(&last, last.Theme, board.Max), image.NewPaletted(board, nil))
	golden.Must(t, writePNG(&file, card.Rect.Size(), card.Palette, []band{p.pack(card)}))
	golden.Compare(t, "end-card", file.Bytes())
	going := last
	bars := *last.Bars
	bars.Result, going.Bars, going.Over = "", &bars, false
	for _, c := range []struct {
		frames []diagram.Diagram
		shown  int
	}{{[]diagram.Diagram{going, last}, 3}, {[]diagram.Diagram{last, going}, 2}} {
		var film bytes.Buffer
		golden.Must(t, NewPainter().GIF(&film, c.frames, MinSize, Pace{Step: time.Second}))
		read, err := gif.DecodeAll(&film)
		golden.Must(t, err)
		if shown := held(read); shown != c.shown {
			t.Errorf("%d pictures are shown, want %d", shown, c.shown)
		}
	}
}
