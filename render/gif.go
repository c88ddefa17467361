package render

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"io"
	"math/bits"
	"slices"
	"time"

	"chimera/render/diagram"
	"chimera/render/draw"
)

// Pace is the timing of an animation.
type Pace struct {
	Step time.Duration // how long each frame is shown
	Once bool          // the last frame stays; otherwise it is shown four times as long, and the animation repeats
}

// GIF writes an animation of positions of one game, with boards size pixels long on their longer side, all in the theme
// of the first. If it repeats, it is a replay: after the last frame, if bars tell the result, comes a card with it, and
// the last moves are marked with corners, bold ones around where they ended. It refuses sizes as [Painter.PNG] does,
// and frames with boards of different shapes.
func (p *Painter) GIF(w io.Writer, frames []diagram.Diagram, size int, pace Pace) error {
	const lastHold = 4 // steps
	if err := CheckSize(size); err != nil {
		return err
	}
	if len(frames) == 0 {
		return errors.New("render: an animation needs a position")
	}
	f := &film{painter: p, once: pace.Once, looks: map[image.Rectangle]lookKey{}}
	for i, d := range frames {
		d.Theme = frames[0].Theme
		if d.Bars != nil && !pace.Once { // the end card tells the result
			bars := *d.Bars
			bars.Result, d.Bars = "", &bars
		}
		hold := pace.Step
		if !pace.Once && i == len(frames)-1 {
			hold *= lastHold
		}
		s := newScene(&d, size, !pace.Once)
		if i > 0 && (f.screen.Rect != s.all() || d.Shape.Squares != frames[0].Shape.Squares) {
			return errors.New("render: the boards of an animation differ in shape")
		}
		if err := f.show(s, hold); err != nil {
			return err
		}
	}
	if bars := frames[len(frames)-1].Bars; bars != nil && bars.Result != "" && !pace.Once {
		card := newEndCard(&frames[len(frames)-1], frames[0].Theme, f.screen.Rect.Max)
		if err := f.show(card, pace.Step*lastHold); err != nil {
			return err
		}
	}
	f.file.WriteByte(';')
	if _, err := f.file.WriteTo(w); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// film is an animation being written. All frames together would take hundreds of megabytes: so each is encoded as a
// file by itself, of which only the frame is kept, and of the first one also the header.
type film struct {
	painter *Painter
	once    bool
	file    bytes.Buffer
	screen  *image.Paletted             // the current image, nil at first
	looks   map[image.Rectangle]lookKey // of the visible areas
	change  []uint8                     // buffer for the pixels of a frame
}

// show adds a scene. Changes that are far apart become separate frames, since a box around all would contain many
// unchanged pixels.
func (f *film) show(s *scene, hold time.Duration) error {
	const blink = 20 * time.Millisecond // viewers take less for a mistake, and wait longer
	boxes := f.changes(s)
	for _, box := range boxes[:len(boxes)-1] {
		if err := f.write(s, box, blink); err != nil {
			return err
		}
		hold -= blink
	}
	return f.write(s, boxes[len(boxes)-1], hold)
}

// changes are boxes around the areas of s that differ from the screen, or one of a single pixel if none do.
func (f *film) changes(s *scene) (boxes []image.Rectangle) {
	const most = 4
	all := s.all()
	if f.screen == nil {
		f.screen, f.change = image.NewPaletted(all, nil), make([]uint8, all.Dx()*all.Dy())
		boxes = append(boxes, all)
	}
	for i := range s.areas {
		a := &s.areas[i]
		look := f.painter.key(s, a)
		if f.looks[a.Rectangle] == look {
			continue
		}
		f.looks[a.Rectangle] = look
		seen := a.Intersect(all)
		if last := len(boxes) - 1; last == most-1 || last >= 0 && seen.Overlaps(boxes[last].Inset(-1)) {
			boxes[last] = boxes[last].Union(seen)
		} else {
			boxes = append(boxes, seen)
		}
	}
	if boxes == nil {
		return []image.Rectangle{image.Rect(0, 0, 1, 1)}
	}
	return boxes
}

// write updates the screen in a box, as a frame that is transparent where nothing changes.
func (f *film) write(s *scene, box image.Rectangle, hold time.Duration) error {
	inks := draw.PaletteOf(s.theme).Colors
	m := f.painter.paint(s, &image.Paletted{Pix: f.change[:box.Dx()*box.Dy()], Stride: box.Dx(), Rect: box})
	for y := range box.Dy() {
		now, seen := m.Pix[y*m.Stride:][:m.Stride], f.screen.Pix[f.screen.PixOffset(box.Min.X, box.Min.Y+y):]
		for x, ink := range now {
			if ink == seen[x] {
				now[x] = draw.Transparent
			}
			seen[x] = ink
		}
	}
	m.Palette = inks[:slices.Max(m.Pix)+1]
	var alone bytes.Buffer
	if err := gif.EncodeAll(&alone, &gif.GIF{
		Image: []*image.Paletted{m}, Delay: []int{int(hold / (10 * time.Millisecond))}, Disposal: []byte{gif.DisposalNone},
		Config: image.Config{ColorModel: inks, Width: s.width, Height: s.height},
	}); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	const fixed, rgb = 13, 3
	head := alone.Next(fixed + rgb<<bits.Len(uint(len(inks)-1)))
	if f.file.Len() == 0 {
		f.file.Write(head)
		if !f.once {
			f.file.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00") // repeats forever
		}
	}
	f.file.Write(alone.Bytes()[:alone.Len()-1]) // without the file's trailer
	return nil
}
