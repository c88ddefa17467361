// Package draw has what pictures are drawn with: shapes and text on pixels or in an SVG
// drawing, the pieces of all games, and the colors of each theme.
//
// Read it in this order:
//
//   - brush.go: how shapes are drawn, on any surface;
//   - surface.go: an image, an SVG file, and a sum that tells drawings apart;
//   - piece.go, figures.txt: pieces, and the figures they are composed of;
//   - face.go: names in any script, cut to the room there is;
//   - scheme.go, colors.txt: the colors of themes, and how a picture is reduced to a palette.
//
// # Design
//
// A compound is one piece, not two small ones on a square. Every figure has a head;
// some lend a tower to stand in; all can be worn as a crest. Whatever the parts
// are, they become a tower or a foot, a head, and what the head wears: a rook and
// a knight are a horse in a tower, a queen and a knight a crowned horse. What was
// rejected: drawing each compound by hand, since power sets make them by the
// dozen.
//
// A piece of both sides is the left half of White's piece and, to the right, that of
// Black's mirrored, on one foot and at full size: two small pieces side by side are
// read as two.
//
// Two parts are drawn, and no more: a third is a badge in the upper right corner. A piece with further levels stands on
// a plinth, which has a bar for each: upright on the left for lines along ranks and files, slanting on the right for
// diagonals, both for a queen. At the highest level a fuse burns on that side. The piece itself stays the same, but for
// its size, since that is what players look for first.
//
// The figures are our own, drawn in units of a hundredth of a square. Lines keep their width when a figure is drawn
// smaller as a part, so that all pieces look alike. Black's pieces have a pale rim: it sets them apart from dark
// squares, and separates the parts of a compound.
package draw

import (
	_ "embed"
	"encoding/binary"
	"image"
	"image/color"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chimera/render/diagram"
	"chimera/rules"
)

// Scheme is the colors of a theme: of the board, the pieces and the marks. Tints cover squares; the rest are lines and
// shapes of marks.
type Scheme struct {
	Ground      color.NRGBA // where there is no board
	Outside     color.NRGBA // coordinates there
	Rim         color.NRGBA // around a board with holes
	Light, Dark color.NRGBA // squares
	Coordinates color.NRGBA
	Pieces      [2]Livery // by side
	LeftTint    color.NRGBA
	ReachedTint color.NRGBA
	Trail       color.NRGBA // frames of the squares of the last move
	CheckTint   color.NRGBA
	Check       color.NRGBA
	Kill        color.NRGBA
	Casing      color.NRGBA // around traces and signs above pieces
	Blast       color.NRGBA // the inside of a burst
	Join, Part  color.NRGBA
	FrostTint   color.NRGBA
	Frost       color.NRGBA
	Plate       color.NRGBA // behind a snow crystal
	ChosenTint  color.NRGBA
	Target      color.NRGBA
	TargetRim   color.NRGBA    // around it, as the casing is around other marks
	Zones       [2]color.NRGBA // White's and Black's zones of influence, and badges of lent powers
	ZoneTints   [2]color.NRGBA // on their squares
	Sheet       color.NRGBA    // what charts are painted on
	Text        color.NRGBA    // on the sheet
	Lines       [2]color.NRGBA // curves on the sheet, distinguishable
	Bars        [2]Panel       // about players, normal and lit; with colors that are used elsewhere too, if possible
	Banner      Panel          // on which a result is written
}

// Panel is the colors of a part of a picture with text on it.
type Panel struct{ Ground, Text color.NRGBA }

// SchemeOf is the colors of a theme. They are never changed.
func SchemeOf(t diagram.Theme) *Scheme { return schemes(t) }

var schemes = diagram.ByTheme(newScheme) //nolint:gochecknoglobals // each is written once, under its own guard

//go:embed colors.txt
var colors string

// newScheme is the colors of a theme.
func newScheme(t diagram.Theme) *Scheme {
	s := new(Scheme)
	for line := range strings.Lines(colors) {
		row := strings.Fields(line)
		if row[0] == "#" {
			continue
		}
		field := reflect.ValueOf(s).Elem()
		for part := range strings.SplitSeq(row[0], ".") {
			if n, err := strconv.Atoi(part); err == nil {
				field = field.Index(n)
			} else {
				field = field.FieldByName(part)
			}
		}
		c, err := strconv.ParseUint(row[1+t], 16, 32)
		if err != nil {
			panic(err) // the embedded file is wrong
		}
		field.Set(reflect.ValueOf(color.NRGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}))
	}
	return s
}

// Side is the colors of a disc for a side, and of its edge: pale around a dark one.
func (s *Scheme) Side(side rules.Color) (fill, edge color.NRGBA) {
	own := &s.Pieces[side]
	if own.Halo.A != 0 {
		return own.Fill, own.Detail
	}
	return own.Fill, own.Edge
}

