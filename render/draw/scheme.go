package draw

import (
	"image/color"
	"sync"

	"chimera/render/diagram"
	"chimera/rules"
)

// Scheme is the colors of a theme: of the board, of the pieces, and of what is marked.
// Tints lie on squares; the rest are the lines and shapes of marks.
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
	Zones       [2]color.NRGBA // White's and Black's zones of influence, and badges of what is lent
	ZoneTints   [2]color.NRGBA // on their squares
	Sheet       color.NRGBA    // what charts are painted on
	Text        color.NRGBA    // on the sheet
	Lines       [2]color.NRGBA // on the sheet, told from each other
	Bars        [2]Panel       // about players, at rest and lit; of colors that meet elsewhere too, if that can be
	Banner      Panel          // on which a result is written
}

// Panel is the colors of a part of a picture that is written on.
type Panel struct{ Ground, Text color.NRGBA }

// SchemeOf is the colors of a theme. They are never changed.
func SchemeOf(t diagram.Theme) *Scheme { return &schemes()[t] }

// schemes are by theme.
//
//nolint:gochecknoglobals // written once, under its own guard
var schemes = sync.OnceValue(func() *[4]Scheme {
	var all [4]Scheme
	for _, t := range diagram.Themes() {
		all[t] = newScheme(t)
	}
	return &all
})

// newScheme is the colors of a theme, each picked from those of wood, night, contrast and print.
func newScheme(t diagram.Theme) Scheme {
	pick := func(rgba ...uint32) color.NRGBA {
		c := rgba[t]
		return color.NRGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}
	}
	return Scheme{
		Ground:      pick(0x33302eff, 0x14161aff, 0x000000ff, 0xffffffff),
		Outside:     pick(0xd9cdb8ff, 0xc4ccd9ff, 0xffffffff, 0x303030ff),
		Rim:         pick(0x6e5541ff, 0x39424fff, 0x1d4f86ff, 0x4a4a4aff),
		Light:       pick(0xede0c8ff, 0x8b98adff, 0xffffffff, 0xffffffff),
		Dark:        pick(0xb08d6cff, 0x616e85ff, 0x8db4dcff, 0xcfcfcfff),
		Coordinates: pick(0x40301fff, 0x10141bff, 0x000000ff, 0x303030ff),
		Pieces: [2]Livery{
			rules.White: {
				Fill:   pick(0xfbfaf7ff, 0xf4f4efff, 0xffffffff, 0xffffffff),
				Edge:   pick(0x2e2d2bff, 0x14171cff, 0x000000ff, 0x000000ff),
				Detail: pick(0x2e2d2bff, 0x14171cff, 0x000000ff, 0x000000ff),
			},
			rules.Black: {
				Fill:   pick(0x26262aff, 0x1b1d22ff, 0x1c1c1cff, 0x3c3c3cff),
				Edge:   pick(0x0e0e10ff, 0x07080aff, 0x000000ff, 0x000000ff),
				Detail: pick(0xf0eee8ff, 0xe3e8efff, 0xffffffff, 0xffffffff),
				Halo:   pick(0xf0eee8b0, 0xd5dbe4b0, 0xffffffff, 0xffffffff),
			},
		},
		LeftTint:    pick(0xe8c92e78, 0xd8c56e68, 0xffd21fb0, 0x00000014),
		ReachedTint: pick(0xe8c92eb4, 0xd8c56eb0, 0xffd21fff, 0x0000002c),
		Trail:       pick(0x5a4400ff, 0x292000ff, 0x000000ff, 0x101010ff),
		CheckTint:   pick(0xf0735fa0, 0xf08573a0, 0xff8f7ae0, 0x00000030),
		Check:       pick(0x74070aff, 0x430004ff, 0x8a0000ff, 0x000000ff),
		Kill:        pick(0x7d0a08ff, 0x430004ff, 0x8a0000ff, 0x202020ff),
		Casing:      pick(0xfff3dcff, 0xe9eef6ff, 0xffffffff, 0xffffffff),
		Blast:       pick(0xf6a53aff, 0xf0a040ff, 0xffb030ff, 0xffffffff),
		Join:        pick(0x054340ff, 0x00272aff, 0x004a44ff, 0x202020ff),
		Part:        pick(0x54298aff, 0x280856ff, 0x4b0d8fff, 0x202020ff),
		FrostTint:   pick(0xb9dcf2c0, 0xbfe2f7b0, 0xc8f0fff0, 0xffffff80),
		Frost:       pick(0x0a3a72ff, 0x041c50ff, 0x003a8cff, 0x383838ff),
		Plate:       pick(0xfbfaf7ff, 0xf4f4efff, 0xffffffff, 0xffffffff),
		ChosenTint:  pick(0x7fc08aa0, 0x86cf96a0, 0x8fe09ce0, 0x00000020),
		Target:      pick(0x0b4a1eff, 0x00270fff, 0x004d16ff, 0x202020ff),
		Zones: [2]color.NRGBA{
			pick(0x083f50ff, 0x002533ff, 0x003f5cff, 0x484848ff),
			pick(0x74205aff, 0x410036ff, 0x7a004fff, 0x484848ff),
		},
		ZoneTints: [2]color.NRGBA{
			pick(0x18a3bd48, 0x35d3ee48, 0x28c8e048, 0x0000001c),
			pick(0xe867a848, 0xff7cc448, 0xff66b348, 0x00000038),
		},
		Sheet: pick(0xf7f0e4ff, 0x1c2027ff, 0xffffffff, 0xffffffff),
		Text:  pick(0x40301fff, 0xc4ccd9ff, 0x000000ff, 0x303030ff),
		Lines: [2]color.NRGBA{
			pick(0x054340ff, 0x5fe0cfff, 0x004a44ff, 0x202020ff),
			pick(0x54298aff, 0xd3b6ffff, 0x4b0d8fff, 0x202020ff),
		},
		Bars: [2]Panel{
			{Ground: pick(0x26262aff, 0x14171cff, 0x1c1c1cff, 0xcfcfcfff), Text: pick(0xf0eee8ff, 0xf4f4efff, 0xffffffff, 0x000000ff)},
			{Ground: pick(0x587b38ff, 0x48698cff, 0xffd21fff, 0x3c3c3cff), Text: pick(0xfbfaf7ff, 0xf4f4efff, 0x000000ff, 0xffffffff)},
		},
		Banner: Panel{Ground: pick(0xede0c8ff, 0xf4f4efff, 0xffffffff, 0xffffffff), Text: pick(0x2e2d2bff, 0x14171cff, 0x000000ff, 0x000000ff)},
	}
}

// Side is the colors of a disc that stands for a side, and around it: pale around a dark one.
func (s *Scheme) Side(side rules.Color) (fill, edge color.NRGBA) {
	own := &s.Pieces[side]
	if own.Halo.A != 0 {
		return own.Fill, own.Detail
	}
	return own.Fill, own.Edge
}

// Over is what is seen of b through a.
func Over(a, b color.NRGBA) color.NRGBA {
	return Blend(b, a, float64(a.A)/0xff)
}

// Blend is so much of the way from a to b, both without regard to transparency.
func Blend(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + .5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}
