package render

import (
	"fmt"
	"image/color"
	"strings"

	"chimera/render/diagram"
	"chimera/rules"
)

// caption is the words below a picture.
type caption string

// captionHeight is how many pixels high it is at a board of a size.
func captionHeight(size int) int { return size * 6 / 100 }

func (c caption) key() string { return fmt.Sprintf("caption %q", string(c)) }

func (c caption) paint(p *panelist) {
	const base, size = 22.5, 19
	colors := &p.Bars[index(false)]
	p.cover(colors.Ground)
	p.middle(style{size, true}, colors.Text, base, string(c))
}

// endCard is how a game has ended, as a picture of its own at the end of an animation: the result,
// and who has played, above and below it as at the board.
type endCard struct {
	bars   diagram.Bars
	bottom rules.Color
}

// newEndCard is the scene of such a card, as large as s, or nil if d does not say how the game has ended.
func newEndCard(d *diagram.Diagram, s *scene) *scene {
	if d.Bars == nil || d.Bars.Result == "" {
		return nil
	}
	card := &scene{theme: s.theme, width: s.width, height: s.height, table: s.table}
	card.addPart(&endCard{*d.Bars, d.Bottom}, 0, 0, s.width, s.height)
	return card
}

func (c *endCard) key() string { return fmt.Sprintf("end %v %#v", c.bottom, c.bars) }

func (c *endCard) paint(p *panelist) {
	// Units are as large as on bars.
	const share = .09
	width, height := p.width*p.unit, p.unit*barUnits
	unit := share * width / barUnits
	p = &panelist{p.pen, unit, width / unit, p.Faces}
	p.plate(0, 0, p.width, height/unit, 0, p.Bars[index(false)].Ground)
	middle, text := height/unit/2, p.Bars[index(false)].Text
	score, how, _ := strings.Cut(c.bars.Result, " · ")
	p.middle(style{60, true}, text, middle+12, score)
	p.middle(style{20, false}, text, middle+42, how)
	const aside = 128
	c.player(p, middle-aside, c.bottom.Other())
	c.player(p, middle+aside, c.bottom)
}

// player names a player around a line, on a lit plate if they have won.
func (c *endCard) player(p *panelist, y float64, side rules.Color) {
	const inset, half, round = 20, 30, 8
	b := c.bars.Sides[side]
	colors := &p.Bars[index(b.Won)]
	if b.Won {
		p.plate(inset, y-half, p.width-2*inset, 2*half, round, colors.Ground)
	}
	first := y + 8
	if b.Rating != "" {
		first = y - 1
		p.middle(style{16, false}, colors.Text, y+19, b.Rating)
	}
	p.middle(style{24, true}, colors.Text, first, b.Name)
}

// plate fills a box with round corners.
func (p *panelist) plate(x, y, width, height, round float64, c color.NRGBA) {
	p.dc.DrawRoundedRectangle(p.h(x), p.v(y), width*p.unit, height*p.unit, round*p.unit)
	p.dc.Fill(c)
}

// middle writes words in the middle of a line.
func (p *panelist) middle(s style, ink color.NRGBA, y float64, words string) {
	const margin = 30
	room := p.width - 2*margin
	f := p.face(s)
	wide := f.Width(f.Fit(words, room*p.unit)) / p.unit
	p.write(s, ink, (p.width-wide)/2, y, room, words)
}
