package rating

import (
	"math"
	"testing"
	"time"

	"chimera/storage"
)

const day = 24 * time.Hour

// The paper's example: 1500, 200, 0.06 against three opponents, with tau 0.5 and one
// period. The paper rounds on its way: without that, the rating is 1464.05, and the
// volatility 0.059996.
func TestThePapersExample(t *testing.T) {
	got := Rating{1500, 200, 0.06}.update(0.5, 1, Result{Rating{1400, 30, 0.06}, 1}, Result{Rating{1550, 100, 0.06}, 0}, Result{Rating{1700, 300, 0.06}, 0})
	for _, c := range []struct {
		name      string
		got, want float64
		within    float64
	}{
		{"rating", got.Value, 1464.06, 0.01},
		{"deviation", got.Deviation, 151.52, 0.005},
		{"volatility", got.Volatility, 0.05999, 0.00001},
	} {
		if math.Abs(c.got-c.want) > c.within {
			t.Errorf("%s %.6f, want %.5f", c.name, c.got, c.want)
		}
	}
}

func TestADeviationOf60GrowsTo110InAYear(t *testing.T) {
	r := Rating{1500, 60, 0.06}.Grown(365 * day)
	if math.Abs(r.Deviation-110) > 0.5 {
		t.Errorf("it grows to %.2f", r.Deviation)
	}
	if r = r.Grown(100 * 365 * day); r.Deviation != MaxDeviation {
		t.Errorf("in a century it grows to %.2f", r.Deviation)
	}
}

// game is what a game makes of two ratings, some time after each one's last.
func game(white, black Rating, whiteSince, blackSince time.Duration, score float64) (newWhite, newBlack Rating) {
	now := time.Unix(0, 0)
	standing := func(r Rating, since time.Duration) *storage.Standing {
		return &storage.Standing{Value: r.Value, Deviation: r.Deviation, Volatility: r.Volatility, At: now.Add(-since), Wins: 1}
	}
	one, other := standing(white, whiteSince), standing(black, blackSince)
	white, black = At(one, now), At(other, now)
	Rate(one, black, now, score)
	Rate(other, white, now, 1-score)
	return ratingOf(one), ratingOf(other)
}

func TestWhoWinsGainsWhatSurpriseIsWorth(t *testing.T) {
	strong, weak := Rating{1800, 60, 0.06}, Rating{1400, 60, 0.06}
	up, down := game(strong, weak, day, day, 1)
	upset, fall := game(weak, strong, day, day, 1)
	if up.Value <= strong.Value || down.Value >= weak.Value || up.Value-strong.Value >= upset.Value-weak.Value {
		t.Errorf("as expected %v %v, as a surprise %v %v", up, down, upset, fall)
	}
	if white, black := game(strong, strong, day, day, 0.5); white.Value != strong.Value || black != white {
		t.Errorf("a draw of equals: %v, %v", white, black)
	}
}

func TestWhoWasAwayIsAnUncertainOpponent(t *testing.T) {
	r := Rating{1500, 60, 0.09}
	here, _ := game(r, r, day, day, 1)
	back, _ := game(r, r, day, 10*365*day, 1)
	if back.Value >= here.Value {
		t.Errorf("to win against somebody who was away makes %v, else %v", back, here)
	}
}

func TestNobodyIsLessCertainThanABeginner(t *testing.T) {
	o := Rating{1500, 60, 0.06}
	old, _ := game(Rating{1500, 480, StartVolatility}, o, 100*365*day, 0, 1)
	begun, _ := game(Initial(), o, 0, 0, 1)
	if old.Value != begun.Value || old.Deviation != begun.Deviation {
		t.Errorf("after a century %v, a beginner %v", old, begun)
	}
}

// A fixed sequence gives these very numbers on every machine.
func TestComputingAgainGivesTheSame(t *testing.T) {
	a, b := Initial(), Initial()
	for i, score := range []float64{1, 0.5, 0, 1, 1, 0.5, 1, 0, 1, 1} {
		a, b = game(a, b, time.Duration(i)*day, day, score)
	}
	want := [2]Rating{{1617, 156.7, 0.090007}, {1383.83, 154.44, 0.090007}}
	if got := [2]Rating{a, b}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzGame(f *testing.F) {
	f.Add(1500.0, 500.0, 0.09, 1500.0, 500.0, 1.0, int64(0))
	f.Add(4000.0, 45.0, 0.1, 400.0, 45.0, 0.0, int64(1<<60))
	f.Add(400.0, 45.0, 0.01, 4000.0, 500.0, 1.0, int64(-5))
	f.Fuzz(func(t *testing.T, v, d, sigma, v2, d2, score float64, elapsed int64) {
		clean := func(x, low, high float64) float64 {
			if math.IsNaN(x) {
				return low
			}
			return min(max(x, low), high)
		}
		a := Rating{clean(v, MinValue, MaxValue), clean(d, MinDeviation, MaxDeviation), clean(sigma, MinVolatility, MaxVolatility)}
		b := Rating{clean(v2, MinValue, MaxValue), clean(d2, MinDeviation, MaxDeviation), StartVolatility}
		white, black := game(a, b, time.Duration(elapsed), time.Duration(elapsed), clean(score, 0, 1))
		for _, r := range []Rating{white, black} {
			if r != r.within() || math.IsNaN(r.Value+r.Deviation+r.Volatility) {
				t.Errorf("%v against %v, %v: %v", a, b, score, r)
			}
		}
	})
}

func BenchmarkGame(b *testing.B) {
	r := Initial()
	for b.Loop() {
		game(r, r, day, day, 1)
	}
}
