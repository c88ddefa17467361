package draw

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

// figure is how one simple piece is drawn, alone and as a part of a compound. The
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
	perch Point
	// tower is the figure as the lower part of a compound, in place of the
	// foot; nil for figures that do not lend themselves to it. Heads rise from
	// behind its line y = parapet.
	tower []shape
	// bearing orders the parts of a compound: the lowest is the head, the
	// higher ones are worn by it.
	bearing int
	// lines are those that have levels, marked beside a piece; 0 for figures
	// that have none.
	lines lines
	// badge is the figure beside two others, in a corner of the square; nil if
	// that is its crest.
	badge []shape
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

// The common shapes: the foot of a figure without a tower, and what letters stand on.
// Then what marks the levels of lines, from the first, which is not marked: a flying wing
// for a line that leaps, and a bomb for one that strikes all that is on it.
//
//nolint:gochecknoglobals // never written
var (
	foot   = []shape{{body, symmetric(leftFoot)}}
	disc   = []shape{{body, outline("O 50 50 38")}}
	levels = [...][]shape{
		nil,
		{{emblem, symmetric("M 50 38 L 39.5 55 L 42 62 L 50 52")}},
		{
			{emblem, outline("M 50 47 L 56 40.5 L 61 45 L 55 52 Z")},
			{emblem, outline("O 48 54 8.4")},
		},
	}
)

const (
	leftFoot = "M 50 81 L 28 81 C 24 81 21 84 21 88 C 21 91 22 92 25 92 L 50 92"
	horse    = "M 27 82 C 27 71 37 66 42.5 58.5 C 46 53.5 47.5 49 46 43 C 42 48.5 37 50.5 32 52 C 28.5 53 28 56 25.5 59 C 22.5 62 18.5 61.5 16.5 58.5 C 11.5 58.5 9.5 54.5 10.5 50.5 C 11 47 14 44.5 16 41 C 19 36 20 31 24 25.5 C 25 23.5 26 22 27.5 20.5 L 28 8.5 C 32 10 35 13 36.5 16 L 40.5 7 C 44.5 9.5 47 12.5 48.5 16 C 56 12 63 16 63.5 23 C 71 24 75 31 72.5 38 C 79 42 80 50 75.5 56 C 80 62 80.5 73 78 82 Z"
)

