package render

import (
	"image"
	"strings"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// captionHeight is how many pixels high the words below a board of a size are.
func captionHeight(size int) int { return size * 6 / 100 }

// newEndCard is a scene that says how the game of a diagram has ended, and who has played, above and
// below as at the board.
func newEndCard(d *diagram.Diagram, theme diagram.Theme, size image.Point) *scene {
	const aside = 128
	card := &scene{theme: theme, width: size.X, height: size.Y}
	card.add(0, 0, size.X, size.Y, func(p *panel) {
		p = p.panel(image.Rectangle{Max: size}, float64(size.X)*.09/barUnits) // units are as large as on bars
		text := p.cover(false).Text
		middle := p.height / 2
		score, how, _ := strings.Cut(d.Bars.Result, " · ")
		p.middle(draw.Style{Size: 60, Bold: true, Ink: text}, middle+12, score)
		p.middle(draw.Style{Size: 20, Ink: text}, middle+42, how)
		for side, b := range d.Bars.Sides {
			y := middle + aside
			if rules.Color(side) != d.Bottom {
				y = middle - aside
			}
			p.named(b, y)
		}
	})
	return card
}

// named names a player around a line, on a lit plate if they have won.
func (p *panel) named(b diagram.Bar, y float64) {
	const inset, half, round = 20, 30, 8
	ink := p.Bars[0].Text
	if b.Won {
		ink = p.Bars[1].Text
		p.Box(p.Bars[1].Ground, inset, y-half, p.width-2*inset, 2*half, round)
	}
	first := y + 8
	if b.Rating != "" {
		first = y - 1
		p.middle(draw.Style{Size: 16, Ink: ink}, y+19, b.Rating)
	}
	p.middle(draw.Style{Size: 24, Bold: true, Ink: ink}, first, b.Name)
}
