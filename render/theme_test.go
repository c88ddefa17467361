package render

import (
	"image/color"
	"math"
	"testing"

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

// TestPiecesAndMarksStandOut asks of each theme what WCAG 2.2 asks of graphical objects
// (1.4.11): a contrast of 3 to what is next to them. A piece has it by its fill or by its
// outline, wherever it stands; the sides have it to each other; a mark has it on both
// colors of squares.
func TestPiecesAndMarksStandOut(t *testing.T) {
	for _, theme := range Themes() {
		s := theme.scheme()
		for name, eyes := range sights {
			check := func(what string, ground color.NRGBA, inks ...color.NRGBA) {
				t.Helper()
				best := 0.0
				for _, ink := range inks {
					best = max(best, eyes.contrast(ink, ground))
				}
				if best < 3 {
					t.Errorf("%v, %s: %s on %02x%02x%02x has a contrast of %.2f", theme, name, what, ground.R, ground.G, ground.B, best)
				}
			}
			for _, g := range s.grounds() {
				for side, m := range s.pieces {
					outline := m.Edge
					if m.Halo.A != 0 && eyes.contrast(Over(m.Halo, g), g) > eyes.contrast(m.Edge, g) {
						outline = Over(m.Halo, g)
					}
					check("a piece of "+rules.Color(side).String(), g, m.Fill, outline)
					check("what stands beside a piece of "+rules.Color(side).String(), g, m.Detail, m.Edge)
				}
			}
			white, black := s.pieces[rules.White], s.pieces[rules.Black]
			check("White's fill", black.Fill, white.Fill)
			check("White's detail", white.Fill, white.Detail)
			check("Black's detail", black.Fill, black.Detail)
			for _, g := range []color.NRGBA{s.light, s.dark} {
				for what, ink := range map[string]color.NRGBA{
					"a coordinate": s.coordinates, "the last move": s.trail, "check": s.check, "a kill": s.kill,
					"a join": s.join, "a part": s.part, "frost": s.frost, "a target": s.target,
					"White's zone": s.zones[0], "Black's zone": s.zones[1],
				} {
					check(what, g, ink)
				}
			}
			check("a burst", s.blast, s.kill)
			check("what could be annihilated", s.blast, white.Fill, white.Edge)
			check("what could be annihilated", s.blast, black.Fill, Over(black.Halo, s.blast))
			check("a crystal", s.plate, s.frost)
			check("a coordinate beside squares", s.ground, s.outside)
			for what, ink := range map[string]color.NRGBA{
				"a shot": s.kill, "a run": s.trail, "a join": s.join, "a part": s.part, "a checker": s.check,
				"White's badge": s.zones[0], "Black's badge": s.zones[1],
			} {
				check(what+" on its casing", s.casing, ink)
			}
			for side, ink := range s.zones {
				tint := s.zoneTints[side]
				check("the edge of a zone", Over(tint, s.light), ink)
				check("the edge of a zone", Over(tint, s.dark), ink)
			}
			for what, on := range map[string][2]color.NRGBA{
				"the last move": {s.reachedTint, s.trail}, "what was left": {s.leftTint, s.trail},
				"frost": {s.frostTint, s.frost}, "a chosen piece": {s.chosenTint, s.target}, "check": {s.checkTint, s.check},
			} {
				check(what, Over(on[0], s.light), on[1])
				check(what, Over(on[0], s.dark), on[1])
			}
		}
	}
}

func TestThemesHaveNames(t *testing.T) {
	for _, theme := range Themes() {
		if got, ok := ParseTheme(theme.String()); !ok || got != theme {
			t.Errorf("%v is read as %v, %v", theme, got, ok)
		}
	}
	if _, ok := ParseTheme("plaid"); ok {
		t.Error("there is a theme plaid")
	}
	if got := Theme(99).scheme(); got != &schemes[Wood] {
		t.Errorf("a theme that is none looks like %s", got.name)
	}
}
