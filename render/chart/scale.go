package chart

import "math"

// scale is a range of values, and how many ticks it has at most between its ends.
type scale struct {
	low, high float64
	most      int
}

// wide is s, at least so wide and finite.
func (s scale) wide(least float64) scale {
	if !(s.low <= s.high) || math.IsInf(s.low, 0) || math.IsInf(s.high, 0) {
		s.low, s.high = 0, 0
	}
	if more := least - (s.high - s.low); more > 0 {
		s.low, s.high = s.low-more/2, s.high+more/2
	}
	return s
}

// share is where a value is, from 0 to 1; 0 for what is no number.
func (s scale) share(value float64) float64 {
	if share := (value - s.low) / (s.high - s.low); share > 0 {
		return min(1, share)
	}
	return 0
}

// ticks are round values on the scale.
func (s scale) ticks() []float64 {
	step := s.step()
	var all []float64
	for tick := math.Ceil(s.low/step) * step; tick <= s.high; tick += step {
		all = append(all, tick)
	}
	return all
}

// step is the smallest round step that leaves no more ticks than wanted.
func (s scale) step() float64 {
	for power := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/float64(s.most)))); ; power *= 10 {
		for _, times := range []float64{1, 2, 5} {
			if step := power * times; math.Floor(s.high/step)-math.Ceil(s.low/step)+1 <= float64(s.most) {
				return step
			}
		}
	}
}
