package render

import (
	"bytes"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/gif"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/rules"
	"chimera/rules/variants"
)

// TestAReplayShowsEachPosition plays the film as a viewer does, and compares each
// frame with the position painted as a whole.
func TestAReplayShowsEachPosition(t *testing.T) {
	const size, plies, seed = 160, 12, 3
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			frames := replay(t, v.Key, plies, seed)
			frames = append(frames, frames[plies]) // nothing changes
			for i := range frames {
				frames[i] = frames[i].ShowTaken(frames[0].Board, nil)
				frames[i].Theme = diagram.Night
			}
			film := decodeGIF(t, frames, size, 700*time.Millisecond)
			screen := image.NewRGBA(image.Rect(0, 0, film.Config.Width, film.Config.Height))
			shown := 0
			for i, m := range film.Image {
				imagedraw.Draw(screen, m.Rect, m, m.Rect.Min, imagedraw.Over)
				if film.Delay[i] == blinked {
					continue
				}
				if want := whole(frames[shown], size); !same(screen, want) {
					t.Fatalf("position %d, seed %d, is not what is seen", shown, seed)
				}
				shown++
			}
		})
	}
}

// replay is a game of a number of plies, with moves chosen at random by the seed.
func replay(t testing.TB, key string, plies int, seed uint64) []diagram.Diagram {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	pos, err := sample.Game(t, key).Position("")
	golden.Must(t, err)
	frames := []diagram.Diagram{diagram.Of(pos, nil, rules.White)}
	for range plies {
		moves := pos.Moves()
		if len(moves) == 0 {
			t.Fatalf("%s, seed %d: the game is over after %d plies", key, seed, len(frames)-1)
		}
		m := moves[random.IntN(len(moves))]
		next, err := pos.Play(m)
		golden.Must(t, err)
		frames = append(frames, diagram.Of(next, pos.Effects(m), rules.White))
		pos = next
	}
	return frames
}

// whole is one position of a film.
func whole(d diagram.Diagram, size int) *image.Paletted {
	s := newScene(&d, size, true)
	return NewPainter().paint(s, image.NewPaletted(s.all(), nil))
}

func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				return false
			}
		}
	}
	return true
}

// blinked is the delay, in hundredths of a second, of a frame that shows a part of a change.
const blinked = 2

func decodeGIF(t *testing.T, frames []diagram.Diagram, size int, step time.Duration) *gif.GIF {
	t.Helper()
	var b bytes.Buffer
	golden.Must(t, NewPainter().GIF(&b, frames, size, Pace{Step: step}))
	film, err := gif.DecodeAll(&b)
	golden.Must(t, err)
	if shown := held(film); shown != len(frames) {
		t.Fatalf("%d positions are shown of %d", shown, len(frames))
	}
	return film
}

// held counts the frames of a film that stay.
func held(film *gif.GIF) (n int) {
	for _, delay := range film.Delay {
		if delay != blinked {
			n++
		}
	}
	return n
}

func TestTheLastPositionIsHeldLonger(t *testing.T) {
	film := decodeGIF(t, replay(t, "chess", 3, 1), MinSize, 500*time.Millisecond)
	whole, last := 0, 0
	for i, delay := range film.Delay {
		whole, last = whole+delay, delay
		if film.Disposal[i] != gif.DisposalNone {
			t.Errorf("frame %d is disposed of as %d", i, film.Disposal[i])
		}
	}
	if whole != 3*50+200 || last < 190 {
		t.Errorf("it takes %d hundredths of a second, of which %d at the end, want 350 and about 200", whole, last)
	}
	if film.LoopCount != 0 {
		t.Errorf("it is shown %d times", film.LoopCount)
	}
}

func TestOnlyWhatChangesIsInAFrame(t *testing.T) {
	const side = Medium / 8
	film := decodeGIF(t, replay(t, "chess", 10, 1), Medium, time.Second)
	if whole := image.Rect(0, 0, Medium, Medium); film.Image[0].Rect != whole {
		t.Errorf("the first frame is %v", film.Image[0].Rect)
	}
	for i, m := range film.Image[1:] {
		if box := m.Rect; box.Dx()*box.Dy() > 4*side*side {
			t.Errorf("frame %d is %v", i+1, box)
		}
	}
}

func TestReplaysAreSmall(t *testing.T) {
	paintsForLong(t)
	const most, plies = 140_000, 60
	for _, v := range variants.All() {
		for _, seed := range []uint64{4, 5} {
			var b bytes.Buffer
			golden.Must(t, NewPainter().GIF(&b, replay(t, v.Key, plies, seed), Medium, Pace{Step: time.Second}))
			if b.Len() > most {
				t.Errorf("%s, seed %d: %d bytes, want at most %d", v.Key, seed, b.Len(), most)
			}
		}
	}
}

func TestFilmsThatAreNoneAreRefused(t *testing.T) {
	small, large := sample.Diagram(t, "2/2"), sample.Diagram(t, "3/3/3")
	for name, frames := range map[string][]diagram.Diagram{"no frame": nil, "two shapes": {large, small}} {
		if err := NewPainter().GIF(io.Discard, frames, Medium, Pace{Step: time.Second}); err == nil {
			t.Errorf("%s is no film", name)
		}
	}
}

// TestLongRunsAndManyStrings compresses pixels that fill the table of strings.
func TestLongRunsAndManyStrings(t *testing.T) {
	d := sample.All(t)["hybrids"]
	for _, th := range diagram.Themes() {
		d.Theme = th
		film := decodeGIF(t, []diagram.Diagram{d}, 900, time.Second)
		if !same(film.Image[0], whole(d, 900)) {
			t.Errorf("a large picture in %v is not what was painted", th)
		}
	}
}

// heap counts what is written to it, and looks at each write how much memory is in use.
type heap struct{ written, most uint64 }

func (h *heap) Write(p []byte) (int, error) {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	h.written, h.most = h.written+uint64(len(p)), max(h.most, sample[0].Value.Uint64())
	return len(p), nil
}
