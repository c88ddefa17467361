package draw

import (
	"sync"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// typefaces are fonts with outlines. They have Latin, Greek and Cyrillic letters.
type typefaces struct{ regular, bold *truetype.Font }

// fonts are the fonts of this program. They are read once and never written.
//
//nolint:gochecknoglobals // written once, under its own guard
var fonts = sync.OnceValue(func() typefaces {
	read := func(file []byte) *truetype.Font {
		font, err := truetype.Parse(file)
		if err != nil {
			panic("draw: a font that is part of this program is broken: " + err.Error())
		}
		return font
	}
	return typefaces{read(goregular.TTF), read(gobold.TTF)}
})
