package render

import (
	"image/color"

	"chimera/rules"
)

// livery is the colors of one side's men.
type livery struct {
	fill   color.NRGBA
	edge   color.NRGBA // the outline
	detail color.NRGBA // lines and spots on the fill
	halo   color.NRGBA // around the outline, so that dark men stand off dark squares and each other
}

// liveries are by side. They differ strongly in lightness.
//
//nolint:gochecknoglobals // never written
var liveries = [2]livery{
	rules.White: {
		fill:   color.NRGBA{0xfb, 0xfa, 0xf7, 0xff},
		edge:   color.NRGBA{0x2e, 0x2d, 0x2b, 0xff},
		detail: color.NRGBA{0x2e, 0x2d, 0x2b, 0xff},
	},
	rules.Black: {
		fill:   color.NRGBA{0x45, 0x45, 0x4a, 0xff},
		edge:   color.NRGBA{0x16, 0x16, 0x18, 0xff},
		detail: color.NRGBA{0xf0, 0xee, 0xe8, 0xff},
		halo:   color.NRGBA{0xf0, 0xee, 0xe8, 0xb0},
	},
}

// The colors of the board and of what is marked on it.
//
//nolint:gochecknoglobals // never written
var (
	ground      = color.NRGBA{0x33, 0x30, 0x2e, 0xff} // where there is no board
	rimColor    = color.NRGBA{0x6e, 0x55, 0x41, 0xff}
	lightSquare = color.NRGBA{0xed, 0xe0, 0xc8, 0xff}
	darkSquare  = color.NRGBA{0xb0, 0x8d, 0x6c, 0xff}
	coordinates = color.NRGBA{0x4a, 0x38, 0x28, 0xc0}
	leftTint    = color.NRGBA{0xe8, 0xc9, 0x2e, 0x78}
	reachedTint = color.NRGBA{0xe8, 0xc9, 0x2e, 0xb4}
	checkTint   = color.NRGBA{0xd8, 0x2c, 0x20, 0x90}
	checkRing   = color.NRGBA{0xc8, 0x20, 0x18, 0xff}
	killTrace   = color.NRGBA{0xb8, 0x1f, 0x18, 0xe0}
	joinTrace   = color.NRGBA{0x0b, 0x7a, 0x75, 0xd0}
	blastFill   = color.NRGBA{0xf2, 0x9b, 0x2c, 0xf0}
	frost       = color.NRGBA{0x1f, 0x6f, 0xb4, 0xff}
	frostTint   = color.NRGBA{0xb9, 0xdc, 0xf2, 0xb0}
	flakePlate  = color.NRGBA{0xee, 0xf7, 0xfd, 0xff}
	partTrace   = color.NRGBA{0x6b, 0x3f, 0xa0, 0xd0}
)

// zoneLines are the lines across White's and Black's zones of influence.
//
//nolint:gochecknoglobals // never written
var zoneLines = [2]color.NRGBA{
	rules.White: {0x0b, 0x7a, 0x8c, 0xb0},
	rules.Black: {0x8a, 0x1f, 0x6a, 0xa0},
}
