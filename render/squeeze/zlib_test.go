package squeeze

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"testing"
)

// TestWhatIsSqueezedComesBack reads with the standard library what was written, for all kinds of
// pixels.
func TestWhatIsSqueezedComesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var z Zlib
	for n := range 400 {
		pixels := drawing(random, n)
		stride := 1 + random.IntN(600)
		got := z.Append([]byte("before"), pixels, stride)
		if !bytes.HasPrefix(got, []byte("before")) {
			t.Fatalf("%d: what was there is gone", n)
		}
		r, err := zlib.NewReader(bytes.NewReader(got[len("before"):]))
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(back, pixels) {
			t.Fatalf("drawing %d of %d pixels, %d a row, does not come back: %v", n, len(pixels), stride, err)
		}
	}
}

// drawing is runs of pixels, some of which were there before, in few inks or in many.
func drawing(random *rand.Rand, n int) []byte {
	var pixels []byte
	size, inks := random.IntN(1+n*n), 1+random.IntN(256)
	for len(pixels) < size {
		switch random.IntN(3) {
		case 0:
			pixels = append(pixels, bytes.Repeat([]byte{byte(random.IntN(inks))}, 1+random.IntN(700))...)
		case 1:
			for range random.IntN(40) {
				pixels = append(pixels, byte(min(random.IntN(inks), random.IntN(inks))))
			}
		default:
			if at := random.IntN(len(pixels) + 1); at < len(pixels) {
				pixels = append(pixels, pixels[at:min(len(pixels), at+random.IntN(500))]...)
			}
		}
	}
	return pixels
}
