package draw

import (
	"cmp"
	_ "embed"
	"image/color"
	"math"
	"slices"
	"strings"

	"chimera/render/diagram"
	"chimera/rules"
)

// Livery is the colors of one side's pieces.
type Livery struct {
	Name string // of pieces in unusual colors, else ""

	Fill   color.NRGBA
	Edge   color.NRGBA // the outline
	Detail color.NRGBA // lines and spots on the fill
	Halo   color.NRGBA // around the outline, to set dark pieces off from dark squares and each other
}

// Piece draws a piece in a square with that upper left corner, each side's part of it in that side's colors, and lying
// on its side if fallen.
func (b *Brush) Piece(t rules.Table, p rules.Piece, fallen bool, x, y, side float64, colors *[2]Livery) {
	if p == (rules.Piece{}) {
		return
	}
	stamp := Stamp{strings.TrimSpace(name(t, p) + " " + colors[0].Name), *colors}
	if fallen {
		stamp.Name = "fallen " + stamp.Name
	}
	b.surface.Stamp(stamp, Square{b.At(x, y), side * b.Unit}, func(on Surface, at Square) {
		for _, s := range drawPiece(t, p) {
			s.paint(NewBrush(on), &colors[s.side], frame{at.X, at.Y, at.Side / box, at.Side / box}, fallen)
		}
	})
}

// name describes a piece's look: sides and figures, such as "White rook knight".
func name(t rules.Table, p rules.Piece) string {
	var words []string
	for _, side := range []rules.Color{rules.White, rules.Black} {
		r := p.Half(side)
		if r == rules.NoRole {
			continue
		}
		words = append(words, side.String())
		for _, part := range t.Simple(r) {
			words = append(words, cmp.Or(t[part].Glyph, t[part].Code))
		}
	}
	return strings.Join(words, " ")
}

// brush is a shape, or a text, placed in a piece's box, and the side whose colors it has.
type brush struct {
	shape
	text  string // of the finish word
	frame frame
	side  rules.Color
}

// drawPiece is the brushes of p in painting order. For a piece of both sides, that is the left half of White's and, on
// the right, that of Black's, mirrored: a knight of Black's looks the other way.
func drawPiece(t rules.Table, p rules.Piece) []brush {
	if p.Shared() {
		const seam = box/2 + edgeWidth/2 // of White's outline on Black's side of the middle, so that either fill has its half
		black := drawRole(t, p.Black, rules.Black, frame{box, 0, -1, 1})
		return slices.Concat(cutAll(black, seam), cutAll(drawRole(t, p.White, rules.White, frame{0, 0, 1, 1}), seam))
	}
	side := diagram.SideOf(p)
	return drawRole(t, p.Half(side), side, frame{0, 0, 1, 1})
}

// drawRole draws one side's piece as the figures of two of its parts, with a badge or levels if needed; without
// figures, as its letters.
func drawRole(t rules.Table, r rules.Role, side rules.Color, f frame) []brush {
	parts, badge := partsOf(t, r)
	marks := drawLevels(parts, side, f)
	switch {
	case parts == nil: // its code on a disc
		return append(lay(signs["disc"].head, f, side), brush{shape: shape{finish: word}, text: t[r].Code, frame: f, side: side})
	case marks == nil && badge == nil:
		return drawParts(parts, side, f)
	}
	smaller, ground := .9, 92.
	if marks != nil {
		smaller, ground = .8, 79
	}
	const foot, size, right, low = 92, .34, 94, 37.6 // the last three of a badge
	return slices.Concat(marks, drawParts(parts, side, f.within(scaled(smaller, foot, ground))),
		lay(badge, f.within(frame{right - box*size, low - box*size, size, size}), side))
}

// drawParts draws one or two figures as one: a tower or the foot, a head, and a crest.
func drawParts(parts []part, side rules.Color, f frame) []brush {
	if len(parts) == 1 {
		return append(lay(signs["foot"].head, f, side), lay(parts[0].head, f, side)...)
	}
	if i := slices.IndexFunc(parts, func(p part) bool { return p.tower != nil }); i >= 0 {
		const size = .86
		within := parts[1-i]
		head := f.within(scaled(size, within.collar, parapet))
		return append(lay(within.head, head, side), lay(parts[i].tower, f, side)...)
	}
	// The head wears the other's crest.
	const lower, crest, sunk = .76, .54, 4
	head, worn, smaller := parts[0], parts[1], f.within(scaled(lower, neck, neck))
	at := frame{head.perch.X - 50*crest, head.perch.Y + sunk - box*crest, crest, crest}
	return slices.Concat(lay(signs["foot"].head, f, side), lay(head.head, smaller, side), lay(worn.crest, smaller.within(at), side))
}

// part is one of the figures that a piece is drawn from.
type part struct {
	*figure
	level int // from 1
}

