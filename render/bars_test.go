package render

import (
	"bytes"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/sample"
	"chimera/rules"
)

func TestAPictureKeepsItsSizeInMidGame(t *testing.T) {
	begin := sample.Diagram(t, sample.StartBoard)
	begin = begin.ShowTaken(begin.Board, nil)
	won := sample.Barred(t).ShowWinner(rules.White)
	won.Over, won.Bars.Result = true, "1–0 · checkmate"
	const bar = 64
	for _, c := range []struct {
		name string
		d    diagram.Diagram
		bars int
	}{{"the start", begin, 2}, {"with pieces captured", sample.Barred(t), 2}, {"the end", won, 3}} {
		if s := newScene(&c.d, DefaultSize, false); s.width != DefaultSize || s.height != DefaultSize+c.bars*bar {
			t.Errorf("%s is %d×%d, want %d×%d", c.name, s.width, s.height, DefaultSize, DefaultSize+c.bars*bar)
		}
	}
	large := sample.Barred(t)
	const most = 1280 // that Telegram shows as it is
	if s := newScene(&large, Large, false); s.height > most {
		t.Errorf("a large picture is %d high, more than %d", s.height, most)
	}
}

func TestTheBarOfTheMoverIsLitAndAtTheEndThatOfTheWinner(t *testing.T) {
	turn := func(c rules.Color) diagram.Diagram {
		d := sample.Barred(t)
		d.Turn = c
		return d
	}
	won := turn(rules.White).ShowWinner(rules.Black)
	won.Over, won.Bars.Result = true, "0–1 · checkmate"
	drawn := sample.Barred(t)
	drawn.Over, drawn.Bars.Result = true, "½–½ · stalemate"
	flipped := turn(rules.White)
	flipped.Bottom = rules.Black
	for _, c := range []struct {
		name         string
		d            diagram.Diagram
		above, below bool
	}{
		{"White to move", turn(rules.White), false, true},
		{"Black to move", turn(rules.Black), true, false},
		{"White to move, seen by Black", flipped, true, false},
		{"Black has won", won, true, false},
		{"a draw", drawn, false, false},
	} {
		for i, lit := range []bool{c.above, c.below} {
			side := []rules.Color{c.d.Bottom.Other(), c.d.Bottom}[i]
			if got := newBar(&c.d, side, false).lit; got != lit {
				t.Errorf("%s: bar %d is lit: %v", c.name, i, got)
			}
		}
	}
}

func TestAPictureWithBarsIsSmall(t *testing.T) {
	const most = 28_000
	d := sample.Diagram(t, sample.StartBoard)
	d.Bars = sample.Barred(t).Bars
	for _, theme := range diagram.Themes() {
		d.Theme = theme
		var file bytes.Buffer
		if err := NewPainter().PNG(&file, d, DefaultSize); err != nil || file.Len() > most {
			t.Errorf("%v: %d bytes, more than %d: %v", theme, file.Len(), most, err)
		}
	}
}
