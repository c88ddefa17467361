package glyph

import (
	"sync"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// Typefaces are the fonts that pictures are lettered in. They have Latin, Greek and
// Cyrillic letters.
type Typefaces struct{ Regular, Bold *truetype.Font }

// Fonts are the fonts of this program. They are read once and never written.
//
//nolint:gochecknoglobals // written once, under its own guard
var Fonts = sync.OnceValue(func() Typefaces {
	read := func(file []byte) *truetype.Font {
		font, err := truetype.Parse(file)
		if err != nil {
			panic("glyph: a font that is part of this program is broken: " + err.Error())
		}
		return font
	}
	return Typefaces{read(goregular.TTF), read(gobold.TTF)}
})
