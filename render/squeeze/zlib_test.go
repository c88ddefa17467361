package squeeze

import (
	"bytes"
	"compress/zlib"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWhatIsSqueezedComesBack reads with the standard library what was written, for all kinds of
// pixels.
func TestWhatIsSqueezedComesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	z := Zlib{Memory: new(Memory)}
	var pixels []byte
	stride := 1
	for n := range 400 {
		switch {
		case n%4 == 1: // the same again
		case n%4 == 2 && len(pixels) > 0: // nearly
			pixels[random.IntN(len(pixels))]++
		default:
			pixels, stride = drawing(random, n), 1+random.IntN(600)
			if n%20 == 0 {
				stride <<= 9 // farther than a match goes back
			}
		}
		got := appendRows(&z, []byte("before"), pixels, stride)
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

// TestWhatIsRememberedIsWrittenAlike compresses drawings as if none had been before, and again.
func TestWhatIsRememberedIsWrittenAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	kept := Zlib{Memory: new(Memory)}
	for n := range 100 {
		pixels, stride := drawing(random, 2*n), 1+random.IntN(300)
		want := appendRows(&Zlib{Memory: new(Memory)}, nil, pixels, stride)
		for range 2 {
			if !bytes.Equal(appendRows(&kept, nil, pixels, stride), want) {
				t.Fatalf("drawing %d is written otherwise when it is remembered", n)
			}
		}
	}
}

// TestMemoryHasAnEnd compresses more than is remembered.
func TestMemoryHasAnEnd(t *testing.T) {
	const stride, rows, most = 400, 400, 2 * maxMemory // bytes, young and old
	random := rand.New(rand.NewPCG(5, 6))
	pixels := make([]byte, stride*rows)
	z := Zlib{Memory: new(Memory)}
	for range 12 {
		for i := range pixels {
			pixels[i] = byte(random.IntN(256))
		}
		appendRows(&z, nil, pixels, stride)
		held := 0
		for _, strips := range []map[uint64]*strip{z.Memory.young, z.Memory.old} {
			for _, s := range strips {
				held += len(s.written)
			}
		}
		if held > most || held == 0 {
			t.Fatalf("%d bytes are remembered, want at most %d", held, most)
		}
	}
}

// appendRows appends rows in strips of 32.
func appendRows(z *Zlib, out, pixels []byte, stride int) []byte {
	strips := slices.Collect(slices.Chunk(pixels, 32*stride))
	names := make([]uint64, len(strips))
	for i := range names {
		h := fnv.New64a()
		_, _ = h.Write(strips[i])
		names[i] = h.Sum64() ^ uint64(stride)
	}
	return z.Append(out, stride, names, func(strip int) []byte { return strips[strip] })
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
