package render

import (
	"fmt"
	"image/color"
	"strings"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// barUnits is how high a bar is in units, of which a phone has about 360 across a board.
const barUnits = 32

// barHeight is how many pixels high a bar is at a board of a size: as little as two lines need, so
// that a Large picture with two bars is no longer than what platforms show as it is.
func barHeight(size int) int { return size * 9 / 100 }

// part is a piece of a bar: all that its picture depends on but for size and theme.
type part interface {
	key() string
	paint(p *panelist)
}

// panelist paints a part of a bar. It is for one goroutine.
type panelist struct {
	*pen
	unit  float64 // in pixels
	width float64 // in units
	*draw.Faces
}

// style is how something is written.
type style struct {
	size float64 // in units
	bold bool
}

func newPanelist(p *pen, s *slot, letters *draw.Faces) *panelist {
	unit := float64(s.height) / barUnits
	return &panelist{p, unit, float64(s.width) / unit, letters}
}

func (p *panelist) face(s style) *draw.Face { return p.Face(s.size*p.unit, s.bold) }

// write writes words from x on with their baseline at y, cut to their room, and gives where they
// end; all in units. Where there is nothing to write, nothing is drawn.
func (p *panelist) write(s style, ink color.NRGBA, x, y, room float64, words string) float64 {
	if words == "" {
		return x
	}
	f := p.face(s)
	written := f.Fit(words, room*p.unit)
	p.dc.Write(draw.Text{Words: written, At: draw.Point{X: p.h(x), Y: p.v(y)}, Size: s.size * p.unit, Bold: s.bold}, ink)
	return x + f.Width(written)/p.unit
}

// h is where a place on the surface is, given in units from the left.
func (p *panelist) h(x float64) float64 { return p.x + x*p.unit }

// v is likewise, from above.
func (p *panelist) v(y float64) float64 { return p.y + y*p.unit }

// cover fills the part with a color.
func (p *panelist) cover(c color.NRGBA) {
	p.dc.DrawRectangle(p.x, p.y, p.width*p.unit, barUnits*p.unit)
	p.dc.Fill(c)
}

// medal is what a bar begins with: a disc of the color of a side. It is the same in all games.
type medal struct {
	side     rules.Color
	lit, won bool
}

// medalUnits is how wide a medal is, up to where a name begins.
const medalUnits = 27

func (m *medal) key() string { return fmt.Sprint("medal ", m.side, m.lit) }

func (m *medal) paint(p *panelist) {
	const middle = 14.5
	p.cover(p.Bars[index(m.lit)].Ground)
	p.disc(middle, m.side)
}

// who comes next in a bar: the player, and what they have captured.
type who struct {
	diagram.Bar
	from  int // how many pixels of the bar are before it
	side  rules.Color
	lit   bool
	table rules.Table
}

func (w *who) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %d %v %t", w.Name, w.Rating, w.Ahead, w.side, w.lit)
	for _, p := range w.Taken {
		fmt.Fprintf(&b, " %x", look(w.table, p))
	}
	return b.String()
}

func (w *who) paint(p *panelist) {
	const (
		left            = 28         // where the name begins, from the start of the bar
		first, second   = 12.8, 27.6 // baselines
		only            = 20.7       // of one line alone
		between, margin = 5, 4
	)
	colors := &p.Bars[index(w.lit)]
	p.cover(colors.Ground)
	p.x -= float64(w.from)
	p.width += float64(w.from) / p.unit
	y := float64(first)
	if len(w.Taken) == 0 && w.Ahead == 0 {
		y = only
	}
	room := p.width - margin
	small := style{10.5, false}
	rating := 0.
	if w.Rating != "" {
		rating = between + p.face(small).Width(w.Rating)/p.unit
	}
	end := p.write(style{13.5, true}, colors.Text, left, y, room-rating-left, w.Name)
	p.write(small, colors.Text, end+between, y, rating, w.Rating)
	x := float64(left)
	ahead := ""
	if w.Ahead > 0 {
		ahead = fmt.Sprintf("+%d", w.Ahead)
	}
	bold := style{10.5, true}
	x = p.taken(w, colors, x, room-p.face(bold).Width(ahead)/p.unit-between)
	p.write(bold, colors.Text, x, second, 0, ahead)
}

// taken lines up the captured pieces from x on, equal ones over each other, and gives where they
// end. They are all of one color: whose they were is clear.
func (p *panelist) taken(w *who, colors *draw.Panel, x, room float64) float64 {
	const size, foot, equal, other = 15.5, 30.4, 6, 11.5
	if len(w.Taken) == 0 {
		return x
	}
	steps := make([]float64, len(w.Taken)) // from each to the next
	long := float64(size)
	for i, piece := range w.Taken[1:] {
		steps[i] = other
		if piece == w.Taken[i] {
			steps[i] = equal
		}
		long += steps[i]
	}
	squeeze := min(1, (room-x-size)/max(1, long-size))
	livery := [2]draw.Livery{}
	for side := range livery {
		livery[side] = draw.Livery{Fill: colors.Text, Edge: colors.Ground, Detail: colors.Ground}
	}
	for i, piece := range w.Taken {
		draw.Piece(p.dc, w.table, piece, p.h(x), p.v(foot-size), size*p.unit, &livery)
		x += steps[i] * squeeze
	}
	return x + size
}

