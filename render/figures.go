package render

// ink is how a shape of a figure is painted.
type ink uint8

const (
	body   ink = iota // filled, with an outline
	crease            // a line of detail
	spot              // a filled detail
	word              // a text in the middle of the box
)

type shape struct {
	ink  ink
	path path
}

// figure is how one simple man is drawn, alone and as a part of a compound. The
// shapes of each form are in the order in which they are painted.
type figure struct {
	// head is the whole figure but for the foot it stands on. It ends at the
	// line y = neck.
	head []shape
	// crest is the figure as something worn by another, 100 units wide at most
	// and standing on the bottom of the box.
	crest []shape
	// collar is the line down to which the head is seen behind a parapet.
	collar float64
	// perch is where a crest is worn by the head: its middle, and the line on
	// which it sits.
	perch point
	// tower is the figure as the lower part of a compound, in place of the
	// foot; nil for figures that do not lend themselves to it. Heads rise from
	// behind its line y = parapet.
	tower []shape
	// bearing orders the parts of a compound: the lowest is the head, the
	// higher ones are worn by it.
	bearing int
}

const (
	neck    = 82
	parapet = 63
)

// The common shapes: the foot of a figure without a tower, its left half, and
// what letters stand on.
//
//nolint:gochecknoglobals // never written
var (
	foot     = []shape{{body, symmetric(leftFoot)}}
	halfFoot = []shape{{body, outline(leftFoot + " Z")}}
	disc     = []shape{{body, outline("O 50 50 38")}}
)

const leftFoot = "M 50 81 L 28 81 C 24 81 21 84 21 88 C 21 91 22 92 25 92 L 50 92"

// figures are the simple men by the name of their glyph.
//
//nolint:gochecknoglobals // never written
var figures = map[string]figure{
	"king": {
		head: []shape{
			{body, symmetric("M 50 7 L 45.5 7 L 45.5 13 L 39.5 13 L 39.5 21.5 L 45.5 21.5 L 45.5 40 L 50 40")},
			{body, symmetric("M 50 40 C 47 31 38 25 29 27 C 17 29 13 41 20 49 C 25 55 31 58 31 67 L 50 67")},
			{crease, outline("M 50 42 L 50 58")},
			{body, symmetric("M 50 74 L 36 74 C 35 77 32 80 30 82 L 50 82")},
			{body, symmetric("M 50 66 L 33 66 C 28 66 28 74 33 74 L 50 74")},
		},
		crest: []shape{
			{body, symmetric("M 50 25 L 42 25 L 42 38 L 28 38 L 28 55 L 42 55 L 42 74 L 50 74")},
			{body, symmetric("M 50 70 L 26 70 C 14 70 14 98 26 98 L 50 98")},
		},
		collar:  67,
		perch:   point{50, 26},
		bearing: 5,
	},
	"queen": {
		head: []shape{
			{body, symmetric("M 50 18 L 42 44 L 30 20 L 30 46 L 14 29 L 28 67 L 50 67")},
			{body, outline("O 14 26 5")},
			{body, outline("O 86 26 5")},
			{body, outline("O 30 17 5")},
			{body, outline("O 70 17 5")},
			{body, outline("O 50 13 5.5")},
			{crease, outline("M 29 60 C 40 57 60 57 71 60")},
			{body, symmetric("M 50 74 L 36 74 C 35 77 32 80 30 82 L 50 82")},
			{body, symmetric("M 50 66 L 31 66 C 26 66 26 74 31 74 L 50 74")},
		},
		crest: []shape{
			{body, symmetric("M 50 42 L 35 70 L 2 47 L 17 98 L 50 98")},
			{body, outline("O 1 44 9")},
			{body, outline("O 99 44 9")},
			{body, outline("O 50 38 10")},
		},
		collar:  67,
		perch:   point{50, 40},
		bearing: 4,
	},
	"rook": {
		head: []shape{
			{body, symmetric("M 50 72 L 29 72 C 29 77 27 80 25 82 L 50 82")},
			{body, symmetric("M 50 36 L 34 36 L 31 73 L 50 73")},
			{body, symmetric("M 50 21 L 43 21 L 43 14 L 24 14 L 24 31 L 32 39 L 50 39")},
		},
		crest: []shape{
			{body, symmetric("M 50 62 L 40 62 L 40 48 L 14 48 L 14 98 L 50 98")},
		},
		collar: 66,
		perch:  point{50, 20},
		tower: []shape{
			{body, symmetric(leftFoot)},
			{body, symmetric("M 50 72 L 29 72 L 27 82 L 50 82")},
			{body, symmetric("M 50 62 L 42 62 L 42 55 L 34 55 L 34 62 L 26 62 L 26 55 L 18 55 L 18 69 L 25 75 L 50 75")},
		},
		bearing: 1,
	},
	"bishop": {
		head: []shape{
			{body, outline("O 50 13 5.5")},
			{body, symmetric("M 50 18 C 40 25 30 36 30 48 C 30 57 35 62 41 66 L 50 66")},
			{crease, outline("M 63 32 L 53 45")},
			{body, symmetric("M 50 72 L 40 72 C 39 76 34 80 29 82 L 50 82")},
			{body, symmetric("M 50 65 L 35 65 C 30 65 30 73 35 73 L 50 73")},
		},
		crest: []shape{
			{body, outline("O 50 33 8")},
			{body, symmetric("M 50 40 C 33 48 17 62 17 78 C 17 87 22 93 26 98 L 50 98")},
			{crease, outline("M 71 60 L 57 78")},
		},
		collar:  66,
		perch:   point{50, 24},
		bearing: 3,
	},
	"knight": {
		head: []shape{
			{body, outline("M 28 82 C 28 70 37 62 43 55 C 46 51 46 48 45 45 C 40 50 34 50 29 55 C 26 58 21 60 17 57 C 12 53 13 48 17 43 C 21 37 23 32 26 27 C 29 21 34 17 39 16 L 42 7 C 47 9 50 13 51 16 C 70 19 80 40 79 82 Z")},
			{crease, outline("M 60 28 C 69 38 71 54 70 73")},
			{spot, outline("O 36 29 3.2")},
			{spot, outline("O 20.5 49 2")},
		},
		crest: []shape{
			{body, outline("M 28 98 C 28 86 37 78 43 71 C 46 67 46 64 45 61 C 40 66 34 66 29 71 C 26 74 21 76 17 73 C 12 69 13 64 17 59 C 21 53 23 48 26 43 C 29 37 34 33 39 32 L 42 23 C 47 25 50 29 51 32 C 70 35 80 56 79 98 Z")},
			{spot, outline("O 36 45 4")},
		},
		collar:  70,
		perch:   point{50, 15},
		bearing: 0,
	},
	"pawn": {
		head: []shape{
			{body, symmetric("M 50 48 L 43 48 C 43 62 36 72 29 82 L 50 82")},
			{body, outline("O 50 33 14")},
			{body, symmetric("M 50 46 L 37 46 C 32 46 32 53 37 53 L 50 53")},
		},
		crest: []shape{
			{body, outline("O 50 74 24")},
		},
		collar:  54,
		perch:   point{50, 24},
		bearing: 2,
	},
}
