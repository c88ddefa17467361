package render

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"math/bits"
	"slices"
	"time"

	"chimera/render/diagram"
	"chimera/render/draw"
)

// Pace is how the frames of an animation follow each other.
type Pace struct {
	Step time.Duration // for which each is shown
	Once bool          // the last one stays; else it is shown four times as long, and all begins anew
}

// GIF writes an animation of positions of one game, its boards size pixels long on
// their longer side. All are in the theme of the first. Where it begins anew, it is a replay:
// after the last frame, if bars say how the game has ended, comes a card with the result, and the last
// moves are marked with corners, bold ones around where they ended. It refuses sizes as [Painter.PNG] does, and
// frames whose boards differ in shape.
func (p *Painter) GIF(w io.Writer, frames []diagram.Diagram, size int, pace Pace) error {
	const lastHold = 4 // steps
	if err := CheckSize(size); err != nil {
		return err
	}
	if len(frames) == 0 {
		return errors.New("render: an animation needs a position")
	}
	f := &animation{inks: draw.PaletteOf(frames[0].Theme).Colors, once: pace.Once}
	for i, d := range frames {
		d.Theme = frames[0].Theme
		if d.Bars != nil && !pace.Once { // the end card says how it ended
			bars := *d.Bars
			bars.Result, d.Bars = "", &bars
		}
		hold := pace.Step
		if !pace.Once && i == len(frames)-1 {
			hold *= lastHold
		}
		s := newScene(&d, size, !pace.Once)
		if i > 0 && (f.next.Rect.Dx() != s.width || f.next.Rect.Dy() != s.height || d.Shape.Squares != frames[0].Shape.Squares) {
			return errors.New("render: the boards of an animation differ in shape")
		}
		f.next = p.paint(s, f.next)
		f.show(s.areas, hold)
	}
	if bars := frames[len(frames)-1].Bars; bars != nil && bars.Result != "" && !pace.Once {
		s := newEndCard(&frames[len(frames)-1], frames[0].Theme, f.next.Rect.Size())
		f.next = p.paint(s, f.next)
		f.show(s.areas, pace.Step*lastHold)
	}
	f.file.WriteByte(';')
	if _, err := f.file.WriteTo(w); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// animation is an animation that is being written. The standard library's writer needs all of it at once,
// which takes hundreds of megabytes.
type animation struct {
	file   bytes.Buffer
	inks   color.Palette
	once   bool
	screen []uint8         // what is seen, nil at first
	next   *image.Paletted // what is to be seen next
	change []uint8         // the pixels of a frame
	codes  bytes.Buffer    // these, compressed
	lzw    *lzw.Writer
}

// begin writes what comes before the first frame.
func (a *animation) begin() {
	const table, size = 0x80 | 0x70, 7 // there is a table, of colors of eight bits, and how large it is
	a.file.WriteString("GIF89a")
	a.numbers(a.next.Rect.Dx(), a.next.Rect.Dy())
	a.file.Write([]byte{table | size, 0, 0})
	colors := colorTable(a.inks)
	a.file.Write(colors)
	a.file.Write(make([]byte, 3*draw.MaxColors-len(colors)))
	if !a.once {
		a.file.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00") // again and again
	}
	a.screen = make([]uint8, len(a.next.Pix)) // of the ink that is none
	a.lzw = lzw.NewWriter(nil, lzw.LSB, 8).(*lzw.Writer)
}

func (a *animation) numbers(all ...int) {
	for _, n := range all {
		a.file.Write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
	}
}

// blink is how long a part of a change is shown before the next part: less is taken
// for a mistake by viewers, who wait longer then.
const blink = 20 * time.Millisecond

// show shows the next picture, in which the pixels of some areas may have changed. What changes far apart
// is in frames of its own, since a box around all would have many pixels in it that stay.
func (a *animation) show(areas []area, hold time.Duration) {
	boxes := []image.Rectangle{a.next.Rect}
	if a.screen == nil {
		a.begin()
	} else {
		boxes = a.changes(areas)
	}
	for i, box := range boxes {
		shown := blink
		if i == len(boxes)-1 {
			shown = max(blink, hold-time.Duration(i)*blink)
		}
		a.write(box, shown)
	}
}

// changes are boxes around all pixels that differ from what is on the screen, one of a pixel if there are
// none.
func (a *animation) changes(areas []area) []image.Rectangle {
	const most = 4
	var boxes []image.Rectangle
	for _, of := range areas {
		var box image.Rectangle
		seen := of.Intersect(a.next.Rect)
		for y := seen.Min.Y; y < seen.Max.Y; y++ {
			old, now := a.rows(seen, y)
			if bytes.Equal(old, now) {
				continue
			}
			first, last := 0, len(now)
			for now[first] == old[first] {
				first++
			}
			for now[last-1] == old[last-1] {
				last--
			}
			box = box.Union(image.Rect(seen.Min.X+first, y, seen.Min.X+last, y+1))
		}
		if !box.Empty() {
			boxes = append(boxes, box)
		}
	}
	if boxes == nil {
		return []image.Rectangle{image.Rect(0, 0, 1, 1)}
	}
	for joined(&boxes, len(boxes) > most) {
	}
	return boxes
}

// rows are a row of the pixels in a box, as they are seen and as they are next.
func (a *animation) rows(box image.Rectangle, y int) (old, now []uint8) {
	from := a.next.PixOffset(box.Min.X, y)
	to := from + box.Dx()
	return a.screen[from:to], a.next.Pix[from:to]
}

// joined joins the two boxes around which another is least larger, if that costs less than a frame more, or
// if they have to be fewer; it reports whether it did.
func joined(boxes *[]image.Rectangle, fewer bool) bool {
	const frame = 2000 // as many pixels that stay
	all := *boxes
	a, z, least := 0, 0, frame
	if fewer {
		least = math.MaxInt
	}
	pixels := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
	for i := range all {
		for j := range i {
			if more := pixels(all[i].Union(all[j])) - pixels(all[i]) - pixels(all[j]); more < least {
				a, z, least = j, i, more
			}
		}
	}
	if z == 0 {
		return false
	}
	all[a] = all[a].Union(all[z])
	*boxes = slices.Delete(all, z, z+1)
	return true
}

// write puts what is in a box on the screen, as a frame in which there is no ink where nothing changes.
func (a *animation) write(box image.Rectangle, hold time.Duration) {
	a.change = a.change[:0]
	for y := box.Min.Y; y < box.Max.Y; y++ {
		old, now := a.rows(box, y)
		for i, ink := range now {
			if ink == old[i] {
				ink = draw.Transparent
			}
			a.change = append(a.change, ink)
		}
		copy(old, now)
	}
	const tick, longest = 10 * time.Millisecond, 0xffff
	const keep, transparent = 1 << 2, 1
	a.file.Write([]byte{0x21, 0xf9, 4, keep | transparent})
	a.numbers(int(min(hold/tick, longest)))
	a.file.Write([]byte{draw.Transparent, 0, 0x2c})
	a.numbers(box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	inkBits := max(2, bits.Len8(slices.Max(a.change))) // GIF knows no fewer
	a.file.Write([]byte{0, byte(inkBits)})
	a.codes.Reset()
	a.lzw.Reset(&a.codes, lzw.LSB, inkBits)
	_, _ = a.lzw.Write(a.change) // a bytes.Buffer takes all
	_ = a.lzw.Close()
	const block = 255
	for part := range slices.Chunk(a.codes.Bytes(), block) {
		a.file.WriteByte(byte(len(part)))
		a.file.Write(part)
	}
	a.file.WriteByte(0)
}