// disc is of the color of a side.
func (p *panelist) disc(x float64, side rules.Color) {
	fill, edge := p.Disc(side)
	p.dc.DrawCircle(p.h(x), p.v(barUnits/2), 6.2*p.unit)
	p.dc.FillPreserve(fill)
	p.dc.Stroke(edge, 1.2*p.unit)
}

// until is the right part of a bar: the date by which a player must move.
type until struct {
	when     string
	lit, won bool
}

func (u *until) key() string { return fmt.Sprintf("%q %t", u.when, u.lit) }

func (u *until) paint(p *panelist) {
	colors := &p.Bars[index(u.lit)]
	p.cover(colors.Ground)
	if u.when != "" {
		p.date(colors, u.when)
	}
}

// result is a banner across the picture that says how the game ended: the score, and what ended it.
type result string

func (r result) key() string { return fmt.Sprintf("result %q", string(r)) }

func (r result) paint(p *panelist) {
	const baseline, line = 22.5, 1
	colors := &p.Banner
	p.cover(colors.Text)
	p.dc.DrawRectangle(p.h(0), p.v(line), p.width*p.unit, (barUnits-2*line)*p.unit)
	p.dc.Fill(colors.Ground)
	p.middle(style{18.5, true}, colors.Text, baseline, string(r))
}

// date writes a date to the right, in two lines where it can be parted, beside a clock.
func (p *panelist) date(colors *draw.Panel, when string) {
	const margin, icon, gap = 9, 5.2, 6
	s := style{10.5, true}
	room := p.width - 2*margin - 2*icon - gap
	lines := p.halves(s, when)
	wide := 0.
	for _, line := range lines {
		wide = max(wide, p.face(s).Width(p.face(s).Fit(line, room*p.unit))/p.unit)
	}
	x := p.width - margin - wide
	for i, line := range lines {
		y := 20.
		if len(lines) == 2 {
			y = []float64{13.6, 26}[i]
		}
		p.write(s, colors.Text, x, y, room, line)
	}
	p.clock(colors.Text, x-gap-icon, icon)
}

// halves are a text in two lines of about the same length, or in one that cannot be parted.
func (p *panelist) halves(s style, text string) []string {
	words := strings.Fields(text)
	best, least := []string{text}, p.face(s).Width(text)
	for i := range words[:max(0, len(words)-1)] {
		halves := []string{strings.Join(words[:i+1], " "), strings.Join(words[i+1:], " ")}
		if wide := max(p.face(s).Width(halves[0]), p.face(s).Width(halves[1])); wide < least {
			best, least = halves, wide
		}
	}
	return best
}

// clock is a small one, which shows four.
func (p *panelist) clock(ink color.NRGBA, x, radius float64) {
	const y = barUnits / 2.
	p.dc.DrawCircle(p.h(x), p.v(y), radius*p.unit)
	p.dc.MoveTo(p.h(x), p.v(y-radius*.62))
	p.dc.LineTo(p.h(x), p.v(y))
	p.dc.LineTo(p.h(x+radius*.5), p.v(y+radius*.3))
	p.dc.Stroke(ink, 1.2*p.unit)
}

func index(lit bool) int {
	if lit {
		return 1
	}
	return 0
}

// addBars puts bars above and below the board of a scene, and a result between it and the lower one,
// for all of which it has left room.
func (s *scene) addBars(d *diagram.Diagram, height int) {
	for i, side := range []rules.Color{d.Bottom.Other(), d.Bottom} {
		bar := d.Bars.Sides[side]
		lit := lights(d, side)
		y := i * (s.height - height)
		const left, whole = 62, 100 // of the width
		middle, first := s.width*left/whole, height*medalUnits/barUnits
		s.addPart(&medal{side, lit, bar.Won}, 0, y, first, height)
		s.addPart(&who{bar, first, side, lit, d.Table}, first, y, middle-first, height)
		s.addPart(&until{bar.When, lit, bar.Won}, middle, y, s.width-middle, height)
	}
	if d.Bars.Result != "" {
		s.addPart(result(d.Bars.Result), 0, s.height-2*height, s.width, height)
	}
}

// lights reports whether the bar of a side is lit: the winner's, or that of the side to move.
func lights(d *diagram.Diagram, side rules.Color) bool {
	if d.Over || d.Bars.Result != "" {
		return d.Bars.Sides[side].Won
	}
	return side == d.Turn
}
