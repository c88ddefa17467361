package draw

import (
	"image/color"

	"chimera/render/diagram"
)

// PaletteOf is the palette of pictures of boards in a theme.
func PaletteOf(t diagram.Theme) *Palette { return palettes(t) }

var palettes = diagram.ByTheme(func(t diagram.Theme) *Palette { //nolint:gochecknoglobals // each is written once, under its own guard
	return NewPalette(SchemeOf(t).flats(), SchemeOf(t).edges())
})

// flats are the colors that cover areas, those most often seen first.
func (s *Scheme) flats() []color.NRGBA {
	all := []color.NRGBA{s.Ground, s.Light, s.Dark}
	for _, m := range s.Pieces {
		all = append(all, m.Fill, m.Edge, m.Detail)
	}
	all = append(all, s.Coordinates, s.Rim, s.Outside, s.Casing)
	for _, b := range s.panels() {
		all = append(all, b.Ground, b.Text)
	}
	all = append(all, s.grounds()...)
	all = append(all, s.strokes()...)
	return append(all, s.Blast, s.Plate, s.TargetRim)
}

// panels are what is written on beside a board.
func (s *Scheme) panels() []Panel { return []Panel{s.Bars[0], s.Bars[1], s.Banner} }

// strokes are the colors of what is drawn on squares to mark them.
func (s *Scheme) strokes() []color.NRGBA {
	return []color.NRGBA{s.Trail, s.Kill, s.Join, s.Part, s.Frost, s.Target, s.Check, s.Zones[0], s.Zones[1]}
}

// edges are the colors that meet, those most often seen first.
func (s *Scheme) edges() []Edge {
	const steps, few = 4, 2
	white, black := s.Pieces[0], s.Pieces[1]
	all := []Edge{
		{From: white.Fill, To: white.Edge, Steps: steps},
		{From: white.Fill, To: white.Detail, Steps: steps},
		{From: black.Fill, To: black.Edge, Steps: steps},
		{From: black.Fill, To: black.Detail, Steps: steps},
	}
	for i, g := range s.grounds() {
		steps := steps
		if i >= 12 { // of a zone
			steps = 1
		}
		all = append(all, Edge{From: g, To: white.Edge, Steps: steps}, s.rimmed(g, steps))
		if i < 2 {
			all = append(all, Edge{From: g, To: s.Coordinates, Steps: steps})
		}
	}
	all = append(all, s.rimmed(white.Fill, steps), s.rimmed(white.Edge, steps), s.rimmed(black.Fill, steps), // pieces of two parts
		Edge{From: black.Edge, To: black.Detail, Steps: steps},
		Edge{From: s.Ground, To: s.Rim, Steps: few}, Edge{From: s.Ground, To: white.Edge, Steps: few}, s.rimmed(s.Ground, few),
		Edge{From: s.Blast, To: s.Kill, Steps: steps}, Edge{From: s.Plate, To: s.Frost, Steps: steps})
	for _, ink := range s.strokes() {
		all = append(all, Edge{From: ink, To: s.Casing, Steps: 1})
	}
	for _, b := range s.panels() {
		all = append(all, Edge{From: b.Ground, To: b.Text, Steps: steps})
	}
	for i, g := range s.grounds() {
		lines := s.strokes()
		if i >= 2 { // tinted: few marks are seen there
			lines = lines[:1]
		}
		for _, line := range lines {
			all = append(all, Edge{From: g, To: line, Steps: few})
		}
	}
	return append(all, Edge{From: s.Target, To: s.TargetRim, Steps: few})
}

// rimmed is the edge of Black's pieces on a ground.
func (s *Scheme) rimmed(ground color.NRGBA, steps int) Edge {
	black := s.Pieces[1]
	e := Edge{From: ground, To: black.Edge, Steps: steps}
	if black.Halo.A != 0 {
		e.Rim = Over(black.Halo, ground)
	}
	return e
}

// grounds are the colors on which pieces and marks can stand: the squares, plain and
// tinted.
func (s *Scheme) grounds() []color.NRGBA {
	all := []color.NRGBA{s.Light, s.Dark}
	for _, tint := range []color.NRGBA{s.ReachedTint, s.LeftTint, s.FrostTint, s.ChosenTint, s.CheckTint, s.ZoneTints[0], s.ZoneTints[1]} {
		all = append(all, Over(tint, s.Light), Over(tint, s.Dark))
	}
	return all
}
