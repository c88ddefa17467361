package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"hash/maphash"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"io"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/klauspost/compress/flate"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// The size of a picture is the length of its board's longer side in pixels. With bars, a Large one is 1080×1274:
// Telegram shrinks photos longer than 1280. A result, lessons and a caption make it longer than that.
const (
	Small       = 320
	Medium      = 480
	DefaultSize = 720
	Large       = 1080
	MinSize     = 120
	MaxSize     = 2400
)

// ParseSize is the size with that name, if there is one.
func ParseSize(name string) (int, bool) {
	size, ok := map[string]int{"small": Small, "medium": Medium, "large": Large}[name]
	return size, ok
}

// CheckSize refuses sizes below [MinSize] and above [MaxSize].
func CheckSize(size int) error {
	if size < MinSize || size > MaxSize {
		return fmt.Errorf("render: a picture is %d to %d pixels long, not %d", MinSize, MaxSize, size)
	}
	return nil
}

// Painter paints pictures, and caches squares, parts of bars and compressed bands: drawing outlines takes a hundred
// times as long as copying them. It is safe for concurrent use.
type Painter struct {
	seed        maphash.Seed
	parts       *lru.Cache[lookKey, part]
	bands       *lru.Cache[lookKey, band]
	compressors sync.Pool // of *compressor
	canvases    sync.Pool // of *image.RGBA
	sheets      sync.Pool // of *image.Paletted
}

// lookKey identifies the look of a part or band.
type lookKey struct {
	size  image.Point
	theme diagram.Theme
	sum   uint64 // fingerprint of what is painted
}

// part is a painted area.
type part struct {
	inks []uint8 // row by row
	last uint8   // the largest of them
}

// band is some rows of a picture, compressed separately. Bands can be joined to the whole, since Deflate flushes to a
// byte boundary. A move changes two ranks and the bars, so most bands are those of the previous picture, and need no
// painting.
type band struct {
	packed []byte
	sum    uint32 // Adler-32 of the rows
	length int    // of the rows
	last   uint8  // the largest ink in them
}

// At most maxParts are kept, each of at most maxPixels: that is 64 MB. A band of a rank has one or two kilobytes.
const (
	maxParts  = 1 << 11
	maxPixels = 1 << 15
	maxBands  = 1 << 12
)

// NewPainter makes a painter with empty caches.
func NewPainter() *Painter {
	p := &Painter{seed: maphash.MakeSeed()}
	p.parts, _ = lru.New[lookKey, part](maxParts) // it fails only for a wrong size
	p.bands, _ = lru.New[lookKey, band](maxBands)
	return p
}

// PNG paints d as a picture whose board is size pixels long on its longer side, and
// writes it to w. It refuses sizes below [MinSize] and above [MaxSize].
func (p *Painter) PNG(w io.Writer, d diagram.Diagram, size int) error {
	if err := CheckSize(size); err != nil {
		return err
	}
	s := newScene(&d, size, false)
	var bands []band
	last := uint8(0)
	from := 0
	for _, to := range append(s.rows(), s.height) {
		if to = min(to, s.height); to > from {
			b := p.band(s, image.Rect(0, from, s.width, to))
			bands, last, from = append(bands, b), max(last, b.last), to
		}
	}
	return writePNG(w, image.Pt(s.width, s.height), draw.PaletteOf(s.theme).Colors[:last+1], bands)
}

// band is the rows of a scene in a rectangle, painted and compressed unless cached.
func (p *Painter) band(s *scene, rows image.Rectangle) band {
	key := lookKey{size: rows.Size(), theme: s.theme}
	var sum maphash.Hash
	sum.SetSeed(p.seed)
	for i := range s.areas {
		if a := &s.areas[i]; a.Overlaps(rows) {
			maphash.WriteComparable(&sum, a.Sub(rows.Min))
			maphash.WriteComparable(&sum, p.key(s, a))
		}
	}
	key.sum = sum.Sum64()
	if known, ok := p.bands.Get(key); ok {
		return known
	}
	m, _ := p.sheets.Get().(*image.Paletted)
	if m == nil {
		m = &image.Paletted{}
	}
	defer p.sheets.Put(m)
	m.Rect, m.Stride = rows, rows.Dx()
	m.Pix = slices.Grow(m.Pix[:0], m.Stride*rows.Dy())[:m.Stride*rows.Dy()]
	p.paint(s, m)
	b := p.pack(m)
	b.last = uint8(len(m.Palette) - 1)
	p.bands.Add(key, b)
	return b
}

