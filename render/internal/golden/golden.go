// Package golden compares pictures painted in a test with stored ones, and shows the difference.
package golden

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Update says that the golden files are to be written anew.
var Update = os.Getenv("CHIMERA_UPDATE") != "" //nolint:gochecknoglobals // read once, by tests

// How many pixels of two equal pictures may differ: machines round differently, and programs use different fonts.
const (
	Rounding = 40
	Lines    = 2500 // of text, whose letters are hinted differently
)

// Compare compares a picture with the stored one of that name in testdata.
func Compare(t *testing.T, name string, picture []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	got := Decode(t, bytes.NewReader(picture))
	if _, err := os.Stat(file); Update && err != nil {
		Write(t, file, picture)
		return
	}
	want := readPNG(t, file)
	diff, differ := difference(got, want)
	switch {
	case differ <= Rounding:
		return // an update keeps the file too, so that it shows only intended changes
	case Update:
		Write(t, file, picture)
		return
	}
	t.Errorf("%d pixels differ from %s; see got.png, want.png and diff.png in %s", differ, file, kept(t, got, want, diff))
}

// kept is the folder where the compared pictures and their difference are kept.
func kept(t *testing.T, got, want, diff *image.RGBA) string {
	t.Helper()
	dir := t.ArtifactDir()
	writePNG(t, filepath.Join(dir, "got.png"), got)
	writePNG(t, filepath.Join(dir, "want.png"), want)
	writePNG(t, filepath.Join(dir, "diff.png"), diff)
	return dir
}

// difference counts the pixels that differ, and paints them red on a pale picture.
func difference(got, want *image.RGBA) (diff *image.RGBA, differ int) {
	area := got.Bounds().Union(want.Bounds())
	diff = image.NewRGBA(area)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			g, w := got.RGBAAt(x, y), want.RGBAAt(x, y)
			const tolerance = 8
			if farthest(g, w) > tolerance {
				differ++
				diff.SetRGBA(x, y, color.RGBA{0xff, 0, 0, 0xff})
				continue
			}
			diff.SetRGBA(x, y, pale(w))
		}
	}
	return diff, differ
}

// pale is a color without color, near to white.
func pale(c color.RGBA) color.RGBA {
	y := 192 + color.GrayModel.Convert(c).(color.Gray).Y/4
	return color.RGBA{y, y, y, 0xff}
}

// farthest is the greatest difference of two colors in any channel.
func farthest(a, b color.RGBA) int {
	return max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B), apart(a.A, b.A))
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// Decode is the picture in a PNG file.
func Decode(t testing.TB, r io.Reader) *image.RGBA {
	t.Helper()
	m, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(m.Bounds())
	draw.Draw(rgba, m.Bounds(), m, m.Bounds().Min, draw.Src)
	return rgba
}

func readPNG(t testing.TB, name string) *image.RGBA {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return Decode(t, f)
}

func writePNG(t testing.TB, name string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	Write(t, name, b.Bytes())
}

// CompareText compares a text with the stored one of that file in testdata.
func CompareText(t testing.TB, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if Update {
		Write(t, file, []byte(got))
		return
	}
	want, err := os.ReadFile(file)
	Must(t, err)
	if got != string(want) {
		t.Errorf("%s differs; got\n%s\nwant\n%s", file, got, want)
	}
}

// Write writes a golden file.
func Write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Must ends a test that cannot go on.
func Must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
