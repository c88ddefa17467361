package diagram

import (
	"slices"

	"chimera/rules"
	"chimera/rules/analysis"
)

// ShowZones is d with the squares marked to which pieces lend their powers. Where a piece is
// chosen they are those to which it does, and its own.
func (d Diagram) ShowZones(zones []rules.Influence) Diagram {
	d.Marks = slices.Clone(d.Marks)
	for _, z := range zones {
		for sq := range z.On.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Lent, From: z.From, To: sq})
		}
	}
	d.narrow()
	return d
}

// narrow leaves, where a piece is chosen, only what it lends and what it borrows.
func (d *Diagram) narrow() {
	if chosen := d.Marked(Chosen); chosen != 0 {
		d.Marks = slices.DeleteFunc(d.Marks, func(m Mark) bool {
			return m.Kind == Lent && !chosen.Has(m.From) && (!chosen.Has(m.To) || !d.Lends(m))
		})
	}
}

// ShowMoves is d with the piece on a square marked, and where moves of it lead: to
// squares where it can end, into pieces, or parts of it; and to what it kills on others.
func (d Diagram) ShowMoves(from rules.Square, moves []rules.Move) Diagram {
	d.Marks = append(slices.Clone(d.Marks), on(Chosen, from))
	ends := map[MarkKind]rules.Set{}
	for _, m := range moves {
		if m.From != from && (m.Act != rules.Rally || m.With != from) {
			continue
		}
		kind := Target
		switch m.Act {
		case rules.Merge, rules.Rally:
			kind = Merges
		case rules.Split:
			kind = Splits
		case rules.Step, rules.Castle:
		}
		ends[kind] |= m.To.Set() &^ from.Set()
		ends[Aimed] |= m.Kills
	}
	d.narrow()
	for _, kind := range []MarkKind{Target, Merges, Splits, Aimed} {
		d.Marks = append(d.Marks, each(kind, ends[kind])...)
	}
	return d
}

// each is a mark about each square of a set.
func each(kind MarkKind, set rules.Set) (marks []Mark) {
	for sq := range set.Squares() {
		marks = append(marks, on(kind, sq))
	}
	return marks
}

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
