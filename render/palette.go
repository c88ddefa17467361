package render

import (
	"image/color"

	"chimera/render/glyph"
	"chimera/rules"
)

// scheme is the colors of a theme: of the board, of the pieces, and of what is marked.
// Tints lie on squares; the rest are the lines and shapes of marks.
type scheme struct {
	name        string
	ground      color.NRGBA // where there is no board
	outside     color.NRGBA // coordinates there
	rim         color.NRGBA // around a board with holes
	light, dark color.NRGBA // squares
	coordinates color.NRGBA
	pieces      [2]glyph.Livery // by side
	leftTint    color.NRGBA
	reachedTint color.NRGBA
	trail       color.NRGBA // frames of the squares of the last move
	checkTint   color.NRGBA
	check       color.NRGBA
	kill        color.NRGBA
	casing      color.NRGBA // around traces and signs above pieces
	blast       color.NRGBA // the inside of a burst
	join, part  color.NRGBA
	frostTint   color.NRGBA
	frost       color.NRGBA
	plate       color.NRGBA // behind a snow crystal
	chosenTint  color.NRGBA
	target      color.NRGBA
	zones       [2]color.NRGBA // White's and Black's zones of influence, and badges of what is lent
	zoneTints   [2]color.NRGBA // on their squares
	sheet       color.NRGBA    // what charts are painted on
	words       color.NRGBA    // on the sheet
	lines       [2]color.NRGBA // on the sheet, told from each other
	bars        [2]panel       // about players, at rest and lit; of colors that meet elsewhere too, if that can be
	banner      panel          // on which a result is written
}

