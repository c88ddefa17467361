package draw

import (
	"bytes"
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
	found  sync.Pool // of *found, which one goroutine at a time looks into and adds to
}

// found is what inks some colors were found to have. What has no place in it is found again.
type found struct {
	flats [1 << flatBits]struct {
		color uint32 // as number has it
		ink   uint8
	}
	edges [1 << edgeBits]struct {
		color  color.RGBA
		around flatSet
		ink    uint8
	}
}

// How many places there are, in bits: several times as many as there are colors and edges between the few that
// a text is written in, so that few have the place of another.
const (
	flatBits = 12
	edgeBits = 14
)

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

// Trace writes an opaque picture in inks, as rows of pixels that are so far apart, and says which of them
// is the last. What is flat has its own ink; a pixel at an edge gets the nearest ink on the ramps between
// the flat colors around it, so that no edge has a color that belongs to others.
func (k *Palette) Trace(m *image.RGBA, pix []uint8, stride int) (last uint8) {
	known, _ := k.found.Get().(*found)
	if known == nil {
		known = new(found)
	}
	defer k.found.Put(known)
	flat := k.flatten(m, pix, stride, known)
	last = flat.last
	var edges [reach + 1][]edge // of a row and those above: they are written when nobody looks there any more
	for y := range flat.high + len(edges) {
		row := &edges[y%len(edges)]
		for _, at := range *row {
			pix[at.at] = at.ink
		}
		*row = (*row)[:0]
		if y >= flat.high {
			continue
		}
		line := flat.line(y)
		for x := nextTo(line, 0); x < flat.wide; x = nextTo(line, x+1) {
			c, around := m.RGBAAt(m.Rect.Min.X+x, m.Rect.Min.Y+y), flat.around(x, y)
			seen := &known.edges[(keyOf(c)^uint32(around)^uint32(around>>32))*scatter>>(32-edgeBits)]
			if seen.color != c || seen.around != around {
				seen.color, seen.around, seen.ink = c, around, k.between(c, around)
			}
			*row = append(*row, edge{y*stride + x, seen.ink})
			last = max(last, seen.ink)
		}
	}
	return last
}

// edge is the ink of a pixel that is not flat.
type edge struct {
	at  int
	ink uint8
}

// nextTo is the next pixel of a line from x on that has no ink yet.
func nextTo(line []uint8, x int) int {
	if i := bytes.IndexByte(line[x:], Transparent); i >= 0 {
		return x + i
	}
	return len(line)
}

// keyOf is a color as a number, and scatter what such a number is multiplied with to have all of its bits
// told by the upper ones.
func keyOf(c color.RGBA) uint32 {
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
}

const scatter = 0x9e3779b1

// flatParts is the flat parts of a picture, none elsewhere.
type flatParts struct {
	wide, high int
	pix        []uint8
	stride     int
	last       uint8 // the last ink in it
}

// line is a row of an flatParts.
func (o *flatParts) line(y int) []uint8 { return o.pix[y*o.stride : y*o.stride+o.wide] }

// flatten writes what is flat in a picture. Most pixels are as the one before, and most rows as those above.
func (k *Palette) flatten(m *image.RGBA, pix []uint8, stride int, known *found) flatParts {
	size := m.Rect.Size()
	o := flatParts{wide: size.X, high: size.Y, pix: pix, stride: stride}
	var above []uint8
	last, ink := uint32(0), uint8(Transparent)
	for y := range size.Y {
		row, line := m.Pix[y*m.Stride:y*m.Stride+4*size.X], o.line(y)
		if bytes.Equal(row, above) {
			copy(line, o.line(y-1))
			continue
		}
		above = row
		for x := 0; x < size.X; {
			c := binary.LittleEndian.Uint32(row[4*x:])
			if c == last {
				n := run(row[4*x:], c)
				fill(line[x:x+n], ink)
				x += n
				continue
			}
			seen := &known.flats[c*scatter>>(32-flatBits)]
			if seen.color != c {
				seen.color, seen.ink = c, k.Flat(color.RGBA{row[4*x], row[4*x+1], row[4*x+2], row[4*x+3]})
			}
			last, ink = c, seen.ink
			o.last = max(o.last, ink)
			line[x] = ink
			x++
		}
	}
	return o
}

// run is how many of the pixels that a row begins with are of the color of the first one.
func run(row []byte, c uint32) int {
	const pixel, many = 4, 32 // of which a library compares all with those beside them
	pair, n := uint64(c)<<32|uint64(c), 1
	for pixel*(n+2) <= len(row) && binary.LittleEndian.Uint64(row[pixel*n:]) == pair {
		n += 2
		for pixel*(n+many) <= len(row) && bytes.Equal(row[pixel*(n-1):pixel*(n+many-1)], row[pixel*n:pixel*(n+many)]) {
			n += many
		}
	}
	if pixel*n < len(row) && binary.LittleEndian.Uint32(row[pixel*n:]) == c {
		n++
	}
	return n
}

// fill makes pixels of one ink.
func fill(pixels []uint8, ink uint8) {
	for i := range pixels {
		pixels[i] = ink
	}
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

// around is the flat inks near a pixel.
func (o *flatParts) around(x, y int) (set flatSet) {
	for row := max(0, y-reach); row <= min(o.high-1, y+reach); row++ {
		for _, ink := range o.pix[row*o.stride+max(0, x-reach) : row*o.stride+min(o.wide, x+reach+1)] {
			set |= 1 << (ink & 63)
		}
	}
	return set &^ (1 << Transparent)
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
