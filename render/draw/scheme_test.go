package draw

import (
	"image/color"
	"math"
	"testing"

	"chimera/render/diagram"
	"chimera/rules"
)

// sightOf is how people see colors: the linear red, green and blue that they see for
// each of a screen's.
type sightOf [3][3]float64

// sights are those of full color vision, and of complete protanopia and deuteranopia
// by Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
// Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics
// 15 (2009), table 1, severity 1.0.
var sights = map[string]sightOf{
	"full vision": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia": {
		{0.152286, 1.052583, -0.204868},
		{0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998},
	},
	"deuteranopia": {
		{0.367322, 0.860646, -0.227968},
		{0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881},
	},
}

// luminance is the relative luminance of a color, as WCAG 2 defines it, in that sight.
func (s sightOf) luminance(c color.NRGBA) float64 {
	linear := [3]float64{}
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		if f := float64(v) / 0xff; f <= .04045 {
			linear[i] = f / 12.92
		} else {
			linear[i] = math.Pow((f+.055)/1.055, 2.4)
		}
	}
	sum := 0.0
	for i, weight := range [3]float64{.2126, .7152, .0722} {
		seen := s[i][0]*linear[0] + s[i][1]*linear[1] + s[i][2]*linear[2]
		sum += weight * max(0, min(1, seen))
	}
	return sum
}

// contrast is the contrast ratio of WCAG 2, from 1 to 21.
func (s sightOf) contrast(a, b color.NRGBA) float64 {
	x, y := s.luminance(a), s.luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// best is the contrast of that of some colors which stands out most on a ground.
func (s sightOf) best(ground color.NRGBA, inks ...color.NRGBA) (best float64) {
	for _, ink := range inks {
		best = max(best, s.contrast(ink, ground))
	}
	return best
}

// TestPiecesAndMarksStandOut asks of each theme what WCAG 2.2 asks of graphical objects
// (1.4.11): a contrast of 3 to what is next to them. A piece has it by its fill or by its
// outline, wherever it stands; the sides have it to each other; a mark has it on both
// colors of squares.
func TestPiecesAndMarksStandOut(t *testing.T) {
	for _, theme := range diagram.Themes() {
		s := SchemeOf(theme)
		for name, eyes := range sights {
			check := func(what string, ground color.NRGBA, inks ...color.NRGBA) {
				t.Helper()
				if best := eyes.best(ground, inks...); best < 3 {
					t.Errorf("%v, %s: %s on %02x%02x%02x has a contrast of %.2f", theme, name, what, ground.R, ground.G, ground.B, best)
				}
			}
			for _, g := range s.grounds() {
				for side, m := range s.Pieces {
					outline := m.Edge
					if m.Halo.A != 0 && eyes.contrast(Over(m.Halo, g), g) > eyes.contrast(m.Edge, g) {
						outline = Over(m.Halo, g)
					}
					check("a piece of "+rules.Color(side).String(), g, m.Fill, outline)
					check("what stands beside a piece of "+rules.Color(side).String(), g, m.Detail, m.Edge)
				}
			}
			white, black := s.Pieces[rules.White], s.Pieces[rules.Black]
			check("White's fill", black.Fill, white.Fill)
			check("White's detail", white.Fill, white.Detail)
			check("Black's detail", black.Fill, black.Detail)
			for _, g := range []color.NRGBA{s.Light, s.Dark} {
				for what, ink := range map[string]color.NRGBA{
					"a coordinate": s.Coordinates, "the last move": s.Trail, "check": s.Check, "a kill": s.Kill,
					"a join": s.Join, "a part": s.Part, "frost": s.Frost,
					"White's zone": s.Zones[0], "Black's zone": s.Zones[1],
				} {
					check(what, g, ink)
				}
				check("a target", g, s.Target, s.TargetRim)
			}
			check("a target in its rim", s.TargetRim, s.Target)
			check("a burst", s.Blast, s.Kill)
			check("what could be annihilated", s.Blast, white.Fill, white.Edge)
			check("what could be annihilated", s.Blast, black.Fill, Over(black.Halo, s.Blast))
			check("a crystal", s.Plate, s.Frost)
			check("a coordinate beside squares", s.Ground, s.Outside)
			for what, ink := range map[string]color.NRGBA{
				"a shot": s.Kill, "a run": s.Trail, "a join": s.Join, "a part": s.Part, "a checker": s.Check,
				"White's badge": s.Zones[0], "Black's badge": s.Zones[1],
			} {
				check(what+" on its casing", s.Casing, ink)
			}
			for side, ink := range s.Zones {
				tint := s.ZoneTints[side]
				check("the edge of a zone", Over(tint, s.Light), ink)
				check("the edge of a zone", Over(tint, s.Dark), ink)
			}
			for what, on := range map[string][2]color.NRGBA{
				"the last move": {s.ReachedTint, s.Trail}, "what was left": {s.LeftTint, s.Trail},
				"frost": {s.FrostTint, s.Frost}, "a chosen piece": {s.ChosenTint, s.Target}, "check": {s.CheckTint, s.Check},
			} {
				check(what, Over(on[0], s.Light), on[1])
				check(what, Over(on[0], s.Dark), on[1])
			}
		}
	}
}

// TestBarsStandOut asks of bars what WCAG 2.2 asks of text (1.4.3) and of what tells states apart (1.4.11).
func TestBarsStandOut(t *testing.T) {
	const text, graphic = 4.5, 3
	for _, theme := range diagram.Themes() {
		s := SchemeOf(theme)
		for name, eyes := range sights {
			check := func(what string, least float64, ground color.NRGBA, inks ...color.NRGBA) {
				t.Helper()
				if got := eyes.best(ground, inks...); got < least {
					t.Errorf("%v, %s: %s has a contrast of %.2f", theme, name, what, got)
				}
			}
			for _, p := range s.panels() {
				check("what is written", text, p.Ground, p.Text)
			}
			check("a lit bar beside others", graphic, s.Bars[0].Ground, s.Bars[1].Ground)
			for _, b := range s.Bars {
				check("a banner", graphic, b.Ground, s.Banner.Ground, s.Banner.Text)
				for _, side := range []rules.Color{rules.White, rules.Black} {
					fill, edge := s.Side(side)
					check("the disc of "+side.String(), graphic, b.Ground, fill, edge)
				}
			}
		}
	}
}
