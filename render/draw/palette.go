package draw

import (
	"encoding/binary"
	"image"
	"image/color"
	"slices"
	"sync"
)

// MaxColors is how many colors a picture has at most, Transparent included. A picture that shows little
// has fewer: those most often seen come first, and a file has no more than up to its last.
const MaxColors = 256

// Transparent is the ink of pixels that stay as they are, which no picture has but in the frames of an
// animation.
const Transparent = 0

// Palette are the few colors that a picture is painted in, and the way to them: flat colors,
// which cover areas, and ramps between those that meet at edges. They are never changed, but remember
// what was found in them.
type Palette struct {
	Colors color.Palette // Transparent, then the flat ones, then blends
	flats  int           // the last one that is flat
	ramps  []ramp
	found  sync.Pool // of known, for one goroutine at a time
}

// known is the inks that some colors were found to have.
type known struct {
	flat  map[uint32]uint8 // by the bytes of the color
	edges map[edge]uint8
}

// edge is a color between others, of which Transparent is one.
type edge struct {
	color  color.RGBA
	around flatSet
}

// ramp is the way from one flat color to another.
type ramp struct {
	ends flatSet
	inks []uint8 // on the way, both ends included
}

// flatSet is some of the flat inks, as bits.
type flatSet uint64

// maxFlats is how many flat inks there are at most: as many as a set has bits, but for none.
const maxFlats = 63

// Edge is two flat colors that meet, and how many steps are between them. If it has a Rim, the way
// leads over that color, which lies so thinly between the two that it is hardly seen by itself.
type Edge struct {
	From, To color.NRGBA
	Rim      color.NRGBA
	Steps    int // between the two, and again if there is a rim
}

// NewPalette chooses inks: flat colors, and blends of those that meet at edges. If they are too many,
// the last ones are left to others near them.
func NewPalette(flats []color.NRGBA, edges []Edge) *Palette {
	k := &Palette{Colors: color.Palette{color.RGBA{}}}
	for _, c := range flats {
		k.add(c)
	}
	k.flats = min(len(k.Colors)-1, maxFlats)
	for _, e := range edges {
		stops := []color.NRGBA{e.From, e.To}
		if e.Rim.A != 0 {
			stops = []color.NRGBA{e.From, e.Rim, e.To}
		}
		r := ramp{inks: []uint8{k.add(e.From)}}
		for i, to := range stops[1:] {
			for step := range e.Steps + 1 {
				r.inks = append(r.inks, k.add(Blend(stops[i], to, float64(step+1)/float64(e.Steps+1))))
			}
		}
		r.ends = k.set(r.inks[0]) | k.set(r.inks[len(r.inks)-1])
		r.inks = slices.Compact(r.inks)
		k.ramps = append(k.ramps, r)
	}
	return k
}

// add is the ink for c: a new one unless there is no room, or another is as good.
func (k *Palette) add(c color.NRGBA) uint8 {
	const asGood = 400 // of the square of a distance
	opaque := color.RGBA{c.R, c.G, c.B, 0xff}
	ink, off := k.nearest(opaque)
	if off >= asGood && len(k.Colors) < MaxColors {
		ink = uint8(len(k.Colors))
		k.Colors = append(k.Colors, opaque)
	}
	return ink
}

// nearest is the ink nearest to c, and the square of its distance.
func (k *Palette) nearest(c color.RGBA) (ink uint8, off int) {
	off = 1 << 30
	for i := Transparent + 1; i < len(k.Colors); i++ {
		if d := k.apart(c, uint8(i)); d < off {
			ink, off = uint8(i), d
		}
	}
	return ink, off
}

// apart is the square of the distance of a color from an ink, in which a wrong tone counts as
// much as a wrong lightness.
func (k *Palette) apart(a color.RGBA, ink uint8) int {
	b := k.Colors[ink].(color.RGBA)
	r, g, l := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	light := (2*r + 5*g + l) / 8
	red, blue := r-light, l-light
	return 4 * (light*light + red*red + blue*blue)
}

