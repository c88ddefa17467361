package diagram

import (
	"slices"

	"chimera/rules"
	"chimera/rules/probe"
)

// ShowThreats is d with what threatens the side to move marked, without the last move: squares
// that are attacked, pieces on them with who attacks them, what guns reach, and what could be
// annihilated.
func (d Diagram) ShowThreats(t probe.Threats) Diagram {
	kept := map[MarkKind]bool{Check: true, Checker: true, Frozen: true}
	d.Marks = slices.DeleteFunc(slices.Clone(d.Marks), func(m Mark) bool { return !kept[m.Kind] })
	mark := func(kind MarkKind, squares rules.Set) {
		for sq := range squares.Squares() {
			d.Marks = append(d.Marks, on(kind, sq))
		}
	}
	mark(Attacks, t.Attacked)
	mark(Ranged, t.Ranged)
	for _, threats := range [][]probe.Threat{t.Blasts, t.Chances} {
		for _, threat := range threats {
			mark(Doomed, threat.On.Set())
		}
	}
	for _, threat := range t.Pieces {
		for by := range threat.By.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Attacks, From: by, To: threat.On})
		}
	}
	return d
}