// figures are the simple pieces by the name of their glyph.
//
//nolint:gochecknoglobals // never written
var figures = map[string]figure{
	"king": {
		head: []shape{
			{body, symmetric("M 50 4 L 45.6 4 L 45.6 10 L 39 10 L 39 18.6 L 45.6 18.6 L 45.6 28 L 50 28")},
			{body, symmetric("M 50 40 C 45 31 36 27 27 28 C 15 30 10 42 17 51 C 22 57 28.5 60 29 68 L 50 68")},
			{body, symmetric("M 50 25 C 45 25 42 28 42 33 C 42 39 46 46 50 53")},
			{crease, outline("M 42.4 35 C 43 40 46.5 46.5 50 52 C 53.5 46.5 57 40 57.6 35")},
			{crease, outline("M 28.5 61.5 C 40 58.5 60 58.5 71.5 61.5")},
			{body, symmetric("M 50 75 L 36 75 C 35 78 32 80 30 82 L 50 82")},
			{body, symmetric("M 50 67 L 31 67 C 26 67 26 75 31 75 L 50 75")},
		},
		crest: []shape{
			{body, symmetric("M 50 25 L 42 25 L 42 38 L 28 38 L 28 55 L 42 55 L 42 74 L 50 74")},
			{body, symmetric("M 50 70 L 26 70 C 14 70 14 98 26 98 L 50 98")},
		},
		collar:  67,
		perch:   Point{X: 50, Y: 26},
		bearing: 12,
	},
	"queen": {
		head: []shape{
			{body, symmetric("M 50 19 L 43.5 43 L 33.5 23 L 31.5 47 L 18.5 31 L 28.5 68 L 50 68")},
			{body, outline("O 18 28.5 5")},
			{body, outline("O 82 28.5 5")},
			{body, outline("O 33 18.5 5")},
			{body, outline("O 67 18.5 5")},
			{body, outline("O 50 14 5.4")},
			{crease, outline("M 30 60.5 C 40 57.5 60 57.5 70 60.5")},
			{body, symmetric("M 50 75 L 36 75 C 35 78 32 80 30 82 L 50 82")},
			{body, symmetric("M 50 67 L 31 67 C 26 67 26 75 31 75 L 50 75")},
		},
		crest: []shape{
			{body, symmetric("M 50 42 L 35 70 L 2 47 L 17 98 L 50 98")},
			{body, outline("O 1 44 9")},
			{body, outline("O 99 44 9")},
			{body, outline("O 50 38 10")},
		},
		collar:  67,
		perch:   Point{X: 50, Y: 40},
		bearing: 11,
		lines:   straight | slanting,
	},
	"rook": {
		head: []shape{
			{body, symmetric("M 50 72 L 29 72 C 29 77 27 80 25 82 L 50 82")},
			{body, symmetric("M 50 36 L 34 36 L 31 73 L 50 73")},
			{body, symmetric("M 50 21 L 43 21 L 43 14 L 24 14 L 24 31 L 32 39 L 50 39")},
			{crease, outline("M 34 39 L 66 39")},
			{crease, outline("M 31 72.5 L 69 72.5")},
		},
		crest: []shape{
			{body, symmetric("M 50 62 L 40 62 L 40 48 L 14 48 L 14 98 L 50 98")},
		},
		collar: 66,
		perch:  Point{X: 50, Y: 20},
		tower: []shape{
			{body, symmetric(leftFoot)},
			{body, symmetric("M 50 72 L 29 72 L 27 82 L 50 82")},
			{body, symmetric("M 50 62 L 42 62 L 42 55 L 34 55 L 34 62 L 26 62 L 26 55 L 18 55 L 18 69 L 25 75 L 50 75")},
		},
		bearing: 2,
		lines:   straight,
	},
	"bishop": {
		head: []shape{
			{body, outline("O 50 13 5.5")},
			{body, symmetric("M 50 18 C 40 25 30 36 30 48 C 30 57 35 62 41 66 L 50 66")},
			{crease, outline("M 37 32 L 47 45")},
			{body, symmetric("M 50 72 L 40 72 C 39 76 34 80 29 82 L 50 82")},
			{body, symmetric("M 50 65 L 35 65 C 30 65 30 73 35 73 L 50 73")},
		},
		crest: []shape{
			{body, outline("O 50 33 8")},
			{body, symmetric("M 50 40 C 33 48 17 62 17 78 C 17 87 22 93 26 98 L 50 98")},
			{crease, outline("M 29 60 L 43 78")},
		},
		collar:  66,
		perch:   Point{X: 50, Y: 24},
		bearing: 7,
		lines:   slanting,
	},
	"knight": {
		head: []shape{
			{body, outline(horse)},
			{crease, outline("M 53 26 C 60 34 63 44 62 54 C 61.5 60 62.5 66 64 71")},
			{spot, outline("O 33 29 3.2")},
			{spot, outline("O 17.5 50.5 2")},
		},
		crest: []shape{
			{body, outline(horse).within(frame{0, 16, 1, 1})},
			{spot, outline("O 33 45 4")},
		},
		collar:  70,
		perch:   Point{X: 50, Y: 15},
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
		perch:   Point{X: 50, Y: 24},
		bearing: 3,
	},
	"captain": {
		head: []shape{
			{body, symmetric("M 50 54 L 43 54 C 42 66 36 74 29 82 L 50 82")},
			{body, outline("O 50 38 13")},
			{body, symmetric("M 50 52 L 33 52 C 28 52 28 60 33 60 L 50 60")},
			{body, symmetric("M 50 10 C 38 10 26 13 22 19 C 21 23 26 26 32 28 L 32 36 C 38 34 44 33.5 50 33.5")},
			{crease, symmetric("M 50 27 C 44 27 38 27.5 33 28.5")},
			{spot, outline("O 50 18.5 3.4")},
		},
		crest: []shape{
			{body, symmetric("M 50 44 C 30 44 9 50 3 62 C 2 69 10 73 18 76 L 18 98 C 28 95 40 94 50 94")},
			{spot, outline("O 50 62 6")},
		},
		collar:  61,
		perch:   Point{X: 50, Y: 14},
		bearing: 4,
	},
	"isolator": {
		head: []shape{
			{body, symmetric("M 50 72 L 40 72 C 39 76 34 80 29 82 L 50 82")},
			{body, symmetric("M 50 9 C 42 15 30 17 19 15 L 19 34 C 19 52 32 64 50 71")},
			{crease, outline("O 50 37 12")},
		},
		crest: []shape{
			{body, symmetric("M 50 30 C 40 36 27 38 12 36 L 12 58 C 12 78 28 90 50 98")},
			{crease, outline("O 50 60 13")},
		},
		collar:  66,
		perch:   Point{X: 50, Y: 14},
		bearing: 5,
	},
	"amplifier": {
		head: []shape{
			{body, symmetric("M 50 58 L 45 58 C 44 68 36 76 29 82 L 50 82")},
			{body, symmetric("M 50 5 L 44 21.5 L 28.5 14.5 L 35.5 30 L 17 36 L 35.5 42 L 28.5 57.5 L 44 50.5 L 50 67")},
			{spot, outline("O 50 36 5")},
		},
		crest: []shape{
			{body, symmetric("M 50 24 L 42 43 L 24 35 L 32 53 L 10 61 L 32 69 L 24 87 L 42 79 L 50 98")},
		},
		collar:  66,
		perch:   Point{X: 50, Y: 16},
		bearing: 6,
	},
	"wazir": {
		head: []shape{
			{body, symmetric("M 50 58 L 43 58 C 42 68 36 76 29 82 L 50 82")},
			{body, symmetric("M 50 9 L 40 9 L 40 24 L 25 24 L 25 44 L 40 44 L 40 60 L 50 60")},
			{body, symmetric("M 50 60 L 36 60 C 31 60 31 68 36 68 L 50 68")},
		},
		crest: []shape{
			{body, symmetric("M 50 26 L 36 26 L 36 48 L 14 48 L 14 76 L 36 76 L 36 98 L 50 98")},
		},
		collar:  66,
		perch:   Point{X: 50, Y: 16},
		bearing: 8,
	},
	"ferz": {
		head: []shape{
			{body, symmetric("M 50 58 L 43 58 C 42 68 36 76 29 82 L 50 82")},
			{body, symmetric("M 50 8 L 22 36 L 50 64")},
			{crease, outline("M 50 24 L 62 36 L 50 48 L 38 36 Z")},
			{body, symmetric("M 50 61 L 36 61 C 31 61 31 69 36 69 L 50 69")},
		},
		crest: []shape{
			{body, symmetric("M 50 30 L 16 64 L 50 98")},
			{crease, outline("M 50 50 L 64 64 L 50 78 L 36 64 Z")},
		},
		collar:  66,
		perch:   Point{X: 50, Y: 14},
		bearing: 9,
	},
	"prince": {
		head: []shape{
			{body, symmetric("M 50 64 L 42 64 C 41 72 36 78 30 82 L 50 82")},
			{body, outline("M 45 60 C 42 48 36 33 25 31 C 14 30 8 39 11 48 C 13 55 21 57 24 52 C 26 48 24 45 22 44 C 30 44 35 52 37 60 Z")},
			{body, outline("M 55 60 C 58 48 64 33 75 31 C 86 30 92 39 89 48 C 87 55 79 57 76 52 C 74 48 76 45 78 44 C 70 44 65 52 63 60 Z")},
			{body, symmetric("M 50 6 C 43 16 36 25 36 36 C 36 45 42 52 44 60 L 50 60")},
			{body, symmetric("M 50 58 L 35 58 C 30 58 30 67 35 67 L 50 67")},
		},
		crest: []shape{
			{body, symmetric("M 50 26 C 39 37 33 46 35 58 C 29 48 17 44 7 52 C -1 60 2 77 14 79 C 21 80 26 76 25 70 C 30 72 33 77 34 83 L 24 83 L 24 98 L 50 98")},
		},
		collar:  67,
		perch:   Point{X: 50, Y: 16},
		bearing: 10,
		badge: []shape{
			{body, symmetric("M 50 4 C 39 18 34 34 40 54 C 33 36 18 32 7 42 C -4 54 6 74 26 70 L 29 98 L 50 98")},
		},
	},
	"pegasus": {
		head: []shape{
			{body, outline(horse).within(frame{1.5, 0, .88, 1})},
			{spot, outline("O 30.5 29 3.2")},
			{spot, outline("O 17 50.5 2")},
			{body, outline("M 45 76 C 44 52 60 24 96 10 C 96 20 92 27 85 31 L 94 34 C 92 43 87 48 79 50 L 88 55 C 85 63 79 67 71 68 L 78 72 C 72 79 58 81 45 76 Z")},
			{crease, outline("M 57 66 C 60 56 66 47 74 41")},
		},
		crest: []shape{
			{body, outline(horse).within(frame{0, 16, .82, 1})},
			{body, outline("M 40 92 C 40 66 58 38 96 26 C 96 38 92 46 84 50 L 94 54 C 92 66 84 72 76 72 L 84 78 C 78 92 58 98 40 92 Z")},
		},
		collar:  70,
		perch:   Point{X: 42, Y: 15},
		bearing: 1,
		badge: []shape{
			{body, outline("M 12 98 C 2 62 34 22 98 4 C 98 24 92 36 80 42 L 94 48 C 90 64 80 72 66 74 L 76 82 C 64 96 36 104 12 98 Z")},
		},
	},
	"infantry": {
		head: []shape{
			{body, symmetric("M 50 57 L 43 57 C 42 67 36 74 28 82 L 50 82")},
			{body, outline("O 50 41 13")},
			{body, symmetric("M 50 55 L 36 55 C 31 55 31 62 36 62 L 50 62")},
			{body, symmetric("M 50 14 C 39 14 32 22 31.5 33 C 27 34 24.5 36.5 24 41 C 32 38.5 41 38 50 38")},
			{crease, outline("M 32.5 30.8 C 38 29.1 44 28.5 50 28.5 C 56 28.5 62 29.1 67.5 30.8")},
		},
		crest: []shape{
			{body, symmetric("M 50 40 C 30 40 17 54 15 72 C 6 75 2 82 2 92 C 18 86 34 85 50 85")},
		},
		collar:  61,
		perch:   Point{X: 50, Y: 18},
		bearing: 13,
	},
	"armor": {
		head: []shape{
			{body, outline("M 36 35.5 L 6.5 28 L 8.5 20 L 38 26.5 Z")},
			{body, outline("M 32 44 C 32 31 36 19.5 44 19.5 L 60 19.5 C 67 19.5 71 31 73 44 Z")},
			{body, outline("M 14 58 L 24 43 L 80 43 C 85 43 88 48 88 58 Z")},
			{body, outline("M 22 56 L 78 56 C 95 56 95 81 78 81 L 22 81 C 5 81 5 56 22 56 Z")},
			{spot, outline("O 24 68.5 4.4")},
			{spot, outline("O 41.5 68.5 4.4")},
			{spot, outline("O 58.5 68.5 4.4")},
			{spot, outline("O 76 68.5 4.4")},
		},
		crest: []shape{
			{body, outline("M 30 62 L 4 54 L 4 44 L 34 50 Z")},
			{body, outline("M 26 98 C 26 66 36 40 50 40 L 66 40 C 80 40 92 66 94 98 Z")},
		},
		collar:  81,
		perch:   Point{X: 52, Y: 26},
		bearing: 14,
	},
	"light-gun": {
		head: []shape{
			{body, outline("M 54 58 L 92 73 C 96 75 94 82 89 81.5 L 50 76 Z")},
			{body, outline("O 82 49 5.5")},
			{body, outline("M 12 23 L 76 39.5 C 82 44 80 54 74 57 L 8 35 Z")},
			{body, outline("M 11 17.5 L 20.5 20.5 L 14 41 L 4.5 38 Z")},
			{body, outline("O 47 60 20.5")},
			{crease, outline("M 47 42 L 47 78 M 31.5 51 L 62.5 69 M 62.5 51 L 31.5 69")},
		},
		crest: []shape{
			{body, outline("M 96 62 L 92 76 L 2 52 L 6 38 Z")},
			{body, outline("O 54 76 20")},
		},
		collar:  80,
		perch:   Point{X: 46, Y: 44},
		bearing: 15,
	},
	"howitzer": {
		head: []shape{
			{body, outline("M 50 58 L 90 73 C 94 75 93 81.5 88 81.5 L 46 78 Z")},
			{body, outline("M 74 62 C 74 70 66 76 58 74 L 49 71 L 19 24 L 38 11 Z")},
			{body, outline("M 15 25.5 L 37 9.5 L 43 18 L 21 34 Z")},
			{crease, outline("M 33 44.5 L 50 32.5")},
			{body, outline("O 46 65 16")},
			{spot, outline("O 46 65 4.6")},
		},
		crest: []shape{
			{body, outline("M 80 92 L 54 98 L 22 44 L 46 32 Z")},
			{body, outline("O 60 80 17")},
		},
		collar:  80,
		perch:   Point{X: 52, Y: 30},
		bearing: 16,
	},
	"aviation": {
		head: []shape{
			{body, outline("M 40 66 C 42 50 32 36 5 20 C 4 30 7.5 36.5 13.5 40 L 7 42 C 9 50.5 14 54.5 20.5 56 L 15 59.5 C 20 66 29 68 40 66 Z")},
			{body, outline("M 60 66 C 58 50 68 36 95 20 C 96 30 92.5 36.5 86.5 40 L 93 42 C 91 50.5 86 54.5 79.5 56 L 85 59.5 C 80 66 71 68 60 66 Z")},
			{body, symmetric("M 50 18 L 45 39 L 33 24 L 35 67 L 50 67")},
			{body, outline("O 33 22 5")},
			{body, outline("O 67 22 5")},
			{body, outline("O 50 14 5.4")},
			{crease, outline("M 36 60.5 C 42 58.5 58 58.5 64 60.5")},
			{body, symmetric("M 50 75 L 36 75 C 35 78 32 80 30 82 L 50 82")},
			{body, symmetric("M 50 67 L 31 67 C 26 67 26 75 31 75 L 50 75")},
		},
		crest: []shape{
			{body, symmetric("M 50 70 C 38 50 20 44 2 44 C 4 70 20 90 50 98")},
		},
		collar:  67,
		perch:   Point{X: 50, Y: 30},
		bearing: 17,
	},
}
