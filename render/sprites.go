package render

import (
	"image"
	"sync"

	"chimera/render/paint"
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
	last uint8   // the last ink among them
}

// overhead is about what a sprite takes besides its pixels.
const overhead = 256

func newSprites(limit int) *sprites {
	return &sprites{limit: limit, young: map[key]sprite{}}
}

// of are the sprites for the slots of a scene, painted if they have to be.
func (c *sprites) of(s *scene) []sprite {
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
	b := brushwork{scene: s, done: map[key]sprite{}}
	for _, i := range missing {
		if all[i].pix == nil {
			all[i] = b.once(&s.slots[i])
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, i := range missing {
		c.put(s.slots[i].key, all[i])
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

// brushwork paints tiles of one scene, slowly.
type brushwork struct {
	*scene
	pen  *pen
	page *image.RGBA // that the pen paints on
	done map[key]sprite
}

// once is the sprite of a slot, painted if none of the kind was.
func (b *brushwork) once(s *slot) sprite {
	painted, known := b.done[s.key]
	if !known {
		painted = b.paint(s)
		b.done[s.key] = painted
	}
	return painted
}

// paint paints what is in a slot.
func (b *brushwork) paint(s *slot) sprite {
	if size := image.Pt(s.width, s.height); b.pen == nil || b.page.Rect.Max != size {
		b.page = image.NewRGBA(image.Rectangle{Max: size})
		b.pen = newPen(b.theme.Scheme(), paint.OnPixels(b.page), s.height)
	}
	if s.part == nil {
		b.pen.paint(&s.tile, b.table, &s.contents)
	} else {
		s.part.paint(newPanelist(b.pen, s))
	}
	painted := sprite{pix: make([]uint8, s.width*s.height)}
	painted.last = b.theme.Inks().Trace(b.page, painted.pix, s.width)
	return painted
}
