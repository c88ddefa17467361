package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	pieces "chimera/render/draw"
	"chimera/rules"
)

// Icon paints the mark of the program as a PNG of that many pixels each way: a rook-knight, its left half cream on
// pine and its right half pine on cream, at a share of the size that a piece has in its square.
func Icon(w io.Writer, size int, share float64) error {
	pine, cream := color.NRGBA{0x1c, 0x66, 0x54, 0xff}, color.NRGBA{0xff, 0xf3, 0xdc, 0xff}
	table := rules.Table{{}, {Code: "R", Glyph: "rook"}, {Code: "N", Glyph: "knight"}, {Code: "RN", Parts: []rules.Role{1, 2}}}
	mark := rules.Piece{White: rules.Role(len(table) - 1)}
	all := image.NewRGBA(image.Rect(0, 0, size, size))
	side := share * float64(size)
	at := (float64(size) - side) / 2
	for i, half := range [2]struct{ ground, ink color.NRGBA }{{pine, cream}, {cream, pine}} {
		whole := image.NewRGBA(all.Rect)
		draw.Draw(whole, whole.Rect, image.NewUniform(half.ground), image.Point{}, draw.Src)
		colors := pieces.Livery{Fill: half.ink, Edge: half.ground, Detail: half.ground}
		pieces.NewBrush(pieces.OnPixels(whole)).Piece(table, mark, false, at, at, side, &[2]pieces.Livery{colors, colors})
		part := image.Rect(i*size/2, 0, (i+1)*size/2, size)
		draw.Draw(all, part, whole, part.Min, draw.Src)
	}
	return png.Encode(w, all)
}