// set is a flat ink as a set, which is empty for others.
func (k *Palette) set(ink uint8) flatSet {
	if ink == Transparent || int(ink) > k.flats {
		return 0
	}
	return 1 << ink
}

// Trace is an opaque picture in inks, row by row. What is flat has its own ink; a pixel at an edge gets
// the nearest ink on the ramps between the flat colors around it, so that no edge has a color that belongs
// to others.
func (k *Palette) Trace(m *image.RGBA) []uint8 {
	const most = 1 << 14 // colors that are remembered
	found, _ := k.found.Get().(*known)
	if found == nil || len(found.flat)+len(found.edges) > most {
		found = &known{map[uint32]uint8{}, map[edge]uint8{}}
	}
	defer k.found.Put(found)
	wide, high := m.Rect.Dx(), m.Rect.Dy()
	flat := flatParts{wide, high, make([]uint8, wide*high)}
	var edges []int // the pixels that are not flat
	var last uint32 // the bytes of a color, as most pixels have that of the one before
	lastInk := uint8(Transparent)
	for y := range high {
		row := m.Pix[y*m.Stride:][:4*wide]
		for x := range wide {
			pixel := row[4*x : 4*x+4 : 4*x+4]
			if bits := binary.LittleEndian.Uint32(pixel); bits != last {
				var ok bool
				if lastInk, ok = found.flat[bits]; !ok {
					lastInk = k.Flat(color.RGBA{pixel[0], pixel[1], pixel[2], pixel[3]})
					found.flat[bits] = lastInk
				}
				last = bits
			}
			if lastInk == Transparent {
				edges = append(edges, y*wide+x)
			}
			flat.inks[y*wide+x] = lastInk
		}
	}
	inks := slices.Clone(flat.inks)
	for _, i := range edges {
		x, y := i%wide, i/wide
		e := edge{m.RGBAAt(m.Rect.Min.X+x, m.Rect.Min.Y+y), flat.around(x, y)}
		ink, ok := found.edges[e]
		if !ok {
			ink = k.between(e.color, e.around)
			found.edges[e] = ink
		}
		inks[i] = ink
	}
	return inks
}

// flatParts is the flat parts of a picture, none elsewhere.
type flatParts struct {
	wide, high int
	inks       []uint8
}

// Flat is the flat ink that c is but for rounding, Transparent if it is none.
func (k *Palette) Flat(c color.RGBA) uint8 {
	const rounded = 48
	for i := Transparent + 1; i <= k.flats; i++ {
		if k.apart(c, uint8(i)) <= rounded {
			return uint8(i)
		}
	}
	return Transparent
}

// reach is how far away a flat color is seen.
const reach = 2

// around is the flat inks near a pixel, and Transparent if there are others.
func (o *flatParts) around(x, y int) (set flatSet) {
	for row := max(0, y-reach); row <= min(o.high-1, y+reach); row++ {
		for _, ink := range o.inks[row*o.wide+max(0, x-reach) : row*o.wide+min(o.wide, x+reach+1)] {
			set |= 1 << (ink & 63)
		}
	}
	return set
}

// between is the ink nearest to c of those on ramps between flat inks around it. Where none comes
// close, as among lines too thin to be seen in full, it is one of a ramp that begins there, or any.
func (k *Palette) between(c color.RGBA, around flatSet) uint8 {
	const close = 2500
	ink, off := k.onRamps(c, func(ends flatSet) bool { return ends&^around == 0 })
	if off > close {
		ink, off = k.onRamps(c, func(ends flatSet) bool { return ends&around != 0 })
	}
	if off > close {
		ink, _ = k.nearest(c)
	}
	return ink
}

// onRamps is the nearest ink on the chosen ramps, and the square of its distance.
func (k *Palette) onRamps(c color.RGBA, chosen func(ends flatSet) bool) (ink uint8, off int) {
	off = 1 << 30
	for i := range k.ramps {
		if !chosen(k.ramps[i].ends) {
			continue
		}
		for _, on := range k.ramps[i].inks {
			if d := k.apart(c, on); d < off {
				ink, off = on, d
			}
		}
	}
	return ink, off
}
