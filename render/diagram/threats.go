package diagram

import (
	"slices"

	"chimera/rules/analysis"
)

// ShowThreats is d with what threatens the side to move marked, without the last move: squares
// that are attacked, pieces on them with who attacks them, what guns reach, and what could be
// annihilated.
func (d Diagram) ShowThreats(t analysis.Threats) Diagram {
	kept := map[MarkKind]bool{Check: true, Checker: true, Frozen: true}
	d.Marks = slices.DeleteFunc(slices.Clone(d.Marks), func(m Mark) bool { return !kept[m.Kind] })
	d.Marks = append(d.Marks, each(Attacks, t.Attacked)...)
	d.Marks = append(d.Marks, each(Ranged, t.Ranged)...)
	for _, threat := range slices.Concat(t.Blasts, t.Chances) {
		d.Marks = append(d.Marks, on(Doomed, threat.On))
	}
	for _, threat := range t.Pieces {
		for by := range threat.By.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Attacks, From: by, To: threat.On})
		}
	}
	return d
}