// schemes are by Theme.
//
//nolint:gochecknoglobals // never written
var schemes = [...]scheme{
	Wood: {
		name:        "wood",
		ground:      rgb(0x33302e),
		outside:     rgb(0xd9cdb8),
		rim:         rgb(0x6e5541),
		light:       rgb(0xede0c8),
		dark:        rgb(0xb08d6c),
		coordinates: rgb(0x40301f),
		pieces: [2]glyph.Livery{
			rules.White: {Fill: rgb(0xfbfaf7), Edge: rgb(0x2e2d2b), Detail: rgb(0x2e2d2b)},
			rules.Black: {Fill: rgb(0x26262a), Edge: rgb(0x0e0e10), Detail: rgb(0xf0eee8), Halo: rgba(0xf0eee8, 0xb0)},
		},
		leftTint:    rgba(0xe8c92e, 0x78),
		reachedTint: rgba(0xe8c92e, 0xb4),
		trail:       rgb(0x5a4400),
		checkTint:   rgba(0xf0735f, 0xa0),
		check:       rgb(0x74070a),
		kill:        rgb(0x7d0a08),
		casing:      rgb(0xfff3dc),
		blast:       rgb(0xf6a53a),
		join:        rgb(0x054340),
		part:        rgb(0x54298a),
		frostTint:   rgba(0xb9dcf2, 0xc0),
		frost:       rgb(0x0a3a72),
		plate:       rgb(0xfbfaf7),
		chosenTint:  rgba(0x7fc08a, 0xa0),
		target:      rgb(0x0b4a1e),
		zones:       [2]color.NRGBA{rgb(0x083f50), rgb(0x74205a)},
		zoneTints:   [2]color.NRGBA{rgba(0x18a3bd, 0x48), rgba(0xe867a8, 0x48)},
		sheet:       rgb(0xf7f0e4),
		words:       rgb(0x40301f),
		lines:       [2]color.NRGBA{rgb(0x054340), rgb(0x54298a)},
		bars:        [2]panel{{rgb(0x26262a), rgb(0xf0eee8)}, {rgb(0x587b38), rgb(0xfbfaf7)}},
		banner:      panel{rgb(0xede0c8), rgb(0x2e2d2b)},
	},
	Night: {
		name:        "night",
		ground:      rgb(0x14161a),
		outside:     rgb(0xc4ccd9),
		rim:         rgb(0x39424f),
		light:       rgb(0x8b98ad),
		dark:        rgb(0x616e85),
		coordinates: rgb(0x10141b),
		pieces: [2]glyph.Livery{
			rules.White: {Fill: rgb(0xf4f4ef), Edge: rgb(0x14171c), Detail: rgb(0x14171c)},
			rules.Black: {Fill: rgb(0x1b1d22), Edge: rgb(0x07080a), Detail: rgb(0xe3e8ef), Halo: rgba(0xd5dbe4, 0xb0)},
		},
		leftTint:    rgba(0xd8c56e, 0x68),
		reachedTint: rgba(0xd8c56e, 0xb0),
		trail:       rgb(0x292000),
		checkTint:   rgba(0xf08573, 0xa0),
		check:       rgb(0x430004),
		kill:        rgb(0x430004),
		casing:      rgb(0xe9eef6),
		blast:       rgb(0xf0a040),
		join:        rgb(0x00272a),
		part:        rgb(0x280856),
		frostTint:   rgba(0xbfe2f7, 0xb0),
		frost:       rgb(0x041c50),
		plate:       rgb(0xf4f4ef),
		chosenTint:  rgba(0x86cf96, 0xa0),
		target:      rgb(0x00270f),
		zones:       [2]color.NRGBA{rgb(0x002533), rgb(0x410036)},
		zoneTints:   [2]color.NRGBA{rgba(0x35d3ee, 0x48), rgba(0xff7cc4, 0x48)},
		sheet:       rgb(0x1c2027),
		words:       rgb(0xc4ccd9),
		lines:       [2]color.NRGBA{rgb(0x5fe0cf), rgb(0xd3b6ff)},
		bars:        [2]panel{{rgb(0x14171c), rgb(0xf4f4ef)}, {rgb(0x48698c), rgb(0xf4f4ef)}},
		banner:      panel{rgb(0xf4f4ef), rgb(0x14171c)},
	},
	Contrast: {
		name:        "contrast",
		ground:      rgb(0x000000),
		outside:     rgb(0xffffff),
		rim:         rgb(0x1d4f86),
		light:       rgb(0xffffff),
		dark:        rgb(0x8db4dc),
		coordinates: rgb(0x000000),
		pieces: [2]glyph.Livery{
			rules.White: {Fill: rgb(0xffffff), Edge: rgb(0x000000), Detail: rgb(0x000000)},
			rules.Black: {Fill: rgb(0x1c1c1c), Edge: rgb(0x000000), Detail: rgb(0xffffff), Halo: rgb(0xffffff)},
		},
		leftTint:    rgba(0xffd21f, 0xb0),
		reachedTint: rgb(0xffd21f),
		trail:       rgb(0x000000),
		checkTint:   rgba(0xff8f7a, 0xe0),
		check:       rgb(0x8a0000),
		kill:        rgb(0x8a0000),
		casing:      rgb(0xffffff),
		blast:       rgb(0xffb030),
		join:        rgb(0x004a44),
		part:        rgb(0x4b0d8f),
		frostTint:   rgba(0xc8f0ff, 0xf0),
		frost:       rgb(0x003a8c),
		plate:       rgb(0xffffff),
		chosenTint:  rgba(0x8fe09c, 0xe0),
		target:      rgb(0x004d16),
		zones:       [2]color.NRGBA{rgb(0x003f5c), rgb(0x7a004f)},
		zoneTints:   [2]color.NRGBA{rgba(0x28c8e0, 0x48), rgba(0xff66b3, 0x48)},
		sheet:       rgb(0xffffff),
		words:       rgb(0x000000),
		lines:       [2]color.NRGBA{rgb(0x004a44), rgb(0x4b0d8f)},
		bars:        [2]panel{{rgb(0x1c1c1c), rgb(0xffffff)}, {rgb(0xffd21f), rgb(0x000000)}},
		banner:      panel{rgb(0xffffff), rgb(0x000000)},
	},
	Print: {
		name:        "print",
		ground:      rgb(0xffffff),
		outside:     rgb(0x303030),
		rim:         rgb(0x4a4a4a),
		light:       rgb(0xffffff),
		dark:        rgb(0xcfcfcf),
		coordinates: rgb(0x303030),
		pieces: [2]glyph.Livery{
			rules.White: {Fill: rgb(0xffffff), Edge: rgb(0x000000), Detail: rgb(0x000000)},
			rules.Black: {Fill: rgb(0x3c3c3c), Edge: rgb(0x000000), Detail: rgb(0xffffff), Halo: rgb(0xffffff)},
		},
		leftTint:    rgba(0x000000, 0x14),
		reachedTint: rgba(0x000000, 0x2c),
		trail:       rgb(0x101010),
		checkTint:   rgba(0x000000, 0x30),
		check:       rgb(0x000000),
		kill:        rgb(0x202020),
		casing:      rgb(0xffffff),
		blast:       rgb(0xffffff),
		join:        rgb(0x202020),
		part:        rgb(0x202020),
		frostTint:   rgba(0xffffff, 0x80),
		frost:       rgb(0x383838),
		plate:       rgb(0xffffff),
		chosenTint:  rgba(0x000000, 0x20),
		target:      rgb(0x202020),
		zones:       [2]color.NRGBA{rgb(0x484848), rgb(0x484848)},
		zoneTints:   [2]color.NRGBA{rgba(0x000000, 0x1c), rgba(0x000000, 0x38)},
		sheet:       rgb(0xffffff),
		words:       rgb(0x303030),
		lines:       [2]color.NRGBA{rgb(0x202020), rgb(0x202020)},
		bars:        [2]panel{{rgb(0xcfcfcf), rgb(0x000000)}, {rgb(0x3c3c3c), rgb(0xffffff)}},
		banner:      panel{rgb(0xffffff), rgb(0x000000)},
	},
}

func rgb(hex uint32) color.NRGBA { return rgba(hex, 0xff) }

func rgba(hex uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), alpha}
}

// scheme is that of a diagram's theme, that of Wood if there is no such theme.
func (t Theme) scheme() *scheme {
	if int(t) >= len(schemes) {
		t = Wood
	}
	return &schemes[t]
}

// Colors are those of a theme for pictures that are no board.
type Colors struct {
	Sheet  color.NRGBA    // what is painted on
	Text   color.NRGBA    // of words
	Tint   color.NRGBA    // behind what is singled out
	Lines  [2]color.NRGBA // two that are told from each other
	Pieces [2]glyph.Livery
}

// Colors are those of the theme.
func (t Theme) Colors() Colors {
	s := t.scheme()
	return Colors{s.sheet, s.words, Over(s.leftTint, s.sheet), s.lines, s.pieces}
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

// grounds are the colors on which pieces and marks can stand: the squares, plain and
// tinted.
func (s *scheme) grounds() []color.NRGBA {
	all := []color.NRGBA{s.light, s.dark}
	for _, tint := range []color.NRGBA{s.reachedTint, s.leftTint, s.frostTint, s.chosenTint, s.checkTint, s.zoneTints[0], s.zoneTints[1]} {
		all = append(all, Over(tint, s.light), Over(tint, s.dark))
	}
	return all
}
