package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math/bits"
	"slices"
	"time"

	"chimera/render/squeeze"
)

// GIF writes an animation of positions of one game, its boards size pixels long on
// their longer side. Each is shown for as long as step says, the last one four times
// as long; then it begins anew. All are in the theme of the first. The last
// move is marked with corners around where it ended and a dot where it began, and says
// whose turn it is. It refuses sizes as [PNG] does, and frames whose boards differ in
// shape.
func GIF(w io.Writer, frames []Diagram, size int, step time.Duration) error {
	if err := CheckSize(size); err != nil {
		return err
	}
	if len(frames) == 0 {
		return errors.New("render: an animation needs a position")
	}
	if err := studio.gif(w, frames, size, step); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// lastHold is how many steps long the last position is shown.
const lastHold = 4

func (a *atelier) gif(w io.Writer, frames []Diagram, size int, step time.Duration) error {
	b := a.bench()
	defer a.benches.Put(b)
	f := &film{bench: b, sprites: a.sprites, to: w}
	for i, d := range frames {
		d.Theme = frames[0].Theme
		hold := step
		if i == len(frames)-1 {
			hold *= lastHold
		}
		s := newScene(&d, size)
		s.shorten()
		if err := f.add(s, hold); err != nil {
			return err
		}
	}
	f.file.WriteString(";")
	return f.flush()
}

// film is an animation that is being written, on a bench of its own. What is on the
// screen is the bench's canvas; what is not yet written is in its file.
type film struct {
	*bench
	sprites *sprites
	to      io.Writer
	last    *scene
	lzw     squeeze.LZW
	change  []uint8 // the pixels of a frame, none where nothing changes
	seen    []uint8 // what is seen there
	data    []byte  // both, compressed
}

// add shows a scene.
func (f *film) add(s *scene, hold time.Duration) error {
	sprites := f.sprites.of(s)
	if f.last == nil {
		f.begin(s)
		f.canvas.paint(s, sprites)
		f.change = f.change[:0]
		for y := range s.height {
			f.change = append(f.change, f.canvas.Pix[y*f.canvas.Stride:][:s.width]...)
		}
		f.last = s
		return f.write(f.canvas.Rect, hold)
	}
	if s.width != f.last.width || s.height != f.last.height || len(s.slots) != len(f.last.slots) {
		return errors.New("the boards of an animation differ in shape")
	}
	box := f.update(s, sprites)
	f.last = s
	return f.write(box, hold)
}

// update paints what differs from the last scene, leaves in f.change the pixels that
// have, and says where they are.
func (f *film) update(s *scene, sprites []sprite) image.Rectangle {
	box := f.changed(s, sprites)
	width := box.Dx()
	f.change = slices.Grow(f.change[:0], width*box.Dy())[:width*box.Dy()]
	for i := range f.change {
		f.change[i] = none
	}
	f.eachRow(s, sprites, func(x, y int, new, old []uint8) {
		for i, ink := range new {
			if ink != old[i] {
				f.change[(y-box.Min.Y)*width+x+i-box.Min.X] = ink
			}
		}
		copy(old, new)
	})
	return box
}

// changed is the box around all pixels that differ from the last scene, one pixel if
// there are none.
func (f *film) changed(s *scene, sprites []sprite) image.Rectangle {
	var box image.Rectangle
	f.eachRow(s, sprites, func(x, y int, new, old []uint8) {
		first, last := 0, len(new)
		for new[first] == old[first] {
			first++
		}
		for new[last-1] == old[last-1] {
			last--
		}
		box = box.Union(image.Rect(x+first, y, x+last, y+1))
	})
	if box.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return box
}

// eachRow shows each row of pixels, of one sprite, that differs from what is on the
// screen.
func (f *film) eachRow(s *scene, sprites []sprite, show func(x, y int, new, old []uint8)) {
	for i := range s.slots {
		slot := &s.slots[i]
		if slot.key == f.last.slots[i].key {
			continue
		}
		for row := range slot.side {
			y := slot.y + row
			new := sprites[i].pix[row*slot.side:][:slot.side]
			old := f.canvas.Pix[y*f.canvas.Stride+slot.x:][:slot.side]
			if !bytes.Equal(new, old) {
				show(slot.x, y, new, old)
			}
		}
	}
}

// begin writes what comes before the first frame.
func (f *film) begin(s *scene) {
	f.file.Reset()
	f.file.WriteString("GIF89a")
	const table, colors, size = 0x80, 0x70, 7 // there is a table, and how large it is
	f.numbers(s.width, s.height)
	f.file.Write([]byte{table | colors | size, 0, 0})
	inks := s.theme.inks()
	f.file.Write(inks.table)
	f.file.Write(make([]byte, 3*maxInks-len(inks.table)))
	f.file.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00") // again and again
}

func (f *film) numbers(all ...int) {
	for _, n := range all {
		f.file.Write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
	}
}

// write writes f.change as a frame that leaves the rest of the screen as it is.
func (f *film) write(box image.Rectangle, hold time.Duration) error {
	const tick = 10 * time.Millisecond
	const keep, transparent = 1 << 2, 1
	f.file.Write([]byte{0x21, 0xf9, 4, keep | transparent})
	f.numbers(int(min(hold/tick, 0xffff)))
	f.file.Write([]byte{none, 0, 0x2c})
	f.numbers(box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	f.seen = f.seen[:0]
	for y := box.Min.Y; y < box.Max.Y; y++ {
		f.seen = append(f.seen, f.canvas.Pix[y*f.canvas.Stride+box.Min.X:][:box.Dx()]...)
	}
	inkBits := max(2, bits.Len8(slices.Max(f.seen))) // GIF knows no fewer
	f.file.Write([]byte{0, byte(inkBits)})
	f.data = f.lzw.Append(f.data[:0], f.change, f.seen, none, inkBits)
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
