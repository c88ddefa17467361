package render

import (
	"encoding/binary"
	"hash/maphash"
	"image/color"
	"slices"

	"chimera/render/draw"
)

// seed is that of the names of pixels. That others have the same name is less likely than that the machine
// fails.
//
//nolint:gochecknoglobals // never written
var seed = maphash.MakeSeed()

// nameOf is the name of pixels.
func nameOf(pixels []uint8) uint64 { return maphash.Bytes(seed, pixels) }

// strips are the rows of a picture cut into strips, each with a name that only the same rows have.
type strips struct {
	cuts  []int // where each begins, and where the last one ends
	names []uint64
}

// strips cuts a scene where anything in it begins or ends. Most are rows of tiles, as in many other pictures:
// the name of one is made of what is in it, so that it need not be painted to be known.
func (s *scene) strips(sprites []sprite) (all strips) {
	all.cuts = append(make([]int, 0, 2*len(s.slots)+2), 0, s.height)
	for i := range s.slots {
		all.cuts = append(all.cuts, max(0, s.slots[i].y), min(s.height, s.slots[i].y+s.slots[i].height))
	}
	slices.Sort(all.cuts)
	all.cuts = slices.Compact(all.cuts)
	var text []byte
	for i, top := range all.cuts[:len(all.cuts)-1] {
		text = binary.LittleEndian.AppendUint64(text[:0], uint64(s.ground()))
		text = binary.LittleEndian.AppendUint64(text, uint64(all.cuts[i+1]-top)<<32|uint64(s.width))
		for k := range s.slots {
			if in := &s.slots[k]; in.y <= top && top < in.y+in.height {
				text = binary.LittleEndian.AppendUint64(text, uint64(top-in.y)<<32|uint64(uint32(in.x)))
				text = binary.LittleEndian.AppendUint64(text, uint64(in.width))
				text = binary.LittleEndian.AppendUint64(text, sprites[k].name)
			}
		}
		all.names = append(all.names, nameOf(text))
	}
	return all
}

// ground is the ink around the slots, none if they cover everything.
func (s *scene) ground() uint8 {
	if !s.bare {
		return draw.Transparent
	}
	return draw.PaletteOf(s.theme).Flat(color.RGBA(draw.SchemeOf(s.theme).Ground))
}

// strips cuts what is painted.
func (p *canvas) strips() (all strips) {
	const high = 64
	height := p.Rect.Dy()
	for y := 0; y < height; y += high {
		all.cuts = append(all.cuts, y)
		all.names = append(all.names, nameOf(p.rowsOf(y, min(height, y+high)))^uint64(p.Stride))
	}
	all.cuts = append(all.cuts, height)
	return all
}
