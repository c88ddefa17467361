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

// schemes are by Theme.
//
//nolint:gochecknoglobals // never written
var schemes = [...]Scheme{
	diagram.Wood: {
		Ground:      rgb(0x33302e),
		Outside:     rgb(0xd9cdb8),
		Rim:         rgb(0x6e5541),
		Light:       rgb(0xede0c8),
		Dark:        rgb(0xb08d6c),
		Coordinates: rgb(0x40301f),
		Pieces: [2]Livery{
			rules.White: {Fill: rgb(0xfbfaf7), Edge: rgb(0x2e2d2b), Detail: rgb(0x2e2d2b)},
			rules.Black: {Fill: rgb(0x26262a), Edge: rgb(0x0e0e10), Detail: rgb(0xf0eee8), Halo: rgba(0xf0eee8, 0xb0)},
		},
		LeftTint:    rgba(0xe8c92e, 0x78),
		ReachedTint: rgba(0xe8c92e, 0xb4),
		Trail:       rgb(0x5a4400),
		CheckTint:   rgba(0xf0735f, 0xa0),
		Check:       rgb(0x74070a),
		Kill:        rgb(0x7d0a08),
		Casing:      rgb(0xfff3dc),
		Blast:       rgb(0xf6a53a),
		Join:        rgb(0x054340),
		Part:        rgb(0x54298a),
		FrostTint:   rgba(0xb9dcf2, 0xc0),
		Frost:       rgb(0x0a3a72),
		Plate:       rgb(0xfbfaf7),
		ChosenTint:  rgba(0x7fc08a, 0xa0),
		Target:      rgb(0x0b4a1e),
		Zones:       [2]color.NRGBA{rgb(0x083f50), rgb(0x74205a)},
		ZoneTints:   [2]color.NRGBA{rgba(0x18a3bd, 0x48), rgba(0xe867a8, 0x48)},
		Sheet:       rgb(0xf7f0e4),
		Text:        rgb(0x40301f),
		Lines:       [2]color.NRGBA{rgb(0x054340), rgb(0x54298a)},
		Bars:        [2]Panel{{rgb(0x26262a), rgb(0xf0eee8)}, {rgb(0x587b38), rgb(0xfbfaf7)}},
		Banner:      Panel{rgb(0xede0c8), rgb(0x2e2d2b)},
	},
	diagram.Night: {
		Ground:      rgb(0x14161a),
		Outside:     rgb(0xc4ccd9),
		Rim:         rgb(0x39424f),
		Light:       rgb(0x8b98ad),
		Dark:        rgb(0x616e85),
		Coordinates: rgb(0x10141b),
		Pieces: [2]Livery{
			rules.White: {Fill: rgb(0xf4f4ef), Edge: rgb(0x14171c), Detail: rgb(0x14171c)},
			rules.Black: {Fill: rgb(0x1b1d22), Edge: rgb(0x07080a), Detail: rgb(0xe3e8ef), Halo: rgba(0xd5dbe4, 0xb0)},
		},
		LeftTint:    rgba(0xd8c56e, 0x68),
		ReachedTint: rgba(0xd8c56e, 0xb0),
		Trail:       rgb(0x292000),
		CheckTint:   rgba(0xf08573, 0xa0),
		Check:       rgb(0x430004),
		Kill:        rgb(0x430004),
		Casing:      rgb(0xe9eef6),
		Blast:       rgb(0xf0a040),
		Join:        rgb(0x00272a),
		Part:        rgb(0x280856),
		FrostTint:   rgba(0xbfe2f7, 0xb0),
		Frost:       rgb(0x041c50),
		Plate:       rgb(0xf4f4ef),
		ChosenTint:  rgba(0x86cf96, 0xa0),
		Target:      rgb(0x00270f),
		Zones:       [2]color.NRGBA{rgb(0x002533), rgb(0x410036)},
		ZoneTints:   [2]color.NRGBA{rgba(0x35d3ee, 0x48), rgba(0xff7cc4, 0x48)},
		Sheet:       rgb(0x1c2027),
		Text:        rgb(0xc4ccd9),
		Lines:       [2]color.NRGBA{rgb(0x5fe0cf), rgb(0xd3b6ff)},
		Bars:        [2]Panel{{rgb(0x14171c), rgb(0xf4f4ef)}, {rgb(0x48698c), rgb(0xf4f4ef)}},
		Banner:      Panel{rgb(0xf4f4ef), rgb(0x14171c)},
	},
	diagram.Contrast: {
		Ground:      rgb(0x000000),
		Outside:     rgb(0xffffff),
		Rim:         rgb(0x1d4f86),
		Light:       rgb(0xffffff),
		Dark:        rgb(0x8db4dc),
		Coordinates: rgb(0x000000),
		Pieces: [2]Livery{
			rules.White: {Fill: rgb(0xffffff), Edge: rgb(0x000000), Detail: rgb(0x000000)},
			rules.Black: {Fill: rgb(0x1c1c1c), Edge: rgb(0x000000), Detail: rgb(0xffffff), Halo: rgb(0xffffff)},
		},
		LeftTint:    rgba(0xffd21f, 0xb0),
		ReachedTint: rgb(0xffd21f),
		Trail:       rgb(0x000000),
		CheckTint:   rgba(0xff8f7a, 0xe0),
		Check:       rgb(0x8a0000),
		Kill:        rgb(0x8a0000),
		Casing:      rgb(0xffffff),
		Blast:       rgb(0xffb030),
		Join:        rgb(0x004a44),
		Part:        rgb(0x4b0d8f),
		FrostTint:   rgba(0xc8f0ff, 0xf0),
		Frost:       rgb(0x003a8c),
		Plate:       rgb(0xffffff),
		ChosenTint:  rgba(0x8fe09c, 0xe0),
		Target:      rgb(0x004d16),
		Zones:       [2]color.NRGBA{rgb(0x003f5c), rgb(0x7a004f)},
		ZoneTints:   [2]color.NRGBA{rgba(0x28c8e0, 0x48), rgba(0xff66b3, 0x48)},
		Sheet:       rgb(0xffffff),
		Text:        rgb(0x000000),
		Lines:       [2]color.NRGBA{rgb(0x004a44), rgb(0x4b0d8f)},
		Bars:        [2]Panel{{rgb(0x1c1c1c), rgb(0xffffff)}, {rgb(0xffd21f), rgb(0x000000)}},
		Banner:      Panel{rgb(0xffffff), rgb(0x000000)},
	},
	diagram.Print: {
		Ground:      rgb(0xffffff),
		Outside:     rgb(0x303030),
		Rim:         rgb(0x4a4a4a),
		Light:       rgb(0xffffff),
		Dark:        rgb(0xcfcfcf),
		Coordinates: rgb(0x303030),
		Pieces: [2]Livery{
			rules.White: {Fill: rgb(0xffffff), Edge: rgb(0x000000), Detail: rgb(0x000000)},
			rules.Black: {Fill: rgb(0x3c3c3c), Edge: rgb(0x000000), Detail: rgb(0xffffff), Halo: rgb(0xffffff)},
		},
		LeftTint:    rgba(0x000000, 0x14),
		ReachedTint: rgba(0x000000, 0x2c),
		Trail:       rgb(0x101010),
		CheckTint:   rgba(0x000000, 0x30),
		Check:       rgb(0x000000),
		Kill:        rgb(0x202020),
		Casing:      rgb(0xffffff),
		Blast:       rgb(0xffffff),
		Join:        rgb(0x202020),
		Part:        rgb(0x202020),
		FrostTint:   rgba(0xffffff, 0x80),
		Frost:       rgb(0x383838),
		Plate:       rgb(0xffffff),
		ChosenTint:  rgba(0x000000, 0x20),
		Target:      rgb(0x202020),
		Zones:       [2]color.NRGBA{rgb(0x484848), rgb(0x484848)},
		ZoneTints:   [2]color.NRGBA{rgba(0x000000, 0x1c), rgba(0x000000, 0x38)},
		Sheet:       rgb(0xffffff),
		Text:        rgb(0x303030),
		Lines:       [2]color.NRGBA{rgb(0x202020), rgb(0x202020)},
		Bars:        [2]Panel{{rgb(0xcfcfcf), rgb(0x000000)}, {rgb(0x3c3c3c), rgb(0xffffff)}},
		Banner:      Panel{rgb(0xffffff), rgb(0x000000)},
	},
}

// SchemeOf is the colors of a theme. They are never changed.
func SchemeOf(t diagram.Theme) *Scheme { return &schemes[t] }

// Side is the colors of a disc that stands for a side, and around it: pale around a dark one.
func (s *Scheme) Side(side rules.Color) (fill, edge color.NRGBA) {
	own := &s.Pieces[side]
	if own.Halo.A != 0 {
		return own.Fill, own.Detail
	}
	return own.Fill, own.Edge
}

func rgb(hex uint32) color.NRGBA { return rgba(hex, 0xff) }

func rgba(hex uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), alpha}
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