// paint paints the part of a scene within a picture, in the inks of its theme.
func (p *Painter) paint(s *scene, m *image.Paletted) *image.Paletted {
	inks := draw.PaletteOf(s.theme)
	last := inks.Flat(color.RGBA(draw.SchemeOf(s.theme).Ground))
	for i := range m.Pix {
		m.Pix[i] = last
	}
	for i := range s.areas {
		a := &s.areas[i]
		seen := a.Intersect(m.Rect)
		if seen.Empty() {
			continue
		}
		painted := p.part(s, a)
		last = max(last, painted.last)
		for y := seen.Min.Y; y < seen.Max.Y; y++ {
			from := (y-a.Min.Y)*a.Dx() + seen.Min.X - a.Min.X
			copy(m.Pix[m.PixOffset(seen.Min.X, y):], painted.inks[from:from+seen.Dx()])
		}
	}
	m.Palette = inks.Colors[:last+1]
	return m
}

// key identifies how an area looks.
func (p *Painter) key(s *scene, a *area) lookKey {
	switch {
	case a.look != lookKey{}: // known already
	case a.tile != nil:
		a.look = lookKey{a.Size(), s.theme, a.tile.sum(p.seed, s)}
	default:
		var sum draw.Fingerprint
		sum.SetSeed(p.seed)
		s.paint(a, &sum, image.Point{})
		a.look = lookKey{a.Size(), s.theme, sum.Sum64()}
	}
	return a.look
}

// part is a painted area of a scene, from the cache if possible.
func (p *Painter) part(s *scene, a *area) part {
	key := p.key(s, a)
	known, ok := p.parts.Get(key)
	if ok {
		return known
	}
	m, _ := p.canvases.Get().(*image.RGBA)
	if m == nil {
		m = &image.RGBA{}
	}
	defer p.canvases.Put(m)
	m.Rect, m.Stride = image.Rectangle{Max: a.Size()}, 4*a.Dx()
	m.Pix = slices.Grow(m.Pix[:0], m.Stride*a.Dy())[:m.Stride*a.Dy()]
	clear(m.Pix)
	s.paint(a, draw.OnPixels(m), image.Point{})
	painted := draw.PaletteOf(s.theme).Trace(m)
	known = part{painted, slices.Max(painted)}
	if len(painted) <= maxPixels {
		p.parts.Add(key, known)
	}
	return known
}

// EncodePNG writes a picture to w, each pixel in the nearest ink, with boards over it in the inks of their theme, which
// must be the same for all. A board for which the picture has no room is an error.
func (p *Painter) EncodePNG(w io.Writer, m *image.RGBA, k *draw.Palette, boards ...Inset) error {
	painted := &image.Paletted{Pix: k.Trace(m), Stride: m.Rect.Dx(), Rect: m.Rect}
	painted.Palette = slices.Clone(k.Colors[:slices.Max(painted.Pix)+1])
	for _, in := range boards {
		if err := p.inset(painted, in); err != nil {
			return err
		}
	}
	return writePNG(w, m.Rect.Size(), painted.Palette, []band{p.pack(painted)})
}

// compressor compresses bands one after the other.
type compressor struct {
	*flate.Writer
	text   []byte
	packed bytes.Buffer
}

// pack compresses the rows of a picture, unfiltered, which suits drawings.
func (p *Painter) pack(m *image.Paletted) band {
	const level = 6 // 7 and 8 need more room for empty ranks, and 9 takes twenty times as long
	c, _ := p.compressors.Get().(*compressor)
	if c == nil {
		c = &compressor{}
		c.Writer, _ = flate.NewWriter(nil, level)
	}
	defer p.compressors.Put(c)
	c.packed.Reset()
	c.Reset(&c.packed)
	c.text = c.text[:0]
	for row := range slices.Chunk(m.Pix, m.Stride) {
		c.text = append(append(c.text, 0), row...) // filter type 0: none
	}
	_, _ = c.Write(c.text) // writing to a bytes.Buffer never fails
	_ = c.Flush()
	return band{packed: bytes.Clone(c.packed.Bytes()), sum: adler32.Checksum(c.text), length: len(c.text)}
}

// writePNG writes a PNG file: a palette, and bands from top to bottom.
func writePNG(w io.Writer, of image.Point, colors color.Palette, bands []band) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(of.X))
	head = binary.BigEndian.AppendUint32(head, uint32(of.Y))
	const depth, palette = 8, 3
	head = append(head, depth, palette, 0, 0, 0)
	pixels := [][]byte{[]byte("\x78\x9c")} // zlib header
	sum, size := uint32(1), 1<<10          // all but the pixels takes less than that
	for _, b := range bands {
		pixels = append(pixels, b.packed)
		sum = summed(sum, b)
		size += len(b.packed)
	}
	pixels = append(pixels, binary.BigEndian.AppendUint32([]byte{3, 0}, sum)) // an empty last block
	file := append(make([]byte, 0, size), "\x89PNG\r\n\x1a\n"...)
	chunk := func(name string, data ...[]byte) {
		begin := len(file)
		file = append(file, 0, 0, 0, 0)
		file = append(file, name...)
		for _, part := range data {
			file = append(file, part...)
		}
		binary.BigEndian.PutUint32(file[begin:], uint32(len(file)-begin-8))
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[begin+4:]))
	}
	chunk("IHDR", head)
	chunk("PLTE", colorTable(colors))
	chunk("IDAT", pixels...)
	chunk("IEND")
	if _, err := w.Write(file); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// summed is the Adler-32 after a band, given that before it. See RFC 1950, section 8: two sums modulo 65521, of the
