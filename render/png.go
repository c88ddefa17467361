package render

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"io"

	"chimera/render/diagram"
	"chimera/render/draw"
)

// The size of a picture is the length of the longer side of its board in pixels. With bars, a
// Large one is 1080×1274: Telegram shrinks photos that are more than 1280 long. A result, lessons
// and a caption make it longer than that.
const (
	Small       = 320
	Medium      = 480
	DefaultSize = 720
	Large       = 1080
	MinSize     = 120
	MaxSize     = 2400
)

// ParseSize is the size of that name, if there is one.
func ParseSize(name string) (int, bool) {
	size, ok := map[string]int{"small": Small, "medium": Medium, "large": Large}[name]
	return size, ok
}

// PNG paints d as a picture whose board is size pixels long on its longer side, and
// writes it to w. It refuses sizes below [MinSize] and above [MaxSize].
func PNG(w io.Writer, d diagram.Diagram, size int) error {
	if err := CheckSize(size); err != nil {
		return err
	}
	if err := studio.png(w, &d, size); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// CheckSize refuses sizes below [MinSize] and above [MaxSize].
func CheckSize(size int) error {
	if size < MinSize || size > MaxSize {
		return fmt.Errorf("render: a picture is %d to %d pixels long, not %d", MinSize, MaxSize, size)
	}
	return nil
}

// png paints a diagram and writes it.
func (a *atelier) png(w io.Writer, d *diagram.Diagram, size int) error {
	b := a.bench()
	defer a.benches.Put(b)
	b.scene.arrange(d, size, &b.grid)
	return b.png(w, &b.scene, a.sprites.of(&b.scene, &b.brush))
}

// png paints a scene with its sprites and writes it.
func (b *bench) png(w io.Writer, s *scene, sprites []sprite) error {
	b.canvas.prepare(s, sprites)
	rows := s.strips(sprites)
	_, err := w.Write(b.encodePNG(rows.names, func(strip int) []byte {
		top, bottom := rows.cuts[strip], rows.cuts[strip+1]
		b.canvas.paintRows(s, sprites, top, bottom)
		return b.canvas.rowsOf(top, bottom)
	}))
	return err
}

// EncodePNG writes a picture to w, each pixel in the ink that is nearest, and boards over it in the
// inks of their theme, of which there may be one. A board that the picture has no room for is
// an error.
func EncodePNG(w io.Writer, m *image.RGBA, k *draw.Palette, boards ...Inset) error {
	b := studio.bench()
	defer studio.benches.Put(b)
	b.canvas.trace(m, k)
	err := b.canvas.inset(boards)
	if err == nil {
		rows := b.canvas.strips()
		_, err = w.Write(b.encodePNG(rows.names, func(strip int) []byte {
			return b.canvas.rowsOf(rows.cuts[strip], rows.cuts[strip+1])
		}))
	}
	if err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// encodePNG is the picture as a PNG file, until the bench is used again: a palette,
// and rows without filters, which suit drawings. The rows come in strips, of which those that are
// not remembered are painted.
func (b *bench) encodePNG(names []uint64, paint func(strip int) []byte) []byte {
	b.file = append(b.file[:0], "\x89PNG\r\n\x1a\n"...)
	size := b.canvas.Rect.Size()
	head := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Y))
	const depth, palette = 8, 3
	b.chunk("IHDR", append(head, depth, palette, 0, 0, 0))
	b.chunk("PLTE", colorTable(b.canvas.Palette[:b.canvas.last+1]))
	start := len(b.file)
	b.file = b.zip.Append(append(b.file, "\x00\x00\x00\x00IDAT"...), b.canvas.Stride, names, paint)
	const before = 8 // length and name
	binary.BigEndian.PutUint32(b.file[start:], uint32(len(b.file)-start-before))
	b.sum(start)
	b.chunk("IEND", nil)
	return b.file
}

// colorTable is colors as files have them.
func colorTable(colors color.Palette) (t []byte) {
	for _, c := range colors {
		c := c.(color.RGBA)
		t = append(t, c.R, c.G, c.B)
	}
	return t
}

// chunk writes a chunk of a PNG file.
func (b *bench) chunk(name string, data []byte) {
	start := len(b.file)
	b.file = binary.BigEndian.AppendUint32(b.file, uint32(len(data)))
	b.file = append(append(b.file, name...), data...)
	b.sum(start)
}

// sum ends the chunk that began at start, with the sum of its name and data.
func (b *bench) sum(start int) {
	const length = 4
	b.file = binary.BigEndian.AppendUint32(b.file, crc32.ChecksumIEEE(b.file[start+length:]))
}
