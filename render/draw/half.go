package draw

import (
	"slices"
)

// drawHalves draws the left half of White's brushes and, to the right, that of Black's,
// which are mirrored: a knight of Black's looks the other way. The seam is a line of
// White's outline on Black's side of the middle, so that either fill has its half.
func drawHalves(white, black []brush) []brush {
	const seam = box/2 + edgeWidth/2
	return slices.Concat(cutAll(black, seam), cutAll(white, seam))
}

// cutAll is what is left of brushes on one side of the line x = seam: on the left, and of
// mirrored ones on the right. Letters move there.
func cutAll(brushes []brush, seam float64) []brush {
	var kept []brush
	for _, b := range brushes {
		if b.finish == word {
			const smaller = .6
			b.frame = b.frame.within(frame{box/3 - smaller*box/2, (1 - smaller) * box / 2, smaller, smaller})
			kept = append(kept, b)
			continue
		}
		b.path = b.path.cut((seam - b.frame.x) / b.frame.sx)
		if b.path != nil {
			kept = append(kept, b)
		}
	}
	return kept
}

// cut is what of p is to the left of the line x = seam, nil for nothing. What was closed
// is closed along the line.
func (p Path) cut(seam float64) Path {
	var q Path
	var start, at Point
	drawn := false // up to here
	for _, s := range p {
		switch s.Op {
		case Move:
			start, at, drawn = s.To, s.To, false
			continue
		case Close:
			s = Segment{Op: Go, To: start}
		case Go, Curve:
		}
		for _, piece := range partedAt(s, at, seam) {
			inside := along(piece, at, .5).X < seam
			switch {
			case !inside:
			case q == nil, !drawn && !p.closed():
				q = append(q, Segment{Op: Move, To: at}, piece)
			case !drawn:
				q = append(q, Segment{Op: Go, To: at}, piece)
			default:
				q = append(q, piece)
			}
			at, drawn = piece.To, inside
		}
	}
	if q != nil && p.closed() {
		q = append(q, Segment{Op: Close})
	}
	return q
}

// partedAt is a line or curve from a in pieces, each on one side of the line x = seam.
func partedAt(s Segment, a Point, seam float64) []Segment {
	const steps = 16 // finer than our curves turn
	var pieces []Segment
	side := func(u float64) bool { return along(s, a, u).X < seam }
	from, rest, done := a, s, 0.
	for i := range steps {
		low, high := float64(i)/steps, float64(i+1)/steps
		if side(low) == side(high) {
			continue
		}
		for range 20 {
			if mid := (low + high) / 2; side(mid) == side(low) {
				low = mid
			} else {
				high = mid
			}
		}
		var piece Segment
		piece, rest = rest.Split(from, (low-done)/(1-done))
		pieces, from, done = append(pieces, piece), piece.To, low
	}
	return append(pieces, rest)
}

// along is where a line or curve from a is at the time u from 0 to 1.
func along(s Segment, a Point, u float64) Point {
	first, _ := s.Split(a, u)
	return first.To
}
