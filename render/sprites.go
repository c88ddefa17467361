package render

import (
	"image"
	"sync"

	"chimera/render/draw"
)

// sprites are painted tiles, kept for the next pictures. It is safe for concurrent
// use, and keeps no more than about limit bytes: when the young ones have become
// half of that, those that were not asked for in the meantime are dropped.
type sprites struct {
	limit int

	mu         sync.RWMutex
	young, old map[key]sprite
	size       int // of the young ones, in bytes
}

// sprite is a painted tile.
type sprite struct {
	pix  []uint8 // its pixels as inks, row by row
	name uint64  // of them
	last uint8   // the last ink among them
}

// overhead is about what a sprite takes besides its pixels.
const overhead = 256

func newSprites(limit int) *sprites {
	return &sprites{limit: limit, young: map[key]sprite{}}
}

// of are the sprites for the slots of a scene, painted if they have to be.
func (c *sprites) of(s *scene, b *brushwork) []sprite {
	all := make([]sprite, len(s.slots))
	var missing []int // not young
	c.mu.RLock()
	for i := range s.slots {
		var young bool
		if all[i], young = c.young[s.slots[i].key]; !young {
			all[i] = c.old[s.slots[i].key]
			missing = append(missing, i)
		}
	}
	c.mu.RUnlock()
	if missing == nil {
		return all
	}
	done := map[key]sprite{}
	for _, i := range missing {
		if all[i].pix != nil {
			continue
		}
		k, known := s.slots[i].key, false
		if all[i], known = done[k]; !known {
			all[i] = b.paint(s, &s.slots[i])
			done[k] = all[i]
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, i := range missing {
		if !s.slots[i].rare() {
			c.put(s.slots[i].key, all[i])
		}
	}
	return all
}

// put keeps a sprite among the young ones.
func (c *sprites) put(k key, painted sprite) {
	if _, known := c.young[k]; known {
		return
	}
	if c.size += len(painted.pix) + overhead; c.size > c.limit/2 {
		c.young, c.old = make(map[key]sprite, len(c.young)), c.young
		c.size = len(painted.pix) + overhead
	}
	c.young[k] = painted
}

// brushwork paints tiles, slowly. It keeps its pages and letters for the next tiles. Its zero value is
// ready; it is for one goroutine at a time.
type brushwork struct {
	letters draw.Faces
	pages   map[image.Point]*page // by their sizes
}

// page is what tiles of a size are painted on, one after another.
type page struct {
	*image.RGBA
	brush *draw.Brush
}

// maxPages is how many are kept: more than a picture has sizes of tiles and bars.
const maxPages = 8

func (b *brushwork) page(size image.Point) *page {
	p := b.pages[size]
	if p == nil {
		if len(b.pages) >= maxPages || b.pages == nil {
			b.pages = map[image.Point]*page{}
		}
		m := image.NewRGBA(image.Rectangle{Max: size})
		p = &page{m, draw.NewBrush(draw.OnPixels(m, &b.letters))}
		b.pages[size] = p
	}
	return p
}

// paint paints what is in a slot of a scene.
func (b *brushwork) paint(s *scene, in *slot) sprite {
	page := b.page(image.Pt(in.width, in.height))
	p := newPen(draw.SchemeOf(s.theme), page.brush, in.height)
	if in.part == nil {
		p.paint(&in.tile, s.table, &in.contents)
	} else {
		in.part.paint(newPanelist(p, in, &b.letters))
	}
	painted := sprite{pix: make([]uint8, in.width*in.height)}
	painted.last = draw.PaletteOf(s.theme).Trace(page.RGBA, painted.pix, in.width)
	painted.name = nameOf(painted.pix)
	return painted
}