// bytes and of the sums.
func summed(before uint32, b band) uint32 {
	const base = 65521
	low, high := uint64(before&0xffff), uint64(before>>16)
	then := uint64(b.sum&0xffff) + base - 1
	high += uint64(b.length)%base*low + uint64(b.sum>>16) + base - uint64(b.length)%base
	return uint32(high%base<<16 | (low+then)%base)
}

// colorTable is a palette in file format.
func colorTable(colors color.Palette) (t []byte) {
	for _, c := range colors {
		c := c.(color.RGBA)
		t = append(t, c.R, c.G, c.B)
	}
	return t
}

// Inset is a board within another picture. It has no edge for the side to move, which the words nearby tell.
type Inset struct {
	Diagram diagram.Diagram
	X, Y    int // of its upper left corner, in pixels
	Size    int // of the longer side of its board, in pixels
}

// Aspect is the height of a picture of d divided by its width.
func Aspect(d diagram.Diagram) float64 {
	s := newScene(&d, DefaultSize, false)
	return float64(s.height) / float64(s.width)
}

// Within is d as large as it fits into the middle of a box with all squares of one size, and the pixels that it covers
// there.
func Within(d diagram.Diagram, box image.Rectangle) (Inset, image.Rectangle) {
	most := box.Size()
	across, _ := extent(&d)
	side := int(min(float64(most.X), float64(most.Y)/Aspect(d))/across) + 1
	for ; ; side-- {
		size := sizeOf(&d, side)
		s := newScene(&d, size, false)
		if s.width <= most.X && s.height <= most.Y || side == 1 {
			corner := box.Min.Add(image.Pt((most.X-s.width)/2, (most.Y-s.height)/2))
			return Inset{Diagram: d, X: corner.X, Y: corner.Y, Size: size}, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(s.width, s.height))}
		}
	}
}

// inset paints a board over a picture, and adds its inks.
func (p *Painter) inset(on *image.Paletted, in Inset) error {
	if err := CheckSize(in.Size); err != nil {
		return err
	}
	in.Diagram.Idle = true // so that no edge shows whose turn it is
	s := newScene(&in.Diagram, in.Size, false)
	at := image.Rect(in.X, in.Y, in.X+s.width, in.Y+s.height)
	if !at.In(on.Rect) {
		return errors.New("render: a board is larger than the picture that it is in")
	}
	board := p.paint(s, image.NewPaletted(s.all(), nil))
	here := make([]uint8, len(board.Palette)) // the picture's ink for each of the board's inks, 0 if not known yet
	for y := range s.height {
		to := on.Pix[on.PixOffset(at.Min.X, at.Min.Y+y):]
		for x, ink := range board.Pix[y*board.Stride:][:s.width] {
			if here[ink] == draw.Transparent {
				here[ink] = admit(on, board.Palette[ink])
			}
			to[x] = here[ink]
		}
	}
	return nil
}

// admit is the ink for a color: an existing one, a new one if there is room, else the nearest.
func admit(m *image.Paletted, c color.Color) uint8 {
	ink := m.Palette.Index(c)
	if m.Palette[ink] != c && len(m.Palette) < draw.MaxColors {
		ink = len(m.Palette)
		m.Palette = append(m.Palette, c)
	}
	return uint8(ink)
}

// Icon paints the program's logo as a PNG of size pixels each way: a rook-knight, its left half cream on pine and its
// right half pine on cream, scaled by share relative to a piece in its square.
func Icon(w io.Writer, size int, share float64) error {
	pine, cream := color.NRGBA{0x1c, 0x66, 0x54, 0xff}, color.NRGBA{0xff, 0xf3, 0xdc, 0xff}
	table := rules.Table{{}, {Code: "R", Glyph: "rook"}, {Code: "N", Glyph: "knight"}, {Code: "RN", Parts: []rules.Role{1, 2}}}
	mark := rules.Piece{White: rules.Role(len(table) - 1)}
	all := image.NewRGBA(image.Rect(0, 0, size, size))
	side := share * float64(size)
	at := (float64(size) - side) / 2
	for i, half := range [2]struct{ ground, ink color.NRGBA }{{pine, cream}, {cream, pine}} {
		whole := image.NewRGBA(all.Rect)
		imagedraw.Draw(whole, whole.Rect, image.NewUniform(half.ground), image.Point{}, imagedraw.Src)
		colors := draw.Livery{Fill: half.ink, Edge: half.ground, Detail: half.ground}
		draw.NewBrush(draw.OnPixels(whole)).Piece(table, mark, false, at, at, side, &[2]draw.Livery{colors, colors})
		part := image.Rect(i*size/2, 0, (i+1)*size/2, size)
		imagedraw.Draw(all, part, whole, part.Min, imagedraw.Src)
	}
	return png.Encode(w, all)
}
