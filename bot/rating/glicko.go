package rating

import (
	"math"
	"time"

	"chimera/storage"
)

// Rating is an estimate of somebody's strength. The zero Rating means none; Initial is that of a
// beginner.
type Rating struct {
	Value      float64 // as people see it: 1500 to begin with
	Deviation  float64 // standard deviation of Value, from MinDeviation to MaxDeviation
	Volatility float64 // how much Value is expected to change, from MinVolatility to MaxVolatility
}

// What Glicko-2 leaves to choose, with lichess's values.
const (
	usualTau = 0.75    // limits how fast the volatility changes; the paper: 0.3 to 1.2
	aDay     = 0.21436 // rating periods
)

// Bounds, and what a Rating begins with.
const (
	StartValue      = 1500
	MinValue        = 400
	MaxValue        = 4000
	MinDeviation    = 45
	MaxDeviation    = 500
	StartVolatility = 0.09
	MinVolatility   = 0.01
	MaxVolatility   = 0.1

	// Sure is the deviation above which a Rating is provisional.
	Sure = 110
)

// Initial is the Rating of somebody who has not played.
func Initial() Rating { return Rating{StartValue, MaxDeviation, StartVolatility} }

// Provisional reports whether a Rating is too uncertain to be compared.
func (r Rating) Provisional() bool { return r.Deviation > Sure }

// Conservative is a strength that somebody has with a probability of about 98 percent: two deviations
// below the value. It ranks people who have proved their strength before those who were lucky in a few
// games.
func (r Rating) Conservative() float64 { return r.Value - 2*r.Deviation }

// Result is a game as one of its players sees it.
type Result struct {
	Opponent Rating
	Score    float64 // 1 for a win, 0.5 for a draw, 0 for a loss
}

// scale is the ratio of the usual scale to that of Glicko-2: 400 / ln 10.
const scale = 173.7178

// g is the function g of the paper's third step.
func g(phi float64) float64 { return 1 / math.Sqrt(1+float64(3*phi*phi/(math.Pi*math.Pi))) }

// Grown is r after some time without a game, which makes it less certain.
func (r Rating) Grown(elapsed time.Duration) Rating {
	phi := grow(r.Deviation/scale, r.Volatility, max(elapsed.Hours(), 0)/24*aDay)
	r.Deviation = min(float64(phi*scale), MaxDeviation)
	return r
}

// Fades is how long a Rating that is not provisional lasts without a game until it is.
func (r Rating) Fades() time.Duration {
	sure, phi := Sure/scale, r.Deviation/scale
	days := max(sure*sure-phi*phi, 0) / (r.Volatility * r.Volatility) / aDay
	return time.Duration(days * 24 * float64(time.Hour))
}

func grow(phi, sigma, periods float64) float64 {
	return math.Sqrt(float64(phi*phi) + float64(sigma*sigma*periods))
}

// update is r after games that were played some rating periods after the last one. The result is
// neither rounded nor bounded.
func (r Rating) update(tau, periods float64, games ...Result) Rating {
	mu, phi := (r.Value-StartValue)/scale, r.Deviation/scale
	var information, gain float64
	for _, game := range games {
		weight := g(game.Opponent.Deviation / scale)
		e := 1 / (1 + math.Exp(float64(-weight*(mu-(game.Opponent.Value-StartValue)/scale)))) // the score that is expected, as in the third step too
		information += float64(weight * weight * e * (1 - e))
		gain += float64(weight * (game.Score - e))
	}
	sigma := r.Volatility
	if information > 0 {
		sigma = volatility(tau, phi, sigma, 1/information, gain/information)
	}
	grown := grow(phi, sigma, periods)
	phi = 1 / math.Sqrt(1/float64(grown*grown)+information)
	mu += float64(phi * phi * gain)
	return Rating{float64(mu*scale) + StartValue, phi * scale, sigma}
}

// volatility is the paper's fifth step: the root of f by the Illinois algorithm.
func volatility(tau, phi, sigma, v, delta float64) float64 {
	const precise = 1e-6
	a := math.Log(float64(sigma * sigma))
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := float64(phi*phi) + v + e
		return float64(e*(float64(delta*delta)-d)/float64(2*d*d)) - (x-a)/float64(tau*tau)
	}
	low := a
	var high float64
	if square := float64(delta * delta); square > float64(phi*phi)+v {
		high = math.Log(square - float64(phi*phi) - v)
	} else {
		k := 1.0
		for f(a-float64(k*tau)) < 0 {
			k++
		}
		high = a - float64(k*tau)
	}
	fLow, fHigh := f(low), f(high)
	for range 100 {
		if math.Abs(high-low) <= precise {
			break
		}
		next := low + float64((low-high)*fLow)/(fHigh-fLow)
		value := f(next)
		if value*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = next, value
	}
	return math.Exp(low / 2)
}

// At is the rating of a standing at a moment. Its deviation has grown since the last rated game, up to
// MaxDeviation.
func At(s *storage.Standing, at time.Time) Rating {
	switch r := ratingOf(s); {
	case s.Games() == 0:
		return Initial()
	case s.At.IsZero():
		return r
	default:
		return r.Grown(at.Sub(s.At))
	}
}

// Rate updates a standing by a game, and rounds its rating: the score is 1, 0.5 or 0. Pass the
// opponent as At has them, so that each player is measured against what is known of the other on the
// day of the game.
func Rate(s *storage.Standing, opponent Rating, at time.Time, score float64) {
	r := At(s, at).update(usualTau, 0, Result{opponent, score}).within()
	s.Value, s.Deviation, s.Volatility, s.At = r.Value, r.Deviation, r.Volatility, at
}

// within is r as it is stored: within the bounds, value and deviation rounded to hundredths, the
// volatility to millionths.
func (r Rating) within() Rating {
	bound := func(x, low, high, parts float64) float64 { return math.Round(min(max(x, low), high)*parts) / parts }
	return Rating{
		bound(r.Value, MinValue, MaxValue, 100), bound(r.Deviation, MinDeviation, MaxDeviation, 100),
		bound(r.Volatility, MinVolatility, MaxVolatility, 1e6),
	}
}
