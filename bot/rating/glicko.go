package rating

import (
	"math"
	"time"
)

// Rating is what is known of somebody's strength. The zero Rating is none; Initial begins
// one.
type Rating struct {
	Value      float64 // as people see it: 1500 to begin with
	Deviation  float64 // standard deviation of Value, from MinDeviation to MaxDeviation
	Volatility float64 // how much Value is expected to change, from MinVolatility to MaxVolatility
}

// System is what Glicko-2 leaves to choose.
type System struct {
	Tau     float64 // limits how fast the volatility changes; the paper: 0.3 to 1.2
	Periods float64 // rating periods in a day
}

// Usual is the System of this program, with lichess's values.
func Usual() System { return System{Tau: 0.75, Periods: 0.21436} }

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

// Conservative is a score that somebody is as good as with a probability of about 98
// percent: two deviations below the value. It ranks those who have shown their strength
// before those who were lucky in a few games.
func (r Rating) Conservative() float64 { return r.Value - 2*r.Deviation }

// Result is a game as one of its players sees it.
type Result struct {
	Opponent Rating
	Score    float64 // 1 for a win, 0.5 for a draw, 0 for a loss
}

// scale is the ratio of the usual scale to that of Glicko-2: 400 / ln 10.
const scale = 173.7178

// g and expected are those of the paper's third step.
func g(phi float64) float64 {
	return 1 / math.Sqrt(1+float64(3*phi*phi/(math.Pi*math.Pi)))
}

func expected(mu, opponent, phi float64) float64 {
	return 1 / (1 + math.Exp(float64(-g(phi)*(mu-opponent))))
}

// Grown is r after some time without a game: less certain.
func (s System) Grown(r Rating, elapsed time.Duration) Rating {
	phi := grow(r.Deviation/scale, r.Volatility, s.periods(elapsed))
	r.Deviation = min(float64(phi*scale), MaxDeviation)
	return r
}

func (s System) periods(elapsed time.Duration) float64 {
	return max(elapsed.Hours(), 0) / 24 * s.Periods
}

// Fades is how long a Rating that is not provisional may wait for a game before it is.
func (s System) Fades(r Rating) time.Duration {
	sure, phi := Sure/scale, r.Deviation/scale
	days := max(sure*sure-phi*phi, 0) / (r.Volatility * r.Volatility) / s.Periods
	return time.Duration(days * 24 * float64(time.Hour))
}

func grow(phi, sigma, periods float64) float64 {
	return math.Sqrt(float64(phi*phi) + float64(sigma*sigma*periods))
}

// Update is r after games that were played some time after the last one. It is not
// rounded, and within the bounds.
func (s System) Update(r Rating, elapsed time.Duration, games ...Result) Rating {
	return s.update(r, s.periods(elapsed), games).within()
}

func (s System) update(r Rating, periods float64, games []Result) Rating {
	mu, phi := (r.Value-StartValue)/scale, r.Deviation/scale
	var information, gain float64
	for _, game := range games {
		other := game.Opponent.Deviation / scale
		weight := g(other)
		e := expected(mu, (game.Opponent.Value-StartValue)/scale, other)
		information += float64(weight * weight * e * (1 - e))
		gain += float64(weight * (game.Score - e))
	}
	sigma := r.Volatility
	if information > 0 {
		sigma = s.volatility(phi, sigma, 1/information, gain/information)
	}
	grown := grow(phi, sigma, periods)
	phi = 1 / math.Sqrt(1/float64(grown*grown)+information)
	mu += float64(phi * phi * gain)
	return Rating{float64(mu*scale) + StartValue, phi * scale, sigma}
}

// volatility is the paper's fifth step: the root of f by the Illinois algorithm.
func (s System) volatility(phi, sigma, v, delta float64) float64 {
	const precise = 1e-6
	a := math.Log(float64(sigma * sigma))
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := float64(phi*phi) + v + e
		return float64(e*(float64(delta*delta)-d)/float64(2*d*d)) - (x-a)/float64(s.Tau*s.Tau)
	}
	low := a
	var high float64
	if square := float64(delta * delta); square > float64(phi*phi)+v {
		high = math.Log(square - float64(phi*phi) - v)
	} else {
		k := 1.0
		for f(a-float64(k*s.Tau)) < 0 {
			k++
		}
		high = a - float64(k*s.Tau)
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

func (r Rating) within() Rating {
	return Rating{
		bound(r.Value, MinValue, MaxValue), bound(r.Deviation, MinDeviation, MaxDeviation),
		bound(r.Volatility, MinVolatility, MaxVolatility),
	}
}

func bound(x, low, high float64) float64 { return min(max(x, low), high) }

// Game is what a game makes of both players' ratings, rounded: White's score is 1, 0.5
// or 0. The times are those since each one's last rated game: both deviations grow by
// them first, so that each player is measured against as much as is known of the other
// today, and nobody is less certain than MaxDeviation.
func (s System) Game(white, black Rating, whiteSince, blackSince time.Duration, score float64) (newWhite, newBlack Rating) {
	white, black = s.Grown(white, whiteSince), s.Grown(black, blackSince)
	return s.Update(white, 0, Result{black, score}).Round(), s.Update(black, 0, Result{white, 1 - score}).Round()
}

// Round is r as it is stored: value and deviation to hundredths, the volatility to
// millionths.
func (r Rating) Round() Rating {
	return Rating{round(r.Value, 100), round(r.Deviation, 100), round(r.Volatility, 1e6)}
}

func round(x, parts float64) float64 { return math.Round(x*parts) / parts }