// partsOf are the one or two figures that a role is drawn from, by rising bearing, and the badge of a third part, nil
// for none. Parts with levels are drawn rather than others. It returns none if a figure is unknown, or a level has no
// mark, or there are too many to distinguish.
func partsOf(t rules.Table, r rules.Role) (parts []part, badge []shape) {
	roles := t.Simple(r)
	for i, role := range roles {
		if slices.Contains(roles[:i], role) {
			continue
		}
		f, known := figures[t[role].Glyph]
		if !known {
			f, known = portraits[t[role].Glyph]
		}
		level := 0
		for _, same := range roles {
			if same == role {
				level++
			}
		}
		if !known || level > 1 && f.lines == 0 || level > highest {
			return nil, nil
		}
		parts = append(parts, part{f, level})
	}
	const drawn, most = 2, 3
	if len(parts) == most {
		slices.SortFunc(parts, func(a, b part) int {
			return cmp.Or(cmp.Compare(min(b.lines, 1), min(a.lines, 1)), cmp.Compare(a.bearing, b.bearing))
		})
		badge = parts[drawn].badge
		if badge == nil {
			badge = parts[drawn].crest
		}
		parts = parts[:drawn]
	}
	if len(parts) > most {
		return nil, nil
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.bearing, b.bearing) })
	return parts, badge
}

// drawLevels draws the plinth of a piece whose parts have levels. It has a bar for each level above the first: upright
// ones on the left for lines along ranks and files, slanting ones on the right for diagonals. At the highest level a
// fuse burns on that side.
func drawLevels(parts []part, side rules.Color, f frame) (marks []brush) {
	const apart, middle = 15, 18 // of bars, and of those of a side from the middle of the plinth
	for _, p := range parts {
		for _, on := range []struct {
			lines lines
			bar   string
			turn  float64
		}{{straight, "upright", -1}, {slanting, "slant", 1}} {
			if p.level == 1 || p.lines&on.lines == 0 {
				continue
			}
			for bar := range p.level - 1 {
				aside := on.turn*middle + apart*(float64(bar)-float64(p.level-2)/2)
				marks = append(marks, lay(signs[on.bar].head, f.within(frame{aside, 0, 1, 1}), side)...)
			}
			if p.level == highest {
				marks = append(marks, lay(signs["fuse"].head, f.within(frame{box / 2 * (1 - on.turn), 0, on.turn, 1}), side)...)
			}
		}
	}
	if marks == nil {
		return nil
	}
	return append(lay(signs["plinth"].head, f, side), marks...)
}

// lay places shapes in a frame.
func lay(shapes []shape, f frame, side rules.Color) []brush {
	brushes := make([]brush, len(shapes))
	for i, s := range shapes {
		brushes[i] = brush{shape: s, frame: f, side: side}
	}
	return brushes
}

// The widths of lines, in units. They do not scale with the parts of a compound.
const (
	edgeWidth   = 3.8
	haloWidth   = 6.4
	detailWidth = 3.6
)

// paint paints the shape in a piece's frame. A fallen piece is turned a quarter clockwise.
func (s brush) paint(on *Brush, l *Livery, piece frame, fallen bool) {
	f := piece.within(s.frame)
	on.path, on.Unit = s.path.within(f), piece.sy
	turn := func(p Point) Point { return p }
	if fallen {
		middle := piece.at(Point{X: box / 2, Y: box / 2})
		turn = func(p Point) Point { return Point{middle.X - (p.Y - middle.Y), middle.Y + (p.X - middle.X)} }
	}
	for i, step := range on.path {
		on.path[i] = Segment{step.Op, turn(step.C1), turn(step.C2), turn(step.To)}
	}
	switch s.finish {
	case body:
		on.fillOutlined(l.Halo, l.Fill, l.Edge)
	case emblem:
		rim := l.Halo
		if rim.A == 0 {
			rim = l.Fill // around what is dark
		}
		on.fillOutlined(rim, l.Detail, l.Edge)
	case crease:
		on.Stroke(l.Detail, detailWidth)
	case spot:
		on.Fill(l.Detail)
	case word:
		size := 60 * min(f.sy, math.Abs(f.sx)) / max(1.4, .8*float64(len(s.text)))
		at := turn(f.at(Point{X: 50, Y: 50})) // letters stay upright
		on.surface.Write(Text{Words: s.text, At: Point{at.X, at.Y + .35*size}, Size: size, Bold: true, Middle: true}, l.Detail)
	}
}

// fillOutlined fills the path, with an outline and a rim around it.
func (b *Brush) fillOutlined(rim, inside, edge color.NRGBA) {
	if rim.A != 0 {
		b.Follow(rim, Line{Width: haloWidth})
	}
	b.FillPreserve(inside)
	b.Stroke(edge, edgeWidth)
}

