package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"math/bits"
	"slices"
	"time"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/squeeze"
)

// Pace is how the frames of an animation follow each other.
type Pace struct {
	Step time.Duration // for which each is shown
	Once bool          // the last one stays; else it is shown four times as long, and all begins anew
}

// GIF writes an animation of positions of one game, its boards size pixels long on
// their longer side. All are in the theme of the first. Where it begins anew, it is a replay:
// after the last frame, if bars say how the game has ended, comes a card with the result, and the last
// moves are marked with corners, bold ones around where they ended. It refuses sizes as [PNG] does, and
// frames whose boards differ in shape.
func GIF(w io.Writer, frames []diagram.Diagram, size int, pace Pace) error {
	if err := CheckSize(size); err != nil {
		return err
	}
	if len(frames) == 0 {
		return errors.New("render: an animation needs a position")
	}
	if err := studio.gif(w, frames, size, pace); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// lastHold is how many steps long the last position is shown, and the end card.
const lastHold = 4

var errShapes = errors.New("the boards of an animation differ in shape")

func (a *atelier) gif(w io.Writer, frames []diagram.Diagram, size int, pace Pace) error {
	b := a.bench()
	defer a.benches.Put(b)
	f := &film{bench: b, sprites: a.sprites, to: w, once: pace.Once}
	end := len(frames) - 1
	for i, d := range frames {
		d.Theme = frames[0].Theme
		if d.Bars != nil && !pace.Once { // the end card says how it ended
			bars := *d.Bars
			bars.Result, d.Bars = "", &bars
		}
		hold := pace.Step
		s := newScene(&d, size)
		if !pace.Once {
			s.shorten()
			if i == end {
				hold *= lastHold
			}
		}
		if f.last != nil && len(s.slots) != len(f.last.slots) {
			return errShapes
		}
		if err := f.add(s, hold); err != nil {
			return err
		}
	}
	if card := newEndCard(&frames[end], f.last); card != nil && !pace.Once {
		if err := f.add(card, pace.Step*lastHold); err != nil {
			return err
		}
	}
	f.file.WriteString(";")
	return f.flush()
}

// film is an animation that is being written, on a bench of its own. What is on the
// screen is the bench's canvas.
type film struct {
	*bench
	sprites *sprites
	to      io.Writer
	file    bytes.Buffer // what is not yet written
	once    bool
	next    canvas // what is to be seen next
	last    *scene
	lzw     squeeze.LZW
	change  []uint8 // the pixels of a frame, none where nothing changes
	seen    []uint8 // what is seen there
	data    []byte  // the one or the other, compressed: whichever takes fewer bytes
	whole   []byte  // room for the other
}

// add shows a scene.
func (f *film) add(s *scene, hold time.Duration) error {
	f.next.paint(s, f.sprites.of(s, &f.brush))
	if f.last == nil {
		f.begin(s)
		f.canvas.reset(s.width, s.height, draw.PaletteOf(s.theme))
		f.canvas.cover(draw.Transparent, 0, s.height)
	}
	if f.next.Rect != f.canvas.Rect {
		return errShapes
	}
	boxes := f.changes(s)
	f.last = s
	for i, box := range boxes {
		shown := blink
		if i == len(boxes)-1 {
			shown = max(blink, hold-time.Duration(i)*blink)
		}
		if err := f.write(box, shown); err != nil {
			return err
		}
	}
	return nil
}

// blink is how long a part of a change is shown before the next part: less is taken
// for a mistake by viewers, who wait longer then.
const blink = 20 * time.Millisecond

// changes are boxes around all pixels that differ from what is on the screen, one of a pixel if there are
// none. What changes far apart is written as frames of its own, since a box around all would have many pixels
// in it that stay.
func (f *film) changes(s *scene) []image.Rectangle {
	const most = 4
	var boxes []image.Rectangle
	if f.last == nil || len(f.last.slots) != len(s.slots) {
		return append(boxes, f.next.Rect)
	}
	for i := range s.slots {
		if s.slots[i].key == f.last.slots[i].key {
			continue
		}
		if box := f.differing(s.slots[i].area().Intersect(f.next.Rect)); !box.Empty() {
			boxes = append(boxes, box)
		}
	}
	for joined(&boxes, len(boxes) > most) {
	}
	if boxes == nil {
		boxes = append(boxes, image.Rect(0, 0, 1, 1))
	}
	return boxes
}

// differing is the box around the pixels in a box that differ.
func (f *film) differing(in image.Rectangle) (box image.Rectangle) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		old, new := f.canvas.row(in, y), f.next.row(in, y)
		if bytes.Equal(old, new) {
			continue
		}
		first, last := 0, len(new)
		for new[first] == old[first] {
			first++
		}
		for new[last-1] == old[last-1] {
			last--
		}
		box = box.Union(image.Rect(in.Min.X+first, y, in.Min.X+last, y+1))
	}
	return box
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
	for i := range all {
		for j := range i {
			if more := area(all[i].Union(all[j])) - area(all[i]) - area(all[j]); more < least {
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

func area(r image.Rectangle) int { return r.Dx() * r.Dy() }

// begin writes what comes before the first frame.
func (f *film) begin(s *scene) {
	f.file.Reset()
	f.file.WriteString("GIF89a")
	const flags, size = 0x80 | 0x70, 7 // there is a table, of colors of eight bits, and how large it is
	f.numbers(s.width, s.height)
	f.file.Write([]byte{flags | size, 0, 0})
	colors := colorTable(draw.PaletteOf(s.theme).Colors)
	f.file.Write(colors)
	f.file.Write(make([]byte, 3*draw.MaxColors-len(colors)))
	if !f.once {
		f.file.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00") // again and again
	}
}

func (f *film) numbers(all ...int) {
	for _, n := range all {
		f.file.Write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
	}
}

// write puts what is to be seen next in a box on the screen, and writes it as a frame that leaves the rest as it is.
func (f *film) write(box image.Rectangle, hold time.Duration) error {
	f.change, f.seen = slices.Grow(f.change[:0], area(box)), slices.Grow(f.seen[:0], area(box))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		old, new := f.canvas.row(box, y), f.next.row(box, y)
		for i, ink := range new {
			if ink == old[i] {
				ink = draw.Transparent
			}
			f.change = append(f.change, ink)
		}
		f.seen = append(f.seen, new...)
		copy(old, new)
	}
	const tick = 10 * time.Millisecond
	const keep, transparent = 1 << 2, 1
	f.file.Write([]byte{0x21, 0xf9, 4, keep | transparent})
	f.numbers(int(min(hold/tick, 0xffff)))
	f.file.Write([]byte{draw.Transparent, 0, 0x2c})
	f.numbers(box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	inkBits := max(2, bits.Len8(slices.Max(f.seen))) // GIF knows no fewer
	f.file.Write([]byte{0, byte(inkBits)})
	f.data = f.lzw.Append(f.data[:0], f.change, f.seen, draw.Transparent, inkBits)
	f.whole = f.lzw.Append(f.whole[:0], f.seen, nil, draw.Transparent, inkBits)
	if len(f.whole) < len(f.data) { // what stays was in the way
		f.data, f.whole = f.whole, f.data
	}
	const block = 255
	for part := range slices.Chunk(f.data, block) {
		f.file.WriteByte(byte(len(part)))
		f.file.Write(part)
	}
	f.file.WriteByte(0)
	return f.flush()
}

// flush hands on what is in the file.
func (f *film) flush() error {
	_, err := f.to.Write(f.file.Bytes())
	f.file.Reset()
	return err
}
