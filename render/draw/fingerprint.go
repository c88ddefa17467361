package draw

import (
	"hash/maphash"
	"image/color"
)

// Fingerprint is a Surface that keeps a sum of what is painted on it: the same for what looks
// the same, and another for all else but for accidents of one in 2^64.
type Fingerprint struct{ hash maphash.Hash }

// NewFingerprint is a fingerprint of nothing. Those with the same seed may be compared.
func NewFingerprint(seed maphash.Seed) *Fingerprint {
	f := &Fingerprint{}
	f.hash.SetSeed(seed)
	return f
}

// Sum is the sum of what has been painted.
func (f *Fingerprint) Sum() uint64 { return f.hash.Sum64() }

// Fill implements [Surface].
func (f *Fingerprint) Fill(p Path, c color.NRGBA) { f.add(p, c, -1) }

// Stroke implements [Surface].
func (f *Fingerprint) Stroke(p Path, c color.NRGBA, l Line) {
	f.add(p, c, l.Width)
	for _, dash := range l.Dashes {
		maphash.WriteComparable(&f.hash, dash)
	}
}

func (f *Fingerprint) add(p Path, c color.NRGBA, width float64) {
	for i := range p {
		maphash.WriteComparable(&f.hash, p[i])
	}
	maphash.WriteComparable(&f.hash, c)
	maphash.WriteComparable(&f.hash, width)
}

// Write implements [Surface].
func (f *Fingerprint) Write(t Text, c color.NRGBA) {
	maphash.WriteComparable(&f.hash, t)
	maphash.WriteComparable(&f.hash, c)
}

// Stamp implements [Surface].
func (f *Fingerprint) Stamp(s Stamp, at Square, _ func(Surface, Square)) {
	maphash.WriteComparable(&f.hash, s)
	maphash.WriteComparable(&f.hash, at)
}