// cutAll is the part of brushes on one side of the line x = seam: the left, or for mirrored ones the right. Letters
// move there.
func cutAll(brushes []brush, seam float64) []brush {
	var kept []brush
	for _, b := range brushes {
		if b.finish == word {
			const smaller = .6
			b.frame = b.frame.within(frame{box/3 - smaller*box/2, (1 - smaller) * box / 2, smaller, smaller})
			kept = append(kept, b)
			continue
		}
		b.path = b.path.cut((seam - b.frame.x) / b.frame.sx)
		if b.path != nil {
			kept = append(kept, b)
		}
	}
	return kept
}

// cut is the part of p to the left of the line x = seam, nil for none. Closed outlines are closed along the line.
func (p Path) cut(seam float64) Path {
	var q Path
	var start, at Point
	drawn := false // up to here
	for _, s := range p {
		switch s.Op {
		case Move:
			start, at, drawn = s.To, s.To, false
			continue
		case Close:
			s = Segment{Op: Go, To: start}
		case Go, Curve:
		}
		for _, piece := range partedAt(s, at, seam) {
			inside := along(piece, at, .5).X < seam
			switch {
			case !inside:
			case q == nil, !drawn && !p.closed():
				q = append(q, Segment{Op: Move, To: at}, piece)
			case !drawn:
				q = append(q, Segment{Op: Go, To: at}, piece)
			default:
				q = append(q, piece)
			}
			at, drawn = piece.To, inside
		}
	}
	if q != nil && p.closed() {
		q = append(q, Segment{Op: Close})
	}
	return q
}

// partedAt splits a segment that starts at a into pieces, each on one side of the line x = seam.
func partedAt(s Segment, a Point, seam float64) []Segment {
	const steps = 16 // finer than our curves turn
	var pieces []Segment
	side := func(u float64) bool { return along(s, a, u).X < seam }
	from, rest, done := a, s, 0.
	for i := range steps {
		low, high := float64(i)/steps, float64(i+1)/steps
		if side(low) == side(high) {
			continue
		}
		for range 20 {
			if mid := (low + high) / 2; side(mid) == side(low) {
				low = mid
			} else {
				high = mid
			}
		}
		var piece Segment
		piece, rest = rest.Split(from, (low-done)/(1-done))
		pieces, from, done = append(pieces, piece), piece.To, low
	}
	return append(pieces, rest)
}

// along is the point of a segment from a at the parameter u, from 0 to 1.
func along(s Segment, a Point, u float64) Point {
	first, _ := s.Split(a, u)
	return first.To
}

// finish is how a shape of a figure is painted.
type finish uint8

const (
	body   finish = iota // filled, with an outline
	crease               // a line of detail
	spot                 // a filled detail
	emblem               // filled like a detail, with an outline: signs beside a piece
	word                 // a text in the middle of the box
)

type shape struct {
	finish finish
	path   Path
}

// figure is how one simple piece is drawn, alone and as a part of a compound; figures.txt explains its fields. The
// shapes of each form are in the order in which they are painted.
type figure struct {
	head, crest, tower, badge []shape
	collar                    float64
	perch                     Point
	bearing                   int
	lines                     lines // 0 for figures without levels
}

// lines are directions of movement.
type lines uint8

const (
	straight lines = 1 << iota // along ranks and files
	slanting
)

const (
	neck    = 82
	parapet = 63
)

//go:embed figures.txt
var figuresFile string

// figures are those of simple pieces by the name of their glyph. signs are the foot of a figure without a tower, the disc
// that letters stand on, and what marks the levels of lines: a plinth, its bars, and a fuse.
//
//nolint:gochecknoglobals // never written
var figures, signs, portraits = readFigures(figuresFile)

// highest is the level of a line that captures everything on it. The level below may leap; others have no mark.
const highest = 3

func readFigures(file string) (figures, signs, portraits map[string]*figure) {
	figures, signs, portraits = map[string]*figure{}, map[string]*figure{}, map[string]*figure{}
	var f *figure
	for line := range strings.Lines(file) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "", "#":
		case "figure", "sign", "portrait":
			f = &figure{}
			map[string]map[string]*figure{"figure": figures, "sign": signs, "portrait": portraits}[word][rest] = f
		case "bearing":
			f.bearing = int(numbers(rest)[0])
		case "collar":
			f.collar = numbers(rest)[0]
		case "perch":
			at := numbers(rest)
			f.perch = Point{X: at[0], Y: at[1]}
		case "lines":
			for name := range strings.FieldsSeq(rest) {
				f.lines |= map[string]lines{"straight": straight, "slanting": slanting}[name]
			}
		default:
			form := map[string]*[]shape{"head": &f.head, "crest": &f.crest, "tower": &f.tower, "badge": &f.badge}[word]
			words := strings.SplitN(rest, " ", 3)
			s := shape{finish: map[string]finish{"body": body, "crease": crease, "spot": spot, "emblem": emblem}[words[0]]}
			if s.path = outline(words[2]); words[1] == "half" {
				s.path = s.path.symmetric()
			}
			*form = append(*form, s)
		}
	}
	return figures, signs, portraits
}
