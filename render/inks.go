package render

import (
	"image/color"
	"sync"
)

// maxInks is how many colors a picture has at most, the transparent one of
// animations included. Few colors make small files; 128 are enough for the flat
// ones and for the steps at edges.
const maxInks = 128

// Inks are the few colors that a picture is painted in, and the way to them. They
// never change.
type Inks struct {
	palette color.Palette // flat colors first; none is transparent
	near    []uint8       // the ink that is nearest, by the leading 5 bits of red, green and blue
	exact   map[color.RGBA]uint8
	table   []byte // the palette as files have it
}

// NewInks chooses inks: flat colors, and blends of those that meet at edges.
func NewInks(flats []color.NRGBA, edges []Edge) *Inks {
	k := &Inks{exact: map[color.RGBA]uint8{}}
	for _, c := range flats {
		k.add(c)
	}
	for _, r := range edges {
		for i := 1; i <= r.Steps; i++ {
			k.add(Blend(r.From, r.To, float64(i)/float64(r.Steps+1)))
		}
	}
	k.near = make([]uint8, 1<<15)
	for i := range k.near {
		wide := func(bits int) uint8 { return uint8(bits&31<<3 | bits&31>>2) }
		k.near[i] = k.nearest(wide(i>>10), wide(i>>5), wide(i))
	}
	return k
}

// add makes c an ink, if there is room and no other is as good as it.
func (k *Inks) add(c color.NRGBA) {
	const tooNear = 200 // of the square of a distance
	if len(k.palette) == maxInks-1 {
		return
	}
	for _, other := range k.palette {
		if apart(c, other.(color.RGBA)) < tooNear {
			return
		}
	}
	k.exact[opaque(c)] = uint8(len(k.palette))
	k.palette = append(k.palette, opaque(c))
	k.table = append(k.table, c.R, c.G, c.B)
}

func opaque(c color.NRGBA) color.RGBA { return color.RGBA{c.R, c.G, c.B, 0xff} }

func (k *Inks) nearest(r, g, b uint8) uint8 {
	best, least := 0, 1<<30
	for i, c := range k.palette {
		if d := apart(color.NRGBA{r, g, b, 0xff}, c.(color.RGBA)); d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

// apart is the square of the distance of two colors, in which a wrong tone counts as
// much as a wrong lightness.
func apart(a color.NRGBA, b color.RGBA) int {
	r, g, l := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	light := (2*r + 5*g + l) / 8
	red, blue := r-light, l-light
	return 4 * (light*light + red*red + blue*blue)
}

// of is the ink for a color: itself, or one near it.
func (k *Inks) of(c color.RGBA) uint8 {
	if i, ok := k.exact[c]; ok {
		return i
	}
	return k.near[int(c.R>>3)<<10|int(c.G>>3)<<5|int(c.B>>3)]
}

// flats are the colors that cover areas.
func (s *scheme) flats() []color.NRGBA {
	all := []color.NRGBA{s.ground}
	all = append(all, s.grounds()...)
	for _, m := range s.pieces {
		all = append(all, m.Fill, m.Edge, m.Detail)
	}
	all = append(all, s.rim, s.coordinates, s.trail, s.check, s.kill, s.blast, s.join, s.part, s.frost, s.plate, s.target)
	return append(all, s.zones[:]...)
}

// Edge is two colors that meet, and how many steps are between them.
type Edge struct {
	From, To color.NRGBA
	Steps    int
}

// edges are the colors that meet most often.
func (s *scheme) edges() []Edge {
	white, black := s.pieces[0], s.pieces[1]
	all := []Edge{{white.Fill, white.Edge, 2}, {black.Fill, black.Detail, 2}}
	for i, g := range s.grounds() {
		steps := 2
		if i >= 4 { // neither plain nor where something has just arrived
			steps = 1
		}
		halo := Over(black.Halo, g)
		all = append(all, Edge{g, white.Edge, steps}, Edge{halo, black.Edge, steps}, Edge{g, halo, 1})
	}
	for _, g := range []color.NRGBA{s.light, s.dark} {
		for _, line := range []color.NRGBA{s.coordinates, s.kill, s.join, s.part, s.target, s.zones[0], s.zones[1], s.check} {
			all = append(all, Edge{g, line, 1})
		}
	}
	return append(all, Edge{s.ground, black.Halo, 1}, Edge{s.ground, white.Fill, 2})
}

// inksOf makes the inks of each theme when they are first asked for.
//
//nolint:gochecknoglobals // each is written once, under its own guard
var inksOf = func() (all [len(schemes)]func() *Inks) {
	for t := range all {
		s := &schemes[t]
		all[t] = sync.OnceValue(func() *Inks { return NewInks(s.flats(), s.edges()) })
	}
	return all
}()

func (t Theme) inks() *Inks {
	if int(t) >= len(schemes) {
		t = Wood
	}
	return inksOf[t]()
}
