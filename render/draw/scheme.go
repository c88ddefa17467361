package draw

import (
	"image/color"

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
	TargetRim   color.NRGBA    // around it, as the casing is around other marks
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
func SchemeOf(t diagram.Theme) *Scheme { return schemes(t) }

var schemes = diagram.ByTheme(newScheme) //nolint:gochecknoglobals // each is written once, under its own guard

// newScheme is the colors of a theme, each picked from those of wood, night, contrast and print.
func newScheme(t diagram.Theme) *Scheme {
	pick := func(rgba ...uint32) color.NRGBA {
		c := rgba[t]
		return color.NRGBA{uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)}
	}
	return &Scheme{
		Ground:      pick(0x33302eff, 0x191512ff, 0x000000ff, 0xffffffff),
		Outside:     pick(0xd9cdb8ff, 0xd6c8b4ff, 0xffffffff, 0x303030ff),
		Rim:         pick(0x6e5541ff, 0x43392fff, 0x1d4f86ff, 0x4a4a4aff),
		Light:       pick(0xede0c8ff, 0xb7a083ff, 0xffffffff, 0xffffffff),
		Dark:        pick(0xb08d6cff, 0x7e614aff, 0x8db4dcff, 0xcfcfcfff),
		Coordinates: pick(0x40301fff, 0x1a1109ff, 0x000000ff, 0x303030ff),
		Pieces: [2]Livery{
			rules.White: {
				Fill:   pick(0xfbfaf7ff, 0xfbfaf7ff, 0xffffffff, 0xffffffff),
				Edge:   pick(0x2e2d2bff, 0x0e0b08ff, 0x000000ff, 0x000000ff),
				Detail: pick(0x2e2d2bff, 0x0e0b08ff, 0x000000ff, 0x000000ff),
			},
			rules.Black: {
				Fill:   pick(0x26262aff, 0x26262aff, 0x1c1c1cff, 0x3c3c3cff),
				Edge:   pick(0x0e0e10ff, 0x0e0e10ff, 0x000000ff, 0x000000ff),
				Detail: pick(0xf0eee8ff, 0xf0eee8ff, 0xffffffff, 0xffffffff),
				Halo:   pick(0xf0eee8b0, 0xf0eee8b0, 0xffffffff, 0xffffffff),
			},
		},
		LeftTint:    pick(0xe8c92e78, 0xe8c92e50, 0xffd21fb0, 0x00000014),
		ReachedTint: pick(0xe8c92eb4, 0xe8c92eb4, 0xffd21fff, 0x0000002c),
		Trail:       pick(0x5a4400ff, 0x1a1400ff, 0x000000ff, 0x101010ff),
		CheckTint:   pick(0xf0735fa0, 0xf08573a0, 0xff8f7ae0, 0x00000030),
		Check:       pick(0x74070aff, 0x3a0003ff, 0x8a0000ff, 0x000000ff),
		Kill:        pick(0x7d0a08ff, 0x3a0003ff, 0x8a0000ff, 0x202020ff),
		Casing:      pick(0xfff3dcff, 0xfff3dcff, 0xffffffff, 0xffffffff),
		Blast:       pick(0xf6a53aff, 0xf0a040ff, 0xffb030ff, 0xffffffff),
		Join:        pick(0x054340ff, 0x00171aff, 0x004a44ff, 0x202020ff),
		Part:        pick(0x54298aff, 0x1a023cff, 0x4b0d8fff, 0x202020ff),
		FrostTint:   pick(0xb9dcf2c0, 0xbfe2f7b0, 0xc8f0fff0, 0xffffff80),
		Frost:       pick(0x0a3a72ff, 0x020f32ff, 0x003a8cff, 0x383838ff),
		Plate:       pick(0xfbfaf7ff, 0xf4f4efff, 0xffffffff, 0xffffffff),
		ChosenTint:  pick(0x7fc08aa0, 0x367a5ec8, 0x8fe09ce0, 0x00000020),
		Target:      pick(0x0b4a1eff, 0xa5ebd4ff, 0x004d16ff, 0x202020ff),
		TargetRim:   pick(0xfff3dcff, 0x14332aff, 0xffffffff, 0xffffffff),
		Zones: [2]color.NRGBA{
			pick(0x083f50ff, 0x001622ff, 0x003f5cff, 0x484848ff),
			pick(0x74205aff, 0x330030ff, 0x7a004fff, 0x484848ff),
		},
		ZoneTints: [2]color.NRGBA{
			pick(0x18a3bd48, 0x35d3ee6c, 0x28c8e048, 0x0000001c),
			pick(0xe867a848, 0xff7cc458, 0xff66b348, 0x00000038),
		},
		Sheet: pick(0xf7f0e4ff, 0x231e19ff, 0xffffffff, 0xffffffff),
		Text:  pick(0x40301fff, 0xf3eadcff, 0x000000ff, 0x303030ff),
		Lines: [2]color.NRGBA{
			pick(0x054340ff, 0xa5ebd4ff, 0x004a44ff, 0x202020ff),
			pick(0x54298aff, 0xdcc2f2ff, 0x4b0d8fff, 0x202020ff),
		},
		Bars: [2]Panel{
			{Ground: pick(0x26262aff, 0x191512ff, 0x1c1c1cff, 0xcfcfcfff), Text: pick(0xf0eee8ff, 0xf4f4efff, 0xffffffff, 0x000000ff)},
			{Ground: pick(0x587b38ff, 0x2c735bff, 0xffd21fff, 0x3c3c3cff), Text: pick(0xfbfaf7ff, 0xf4f4efff, 0x000000ff, 0xffffffff)},
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
