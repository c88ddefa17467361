package render

import (
	"image/color"
	"testing"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/sample"
	"chimera/rules"
)

// TestTheFrameGoesAroundEverySquare looks beside each square that has no neighbor.
func TestTheFrameGoesAroundEverySquare(t *testing.T) {
	d := sample.Diagram(t, "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K***")
	for _, coords := range []diagram.Coords{diagram.Inside, diagram.Outside, diagram.NoCoords} {
		d.Coords = coords
		for _, size := range []int{Small, Medium, Large} {
			m, l, edges := picture(t, d, size), layoutOf(&d, size), 0
			for row := range d.Shape.Ranks {
				for col := range d.Shape.Files {
					if d.At(col, row) == rules.NoSquare {
						continue
					}
					for _, dir := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
						c, r := col+dir[0], row+dir[1]
						if c >= 0 && c < d.Shape.Files && r >= 0 && r < d.Shape.Ranks && d.At(c, r) != rules.NoSquare {
							continue
						}
						const off = .03 // of a square, from its edge
						x := float64(l.x) + (float64(col)+.5+(.5+off)*float64(dir[0]))*float64(l.side)
						y := float64(l.y) + (float64(row)+.5+(.5+off)*float64(dir[1]))*float64(l.side)
						if got := m.At(int(x), int(y)); got != color.RGBA(draw.SchemeOf(diagram.Wood).Rim) {
							t.Fatalf("%d pixels, names %d: beside column %d, row %d is %v", size, coords, col, row, got)
						}
						edges++
					}
				}
			}
			if edges != 32 {
				t.Fatalf("%d edges", edges)
			}
		}
	}
}

// TestABoardWithoutHolesFillsItsPicture, unless names stand beside it.
func TestABoardWithoutHolesFillsItsPicture(t *testing.T) {
	d := sample.Diagram(t, sample.StartBoard)
	for coords, full := range map[diagram.Coords]bool{diagram.Inside: true, diagram.NoCoords: true, diagram.Outside: false} {
		d.Coords = coords
		if l := layoutOf(&d, 480); full != (l.side == 60) || l.width != 480 || l.height != 480 {
			t.Errorf("with names %d it is %+v", coords, l)
		}
	}
}