// Over is the color of b seen through a.
func Over(a, b color.NRGBA) color.NRGBA {
	return Blend(b, a, float64(a.A)/0xff)
}

// Blend is the color a share of the way from a to b, ignoring transparency.
func Blend(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + .5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// PaletteOf is the palette of pictures of boards in a theme.
func PaletteOf(t diagram.Theme) *Palette { return palettes(t) }

var palettes = diagram.ByTheme(func(t diagram.Theme) *Palette { //nolint:gochecknoglobals // each is written once, under its own guard
	return NewPalette(SchemeOf(t).flats(), SchemeOf(t).edges())
})

// flats are the colors that cover areas, most frequent first.
func (s *Scheme) flats() []color.NRGBA {
	all := []color.NRGBA{s.Ground, s.Light, s.Dark}
	for _, m := range s.Pieces {
		all = append(all, m.Fill, m.Edge, m.Detail)
	}
	all = append(all, s.Coordinates, s.Rim, s.Outside, s.Casing)
	for _, b := range s.panels() {
		all = append(all, b.Ground, b.Text)
	}
	all = append(all, s.grounds()...)
	all = append(all, s.strokes()...)
	return append(all, s.Blast, s.Plate, s.TargetRim)
}

// panels are the parts with text beside a board.
func (s *Scheme) panels() []Panel { return []Panel{s.Bars[0], s.Bars[1], s.Banner} }

// strokes are the colors of marks on squares.
func (s *Scheme) strokes() []color.NRGBA {
	return []color.NRGBA{s.Trail, s.Kill, s.Join, s.Part, s.Frost, s.Target, s.Check, s.Zones[0], s.Zones[1]}
}

// edges are the pairs of colors that meet, most frequent first.
func (s *Scheme) edges() []Edge {
	const steps, few = 4, 2
	white, black := s.Pieces[0], s.Pieces[1]
	all := []Edge{
		{From: white.Fill, To: white.Edge, Steps: steps},
		{From: white.Fill, To: white.Detail, Steps: steps},
		{From: black.Fill, To: black.Edge, Steps: steps},
		{From: black.Fill, To: black.Detail, Steps: steps},
	}
	for i, g := range s.grounds() {
		steps := steps
		if i >= 12 { // of a zone
			steps = 1
		}
		all = append(all, Edge{From: g, To: white.Edge, Steps: steps}, s.rimmed(g, steps))
		if i < 2 {
			all = append(all, Edge{From: g, To: s.Coordinates, Steps: steps})
		}
	}
	all = append(all, s.rimmed(white.Fill, steps), s.rimmed(white.Edge, steps), s.rimmed(black.Fill, steps), // pieces of two parts
		Edge{From: black.Edge, To: black.Detail, Steps: steps},
		Edge{From: s.Ground, To: s.Rim, Steps: few}, Edge{From: s.Ground, To: white.Edge, Steps: few}, s.rimmed(s.Ground, few),
		Edge{From: s.Blast, To: s.Kill, Steps: steps}, Edge{From: s.Plate, To: s.Frost, Steps: steps})
	for _, ink := range s.strokes() {
		all = append(all, Edge{From: ink, To: s.Casing, Steps: 1})
	}
	for _, b := range s.panels() {
		all = append(all, Edge{From: b.Ground, To: b.Text, Steps: steps})
	}
	for i, g := range s.grounds() {
		lines := s.strokes()
		if i >= 2 { // tinted: few marks are seen there
			lines = lines[:1]
		}
		for _, line := range lines {
			all = append(all, Edge{From: g, To: line, Steps: few})
		}
	}
	return append(all, Edge{From: s.Target, To: s.TargetRim, Steps: few})
}

// rimmed is the edge between Black's pieces and a ground.
func (s *Scheme) rimmed(ground color.NRGBA, steps int) Edge {
	black := s.Pieces[1]
	e := Edge{From: ground, To: black.Edge, Steps: steps}
	if black.Halo.A != 0 {
		e.Rim = Over(black.Halo, ground)
	}
	return e
}

// grounds are the colors behind pieces and marks: the squares, plain and tinted.
func (s *Scheme) grounds() []color.NRGBA {
	all := []color.NRGBA{s.Light, s.Dark}
	for _, tint := range []color.NRGBA{s.ReachedTint, s.LeftTint, s.FrostTint, s.ChosenTint, s.CheckTint, s.ZoneTints[0], s.ZoneTints[1]} {
		all = append(all, Over(tint, s.Light), Over(tint, s.Dark))
	}
	return all
}

// MaxColors is the greatest number of colors of a picture, Transparent included. A simple picture has fewer: the most
// frequent come first, and a file ends its palette with the last one used.
const MaxColors = 256

// Transparent is the ink of pixels that stay as they are. Only frames of animations have it.
const Transparent = 0

// Palette is the few colors of a picture, and the rules for reducing others to them: flat colors, which cover areas,
// and ramps between those that meet at edges. It never changes, but caches results.
type Palette struct {
	Colors color.Palette // Transparent, then the flat ones, then blends
	flats  int           // the last flat one
	ramps  []ramp
	found  sync.Pool // of *known, each used by one goroutine at a time
}

// known caches the inks of colors.
type known struct {
	flat  map[uint32]uint8             // by the bytes of the color
	edges map[flatSet]map[uint32]uint8 // by the flat inks around, of which Transparent may be one
	size  int                          // entries in both

	inks []uint8 // of the picture that is traced
	at   []int   // its pixels that are not flat
}

// ramp is a sequence of inks from one flat color to another.
type ramp struct {
	ends flatSet
	inks []uint8 // on the way, both ends included
}

// flatSet is some of the flat inks, as bits.
type flatSet uint64

// maxFlats is the greatest number of flat inks: one bit of a set each, the first for none.
const maxFlats = 63

// Edge is two flat colors that meet, and the number of steps between them. If it has a Rim, the ramp leads over that
// color, whose line is too thin to be seen as a flat area.
type Edge struct {
	From, To color.NRGBA
	Rim      color.NRGBA
	Steps    int // from one to the other, or to the rim and again from there
}

// NewPalette chooses inks: flat colors, and blends of those that meet at edges. If there are too many, the last ones
// are replaced by the nearest.
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

// add is the ink for c: a new one if there is room, unless another is as good.
func (k *Palette) add(c color.NRGBA) uint8 {
	const asGood = 400 // squared distance
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

// apart is the squared distance of a color from an ink; a wrong hue counts as much as a wrong lightness.
func (k *Palette) apart(a color.RGBA, ink uint8) int {
	b := k.Colors[ink].(color.RGBA)
	r, g, l := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	light := (2*r + 5*g + l) / 8
	red, blue := r-light, l-light
	return 4 * (light*light + red*red + blue*blue)
}

// set is the set of a flat ink, empty for others.
func (k *Palette) set(ink uint8) flatSet {
	if ink == Transparent || int(ink) > k.flats {
		return 0
	}
	return 1 << ink
}

// Trace converts an opaque picture to inks, row by row. Flat areas have their own ink; a pixel at an edge gets the
// nearest ink on the ramps between the flat colors around it, so that no edge shows the color of something else.
func (k *Palette) Trace(m *image.RGBA) []uint8 {
	const most = 1 << 14 // cached colors
	found, _ := k.found.Get().(*known)
	if found == nil || found.size > most {
		found = &known{flat: map[uint32]uint8{}, edges: map[flatSet]map[uint32]uint8{}}
	}
	defer k.found.Put(found)
	wide, high := m.Rect.Dx(), m.Rect.Dy()
	flat, edges := slices.Grow(found.inks[:0], wide*high)[:wide*high], found.at[:0]
	var last uint32 // the previous pixel's color, which most pixels share
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
					found.size++
				}
				last = bits
			}
			if lastInk == Transparent {
				edges = append(edges, y*wide+x)
			}
			flat[y*wide+x] = lastInk
		}
	}
	found.inks, found.at = flat, edges
	inks := slices.Clone(flat)
	var seen flatSet // around the previous edge pixel, which most share; never empty
	var between map[uint32]uint8
	for _, i := range edges {
		x, y := i%wide, i/wide
		if set := around(flat, wide, x, y); set != seen {
			seen, between = set, found.edges[set]
			if between == nil {
				between = map[uint32]uint8{}
				found.edges[set] = between
			}
		}
		pixel := m.Pix[y*m.Stride+4*x:][:4]
		bits := binary.LittleEndian.Uint32(pixel)
		ink, ok := between[bits]
		if !ok {
			ink = k.between(color.RGBA{pixel[0], pixel[1], pixel[2], pixel[3]}, seen)
			between[bits] = ink
			found.size++
		}
		inks[i] = ink
	}
	return inks
}

// Flat is the flat ink of c, up to rounding; Transparent if there is none.
func (k *Palette) Flat(c color.RGBA) uint8 {
	const rounded = 48
	for i := Transparent + 1; i <= k.flats; i++ {
		if k.apart(c, uint8(i)) <= rounded {
			return uint8(i)
		}
	}
	return Transparent
}

// reach is the distance in pixels at which flat colors count as around.
const reach = 2

// around is the set of inks near a pixel of a picture of that width; Transparent is for pixels that are not flat.
func around(flat []uint8, wide, x, y int) (set flatSet) {
	for row := max(0, y-reach); row <= min(len(flat)/wide-1, y+reach); row++ {
		for _, ink := range flat[row*wide+max(0, x-reach) : row*wide+min(wide, x+reach+1)] {
			set |= 1 << (ink & 63)
		}
	}
	return set
}

// between is the ink nearest to c on the ramps between flat inks around it. If none is close, as among lines too thin
// to be seen in full, it is one on a ramp that begins there, or any.
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

// onRamps is the nearest ink on the chosen ramps, and its squared distance.
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
