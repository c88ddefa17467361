package render_test

import (
	"bytes"
	"fmt"
	"image/png"

	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/fide"
)

// A picture of a position, with what the last move did, whose board is 360 pixels wide.
func ExamplePainter_PNG() {
	pos, err := fide.Chess().Position("")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := pos.Parse("Nf3")
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := pos.Play(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	painter := render.NewPainter() // one for all pictures: it keeps what they have in common
	if err := painter.PNG(&file, diagram.Of(next, pos.Effects(m), rules.White), 360); err != nil {
		fmt.Println(err)
		return
	}
	picture, err := png.Decode(&file)
	fmt.Println(picture.Bounds().Max, err)
	// Output: (360,360) <nil>
}
