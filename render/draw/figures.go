package draw

import (
	_ "embed"
	"strings"
)

// finish is how a shape of a figure is painted.
type finish uint8

const (
	body   finish = iota // filled, with an outline
	crease               // a line of detail
	spot                 // a filled detail
	emblem               // filled like a detail, with an outline: what stands beside a piece
	word                 // a text in the middle of the box
)

type shape struct {
	finish finish
	path   Path
}

// figure is how one simple piece is drawn, alone and as a part of a compound; figures.txt says what its
// fields are. The shapes of each form are in the order in which they are painted.
type figure struct {
	head, crest, tower, badge []shape
	collar                    float64
	perch                     Point
	bearing                   int
	lines                     lines // 0 for figures without levels
}

// lines are directions in which pieces go.
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

// highest is the level of a line that strikes all that is on it. One that leaps is a level below, and others have none.
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
