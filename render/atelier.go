package render

import (
	"sync"

	"chimera/render/squeeze"
)

// atelier is what painters share: sprites, strips, and benches to work at. It is safe for
// concurrent use.
type atelier struct {
	sprites *sprites
	strips  squeeze.Memory
	benches sync.Pool
}

// studio is the atelier of this program.
//
//nolint:gochecknoglobals // guarded, and bounded: it saves painting again what was painted before
var studio = newAtelier(32 << 20)

func newAtelier(limit int) *atelier { return &atelier{sprites: newSprites(limit)} }

// bench is what one painter needs while at work.
type bench struct {
	scene  scene
	grid   grid
	canvas canvas
	brush  brushwork
	zip    squeeze.Zlib
	file   []byte
}

func (a *atelier) bench() *bench {
	if b, ok := a.benches.Get().(*bench); ok {
		return b
	}
	return &bench{zip: squeeze.Zlib{Memory: &a.strips}}
}
