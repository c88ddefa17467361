package draw

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"strings"
	"testing"
)

var ink = color.NRGBA{0x12, 0x34, 0x56, 0xff}

// file is what becomes of a drawing.
func file(t *testing.T, draw func(*Brush)) string {
	t.Helper()
	v := NewVector()
	v.Layer("all")
	b := NewBrush(v)
	draw(b)
	var out bytes.Buffer
	if err := v.File(&out, Sheet{Width: 100, Height: 50, Across: 200, Down: 100, Title: "a < b", Description: "\x00"}); err != nil {
		t.Fatal(err)
	}
	var any struct{}
	if err := xml.Unmarshal(out.Bytes(), &any); err != nil {
		t.Errorf("%v in %s", err, out.String())
	}
	return out.String()
}

func TestDrawingsAreShort(t *testing.T) {
	square := func(b *Brush, x float64) { b.Rectangle(x, 0, 10, 10, 0) }
	for _, c := range []struct {
		name string
		draw func(*Brush)
		want string // what is in the layer
	}{
		{"what is filled and stroked is one", func(b *Brush) {
			square(b, 0)
			b.FillPreserve(ink)
			b.Stroke(ink, 1)
		}, `<path fill="#123456" stroke="#123456" stroke-width="1" d="M0 0h10v10h-10z"/>`},
		{"neighbors of one color are one", func(b *Brush) {
			square(b, 0)
			b.Fill(ink)
			square(b, 10)
			b.Fill(ink)
		}, `<path fill="#123456" d="M0 0h10v10h-10zM10 0h10v10h-10z"/>`},
		{"what lies on another is its own", func(b *Brush) {
			square(b, 0)
			b.Fill(ink)
			square(b, 5)
			b.Fill(ink)
		}, `<path fill="#123456" d="M0 0h10v10h-10z"/>` + "\n" + `<path fill="#123456" d="M5 0h10v10h-10z"/>`},
		{"fields leave no gaps", func(b *Brush) {
			b.Rectangle(0, 0, 20, 20, 0)
			b.Fill(ink)
		}, `<path fill="#123456" shape-rendering="crispEdges" d="M0 0h20v20h-20z"/>`},
		{"what is there already is not painted again", func(b *Brush) {
			for range 2 {
				b.Line(Point{0, 1}, Point{2, 3.456})
				b.Stroke(ink, 1)
			}
		}, `<path fill="none" stroke="#123456" stroke-width="1" d="M0 1l2 2.46"/>`},
		{"a see-through color has an opacity", func(b *Brush) {
			square(b, 0)
			b.Fill(color.NRGBA{A: 0x80})
		}, `<path fill="#000000" fill-opacity="0.5" d="M0 0h10v10h-10z"/>`},
		{"a text of one letter takes the room that it needs", func(b *Brush) {
			b.surface.Write(Text{Words: "a", At: Point{1, 2}, Size: 8, Bold: true, Middle: true}, ink)
		}, `<text x="1" y="2" font-size="8" fill="#123456" font-weight="bold" text-anchor="middle">a</text>`},
		{"what is stamped twice is one symbol", func(b *Brush) {
			for x := range 2 {
				b.surface.Stamp(Stamp{Name: "White \"rook\""}, Square{Point{X: float64(20 * x)}, 20}, func(on Surface, at Square) {
					b := NewBrush(on)
					b.Rectangle(at.X, at.Y, at.Side, at.Side, 0)
					b.Fill(color.NRGBA{A: 0xff})
				})
			}
		}, `<use href="#white-rook-35feccf8" x="0" y="0" width="20" height="20"/>` + "\n" + `<use href="#white-rook-35feccf8" x="20" y="0" width="20" height="20"/>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, _ := strings.Cut(file(t, c.draw), "<g class=\"all\">\n")
			got, _, _ = strings.Cut(got, "\n</g>")
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestNothingThatAStrangerIsCalledBecomesPartOfThePage(t *testing.T) {
	const name = "</text><script>alert(1)</script>&\x01\xff"
	got := file(t, func(b *Brush) { b.surface.Write(Text{Words: name, Size: 8}, ink) })
	if strings.Contains(got, "<script") || !strings.Contains(got, "&lt;script&gt;") {
		t.Errorf("the name is written as it is: %s", got)
	}
}

func TestNamesAreInDrawingsAsPeopleWriteThem(t *testing.T) {
	got := file(t, func(b *Brush) { b.Write(Style{Size: 8}, 0, 0, "שלום") })
	if !strings.Contains(got, ">שלום</text>") {
		t.Errorf("browsers order letters themselves: %s", got)
	}
}
